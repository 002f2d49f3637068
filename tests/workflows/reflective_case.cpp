#include "reflective_case.hpp"

#include "base/text.hpp"
#include "scripted_provider.hpp"
#include "temporary_folder.hpp"
#include "workflows/reflective/analyst.hpp"
#include "workflows/reflective/prompts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <set>
#include <sstream>

namespace quaestor::workflows::test {

namespace {

const std::filesystem::path kCasesDir = std::filesystem::path(QUAESTOR_TEST_DIR) / "cases";

std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// The first word of a line, and what follows it.
std::pair<std::string, std::string> split_word(const std::string& line) {
    const auto end = line.find(' ');
    if (end == std::string::npos) return {line, ""};
    return {line.substr(0, end), std::string(text::trim(line.substr(end)))};
}

std::size_t number_in(const std::string& text) {
    std::size_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    EXPECT_TRUE(problem == std::errc() && end == text.data() + text.size()) << "no number: " << text;
    return number;
}

void run_sql(const std::string& file, const std::string& statements) {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &handle), SQLITE_OK);
    char* message = nullptr;
    EXPECT_EQ(sqlite3_exec(handle, statements.c_str(), nullptr, nullptr, &message), SQLITE_OK) << message;
    sqlite3_free(message);
    sqlite3_close(handle);
}

/// What a prompt's output is when nothing is said of it.
json::object default_output(const std::string& prompt) {
    namespace prompts = reflective;
    static const std::map<std::string, json::value> outputs{
        {"clarify_query", encode(prompts::ClarifyQuery::Output{})},
        {"rewrite_query", encode(prompts::RewriteQuery::Output{})},
        {"plan_query", encode(prompts::PlanQuery::Output{})},
        {"select_tables", encode(prompts::SelectTables::Output{})},
        {"generate_sql", encode(prompts::GenerateSql::Output{})},
        {"analyze_data", encode(prompts::AnalyzeData::Output{})},
        {"grade_response", json::value{{"reasoning", ""},
                                       {"passed", true},
                                       {"confidence", 0.9},
                                       {"issues", json::array()},
                                       {"suggestions", json::array()}}},
    };
    return outputs.at(prompt).as_object();
}

bool is_prompt(const std::string& word) {
    static const std::set<std::string> keys{"clarify_query", "rewrite_query", "plan_query",    "select_tables",
                                            "generate_sql",  "analyze_data",  "grade_response"};
    return keys.contains(word);
}

ScriptedTurn turn_of(const std::string& prompt, std::string rest) {
    ScriptedTurn turn;
    if (rest.starts_with('[')) {
        const auto end = rest.find(']');
        turn.only_for = rest.substr(1, end - 1);
        rest = text::trim(rest.substr(end + 1));
    }
    if (rest.starts_with('{')) {
        json::object output = default_output(prompt);
        const auto said = parse_json(rest);
        EXPECT_TRUE(said) << "no JSON: " << rest;
        for (const auto& [name, value] : said.value_or(json::object()).as_object()) output[name] = value;
        turn.does = ScriptedTurn::Says{to_text(output)};
        return turn;
    }
    const auto [verb, what] = split_word(rest);
    if (verb == "says") {
        turn.does = ScriptedTurn::Says{what};
    } else if (what == "network" || what == "timeout") {
        turn.does =
            ScriptedTurn::Fails{.status = 0, .body = {}, .code = what == "network" ? Code::unavailable : Code::timeout};
    } else {
        const auto [status, body] = split_word(what);
        turn.does = ScriptedTurn::Fails{.status = static_cast<int>(number_in(status)), .body = body};
    }
    return turn;
}

/// Read from their files once for all cases.
const native::QuestionReader::Parts& reader_parts() {
    static const native::QuestionReader::Parts parts{
        .model = native::Text2SqlModel::open(native::text2sql_model_path().value()).value(),
        .choice = native::ChoiceModel::bundled().value()};
    return parts;
}

/// The analyst with what it stands on. Opened again, only the files are what they were.
class Desk {
public:
    Desk(const std::string& folder, const llm::LlmConfig& config, ScriptedProvider& provider,
         std::chrono::milliseconds query_time)
        : models_(llm::Models::open(config, {provider, system_clock(), system_random()}).value()) {
        reflective::Analyst::Parts parts;
        parts.info = {.name = "music",
                      .workflow = "reflective",
                      .about = "Answers questions about music.",
                      .source = "music",
                      .examples = {"How many singers are there?"}};
        parts.source = run_to_end(data::open_source(folder + "/music.db")).value();
        auto knowledge = run_to_end(native::learn(*parts.source)).value();
        parts.reader = std::make_unique<native::QuestionReader>(*parts.source, knowledge, reader_parts());
        parts.models = models_.get();
        parts.limits.timeout = query_time;
        agent_ = reflective::make_agent(std::make_shared<reflective::Analyst>(std::move(parts)));
        store_ = store::open_store(
                     {.backend = store::Backend::sqlite, .path = folder + "/store.db", .url = {}, .fsync = false})
                     .value();
    }

    [[nodiscard]] const Agent& agent() const { return *agent_; }
    [[nodiscard]] store::Store& store() const { return *store_; }

private:
    std::unique_ptr<llm::Models> models_;
    std::unique_ptr<Agent> agent_;
    std::unique_ptr<store::Store> store_;
};

llm::LlmConfig config_with_model() {
    llm::LlmConfig config;
    llm::ModelConfig model{
        .provider = llm::Provider::compatible, .model = "scripted", .base_url = "http://127.0.0.1:1/v1"};
    model.key = Secret("sk-scripted");
    model.price = {.input = 2, .cached_input = 0, .output = 10};
    model.guard.retry.attempts = 1;
    model.guard.rate = config.rate = {.per_minute = 100'000, .burst = 1'000};
    config.models["it"] = model;
    config.frontier = {"it"};
    return config;
}

class CaseRun {
public:
    explicit CaseRun(const ReflectiveCase& one) : case_(one) {
        run_sql(database(), read_file(kCasesDir / "music.sql"));
        for (const auto* prompt : {"clarify_query", "plan_query", "select_tables", "grade_response"}) {
            provider_.otherwise(prompt, to_text(default_output(prompt)));
        }
    }

    void run() {
        for (const auto& line : case_.lines) {
            const testing::ScopedTrace trace(__FILE__, __LINE__,
                                             fmt::format("{}, line {}: {}", case_.place, line.number, line.text));
            obey(line.text);
            if (testing::Test::HasFatalFailure()) return;
        }
        EXPECT_TRUE(provider_.unexpected().empty())
            << "unexpected: " << fmt::format("{}", fmt::join(provider_.unexpected(), "\n"));
        EXPECT_TRUE(provider_.left_over().empty())
            << "never asked for: " << fmt::format("{}", fmt::join(provider_.left_over(), ", "));
    }

private:
    [[nodiscard]] std::string database() const { return folder_.file("music.db"); }

    Desk& desk() {
        if (!desk_) desk_.emplace(folder_.path().string(), config_, provider_, query_time_);
        return *desk_;
    }

    void obey(const std::string& line) {
        const auto [word, rest] = split_word(line);
        if (is_prompt(word)) return provider_.script(word, turn_of(word, rest));
        using Instruction = std::function<void(const std::string&)>;
        const std::map<std::string, Instruction> instructions{
            {"sql", [&](const std::string& sql) { run_sql(database(), sql); }},
            {"no", [&](const std::string&) { config_ = {}; }},
            {"budget", [&](const std::string& calls) { config_.budget.calls = static_cast<int>(number_in(calls)); }},
            {"query",
             [&](const std::string& time) {
                 query_time_ = std::chrono::milliseconds(number_in(split_word(time).second));
             }},
            {"hold", [&](const std::string& what) { hold(what); }},
            {">", [&](const std::string& question) { ask(question); }},
            {"new", [&](const std::string&) { thread_.clear(); }},
            {"another", [&](const std::string&) { desk_.reset(); }},
            {"resume", [&](const std::string& answer) { resume(answer); }},
            {"@", [&](const std::string& what) { expect_value(answer_, what); }},
            {"state", [&](const std::string& what) { expect_value(state(), what); }},
            {"~", [&](const std::string& what) { expect_text(what, true); }},
            {"!~", [&](const std::string& what) { expect_text(what, false); }},
            {"nodes", [&](const std::string& names) { expect_nodes(names); }},
            {"asked", [&](const std::string& what) { expect_asked(what); }},
            {"sent", [&](const std::string& what) { expect_sent(what); }},
            {"unsent", [&](const std::string& what) { expect_unsent(what); }},
        };
        const auto found = instructions.find(word);
        ASSERT_NE(found, instructions.end()) << "no such instruction";
        found->second(rest);
    }

    void hold(const std::string& what) {
        const auto [prompt, together] = split_word(what);
        held_together_ = number_in(together);
        provider_.hold(prompt, held_together_);
    }

    void take(Result<Answer> answer) {
        ASSERT_TRUE(answer) << answer.error().describe();
        thread_ = answer->thread_id;
        answer_ = to_json(*answer);
        EXPECT_EQ(provider_.most_together(), held_together_);
    }

    void ask(const std::string& question) {
        provider_.forget();
        take(run_to_end(workflows::ask(desk().agent(), desk().store(), {question, thread_, {}, {}})));
    }

    [[nodiscard]] store::RunRecord last_run() {
        const std::string id(answer_.at_pointer("/run_id").as_string());
        return run_to_end(desk().store().traces().get(id)).value().value();
    }

    void resume(const std::string& said) {
        provider_.forget();
        graph::Answers answers;
        if (!said.empty()) answers.emplace(graph::kOnlyQuestion, json::value(said));
        auto run = last_run();
        const AskedQuestion asked(std::string(run.input.at("question").as_string()), system_clock());
        const auto result = run_to_end(
            store::resume_recorded(desk().store(), desk().agent().graph(), std::move(run), std::move(answers), {}));
        take(run_to_end(keep_answer(desk().agent(), desk().store(), result, asked)));
    }

    json::value state() { return last_run().outcome.at("state"); }

    static const json::value* found_in(const json::value& document, const std::string& pointer) {
        boost::system::error_code none;
        return document.find_pointer(pointer, none);
    }

    static void expect_value(const json::value& document, const std::string& what) {
        const auto [pointer, expected] = split_word(what);
        const auto* found = found_in(document, pointer);
        if (expected == "absent") {
            EXPECT_EQ(found, nullptr) << (found != nullptr ? to_text(*found) : "");
            return;
        }
        ASSERT_NE(found, nullptr) << to_text(document);
        EXPECT_EQ(to_text(*found), to_text(parse_json(expected).value_or(json::value("no JSON: " + expected))));
    }

    void expect_text(const std::string& what, bool is_there) const {
        const auto [pointer, part] = split_word(what);
        const auto* found = found_in(answer_, pointer);
        ASSERT_NE(found, nullptr) << to_text(answer_);
        const std::string text = found->is_string() ? std::string(found->get_string()) : to_text(*found);
        EXPECT_EQ(text.contains(part), is_there) << text;
    }

    void expect_nodes(const std::string& names) const {
        std::vector<std::string> nodes;
        for (const auto& step : answer_.at_pointer("/trace").as_array())
            nodes.emplace_back(step.at("node").as_string());
        EXPECT_EQ(fmt::format("{}", fmt::join(nodes, " ")), names);
    }

    void expect_asked(const std::string& what) {
        const auto [prompt, times] = split_word(what);
        EXPECT_EQ(provider_.inputs(prompt).size(), number_in(times));
    }

    void expect_sent(const std::string& what) {
        const auto [prompt, rest] = split_word(what);
        const auto [time, part] = split_word(rest);
        const auto& inputs = provider_.inputs(prompt);
        const std::size_t at = number_in(time) - 1;
        ASSERT_LT(at, inputs.size());
        EXPECT_TRUE(inputs[at].contains(part)) << inputs[at];
    }

    void expect_unsent(const std::string& what) {
        const auto [prompt, part] = split_word(what);
        for (const auto& input : provider_.inputs(prompt)) EXPECT_FALSE(input.contains(part)) << input;
    }

    const ReflectiveCase& case_;
    store::TemporaryFolder folder_;
    ScriptedProvider provider_;
    llm::LlmConfig config_ = config_with_model();
    std::chrono::milliseconds query_time_{10'000};
    std::size_t held_together_ = 0;
    std::optional<Desk> desk_;
    std::string thread_;
    json::value answer_;
};

}  // namespace

void run_reflective_case(const ReflectiveCase& one) {
    CaseRun(one).run();
}

}  // namespace quaestor::workflows::test
