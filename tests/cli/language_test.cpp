// The typed prompt of the program, asked of every provider through the same command, and replayed without any of them.
#include "cli/program.hpp"
#include "kit/http_server.hpp"
#include "llm/providers/fake_provider.hpp"
#include "temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <mutex>

namespace quaestor::cli {

namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct ProviderCase {
    std::string name;
    std::string key_variable;
    std::string path;       ///< of the base URL
    std::string setting{};  ///< besides
};

std::ostream& operator<<(std::ostream& out, const ProviderCase& provider) {
    return out << provider.name;
}

constexpr std::string_view kOutput = R"({"reasoning": "It thanks.", "intent": "thanks"})";

class LanguageTest : public testing::TestWithParam<ProviderCase> {
protected:
    test::Reply answer(const test::ReceivedRequest& request) {
        const std::lock_guard lock(mutex_);
        if (request.method == "GET") return test::Reply::json(R"({"data": [], "models": []})");
        try {
            asked_.push_back(provider_->read(request));
        } catch (const test::WrongRequest& wrong) {
            wrong_ += wrong.what();
        }
        test::Reply reply(200);
        reply.header("content-type", "text/event-stream");
        const test::ScriptedReply said{.text = {std::string(kOutput)}, .output_tool = "intent_classification"};
        for (const auto& event : provider_->stream(said)) reply.piece(event);
        return reply;
    }

    void configure(const std::string& server) {
        std::ofstream(folder_.file("quaestor.yaml")) << fmt::format(
            "llm:\n  models:\n    it: {{provider: {}, model: fake, base_url: \"{}{}\",\n"
            "         price: {{input: 10, output: 100}}{}}}\n  frontier: [it]\n",
            GetParam().name, server, GetParam().path, GetParam().setting);
    }

    ProgramEnd run(std::vector<std::string> arguments) {
        auto end = run_program({.arguments = std::move(arguments),
                                .folder = folder_.path(),
                                .environment = {{GetParam().key_variable, test::kFakeKey}}});
        EXPECT_TRUE(end);
        return end ? *end : ProgramEnd{};
    }

    store::TemporaryFolder folder_;
    std::unique_ptr<test::FakeProvider> provider_ = test::fake_provider(GetParam().name);
    std::mutex mutex_;
    std::vector<test::Asked> asked_;  ///< under the mutex
    std::string wrong_;               ///< under the mutex
};

std::string place_of(const test::HttpServer& server) {
    std::string url = server.url("");
    while (url.ends_with('/')) url.pop_back();
    return url;
}

TEST_P(LanguageTest, AnswersATypedPromptAndReplaysIt) {
    const std::vector<std::string> ask{"prompt", "intent_classification", "--input", R"({"text": "cheers"})", "--json"};
    auto recorded = ask;
    recorded.insert(recorded.end(), {"--record", "tape.jsonl"});
    auto replayed = ask;
    replayed.insert(replayed.end(), {"--replay", "tape.jsonl"});
    std::string first;
    {
        test::HttpServer server([this](const test::ReceivedRequest& request) { return answer(request); });
        configure(place_of(server));
        const auto end = run(recorded);
        EXPECT_EQ(end.exit_code, 0) << end.errors;
        EXPECT_THAT(wrong_, IsEmpty());
        ASSERT_EQ(asked_.size(), 1U);
        EXPECT_EQ(asked_[0].model, "fake");
        EXPECT_EQ(asked_[0].output, "reasoning, intent");
        first = end.output;
    }
    const auto answer = json::parse(first);
    EXPECT_EQ(answer.at("by"), "model");
    EXPECT_EQ(answer.at_pointer("/output/intent"), "thanks");
    EXPECT_EQ(answer.at_pointer("/usage/llm_calls"), 1);
    EXPECT_GT(answer.at_pointer("/usage/cost_usd").to_number<double>(), 0);
    const auto again = run(replayed);
    EXPECT_EQ(again.exit_code, 0) << again.errors;
    EXPECT_EQ(again.output, first);
    std::ifstream tape(folder_.file("tape.jsonl"));
    const std::string text{std::istreambuf_iterator<char>(tape), {}};
    EXPECT_THAT(text, HasSubstr("cheers"));
    EXPECT_THAT(text + first, Not(HasSubstr(test::kFakeKey)));
}

TEST_P(LanguageTest, IsFoundByModelsAndDoctor) {
    test::HttpServer server([this](const test::ReceivedRequest& request) { return answer(request); });
    configure(place_of(server));
    const auto models = run({"models", "--json"});
    EXPECT_EQ(models.exit_code, 0) << models.errors;
    EXPECT_EQ(json::parse(models.output).at_pointer("/models/0/answers"), true);
    const auto doctor = run({"doctor"});
    EXPECT_EQ(doctor.exit_code, 0) << doctor.errors;
    EXPECT_THAT(doctor.output, HasSubstr("fake answers"));
}

INSTANTIATE_TEST_SUITE_P(Providers, LanguageTest,
                         testing::Values(ProviderCase{"openai", "OPENAI_API_KEY", "/v1"},
                                         ProviderCase{"compatible", "MY_KEY", "/v1",
                                                      ", key: \"${MY_KEY}\", json_schema: false, stream_usage: false"},
                                         ProviderCase{"anthropic", "ANTHROPIC_API_KEY", ""},
                                         ProviderCase{"google", "GEMINI_API_KEY", ""}),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace

}  // namespace quaestor::cli
