// The librarian's memory: document 002's agent state, with how the answer came about. One struct for a thread; a new
// question resets everything but `history`. Plain values.
// Threads: a value.
#pragma once

#include "graph/graph.hpp"
#include "native/answer/extract.hpp"
#include "retrieval/search.hpp"
#include "workflows/cited/dates.hpp"
#include "workflows/common/answer.hpp"

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <string>
#include <vector>

namespace quaestor::workflows::cited {

/// Turns that are context for the next question.
inline constexpr std::size_t kTurnsKept = 3;
inline constexpr std::int64_t kReformulationsMax = 2;
inline constexpr std::int64_t kTopDefault = 10;
inline constexpr std::int64_t kTopMax = 50;
/// Characters of a citation's excerpt.
inline constexpr std::size_t kExcerptLength = 200;

struct Turn {
    std::string question;
    std::string resolved_question;
    std::string answer;
    std::vector<std::string> dates;  ///< of the documents that it was answered from
};
BOOST_DESCRIBE_STRUCT(Turn, (), (question, resolved_question, answer, dates))
/// The reducer of the history: the last kTurnsKept turns.
[[nodiscard]] std::vector<Turn> remember(std::vector<Turn> there, std::vector<Turn> more);

enum class SearchConfidence { high, medium, low, insufficient };
BOOST_DESCRIBE_ENUM(SearchConfidence, high, medium, low, insufficient)

/// Only where both ends are known.
struct DateHints {
    std::string date_start;
    std::string date_end;
};
BOOST_DESCRIBE_STRUCT(DateHints, (), (date_start, date_end))

/// A sentence of a chunk that may answer.
struct EvidenceSentence {
    std::int64_t chunk = 0;  ///< in retrieved_chunks
    std::int64_t begin = 0;  ///< bytes of its text
    std::int64_t end = 0;
    double score = 0;
    double coverage = 0;
    double gaps = 0;
    double key = 0;
    double closeness = 0;
    double fit = 0;
    native::Direction direction = native::Direction::none;
    bool is_decision = false;
    bool is_shaped = false;  ///< has the shape of an answer to the question's subject
};
BOOST_DESCRIBE_STRUCT(EvidenceSentence, (),
                      (chunk, begin, end, score, coverage, gaps, key, closeness, fit, direction, is_decision,
                       is_shaped))

struct State {
    std::string question;
    std::vector<Turn> history;

    bool needs_retrieval = true;
    std::string reply;  ///< to what needs none
    std::string resolved_question;
    DateReading dates;
    std::optional<DateHints> metadata_hints;
    std::int64_t top_k_hint = kTopDefault;

    std::vector<std::string> searched;  ///< queries, in order
    std::vector<retrieval::ChunkResult> retrieved_chunks;
    std::vector<EvidenceSentence> evidence;  ///< best first
    SearchConfidence confidence = SearchConfidence::insufficient;
    double confidence_score = 0;
    std::string doubt;  ///< why the documents cannot answer, where that is known
    std::int64_t reformulation_attempts = 0;
    std::string reformulated_query;

    std::string draft;  ///< with [n] for retrieved_chunks[n - 1]
    std::string answer;
    std::vector<Citation> citations;
    std::vector<std::string> left_out;  ///< sentences that no document supports
    std::int64_t checked = 0;           ///< sentences that were held against their sources
    std::string method;
    std::vector<std::string> assumptions;
    std::vector<std::string> suggestions;
    AnswerStatus status = AnswerStatus::failed;
    UsageSummary usage;

    static constexpr auto kReducers =
        std::tuple{graph::reduce<&State::history, remember>, graph::reduce<&State::usage, add>};
};
BOOST_DESCRIBE_STRUCT(State, (),
                      (question, history, needs_retrieval, reply, resolved_question, dates, metadata_hints, top_k_hint,
                       searched, retrieved_chunks, evidence, confidence, confidence_score, doubt,
                       reformulation_attempts, reformulated_query, draft, answer, citations, left_out, checked, method,
                       assumptions, suggestions, status, usage))

}  // namespace quaestor::workflows::cited
