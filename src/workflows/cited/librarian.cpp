#include "workflows/cited/librarian.hpp"

#include "retrieval/terms.hpp"
#include "workflows/cited/calendar.hpp"
#include "workflows/cited/evidence.hpp"
#include "workflows/cited/native.hpp"
#include "workflows/cited/nodes.hpp"
#include "workflows/cited/searching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace quaestor::workflows::cited {

namespace {

using graph::Context;
using graph::kEnd;
using graph::kStart;
using namespace std::chrono_literals;

constexpr auto kNodeTime = 60s;
/// Share of the documents that have a date.
constexpr double kDatedFrom = 0.8;

/// A node of nodes.hpp with its librarian.
template <auto node>
auto with_librarian(std::shared_ptr<Librarian> librarian) {
    return [librarian](const State& state, Context& context) -> Node { return node(*librarian, state, context); };
}

class CitedAgent final : public Agent {
public:
    explicit CitedAgent(std::shared_ptr<Librarian> librarian)
        : librarian_(librarian), graph_(make_graph(std::move(librarian))) {}

    [[nodiscard]] const AgentInfo& info() const override { return librarian_->info(); }
    [[nodiscard]] const graph::AnyGraph& graph() const override { return graph_; }
    [[nodiscard]] json::object input(std::string_view question) const override;
    [[nodiscard]] Answer answer(const graph::AnyResult& result) const override;
    Task<double> fit(std::string question) const override;

private:
    std::shared_ptr<Librarian> librarian_;
    graph::CompiledGraph<State> graph_;
};

json::object CitedAgent::input(std::string_view question) const {
    return fresh_input<State>(question);
}

ConfidenceLevel shown_level(SearchConfidence confidence) {
    if (confidence == SearchConfidence::high) return ConfidenceLevel::high;
    return confidence == SearchConfidence::medium ? ConfidenceLevel::medium : ConfidenceLevel::low;
}

Answer CitedAgent::answer(const graph::AnyResult& result) const {
    Answer answer;
    const auto state = decode<State>(result.state);
    if (!state || result.status != graph::RunStatus::finished) {
        tell_failure(result, answer);
        return answer;
    }
    answer.status = state->status;
    answer.answer = state->answer;
    answer.resolved_question = state->resolved_question;
    answer.citations = state->citations;
    answer.assumptions = state->assumptions;
    answer.suggestions = state->suggestions;
    answer.method = state->method;
    answer.usage = state->usage;
    if (state->needs_retrieval) answer.confidence = Confidence{shown_level(state->confidence), state->confidence_score};
    return answer;
}

Task<double> CitedAgent::fit(std::string question) const {
    const Librarian& librarian = *librarian_;
    const DateReading dates = read_dates(question, {librarian.dates(), librarian.today(), {}});
    Wish wish{.query = query_for(librarian, dates.topic.empty() ? question : dates.topic),
              .question = question,
              .dates = dates};
    const auto chunks = co_await find_passages(librarian, std::move(wish), {});
    if (!chunks) co_return 0.0;
    const auto evidence = co_await find_evidence(librarian, question, dates, *chunks, {});
    co_return evidence ? judge(librarian, question, dates, *chunks, *evidence).score : 0.0;
}

}  // namespace

std::vector<Turn> remember(std::vector<Turn> there, std::vector<Turn> more) {
    there.insert(there.end(), more.begin(), more.end());
    if (there.size() > kTurnsKept) there.erase(there.begin(), there.end() - static_cast<std::ptrdiff_t>(kTurnsKept));
    return there;
}

Librarian::Librarian(Parts parts)
    : parts_(std::move(parts)), reasoner_(*parts_.models), extractor_(retrieval::terms_of) {
    std::set<std::string> dates;
    std::set<std::string> types;
    std::size_t dated = 0;
    for (const auto& document : parts_.corpus->documents()) {
        if (!document.metadata.date.empty()) {
            dates.insert(document.metadata.date);
            ++dated;
        }
        if (!document.metadata.type.empty()) types.insert(document.metadata.type);
        ++documents_;
    }
    is_dated_ = static_cast<double>(dated) > kDatedFrom * static_cast<double>(documents_);
    dates_.assign(dates.begin(), dates.end());
    types_.assign(types.begin(), types.end());
    answer_natively(*this, reasoner_);
}

std::string Librarian::today() const {
    return to_iso8601(parts_.clock->wall()).substr(0, 10);
}

std::string Librarian::holdings() const {
    const std::string count = documents_ == 1 ? "one document" : fmt::format("{} documents", documents_);
    if (dates_.empty()) return count;
    if (dates_.size() == 1) return fmt::format("{} of {}", count, day_in_words(dates_.front()));
    return fmt::format("{}, {} to {}", count, day_in_words(dates_.front()), day_in_words(dates_.back()));
}

graph::CompiledGraph<State> make_graph(std::shared_ptr<Librarian> librarian) {
    const auto responding = [librarian](const State& state) { return respond(*librarian, state); };
    auto compiled =
        graph::Graph<State>("cited")
            .node("assess_query", with_librarian<assess_query>(librarian), {.timeout = kNodeTime})
            .node("search_corpus", with_librarian<search_corpus>(librarian), {.timeout = kNodeTime})
            .node("evaluate_confidence", with_librarian<evaluate_confidence>(librarian), {.timeout = kNodeTime})
            .node("reformulate_query", with_librarian<reformulate_query>(librarian), {.timeout = kNodeTime})
            .node("synthesize_answer", with_librarian<synthesize_answer>(librarian), {.timeout = kNodeTime})
            .node("validate_citations", with_librarian<validate_citations>(librarian), {.timeout = kNodeTime})
            .node("respond", responding)
            .edge(kStart, "assess_query")
            .branch("assess_query", after_assess, {"search_corpus", "respond"})
            .edge("search_corpus", "evaluate_confidence")
            .branch("evaluate_confidence", after_confidence, {"synthesize_answer", "reformulate_query", "respond"})
            .edge("reformulate_query", "search_corpus")
            .edge("synthesize_answer", "validate_citations")
            .edge("validate_citations", "respond")
            .edge("respond", kEnd)
            .compile();
    if (!compiled) throw std::logic_error(compiled.error().describe());
    return std::move(*compiled);
}

std::unique_ptr<Agent> make_agent(std::shared_ptr<Librarian> librarian) {
    return std::make_unique<CitedAgent>(std::move(librarian));
}

}  // namespace quaestor::workflows::cited
