// Answers from texts in their own words: reads what kind of answer a question wants, and ranks the sentences of
// passages by how well they give it. Knows nothing of corpora; whoever calls gives passages, stems and closeness of
// meaning. Threads: an Extractor is immutable once made.
#pragma once

#include "native/answer/asked_question.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

/// The stems of a text, in order, without the words that every text has.
using TermReader = std::function<std::vector<std::string>(std::string_view)>;

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
    double gaps = 0;       ///< weight of the words that nothing of these says
    double key = 0;        ///< what the weightiest word of the question is worth there
    double closeness = 0;  ///< in meaning, 0 to 1; 0 until weigh() is told
    double fit = 0;        ///< whether it holds what the kind of answer needs
    double score = 0;
    Direction direction = Direction::none;  ///< in which it says that what was asked about was changed
    bool is_decision = false;               ///< says that it was done, not only considered
    double bonus = 0;                       ///< for its shape
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
