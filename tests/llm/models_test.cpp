#include "llm/models.hpp"

#include "scripted_http.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <unistd.h>

namespace quaestor::llm {
namespace {

using namespace std::chrono_literals;
using test::ScriptedHttp;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

ModelConfig model(Provider provider, std::string name) {
    ModelConfig config{.provider = provider, .model = std::move(name)};
    if (provider == Provider::compatible) config.base_url = "http://127.0.0.1:1/v1";
    config.guard.retry.attempts = 1;
    return config;
}

std::vector<std::string> messages_of(const std::vector<Error>& problems) {
    std::vector<std::string> messages;
    for (const Error& problem : problems) messages.push_back(problem.message);
    return messages;
}

class ModelsTest : public testing::Test {
protected:
    std::unique_ptr<Models> open(LlmConfig config, std::shared_ptr<Tape> tape = {}) {
        return Models::open(std::move(config), {.http = http_,
                                                .clock = clock_,
                                                .random = random_,
                                                .tape = std::move(tape),
                                                .environment = environment_})
            .value();
    }
    static ModelResult<ChatReply> ask(ChatModel* model) {
        return run_to_end(model->chat({.messages = {user("hello")}}, {}));
    }
    std::string header(std::size_t request, std::string_view name) const {
        for (const auto& one : http_.requests.at(request).headers) {
            if (net::HttpResponse{.headers = {one}}.header(name)) return one.value;
        }
        return "";
    }

    ManualClock clock_;
    SeededRandom random_{1};
    ScriptedHttp http_;
    std::map<std::string, std::string> environment_;
};

TEST(ModelConfigTest, HasNoProblemsAsItComesAndWhenItIsRight) {
    EXPECT_THAT(problems_of({}), IsEmpty());
    LlmConfig config;
    config.models["a"] = model(Provider::openai, "gpt-5-mini");
    config.frontier = {"a"};
    EXPECT_THAT(problems_of(config), IsEmpty());
}

TEST(ModelConfigTest, TellsAllProblemsWithTheirPlaces) {
    LlmConfig config;
    config.models["gpt-5"] = model(Provider::openai, "");
    config.models["local"] = ModelConfig{.provider = Provider::compatible, .model = "x"};
    config.models["file"] = ModelConfig{.provider = Provider::llama, .model = "x.gguf", .base_url = "ftp://x"};
    config.models["odd"] = model(Provider::google, "g");
    config.models["odd"].temperature = 3;
    config.models["odd"].max_tokens = 0;
    config.models["odd"].price.output = -1;
    config.models["odd"].guard.concurrency = 0;
    config.models["odd"].guard.rate.per_minute = 0;
    config.frontier = {"gtp-5", "local", "local"};
    config.budget.calls = -1;
    config.embeddings.model = "";
    EXPECT_THAT(
        messages_of(problems_of(config)),
        UnorderedElementsAre(
            "llm.models.gpt-5.model: is missing", "llm.models.local.base_url: is missing",
            "llm.models.file.base_url: must begin with http:// or https://",
            "llm.models.file.base_url: has no meaning for a file", "llm.models.odd.temperature: must be from 0 to 2",
            "llm.models.odd.max_tokens: must be at least 1", "llm.models.odd.price: must not be negative",
            "llm.models.odd.guard.concurrency: must be at least 1",
            "llm.models.odd.guard.rate.per_minute: must be at least 1", "llm.frontier[0]: there is no model \"gtp-5\"",
            "llm.frontier[2]: \"local\" is named twice", "llm.budget: must not be negative",
            "llm.embeddings.model: is missing"));
}

TEST(ModelConfigTest, SuggestsTheNearestName) {
    LlmConfig config;
    config.models["gpt-5"] = model(Provider::openai, "gpt-5");
    config.frontier = {"gpt-4"};
    EXPECT_EQ(problems_of(config).at(0).hint, "did you mean \"gpt-5\"?");
    config.models.clear();
    EXPECT_EQ(problems_of(config).at(0).hint, "define it under llm.models");
}

TEST(ModelConfigTest, SaysWhenModelsAreConfiguredAndNeverAsked) {
    LlmConfig config;
    config.models["a"] = model(Provider::openai, "x");
    EXPECT_THAT(messages_of(problems_of(config)), ElementsAre(HasSubstr("llm.frontier: names no model")));
    config.lightweight = {"a"};
    EXPECT_THAT(messages_of(problems_of(config)), ElementsAre(HasSubstr("llm.frontier: is empty while")));
}

TEST_F(ModelsTest, RefuseToOpenWithAllProblemsInTheMessage) {
    LlmConfig config;
    config.frontier = {"a", "b"};
    const auto models = Models::open(config, {.http = http_, .clock = clock_, .random = random_});
    ASSERT_FALSE(models);
    EXPECT_EQ(models.error().code, Code::invalid_argument);
    EXPECT_THAT(models.error().message,
                AllOf(HasSubstr("2 problems"), HasSubstr("llm.frontier[0]"), HasSubstr("llm.frontier[1]")));
}

TEST_F(ModelsTest, AreNoneWithoutConfiguration) {
    const auto models = open({});
    EXPECT_EQ(models->for_tier(Tier::frontier), nullptr);
    EXPECT_EQ(models->for_prompt("any", Tier::lightweight), nullptr);
    EXPECT_THAT(run_to_end(models->status(true)), IsEmpty());
}

TEST_F(ModelsTest, StandBehindTheirTiersAndThePromptsThatConfigurationMoves) {
    LlmConfig config;
    config.models["big"] = model(Provider::compatible, "large");
    config.models["little"] = model(Provider::compatible, "small");
    config.frontier = {"big"};
    config.lightweight = {"little"};
    config.prompts["moved"] = Tier::frontier;
    const auto models = open(config);
    EXPECT_EQ(models->for_tier(Tier::frontier)->name(), "compatible/large");
    EXPECT_EQ(models->for_prompt("other", Tier::lightweight)->name(), "compatible/small");
    EXPECT_EQ(models->for_prompt("moved", Tier::lightweight)->name(), "compatible/large");
}

TEST_F(ModelsTest, OfTheFrontierServeTheLightweightTierWhenItHasNone) {
    LlmConfig config;
    config.models["big"] = model(Provider::compatible, "large");
    config.frontier = {"big"};
    EXPECT_EQ(open(config)->for_tier(Tier::lightweight)->name(), "compatible/large");
}

TEST_F(ModelsTest, StandInForEachOther) {
    LlmConfig config;
    config.models["a"] = model(Provider::compatible, "one");
    config.models["b"] = model(Provider::compatible, "two");
    config.frontier = {"b", "a"};
    const auto models = open(config);
    http_.fails(Code::unavailable).says("hi");
    const auto reply = ask(models->for_tier(Tier::frontier));
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->model, "compatible/one");
}

TEST_F(ModelsTest, TakeTheirKeysFromConfigurationAndElseFromTheEnvironment) {
    environment_ = {{"OPENAI_API_KEY", "from-environment"}};
    LlmConfig config;
    config.models["a"] = model(Provider::openai, "x");
    config.models["b"] = model(Provider::openai, "y");
    config.models["b"].key = Secret("from-configuration");
    config.frontier = {"a"};
    config.lightweight = {"b"};
    const auto models = open(config);
    http_.says("hi").says("hi");
    EXPECT_TRUE(ask(models->for_tier(Tier::frontier)));
    EXPECT_TRUE(ask(models->for_tier(Tier::lightweight)));
    EXPECT_EQ(header(0, "authorization"), "Bearer from-environment");
    EXPECT_EQ(header(1, "authorization"), "Bearer from-configuration");
}

TEST_F(ModelsTest, DoNotGiveOpenAisKeyToACompatibleServer) {
    environment_ = {{"OPENAI_API_KEY", "from-environment"}};
    LlmConfig config;
    config.models["a"] = model(Provider::compatible, "x");
    config.frontier = {"a"};
    http_.says("hi");
    EXPECT_TRUE(ask(open(config)->for_tier(Tier::frontier)));
    EXPECT_EQ(header(0, "authorization"), "");
}

TEST_F(ModelsTest, SayThatTheirKeyIsMissingWithoutTroublingTheNetwork) {
    LlmConfig config;
    config.models["a"] = model(Provider::anthropic, "x");
    config.frontier = {"a"};
    const auto models = open(config);
    const auto reply = ask(models->for_tier(Tier::frontier));
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().fault, Fault::auth);
    EXPECT_THAT(reply.error().error.hint, HasSubstr("ANTHROPIC_API_KEY"));
    EXPECT_THAT(http_.requests, IsEmpty());
    const auto status = run_to_end(models->status(true));
    EXPECT_FALSE(status.at(0).has_key);
    EXPECT_EQ(status.at(0).problem.value().code, Code::permission_denied);
}

TEST_F(ModelsTest, HaveThePricesOfTheConfiguration) {
    LlmConfig config;
    config.models["a"] = model(Provider::compatible, "x");
    config.models["a"].price = {.input = 1, .cached_input = 0, .output = 4};
    config.frontier = {"a"};
    const auto models = open(config);
    EXPECT_EQ(models->price_of("compatible/x").output, 4);
    EXPECT_EQ(models->price_of("a").output, 4);
    EXPECT_EQ(models->price_of("unknown").output, 0);
}

TEST_F(ModelsTest, TellTheirStatusAndWhatAProbeFinds) {
    LlmConfig config;
    config.models["down"] = model(Provider::compatible, "x");
    config.models["well"] = model(Provider::compatible, "y");
    config.models["well"].guard.rate.per_minute = 30;
    config.frontier = {"well"};
    config.lightweight = {"down", "well"};
    const auto models = open(config);
    auto status = run_to_end(models->status(false));
    ASSERT_EQ(status.size(), 2U);
    EXPECT_THAT(http_.requests, IsEmpty()) << "nobody was asked to probe";
    EXPECT_EQ(status[1].name, "well");
    EXPECT_EQ(status[1].per_minute, 30);
    EXPECT_THAT(status[1].tiers, ElementsAre(Tier::frontier, Tier::lightweight));
    EXPECT_TRUE(status[1].has_key) << "it needs none";
    EXPECT_EQ(status[1].health.breaker, Breaker::State::closed);

    http_.fails(Code::unavailable).responds(200, R"({"data":[]})");
    status = run_to_end(models->status(true));
    EXPECT_EQ(status[0].problem.value().code, Code::unavailable);
    EXPECT_EQ(status[1].problem, std::nullopt);
}

TEST_F(ModelsTest, OpenFilesOnlyWhenTheyAreAsked) {
    LlmConfig config;
    config.models["a"] = model(Provider::llama, "/nowhere/tiny.gguf");
    config.models["b"] = model(Provider::compatible, "x");
    config.frontier = {"a", "b"};
    const auto models = open(config);
    EXPECT_EQ(models->for_tier(Tier::frontier)->name(), "llama/tiny");
    http_.says("hi");
    const auto reply = ask(models->for_tier(Tier::frontier));
    ASSERT_TRUE(reply) << "the next stands in";
    EXPECT_EQ(reply->model, "compatible/x");
    const auto alone = ask(models->for_tier(Tier::frontier));
    ASSERT_FALSE(alone);
    EXPECT_THAT(alone.error().error.describe(), HasSubstr("llama/tiny: the model could not be opened"));
    EXPECT_EQ(run_to_end(models->status(true)).at(0).problem.value().code, Code::not_found);
}

TEST_F(ModelsTest, OpenTheEmbedderOnceAndShareIt) {
    LlmConfig config;
    config.embeddings = {.model = "text-embedding-3-small", .base_url = "https://api.openai.com/v1"};
    environment_ = {{"OPENAI_API_KEY", "from-environment"}};
    const auto models = open(config);
    const auto first = run_to_end(models->embedder());
    ASSERT_TRUE(first);
    EXPECT_EQ(run_to_end(models->embedder()).value(), *first);
    EXPECT_EQ((*first)->name(), "text-embedding-3-small");
    http_.responds(200, R"({"data":[{"index":0,"embedding":[3,4]}]})");
    const auto rows = run_to_end((*first)->embed({"x"}));
    ASSERT_TRUE(rows) << rows.error().describe();
    EXPECT_FLOAT_EQ((*rows)[0][0], 0.6F);
    EXPECT_EQ(header(0, "authorization"), "Bearer from-environment");
}

TEST_F(ModelsTest, DoNotGiveOpenAisKeyToAnotherEmbeddingServer) {
    LlmConfig config;
    config.embeddings = {.model = "e", .base_url = "https://api.openai.com.example/v1"};
    environment_ = {{"OPENAI_API_KEY", "from-environment"}};
    const auto models = open(config);
    http_.responds(200, R"({"data":[{"index":0,"embedding":[3,4]}]})");
    (void)run_to_end(run_to_end(models->embedder()).value()->embed({"x"}));
    EXPECT_EQ(header(0, "authorization"), "");
}

TEST_F(ModelsTest, SayWhyAnEmbedderCannotBeOpenedAndTryAgainNextTime) {
    LlmConfig config;
    config.embeddings.model = "/nowhere/embedder.gguf";
    const auto models = open(config);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(run_to_end(models->embedder()).error().code, Code::not_found);
}

TEST_F(ModelsTest, ReplayARecordedRunWithoutNetworkKeysOrFiles) {
    const auto path = (std::filesystem::path(testing::TempDir()) / fmt::format("models-{}.tape", ::getpid())).string();
    std::filesystem::remove(path);
    LlmConfig config;
    config.models["a"] = model(Provider::openai, "x");
    config.models["f"] = model(Provider::llama, "/nowhere/tiny.gguf");
    config.frontier = {"f", "a"};
    config.embeddings = {.model = "e", .base_url = "http://127.0.0.1:1/v1"};
    environment_ = {{"OPENAI_API_KEY", "a-secret-key"}};
    http_.says("hi").responds(200, R"({"data":[{"index":0,"embedding":[3,4]}]})");
    const auto run = [](Models& models) {
        const auto reply = ask(models.for_tier(Tier::frontier));
        const auto rows = run_to_end(run_to_end(models.embedder()).value()->embed({"x"}));
        return fmt::format("{} {}", to_text(encode(reply.value())), rows.value()[0][1]);
    };
    const std::string recorded = run(*open(config, Tape::record(path).value()));
    EXPECT_EQ(http_.requests.size(), 2U);

    environment_.clear();
    const auto tape = Tape::replay(path).value();
    EXPECT_EQ(run(*open(config, tape)), recorded);
    EXPECT_EQ(tape->left(), 0U);
    EXPECT_EQ(http_.requests.size(), 2U);
    std::ifstream file(path);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    EXPECT_THAT(text, testing::Not(HasSubstr("a-secret-key")));
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace quaestor::llm
