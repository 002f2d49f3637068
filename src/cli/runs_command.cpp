#include "base/text.hpp"
#include "cli/agents.hpp"
#include "cli/answer_view.hpp"
#include "cli/run_support.hpp"
#include "cli/run_view.hpp"

#include <fmt/format.h>

namespace quaestor::cli {

namespace {

constexpr std::string_view kLast = "last";
constexpr std::size_t kCheckpointsShown = 50;

/// The record of a run named by id, or of the last one started.
Task<Result<store::RunRecord>> find_run(store::Store& store, std::string name) {
    if (name == kLast) {
        auto runs = co_await store.traces().list({.limit = 1});
        if (!runs) co_return fail(runs.error());
        if (runs->empty()) co_return fail(Code::not_found, "there are no runs yet", "make one: quaestor demo graph");
        name = runs->front().run_id;
    }
    auto run = co_await store.traces().get(name);
    if (!run) co_return fail(run.error());
    if (!*run)
        co_return fail(Code::not_found, fmt::format("there is no run {}", name), "list them: quaestor runs list");
    co_return std::move(**run);
}

/// After a fork the thread goes on with the fork's run; resuming this one would go on with that.
Task<Result<>> check_thread_is_with(store::Store& store, const store::RunRecord& run) {
    auto newest =
        co_await store.checkpoints().list({.thread_id = run.thread_id, .before = {}, .metadata = {}, .limit = 1});
    if (!newest) co_return fail(newest.error());
    const auto* owner = newest->empty() ? nullptr : newest->front().metadata.if_contains("run_id");
    if (owner == nullptr || !owner->is_string() || owner->get_string() == run.run_id) co_return Result<>{};
    co_return fail(Code::conflict,
                   fmt::format("thread {} has gone on with run {}", run.thread_id, owner->get_string().c_str()),
                   "resume that run, or go back to a checkpoint of this one with quaestor runs fork");
}

/// Empty while the run goes on.
std::string seconds_of(const store::RunRecord& run) {
    if (!run.ended_at) return {};
    return fmt::format("{:.3f}", std::chrono::duration<double>(*run.ended_at - run.started_at).count());
}

Style style_of(const std::string& status) {
    if (status == "finished") return Style::green;
    return status == "failed" ? Style::red : Style::yellow;
}

void print_run(const store::RunRecord& run, const std::vector<graph::CheckpointInfo>& checkpoints) {
    fmt::print("run      {}\nthread   {}\ngraph    {}\nstatus   {}\nstarted  {}\n", run.run_id, run.thread_id,
               run.graph, styled(run.status, style_of(run.status)), to_iso8601(run.started_at));
    if (run.ended_at) fmt::print("took     {} s\n", seconds_of(run));
    if (answers_question(run)) {
        print_text(draw_question_and_answer(run, terminal_width()));
    } else {
        if (!run.input.is_null()) fmt::print("input    {}\n", to_text(run.input));
        if (!run.outcome.is_null()) fmt::print("outcome  {}\n", text::shorten(to_text(run.outcome), 2'000));
    }
    Table steps{.columns = {{"step", true}, {"node"}, {"status"}, {"try", true}, {"ms", true}, {"error"}}, .rows = {}};
    for (const auto& step : run.trace) {
        steps.rows.push_back({std::to_string(step.step), step.node, step.status, std::to_string(step.attempt),
                              fmt::format("{:.1f}", step.latency_ms), step.error});
    }
    fmt::print("\n{}", draw(steps, terminal_width()));
    Table saved{.columns = {{"checkpoint"}, {"step", true}, {"after"}, {"next"}}, .rows = {}};
    for (const auto& checkpoint : checkpoints) {
        const auto& position = checkpoint.position.as_object();
        const auto* step = checkpoint.metadata.if_contains("step");
        saved.rows.push_back({checkpoint.id, step ? to_text(*step) : "", to_text(position.at("after")),
                              text::shorten(to_text(position.at("next")), 60)});
    }
    fmt::print("\n{}", draw(saved, terminal_width()));
}

json::value run_json(const store::RunRecord& run, const std::vector<graph::CheckpointInfo>& checkpoints) {
    auto shown = encode(run);
    if (answers_question(run)) shown.as_object().emplace("execution_trace", execution_trace(run));
    json::array saved;
    for (const auto& checkpoint : checkpoints) {
        saved.push_back({{"id", checkpoint.id},
                         {"parent_id", checkpoint.parent_id},
                         {"created_at", to_iso8601(checkpoint.created_at)},
                         {"position", checkpoint.position},
                         {"metadata", checkpoint.metadata}});
    }
    shown.as_object().emplace("checkpoints", std::move(saved));
    return shown;
}

/// "id=value" or "value"; the value is JSON where it reads as such, text otherwise.
Result<graph::Answers> read_answers(const std::vector<std::string>& given) {
    graph::Answers answers;
    for (const auto& answer : given) {
        const auto equals = answer.find('=');
        const bool has_id = equals != std::string::npos && answer.find(':') < equals;
        const std::string id = has_id ? answer.substr(0, equals) : graph::kOnlyQuestion;
        const std::string text = has_id ? answer.substr(equals + 1) : answer;
        auto value = parse_json(text);
        if (!answers.emplace(id, value ? std::move(*value) : json::value(text)).second) {
            return fail(Code::invalid_argument, "two answers are given for one question",
                        "give one --answer for each question: --answer ID=VALUE");
        }
    }
    return answers;
}

/// The graph that a run goes on with: one that is there for all, or that of the run's agent, which is opened for it.
class GraphOfRun {
public:
    explicit GraphOfRun(const Invocation& invocation) : invocation_(invocation), agents_(invocation, {}) {}

    Result<> open(store::Store& store, const store::RunRecord& run) {
        if (!belongs_to_agent(run.graph)) {
            auto found = invocation_.graphs.find(run.graph);
            if (!found) return fail(found.error());
            graph_ = found->get();
            return {};
        }
        const auto choice = agent_of_thread(store, run.thread_id);
        if (!choice) return fail(choice.error());
        if (!*choice) return fail(Code::not_found, "it is not known which agent made this run", "ask again");
        const auto agent = agents_.open(**choice);
        if (!agent) return fail(agent.error());
        agent_ = (*agent)->agent.get();
        graph_ = &agent_->graph();
        metadata_ = thread_metadata((*agent)->spec);
        return {};
    }

    /// Whose run it is; none for a graph that is nobody's.
    [[nodiscard]] const workflows::Agent* agent() const { return agent_; }

    [[nodiscard]] const graph::AnyGraph& graph() const { return *graph_; }
    /// As configured, with what the agent keeps beside its checkpoints.
    [[nodiscard]] graph::RunOptions options() const {
        auto options = run_options(invocation_);
        options.metadata = metadata_;
        return options;
    }

private:
    const Invocation& invocation_;
    Agents agents_;
    const workflows::Agent* agent_ = nullptr;
    const graph::AnyGraph* graph_ = nullptr;
    json::object metadata_;
};

/// A number chooses one of the options that an agent gave; the agent knows them by their text.
void choose_options(const store::RunRecord& run, graph::Answers& answers) {
    boost::system::error_code none;
    const auto* options = run.outcome.find_pointer("/interrupts/0/question/options", none);
    if (options == nullptr || !options->is_array() || !belongs_to_agent(run.graph)) return;
    const auto count = static_cast<std::int64_t>(options->get_array().size());
    for (auto& [id, answer] : answers) {
        if (!answer.is_int64()) continue;
        const auto number = answer.get_int64();
        answer = number >= 1 && number <= count ? options->get_array()[static_cast<std::size_t>(number - 1)]
                                                : json::value(std::to_string(number));
    }
}

/// An agent's run that went on: its answer is kept in the conversation and shown as `ask` shows it.
CommandResult report_answer(const Invocation& invocation, store::Store& store, const workflows::Agent& agent,
                            const graph::AnyResult& result, const workflows::AskedQuestion& asked) {
    const auto answer = run_to_end(workflows::keep_answer(agent, store, result, asked));
    if (!answer) return fail(answer.error());
    const bool was_answered =
        result.status == graph::RunStatus::finished || result.status == graph::RunStatus::interrupted;
    if (invocation.json || !was_answered) return report(invocation, agent.graph(), result);
    print_text(draw(*answer, {terminal_width(), uses_unicode()},
                    fmt::format("Answer with: quaestor runs resume {} --answer …", result.run_id)));
    return exit_code_for(answer->status);
}

}  // namespace

CommandResult runs_list(const Invocation& invocation, const RunsListOptions& options) {
    auto store = open_configured_store(invocation.settings());
    if (!store) return fail(store.error());
    auto runs = run_to_end((*store)->traces().list(
        {.graph = options.graph, .status = options.status, .thread_id = {}, .limit = options.limit}));
    if (!runs) return fail(runs.error());
    if (invocation.json) {
        print_json(encode(*runs));
        return ExitCode::done;
    }
    if (runs->empty() && !invocation.quiet) {
        const bool is_filtered = options.graph || options.status;
        say(is_filtered ? "No runs like that. List all: quaestor runs list"
                        : "No runs yet. Make one: quaestor demo graph");
    }
    Table table{.columns = {{"run"}, {"graph"}, {"status"}, {"started"}, {"seconds", true}}, .rows = {}};
    for (const auto& run : *runs) {
        table.rows.push_back({run.run_id, run.graph, run.status, to_iso8601(run.started_at), seconds_of(run)});
    }
    if (!runs->empty()) fmt::print("{}", draw(table, terminal_width()));
    return ExitCode::done;
}

CommandResult runs_show(const Invocation& invocation, const std::string& name) {
    auto store = open_configured_store(invocation.settings());
    if (!store) return fail(store.error());
    auto run = run_to_end(find_run(**store, name));
    if (!run) return fail(run.error());
    auto checkpoints = run_to_end((*store)->checkpoints().list({.thread_id = run->thread_id,
                                                                .before = {},
                                                                .metadata = {{"run_id", run->run_id}},
                                                                .limit = kCheckpointsShown}));
    if (!checkpoints) return fail(checkpoints.error());
    if (invocation.json) {
        print_json(run_json(*run, *checkpoints));
    } else {
        print_run(*run, *checkpoints);
    }
    return ExitCode::done;
}

CommandResult runs_resume(const Invocation& invocation, const RunsResumeOptions& options) {
    auto answers = read_answers(options.answers);
    if (!answers) return fail(answers.error());
    auto store = open_configured_store(invocation.settings());
    if (!store) return fail(store.error());
    auto run = run_to_end(find_run(**store, options.run));
    if (!run) return fail(run.error());
    if (auto checked = run_to_end(check_thread_is_with(**store, *run)); !checked) return fail(checked.error());
    GraphOfRun graph(invocation);
    if (auto opened = graph.open(**store, *run); !opened) return fail(opened.error());
    choose_options(*run, *answers);
    const workflows::AskedQuestion asked(question_of(*run), system_clock());
    auto result = run_to_end(store::resume_recorded(**store, graph.graph(), std::move(*run), std::move(*answers),
                                                    graph.options(), show_steps(invocation)));
    if (graph.agent() != nullptr) return report_answer(invocation, **store, *graph.agent(), result, asked);
    return report(invocation, graph.graph(), result);
}

CommandResult runs_fork(const Invocation& invocation, const RunsForkOptions& options) {
    auto change = parse_json(options.change);
    if (!change || !change->is_object()) {
        return fail(Code::invalid_argument, "--set takes a JSON object of state fields",
                    R"(for example --set '{"tolerance": 0.01}')");
    }
    auto store = open_configured_store(invocation.settings());
    if (!store) return fail(store.error());
    auto run = run_to_end(find_run(**store, options.run));
    if (!run) return fail(run.error());
    GraphOfRun graph(invocation);
    if (auto opened = graph.open(**store, *run); !opened) return fail(opened.error());

    auto fork_options = graph.options();
    fork_options.thread_id = run->thread_id;
    fork_options.run_id = make_id();
    fork_options.checkpoints = &(*store)->checkpoints();
    auto forked = run_to_end(graph.graph().fork_json(options.checkpoint, std::move(*change), fork_options));
    if (!forked) return fail(forked.error());

    store::RunRecord continued{.run_id = fork_options.run_id,
                               .thread_id = run->thread_id,
                               .graph = run->graph,
                               .status = {},
                               .started_at = system_clock().wall(),
                               .ended_at = {},
                               .input = {{"fork_of", run->run_id}, {"checkpoint", options.checkpoint}},
                               .outcome = {},
                               .trace = {}};
    auto result = run_to_end(store::resume_recorded(**store, graph.graph(), std::move(continued), {}, graph.options(),
                                                    show_steps(invocation)));
    return report(invocation, graph.graph(), result);
}

}  // namespace quaestor::cli
