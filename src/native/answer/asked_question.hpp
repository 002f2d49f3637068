// What a question wants, as the extractor reads it: the kind of answer, which of several, and its words with what may
// stand for them. Plain values.
// Threads: values.
#pragma once

#include "native/answer/asked_unit.hpp"

#include <boost/describe/enum.hpp>

#include <string>
#include <vector>

namespace quaestor::native {

/// What a sentence must hold to be an answer.
enum class AnswerKind { statement, number, date, person, reason, whether, condition };
BOOST_DESCRIBE_ENUM(AnswerKind, statement, number, date, person, reason, whether, condition)

/// Which of the sentences that answer are wanted: the best, those of the first or last document that has one, or one of
/// each document in the order of time.
enum class AnswerOrder { best, first, last, series };
BOOST_DESCRIBE_ENUM(AnswerOrder, best, first, last, series)

/// Which way something was changed.
enum class Direction { none, up, down, same };
BOOST_DESCRIBE_ENUM(Direction, none, up, down, same)

/// Questions that are told by their words and answered by sentences of a known shape; see subjects.hpp.
enum class Subject { none, rate, vote, guidance };
BOOST_DESCRIBE_ENUM(Subject, none, rate, vote, guidance)

/// Whether a beginning or an end is asked about.
enum class Phase { none, begin, end };

/// Of several values, the one that is wanted.
enum class Extreme { none, highest, lowest };
BOOST_DESCRIBE_ENUM(Extreme, none, highest, lowest)

using Phrase = std::vector<std::string>;

/// A term that is near another in meaning, and what it is worth in its place.
struct NearTerm {
    std::string term;
    double worth = 0;
};

struct AskedTerm {
    std::string term;
    double weight = 1;                      ///< how much it says; the caller knows how rare it is
    std::vector<Phrase> alike;              ///< that say the same
    std::vector<NearTerm> near;             ///< of the passages, nearest first; the caller knows meanings
    Direction direction = Direction::none;  ///< of a word of change
    bool is_body = false;                   ///< names who acts in all documents: "the Fed"
    bool is_name = false;                   ///< is asked about wherever its passage speaks of it
};

struct AskedQuestion {
    AnswerKind kind = AnswerKind::statement;
    Unit unit = Unit::any;  ///< of a number
    AnswerOrder order = AnswerOrder::best;
    Direction direction = Direction::none;  ///< that it takes for granted or asks about: "why was it cut?"
    bool wants_overview = false;            ///< names nothing but that something happened: "what was decided?"
    Subject subject = Subject::none;
    bool is_pure = false;      ///< is about its subject and nothing else
    bool wants_step = false;   ///< by how much something was changed
    bool wants_count = false;  ///< how many times something happened
    Extreme extreme = Extreme::none;
    Phase phase = Phase::none;
    std::vector<AskedTerm> terms;
};

}  // namespace quaestor::native
