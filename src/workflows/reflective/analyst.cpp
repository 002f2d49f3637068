#include "workflows/reflective/analyst.hpp"

#include "native/sql_writer.hpp"
#include "workflows/reflective/native.hpp"
#include "workflows/reflective/nodes.hpp"
#include "workflows/reflective/prompts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace quaestor::workflows::reflective {

namespace {

using graph::Context;
using graph::kEnd;
using graph::kStart;
using graph::Update;
using namespace std::chrono_literals;

constexpr CacheSettings kUnderstoodKept{.capacity = 200, .lifetime = 10min};
/// What a node may take besides asking a model.
constexpr std::chrono::milliseconds kOwnTime = 30s;

/// A node that asks a model: as long as one call may take, and once more for a reply that is sent back. So a model that
/// is slow fails before its node does, and the program's own answer can stand in.
std::chrono::milliseconds model_time(const Analyst* analyst) {
    std::chrono::milliseconds longest{};
    if (analyst == nullptr) return kOwnTime;
    for (const auto& [name, model] : analyst->models().config().models) {
        longest = std::max(longest, model.guard.timeout);
    }
    return 2 * longest + kOwnTime;
}

/// A node of nodes.hpp with its analyst.
template <auto node>
auto with(std::shared_ptr<Analyst> analyst) {
    return [analyst](const State& state, Context& context) -> Node { return node(*analyst, state, context); };
}

class ReflectiveAgent final : public Agent {
public:
    explicit ReflectiveAgent(std::shared_ptr<Analyst> analyst)
        : analyst_(analyst), graph_(make_graph(std::move(analyst))) {}

    [[nodiscard]] const AgentInfo& info() const override { return analyst_->info(); }
    [[nodiscard]] const graph::AnyGraph& graph() const override { return graph_; }
    [[nodiscard]] json::object input(std::string_view question) const override;
    [[nodiscard]] Answer answer(const graph::AnyResult& result) const override;
    Task<double> fit(std::string question) const override;

private:
    std::shared_ptr<Analyst> analyst_;
    graph::CompiledGraph<State> graph_;
};

json::object ReflectiveAgent::input(std::string_view question) const {
    return fresh_input<State>(question);
}

AskedQuery shown(const Finding& finding, const std::string& source) {
    return {"sql", finding.sql, source, finding.tables, *finding.result};
}

std::vector<std::string> without_repeats(const std::vector<std::string>& texts) {
    std::vector<std::string> once;
    for (const auto& text : texts) {
        if (std::ranges::find(once, text) == once.end()) once.push_back(text);
    }
    return once;
}

void add_findings(const State& state, const std::string& source, Answer& answer) {
    std::vector<Finding> findings = state.findings;
    findings.push_back(state.finding);
    std::vector<std::string> assumptions;
    for (const auto& finding : findings) {
        if (finding.result) answer.queries.push_back(shown(finding, source));
        assumptions.insert(assumptions.end(), finding.assumptions.begin(), finding.assumptions.end());
    }
    answer.assumptions = without_repeats(assumptions);
}

Answer ReflectiveAgent::answer(const graph::AnyResult& result) const {
    Answer answer;
    const auto state = decode<State>(result.state);
    if (!state) {
        tell_failure(result, answer);
        return answer;
    }
    answer.resolved_question = state->resolved_question;
    answer.usage = state->usage;
    if (result.status == graph::RunStatus::interrupted) {
        answer.status = AnswerStatus::clarification;
        answer.clarification = state->clarification;
        answer.answer = state->clarification ? state->clarification->reason : "";
        return answer;
    }
    if (result.status != graph::RunStatus::finished) {
        tell_failure(result, answer);
        return answer;
    }
    answer.status = state->status;
    answer.answer = state->answer;
    answer.method = state->method;
    answer.suggestions = state->suggestions;
    answer.chart = state->chart;
    answer.grounding = state->grounding;
    if (state->grade) answer.confidence = confidence_of(state->grade->confidence);
    add_findings(*state, analyst_->info().source, answer);
    return answer;
}

Task<double> ReflectiveAgent::fit(std::string question) const {
    const auto read = co_await analyst_->understand(std::move(question), {}, {});
    if (!read || (*read)->readings.empty()) co_return 0.0;
    // Words that mean nothing to this data speak for another agent.
    const auto strange_words = static_cast<int>((*read)->question.unlinked().size());
    co_return std::ldexp((*read)->readings.front().probability, -strange_words);
}

}  // namespace

std::vector<Turn> remember(std::vector<Turn> there, std::vector<Turn> more) {
    there.insert(there.end(), more.begin(), more.end());
    if (there.size() > kTurnsKept) there.erase(there.begin(), there.end() - static_cast<std::ptrdiff_t>(kTurnsKept));
    return there;
}

Analyst::Analyst(Parts parts)
    : parts_(std::move(parts)),
      reasoner_(*parts_.models),
      intent_(*parts_.models),
      understood_(kUnderstoodKept, *parts_.clock) {
    answer_natively(*this, reasoner_);
}

bool Analyst::has_model() const {
    return reasoner_.has_model_for(llm::spec_of<GenerateSql>());
}

Task<Result<Analyst::Understood>> Analyst::understand(std::string question, std::string leans_on, CancelToken cancel) {
    std::string key = leans_on + "\n" + question;
    co_return co_await understood_.get_or_compute(std::move(key), [&]() -> Task<Result<Understood>> {
        std::optional<native::EarlierQuestion> earlier;
        if (auto form = native::read_sql(leans_on, knowledge().schema()); !leans_on.empty() && form) {
            earlier = native::EarlierQuestion{"", std::move(*form)};
        }
        auto read = co_await parts_.reader->read(question, std::move(earlier), cancel);
        if (!read) co_return fail(read.error());
        co_return std::make_shared<const native::Understanding>(std::move(*read));
    });
}

graph::CompiledGraph<State> make_graph(std::shared_ptr<Analyst> analyst) {
    const auto sub_query = [analyst](const State& state, const SubQuery& part, Context& context) -> Node {
        return answer_sub_query(*analyst, state, part, context);
    };
    const auto declined = [analyst](const State& state) { return decline(*analyst, state); };
    const auto nothing = [](const State&) { return Update<State>{}; };
    const auto time = model_time(analyst.get());
    const auto query_time = analyst ? analyst->limits().timeout + kOwnTime : kOwnTime;
    auto compiled = graph::Graph<State>("reflective")
                        .node("clarify_query", with<clarify_query>(analyst), {.timeout = time})
                        .node("ask_user", ask_user)
                        .node("decline", declined)
                        .node("rewrite_query", with<rewrite_query>(analyst), {.timeout = time})
                        .node("plan_query", with<plan_query>(analyst), {.timeout = 2 * time})
                        .node("select_tables", with<select_tables>(analyst), {.timeout = time})
                        .node("generate_sql", with<generate_sql>(analyst), {.timeout = time})
                        .node("execute_sql", with<execute_sql>(analyst), {.timeout = query_time})
                        .node("decompose", nothing)
                        .node("answer_sub_query", sub_query, {.timeout = (kAttemptsMax + 1) * (time + query_time)})
                        .node("combine_results", combine_results)
                        .node("analyze_data", with<analyze_data>(analyst), {.timeout = time})
                        .node("grade_response", with<grade_response>(analyst), {.timeout = time})
                        .edge(kStart, "clarify_query")
                        .branch("clarify_query", after_clarify, {"ask_user", "rewrite_query", "decline"})
                        .edge("ask_user", "rewrite_query")
                        .edge("decline", kEnd)
                        .edge("rewrite_query", "plan_query")
                        .branch("plan_query", after_plan, {"select_tables", "decompose"})
                        .fan_out("decompose", ready_sub_queries, "answer_sub_query", {.join = "combine_results"})
                        .branch("combine_results", after_combine, {"decompose", "analyze_data"})
                        .edge("select_tables", "generate_sql")
                        .branch("generate_sql", after_generate, {"generate_sql", "execute_sql", "analyze_data"})
                        .branch("execute_sql", after_execute, {"generate_sql", "analyze_data"})
                        .edge("analyze_data", "grade_response")
                        .branch("grade_response", after_grade, {"generate_sql", "analyze_data", std::string(kEnd)})
                        .compile();
    if (!compiled) throw std::logic_error(compiled.error().describe());
    return std::move(*compiled);
}

std::unique_ptr<Agent> make_agent(std::shared_ptr<Analyst> analyst) {
    return std::make_unique<ReflectiveAgent>(std::move(analyst));
}

}  // namespace quaestor::workflows::reflective
