#include "retrieval/word_weights.hpp"
#include "workflows/cited/calendar.hpp"
#include "workflows/cited/evidence.hpp"
#include "workflows/cited/near_words.hpp"
#include "workflows/cited/nodes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace quaestor::workflows::cited {

namespace {

using native::AskedQuestion;
using retrieval::ChunkResult;

/// Of an answer although no document has a name that is asked about.
constexpr double kUnknownNameScore = 0.2;
/// Documents of a time surely say what happened then.
constexpr double kOverviewScore = 0.7;
/// Gaps beyond these make no difference.
constexpr double kGapsMost = 3;
/// Fit below which a sentence has not the kind of thing that is asked for.
constexpr double kMisfitBelow = 0.35;
/// What it counts that no time is named where the documents are not a series of days.
constexpr double kNoTimeToName = 0.5;

/// The logistic map from what is known of the evidence to how likely it answers. Fitted by logistic regression on
/// labelled questions over summaries and long minutes of meetings, and over handbooks, manuals, leases, reports and
/// wikis, with and without an answer there; every collection and both kinds weigh alike.
struct AnswerOdds {
    double bias = -4.6;
    double coverage = 2.8;
    double key = 0.8;        ///< what the weightiest word is worth there
    double gaps = -0.4;      ///< for the weight of the words that nothing says
    double closeness = 2.4;  ///< of the best sentence
    double closest = 2.2;    ///< of any sentence
    double misfit = -1.85;   ///< it has not the kind of thing that is asked for
    double relevance = 0.3;
    double shape = 2.35;  ///< it has the shape of an answer to the only thing that is asked
    double time = 1.0;    ///< documents of the named time were found
};
constexpr AnswerOdds kOdds;

std::string missing_time(const Librarian& librarian, const DateReading& dates) {
    return fmt::format("There is no document of that time ({}): the documents run from {} to {}.",
                       fmt::join(dates.uncovered, ", "), day_in_words(librarian.dates().front()),
                       day_in_words(librarian.dates().back()));
}

double probability(const Librarian& librarian, const AskedQuestion& asked, const DateReading& dates,
                   const std::vector<ChunkResult>& chunks, const std::vector<EvidenceSentence>& evidence) {
    const EvidenceSentence& best = evidence.front();
    const double closest = std::ranges::max(evidence, {}, &EvidenceSentence::closeness).closeness;
    const double time = !dates.dates.empty() ? 1 : librarian.is_dated() ? 0 : kNoTimeToName;
    const double odds = kOdds.bias + kOdds.coverage * best.coverage + kOdds.key * best.key +
                        kOdds.gaps * std::min(best.gaps, kGapsMost) + kOdds.closeness * best.closeness +
                        kOdds.closest * closest + (best.fit < kMisfitBelow ? kOdds.misfit : 0) +
                        kOdds.relevance * chunks[static_cast<std::size_t>(best.chunk)].score +
                        (best.is_shaped && asked.is_pure ? kOdds.shape : 0) + kOdds.time * time;
    return 1 / (1 + std::exp(-odds));
}

}  // namespace

std::vector<std::string> unknown_names(const Librarian& librarian, std::string_view topic,
                                       const std::vector<ChunkResult>& chunks) {
    std::vector<std::string> texts;
    for (const auto& chunk : chunks) texts.push_back(chunk.text);
    const AskedQuestion asked = with_abbreviations(librarian.extractor().read(topic), topic, texts);
    std::vector<std::string> unknown;
    for (const auto& name : names_in(topic)) {
        const auto weights = retrieval::weigh_words(librarian.corpus(), name);
        for (const auto& own : weights) {
            const auto term = std::ranges::find(asked.terms, own.term, &native::AskedTerm::term);
            if (own.chunks > 0 || term == asked.terms.end()) continue;
            if (weight_in(librarian.corpus(), *term, own) >= own.weight) unknown.push_back(name);
        }
    }
    return unknown;
}

Judgement judge(const Librarian& librarian, const std::string& question, const DateReading& dates,
                const std::vector<ChunkResult>& chunks, const std::vector<EvidenceSentence>& evidence) {
    if (dates.dates.empty() && !dates.uncovered.empty()) return {0, missing_time(librarian, dates)};
    if (evidence.empty()) return {};
    const std::string topic = dates.topic.empty() ? question : dates.topic;
    const AskedQuestion asked = asked_of(librarian, topic);
    if (asked.wants_overview) {
        if (!dates.dates.empty()) return {kOverviewScore, ""};
        return {0, "The question names neither a subject nor a time."};
    }
    const double score = probability(librarian, asked, dates, chunks, evidence);
    const auto unknown = unknown_names(librarian, topic, chunks);
    if (unknown.empty()) return {score, ""};
    return {std::min(score, kUnknownNameScore), fmt::format("No document mentions {}.", fmt::join(unknown, ", "))};
}

SearchConfidence level_of(double score, const Thresholds& thresholds) {
    if (score >= thresholds.high) return SearchConfidence::high;
    if (score >= thresholds.medium) return SearchConfidence::medium;
    return score >= thresholds.low ? SearchConfidence::low : SearchConfidence::insufficient;
}

Node evaluate_confidence(Librarian& librarian, const State& state, graph::Context& context) {
    auto evidence = co_await find_evidence(librarian, state.resolved_question, state.dates, state.retrieved_chunks,
                                           context.cancel());
    if (!evidence) co_return evidence.error();
    const Judgement judgement =
        judge(librarian, state.resolved_question, state.dates, state.retrieved_chunks, *evidence);
    graph::Update<State> update;
    update.set<&State::evidence>(std::move(*evidence));
    update.set<&State::confidence_score>(judgement.score).set<&State::doubt>(judgement.doubt);
    co_return update.set<&State::confidence>(level_of(judgement.score, librarian.thresholds()));
}

std::string_view after_confidence(const State& state) {
    switch (state.confidence) {
        case SearchConfidence::high:
        case SearchConfidence::medium:
            return "synthesize_answer";
        case SearchConfidence::low:
            return state.reformulation_attempts < kReformulationsMax ? "reformulate_query" : "respond";
        case SearchConfidence::insufficient:
            break;
    }
    return "respond";
}

}  // namespace quaestor::workflows::cited
