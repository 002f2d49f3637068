// Answers from texts in their own words: reads what kind of answer a question wants, and ranks the sentences of
// passages by how well they give it. Knows nothing of corpora; whoever calls gives passages, stems and closeness of
// meaning. Threads: an Extractor is immutable once made.
#pragma once

#include <boost/describe/enum.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

/// What a sentence must hold to be an answer.
enum class AnswerKind { statement, number, date, person, reason, whether };
BOOST_DESCRIBE_ENUM(AnswerKind, statement, number, date, person, reason, whether)

/// Which of the sentences that answer are wanted: the best, those of the first or last document that has one, or one of
/// each document in the order of time.
enum class AnswerOrder { best, first, last, series };
BOOST_DESCRIBE_ENUM(AnswerOrder, best, first, last, series)

/// Which way something was changed.
enum class Direction { none, up, down, same };
BOOST_DESCRIBE_ENUM(Direction, none, up, down, same)

/// Questions that are told by their words and answered by sentences of a known shape; see subjects.hpp.
enum class Subject { none, rate, vote };
BOOST_DESCRIBE_ENUM(Subject, none, rate, vote)

/// Of several values, the one that is wanted.
enum class Extreme { none, highest, lowest };
BOOST_DESCRIBE_ENUM(Extreme, none, highest, lowest)

/// The stems of a text, in order, without the words that every text has.
using TermReader = std::function<std::vector<std::string>(std::string_view)>;
using Phrase = std::vector<std::string>;

struct AskedTerm {
    std::string term;
    double weight = 1;          ///< how much it says; the caller knows how rare it is
    std::vector<Phrase> alike;  ///< that say the same
};

struct AskedQuestion {
    AnswerKind kind = AnswerKind::statement;
    AnswerOrder order = AnswerOrder::best;
    Direction direction = Direction::none;  ///< that it takes for granted or asks about: "why was it cut?"
    bool wants_overview = false;            ///< names nothing but that something happened: "what was decided?"
    Subject subject = Subject::none;
    bool is_pure = false;     ///< is about its subject and nothing else
    bool wants_step = false;  ///< by how much something was changed
    Extreme extreme = Extreme::none;
    std::vector<AskedTerm> terms;
};

struct ExtractPassage {
    std::string_view text;
    std::string_view context;  ///< what its document says about it: title, date, section
    double relevance = 0;      ///< 0 to 1
    struct Place {
        std::size_t begin = 0;
        std::size_t end = 0;
    };
    std::vector<Place> sentences;
};

struct RankedSentence {
    std::size_t passage = 0;
    std::size_t begin = 0;  ///< bytes of the passage
    std::size_t end = 0;
    double coverage = 0;   ///< share of what is asked that it, its neighbours or its context say
    double closeness = 0;  ///< in meaning, 0 to 1; 0 until weigh() is told
    double fit = 0;        ///< whether it holds what the kind of answer needs
    double score = 0;
    Direction direction = Direction::none;  ///< in which it says that what was asked about was changed
    bool is_decision = false;               ///< says that it was done, not only considered
    bool is_shaped = false;                 ///< has the shape of an answer to the question's subject
};

/// By score; of two that are as good, the one that comes first.
[[nodiscard]] inline bool is_better(const RankedSentence& left, const RankedSentence& right) {
    if (left.score != right.score) return left.score > right.score;
    return left.passage != right.passage ? left.passage < right.passage : left.begin < right.begin;
}

class Extractor {
public:
    explicit Extractor(TermReader terms);
    ~Extractor();

    [[nodiscard]] AskedQuestion read(std::string_view question) const;

    /// Sentences that say something of what is asked, best first, at most `count`.
    [[nodiscard]] std::vector<RankedSentence> rank(const AskedQuestion& question,
                                                   std::span<const ExtractPassage> passages, std::size_t count) const;

    /// The score with closeness; the order is the caller's business.
    static void weigh(RankedSentence& sentence, double relevance);

    /// Other queries for the same: its content words alone, then with like words in their places.
    [[nodiscard]] std::vector<std::string> in_other_words(std::string_view question) const;

    /// Whether two texts say nearly the same in nearly the same words.
    [[nodiscard]] bool are_alike(std::string_view left, std::string_view right) const;
    /// Share of the terms of `claim` that `text` has, in the same words or alike ones.
    [[nodiscard]] double support(std::string_view claim, std::string_view text) const;
    /// In which direction a text says that what it talks about was changed, by its first such words.
    [[nodiscard]] Direction direction_in(const AskedQuestion& question, std::string_view text) const;

private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

/// "5-1/4 to 5-1/2 percent" → "5-1/4 to 5-1/2 percent (5.25–5.50 %)"; other texts as they are.
[[nodiscard]] std::string with_decimal_ranges(std::string_view text);
/// "5-1/4" → "5.25", "½" → "0.5": for comparing numbers that are written in both ways.
[[nodiscard]] std::string with_decimals(std::string_view text);

}  // namespace quaestor::native
