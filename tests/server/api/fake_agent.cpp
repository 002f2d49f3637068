#include "fake_agent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace quaestor::server::testing {

namespace {

using graph::Context;
using graph::kEnd;
using graph::kStart;
using graph::Update;
using workflows::Answer;
using workflows::AnswerStatus;
using Node = Task<Update<FakeState>>;

bool says(const FakeState& state, std::string_view word) {
    return state.question.contains(word);
}

Update<FakeState> ask_back(const FakeState& state, Context& context) {
    Update<FakeState> update;
    if (!says(state, "which")) return update.set<&FakeState::resolved_question>(state.question);
    const workflows::Clarification open{"There are two.", {"the first", "the second"}};
    return update.set<&FakeState::resolved_question>(context.interrupt<std::string>(open));
}

Node work(std::shared_ptr<Gate> gate, const FakeState& state, Context& context) {
    if (says(state, "throw")) throw std::runtime_error("it was asked to");
    if (says(state, "fail")) co_return Error{Code::unavailable, "the database is down", "start it", {}};
    if (says(state, "wait")) co_await gate->wait(context.cancel());
    if (context.cancel().cancelled()) co_return context.cancel().error();
    co_return Update<FakeState>{}.set<&FakeState::selected_tables>({"teams"});
}

Node write_answer(const FakeState& state, Context& context) {
    std::string answer = fmt::format("The answer to \"{}\" is forty-two, and it is right.", state.resolved_question);
    if (!state.override_schema.empty()) answer += fmt::format(" In {}.", state.override_schema);
    if (says(state, "regenerate")) {
        co_await context.token("A first try that does not hold.");
    } else {
        co_await context.token(answer);
    }
    co_return Update<FakeState>{}.set<&FakeState::answer>(answer).set<&FakeState::status>(AnswerStatus::answered);
}

graph::CompiledGraph<FakeState> make_fake_graph(std::shared_ptr<Gate> gate) {
    const auto at_gate = [gate](const FakeState& state, Context& context) -> Node {
        return work(gate, state, context);
    };
    auto compiled = graph::Graph<FakeState>("fake")
                        .node("ask_user", ask_back)
                        .node("select_tables", at_gate)
                        .node("analyze_data", write_answer)
                        .edge(kStart, "ask_user")
                        .edge("ask_user", "select_tables")
                        .edge("select_tables", "analyze_data")
                        .edge("analyze_data", kEnd)
                        .compile();
    if (!compiled) throw std::logic_error(compiled.error().describe());
    return std::move(*compiled);
}

class FakeAgent final : public workflows::Agent {
public:
    FakeAgent(std::string name, std::shared_ptr<Gate> gate)
        : info_{.name = std::move(name),
                .workflow = "reflective",
                .about = "Says forty-two.",
                .source = "made up",
                .examples = {"How many?"}},
          graph_(make_fake_graph(std::move(gate))) {}

    [[nodiscard]] const workflows::AgentInfo& info() const override { return info_; }
    [[nodiscard]] const graph::AnyGraph& graph() const override { return graph_; }
    [[nodiscard]] json::object input(std::string_view question) const override {
        return {{"question", question}, {"override_schema", ""}, {"answer", ""}};
    }
    [[nodiscard]] Answer answer(const graph::AnyResult& result) const override {
        Answer answer;
        answer.status = AnswerStatus::failed;
        const auto state = decode<FakeState>(result.state);
        if (result.status == graph::RunStatus::interrupted) {
            answer.status = AnswerStatus::clarification;
            answer.answer = "There are two.";
            answer.clarification = workflows::Clarification{"There are two.", {"the first", "the second"}};
        } else if (result.status == graph::RunStatus::finished && state) {
            answer.status = state->status;
            answer.answer = state->answer;
            answer.queries.push_back({"sql", "SELECT 42", "made up", {"teams"}, {{{"n"}}, {{42}}, 1, false, 2.5}});
            answer.chart = {{"mark", "bar"}};
            answer.usage = {1, 10, 5, 0.25};
        } else {
            answer.answer = "I could not finish.";
        }
        return answer;
    }
    Task<double> fit(std::string question) const override { co_return question.contains(info_.name) ? 1.0 : 0.1; }

private:
    workflows::AgentInfo info_;
    graph::CompiledGraph<FakeState> graph_;
};

}  // namespace

Task<> Gate::wait(CancelToken cancel) {
    Bell bell(co_await asio::this_coro::executor);
    {
        const std::lock_guard lock(mutex_);
        if (is_open_) co_return;
        bells_.push_back(&bell);
    }
    {
        const auto stopped = cancel.on_cancel([&bell] { bell.ring(); });
        co_await bell.wait();
    }
    const std::lock_guard lock(mutex_);
    std::erase(bells_, &bell);
}

void Gate::open() {
    const std::lock_guard lock(mutex_);
    is_open_ = true;
    for (Bell* bell : bells_) bell->ring();
}

std::size_t Gate::waiting() {
    const std::lock_guard lock(mutex_);
    return bells_.size();
}

std::unique_ptr<workflows::Agent> make_fake_agent(std::string name, std::shared_ptr<Gate> gate) {
    return std::make_unique<FakeAgent>(std::move(name), std::move(gate));
}

FakeDirectory::FakeDirectory(std::vector<std::string> names) {
    for (auto& name : names) agents_.push_back(make_fake_agent(std::move(name), gate));
}

std::vector<AgentListing> FakeDirectory::list() const {
    std::vector<AgentListing> listed;
    for (const auto& agent : agents_)
        listed.push_back({.info = agent->info(), .synthetic = true, .coverage = {{"tables", 3}, {"rows", 42}}});
    return listed;
}

Result<const workflows::Agent*> FakeDirectory::open(std::string_view name) const {
    for (const auto& agent : agents_) {
        if (agent->info().name == name) return agent.get();
    }
    return fail(Code::not_found, fmt::format("there is no agent called \"{}\"", name), "there is: nba");
}

Task<Result<AgentDirectory::Routed>> FakeDirectory::route(std::string question) const {
    for (const auto& agent : agents_) {
        if (question.contains(agent->info().name)) co_return Routed{agent.get(), "it is named"};
    }
    co_return Routed{agents_.front().get(), ""};
}

Task<json::object> FakeDirectory::models() const {
    co_return json::object{{"models", json::array()}, {"native", true}};
}

std::map<std::string, CacheStats> FakeDirectory::caches() const {
    return {{"understood", {.hits = 3, .misses = 1, .size = 1}}};
}

Task<std::map<std::string, std::string>> FakeDirectory::breakers() const {
    co_return std::map<std::string, std::string>{{"model mini", "open"}};
}

}  // namespace quaestor::server::testing
