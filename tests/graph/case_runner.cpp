#include "case_runner.hpp"

#include "case_script.hpp"
#include "hooked_store.hpp"
#include "scripted_graph.hpp"
#include "store/memory.hpp"
#include "test_loop.hpp"
#include "transcript.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace quaestor::graph {

namespace {

constexpr const char* kThread = "case";
constexpr std::uint64_t kSeed = 7;

template <class T>
T or_throw(Result<T> result) {
    if (!result) throw std::runtime_error(result.error().describe());
    return std::move(*result);
}

CaseScript read_case(const std::filesystem::path& file) {
    std::ifstream stream(file);
    return or_throw(parse_case(std::string(std::istreambuf_iterator<char>(stream), {})));
}

json::value value_of(const std::string& text) {
    auto value = parse_json(text);
    return value ? std::move(*value) : json::value(json::string(text));
}

/// note=…, route=…, items=… and total=… as an update.
Update<CaseState> fields_of(const Phrase& command) {
    Update<CaseState> update;
    if (const auto note = command.get("note"); !note.empty()) update.set<&CaseState::note>(note);
    if (const auto route = command.get("route"); !route.empty()) update.set<&CaseState::route>(route);
    if (const auto items = command.get("items"); !items.empty()) update.set<&CaseState::items>(split_words(items));
    if (const auto total = command.get("total"); !total.empty()) update.set<&CaseState::total>(std::stoi(total));
    return update;
}

Task<std::vector<Event>> read_all(EventStream& stream) {
    std::vector<Event> events;
    while (auto event = co_await stream.next()) events.push_back(std::move(*event));
    co_return events;
}

class CaseRunner {
public:
    explicit CaseRunner(const CaseScript& script) : graph_(script), compiled_(or_throw(graph_.compile(loop_.clock))) {}

    std::vector<std::string> perform(const Phrase& command) {
        if (command.verb == "run") {
            return watch(command, [&](RunOptions options) { return compiled_.run(fields_of(command), options); });
        }
        if (command.verb == "resume") {
            return watch(command, [&](RunOptions options) { return compiled_.resume(options, answers_of(command)); });
        }
        if (command.verb == "fork") return fork(command);
        if (command.verb == "checkpoints") return list();
        throw std::runtime_error("no such command: " + command.verb);
    }

private:
    /// Runs with a listener and tells the events and the outcome.
    template <class Run>
    std::vector<std::string> watch(const Phrase& command, Run run) {
        EventStream events(loop_.context().get_executor());
        const auto heard = loop_.start(read_all(events));
        auto options = options_of(command);
        options.events = &events;
        const auto running = loop_.start(run(options));
        auto result = loop_.finish(*running);
        auto lines = describe(loop_.finish(*heard), compiled_.shape());
        for (auto& line : describe(result)) lines.push_back(std::move(line));
        lines.push_back(describe_state(encode(result.state).as_object(), encode(CaseState()).as_object()));
        return lines;
    }

    RunOptions options_of(const Phrase& command) {
        graph_.cancel = CancelSource();
        checkpoints_left_ = std::stoi(command.get("cancel_at_checkpoint", "0"));
        RunOptions options;
        options.thread_id = command.get("thread", kThread);
        options.run_id = "run";
        options.checkpoints = command.has("without_store") ? nullptr : &checkpoints_;
        options.durability = or_throw(decode<Durability>(json::string(command.get("durability", "sync"))));
        options.step_limit = std::stoi(command.get("step_limit", "50"));
        options.parallel_limit = std::stoi(command.get("parallel", "1000"));
        options.cancel = graph_.cancel.token();
        options.clock = &loop_.clock;
        options.random = &random_;
        if (const auto time = command.get("deadline"); !time.empty()) {
            options.deadline = Deadline::after(loop_.clock, std::chrono::milliseconds(std::stoi(time)));
        }
        return options;
    }

    /// `resume yes` answers the one open question, `resume ask:0:0=yes` the one with that id.
    static Answers answers_of(const Phrase& command) {
        Answers answers;
        for (const auto& word : command.words) {
            const auto equals = word.find('=');
            if (equals == std::string::npos) {
                answers[kOnlyQuestion] = value_of(word);
            } else if (word.substr(0, equals).find(':') != std::string::npos) {
                answers[word.substr(0, equals)] = value_of(word.substr(equals + 1));
            }
        }
        return answers;
    }

    std::vector<CheckpointInfo> checkpoints() {
        auto found = or_throw(loop_.run(checkpoints_.list({.thread_id = kThread})));
        std::ranges::reverse(found);
        return found;
    }

    std::vector<std::string> fork(const Phrase& command) {
        const auto place = static_cast<std::size_t>(std::stoi(command.words.at(0)));
        auto forked =
            loop_.run(compiled_.fork(checkpoints().at(place - 1).id, fields_of(command), options_of(command)));
        return {forked ? "= forked" : fmt::format("= {}", describe(forked.error()))};
    }

    std::vector<std::string> list() {
        std::vector<std::string> lines;
        for (const auto& info : checkpoints()) lines.push_back(describe(info));
        return lines;
    }

    TestLoop loop_;
    SeededRandom random_{kSeed};
    std::unique_ptr<store::Store> store_ = store::open_memory();
    int checkpoints_left_ = 0;
    HookedStore checkpoints_{store_->checkpoints(), [this](std::string_view call) -> Result<> {
                                 if (call == "put" && --checkpoints_left_ == 0) {
                                     graph_.cancel.cancel(CancelReason::user_request);
                                 }
                                 return {};
                             }};
    ScriptedGraph graph_;
    CompiledGraph<CaseState> compiled_;
};

/// Expected and actual lines side by side, those that differ marked.
std::string difference(const CaseCommand& command, const std::vector<std::string>& actual) {
    std::string text;
    const auto rows = std::max(command.expected.size(), actual.size());
    for (std::size_t i = 0; i < rows; ++i) {
        const bool is_expected = i < command.expected.size();
        const bool is_there = i < actual.size();
        if (is_expected && is_there && command.expected[i] == actual[i]) {
            text += fmt::format("      {}\n", actual[i]);
            continue;
        }
        if (is_expected) text += fmt::format("    - {}\n", command.expected[i]);
        if (is_there) text += fmt::format("    + {}\n", actual[i]);
    }
    return text;
}

}  // namespace

std::vector<std::filesystem::path> find_cases(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".case") files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

std::string play_case(const std::filesystem::path& file) {
    try {
        const auto script = read_case(file);
        if (script.commands.empty()) return fmt::format("{} has no command", file.string());
        CaseRunner runner(script);
        for (const auto& command : script.commands) {
            const auto actual = runner.perform(command.what);
            if (actual == command.expected) continue;
            return fmt::format("{}:{}: {}\n(- written there, + what happened)\n{}", file.string(), command.line + 1,
                               script.lines[command.line], difference(command, actual));
        }
        return {};
    } catch (const std::exception& exception) {
        return fmt::format("{}: {}", file.string(), exception.what());
    }
}

void rewrite_case(const std::filesystem::path& file) {
    const auto script = read_case(file);
    CaseRunner runner(script);
    std::ofstream stream(file, std::ios::trunc);
    std::size_t line = 0;
    for (const auto& command : script.commands) {
        while (line <= command.line) stream << script.lines[line++] << '\n';
        for (const auto& happened : runner.perform(command.what)) stream << "  " << happened << '\n';
        line += command.expected.size();
    }
    while (line < script.lines.size()) stream << script.lines[line++] << '\n';
}

}  // namespace quaestor::graph
