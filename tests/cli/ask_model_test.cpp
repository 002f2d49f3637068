// `ask` with a language model, as separate processes: a scripted server in the place of the provider, a key that is
// wrong at first, a server that never answers, and text that wants to control the terminal.
#include "base/json.hpp"
#include "cli/program.hpp"
#include "data/shop.hpp"
#include "kit/http_server.hpp"
#include "llm/providers/fake_provider.hpp"
#include "temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <mutex>

namespace quaestor::cli {

namespace {

using testing::HasSubstr;
using testing::Not;

class AskWithModel : public testing::Test {
protected:
    AskWithModel() : server_([this](const test::ReceivedRequest& request) { return answer(request); }) {
        says_["clarify_query"] = R"({"reasoning": "", "intent": "clear", "reason": "", "options": []})";
        says_["plan_query"] =
            R"({"reasoning": "", "complexity": "simple", "sub_queries": [], "combination_strategy": "synthesize"})";
        says_["select_tables"] = R"({"reasoning": "", "tables": ["shop"]})";
        says_["generate_sql"] =
            R"({"thinking": "", "sql": "SELECT count(*) AS shops, max(name) AS last_name FROM shop", "assumptions": []})";
        says_["analyze_data"] = R"({"answer": "There are 2 shops.", "method": "I counted them."})";
        says_["grade_response"] =
            R"({"reasoning": "", "passed": true, "confidence": 0.9, "issues": [], "suggestions": []})";
        std::filesystem::create_directory(folder_.path() / "data");
        std::ofstream(folder_.path() / "data" / "shop.csv") << "name,town\nA,Rome\n\"B \x1b[31mred\x1b[0m\",Oslo\n";
        configure("");
    }

    void configure(const std::string& more) {
        std::string url = server_.url("");
        while (url.ends_with('/')) url.pop_back();
        std::ofstream(folder_.file("quaestor.yaml")) << fmt::format(
            "llm:\n  models:\n    it: {{provider: compatible, model: fake, base_url: \"{}/v1\", key: \"${{MY_KEY}}\",\n"
            "         price: {{input: 10, output: 100}}, guard: {{retry: {{attempts: 1}}}}}}\n  frontier: [it]\n{}",
            url, more);
    }

    test::Reply answer(const test::ReceivedRequest& request) {
        const std::lock_guard lock(mutex_);
        const auto body = parse_json(request.body).value();
        const std::string prompt(body.at_pointer("/response_format/json_schema/name").as_string());
        asked_.push_back(prompt);
        if (prompt == refuses_) {
            return test::Reply::json(R"({"error": {"message": "Incorrect API key provided"}})", 401);
        }
        test::Reply reply(200);
        reply.header("content-type", "text/event-stream");
        for (const auto& event : provider_->stream({.text = {says_.at(prompt)}})) reply.piece(event);
        return reply;
    }

    ProgramEnd run(std::vector<std::string> arguments) {
        auto end = run_program(
            {.arguments = std::move(arguments), .folder = folder_.path(), .environment = {{"MY_KEY", test::kFakeKey}}});
        EXPECT_TRUE(end);
        return end ? *end : ProgramEnd{};
    }

    void says(const std::string& prompt, std::string reply) {
        const std::lock_guard lock(mutex_);
        says_[prompt] = std::move(reply);
    }
    void refuse(const std::string& prompt) {
        const std::lock_guard lock(mutex_);
        refuses_ = prompt;
    }
    [[nodiscard]] std::vector<std::string> asked() {
        const std::lock_guard lock(mutex_);
        return std::exchange(asked_, {});
    }

    store::TemporaryFolder folder_;
    std::unique_ptr<test::FakeProvider> provider_ = test::fake_provider("compatible");
    std::mutex mutex_;
    std::map<std::string, std::string> says_;  ///< under the mutex
    std::string refuses_;                      ///< under the mutex
    std::vector<std::string> asked_;           ///< under the mutex
    test::HttpServer server_;
};

TEST_F(AskWithModel, TellsWhatTheModelSaidAndWhatItCost) {
    const auto end = run({"ask", "--source", "data", "--json", "--quiet", "How many shops are there?"});
    EXPECT_EQ(end.exit_code, 0) << end.errors;
    const auto answer = parse_json(end.output).value();
    EXPECT_EQ(answer.at("answer"), "There are 2 shops.");
    EXPECT_EQ(answer.at("method"), "How I found this: I counted them.");
    EXPECT_EQ(answer.at_pointer("/usage/llm_calls"), 6);
    EXPECT_GT(answer.at_pointer("/usage/input_tokens").to_number<std::int64_t>(), 6);
    EXPECT_GT(answer.at_pointer("/usage/cost_usd").to_number<double>(), 0);
    EXPECT_THAT(end.output, Not(HasSubstr(test::kFakeKey)));
}

TEST_F(AskWithModel, GoesOnFromTheFailedStepWhenTheKeyIsMended) {
    refuse("generate_sql");
    const auto failed = run({"ask", "--source", "data", "How many shops are there?"});
    EXPECT_EQ(failed.exit_code, 3);
    EXPECT_THAT(failed.output, HasSubstr("I could not finish"));
    EXPECT_THAT(failed.errors, HasSubstr("Once that is mended, go on with: quaestor runs resume"));
    EXPECT_THAT(asked(), testing::ElementsAre("clarify_query", "plan_query", "select_tables", "generate_sql"));

    refuse("");
    const auto resumed = run({"runs", "resume", "last", "--quiet"});
    EXPECT_EQ(resumed.exit_code, 0) << resumed.errors;
    EXPECT_THAT(resumed.output, HasSubstr("There are 2 shops."));
    EXPECT_THAT(resumed.output, HasSubstr("How I found this"));
    EXPECT_THAT(asked(), testing::ElementsAre("generate_sql", "analyze_data", "grade_response"));
}

TEST_F(AskWithModel, StandsInForAServerThatIsGone) {
    std::ofstream(folder_.file("quaestor.yaml"))
        << "llm: {models: {it: {provider: compatible, model: fake, base_url: \"http://127.0.0.1:9/v1\",\n"
           "                    guard: {retry: {attempts: 1}}}}, frontier: [it]}\n";
    const auto end = run({"ask", "--source", "data", "--json", "--quiet", "How many shops are there?"});
    EXPECT_EQ(end.exit_code, 0) << end.errors;
    const auto answer = parse_json(end.output).value();
    EXPECT_EQ(to_text(answer.at_pointer("/queries/0/rows")), "[[2]]");
    EXPECT_THAT(std::string(answer.at("method").as_string()), HasSubstr("without the language model"));
}

TEST_F(AskWithModel, NeitherRowsNorWordsOfAModelReachTheTerminalAsControls) {
    says(
        "analyze_data",
        R"({"answer": "There are 2 shops. \u001b[2J\u001b]0;owned\u0007 <script>", "method": "I \u001b[31mcounted."})");
    says("generate_sql", R"({"thinking": "", "sql": "SELECT name FROM shop", "assumptions": ["\u001b[5mblink"]})");
    const auto end = run({"ask", "--source", "data", "Which shops are there?"});
    EXPECT_EQ(end.exit_code, 0) << end.errors;
    EXPECT_THAT(end.output, HasSubstr("There are 2 shops."));
    EXPECT_THAT(end.output, Not(HasSubstr("\x1b")));
    EXPECT_THAT(end.output, Not(HasSubstr("\x07")));
    EXPECT_THAT(end.errors, Not(HasSubstr("\x1b")));

    std::ofstream(folder_.file("lines")) << "Which shops are there?\n/table\n/why\n/sql\n";
    auto chat = run_program({.arguments = {"chat", "--source", "data"},
                             .folder = folder_.path(),
                             .environment = {{"MY_KEY", test::kFakeKey}},
                             .input_file = folder_.file("lines")});
    ASSERT_TRUE(chat);
    EXPECT_THAT(chat->output, HasSubstr("red"));
    EXPECT_THAT(chat->output, Not(HasSubstr("\x1b")));
}

TEST_F(AskWithModel, EndsAtItsDeadlineWithAModelThatNeverAnswers) {
    test::HttpServer silent([](const test::ReceivedRequest&) { return test::Reply(200).stall(); });
    std::string url = silent.url("");
    while (url.ends_with('/')) url.pop_back();
    std::ofstream(folder_.file("quaestor.yaml")) << fmt::format(
        "llm: {{models: {{it: {{provider: compatible, model: fake, base_url: \"{}/v1\"}}}}, frontier: [it]}}\n"
        "run: {{deadline_ms: 500}}\n",
        url);
    const auto end = run({"ask", "--source", "data", "How many shops are there?"});
    EXPECT_EQ(end.exit_code, 3) << end.output;
    EXPECT_THAT(end.output, HasSubstr("I could not finish"));
    EXPECT_THAT(end.errors, HasSubstr("quaestor runs resume"));
}

TEST_F(AskWithModel, ListsItsPrompts) {
    const auto end = run({"prompt", "--json"});
    EXPECT_EQ(end.exit_code, 0) << end.errors;
    for (const auto* key : {"clarify_query", "rewrite_query", "plan_query", "select_tables", "generate_sql",
                            "analyze_data", "grade_response", "intent_classification"}) {
        EXPECT_THAT(end.output, HasSubstr(fmt::format("\"{}\"", key)));
    }
}

}  // namespace

}  // namespace quaestor::cli
