// The steps of linking.hpp, each for some kinds of links.
// Private to native/.
// Threads: pure functions.
#pragma once

#include "native/reading/linking.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

/// Scores of what is not said with the very words.
inline constexpr double kSynonymScore = 0.9;
inline constexpr double kLikelyScore = 0.7;
inline constexpr double kNearScore = 0.6;
inline constexpr double kGuessScore = 0.5;

/// What all steps look at.
struct LinkingView {
    const LinkedQuestion& question;
    const Knowledge& knowledge;
    std::string_view today;
    std::vector<std::string> folded;  ///< of the words
    std::vector<std::string> stemmed;

    [[nodiscard]] std::size_t size() const { return folded.size(); }
    /// Whether some link that is at least so good covers the word.
    [[nodiscard]] bool is_linked(std::size_t word, double score = 0) const;
};
using Links = std::vector<Link>;

/// Aggregates, comparisons, order, limits, groups, negation, shares, changes and fillers.
void link_phrases(const LinkingView& view, Links& out);
/// Tables and columns by their names, by parts of them and by synonyms.
void link_names(const LinkingView& view, Links& out);
/// Tables and columns by words that are nearly those of their names, where nothing else is meant.
void link_near_names(const LinkingView& view, Links& out);
void link_numbers(const LinkingView& view, Links& out);
void link_periods(const LinkingView& view, Links& out);
/// Values that the index finds, and seasons: "2022-23".
void link_values(const LinkingView& view, Links& out);
/// Values that differ a little from words that nothing else is meant by.
void link_near_values(const LinkingView& view, Links& out);

/// The number that begins at a word, and its last word.
struct SaidNumber {
    std::size_t last = 0;
    std::string text;
};
[[nodiscard]] std::optional<SaidNumber> number_at(const LinkingView& view, std::size_t first);

/// A folded word without its plural ending, regular or not.
[[nodiscard]] std::string link_stem(std::string_view folded);
/// Whether a word asks or joins and means nothing by itself.
[[nodiscard]] bool is_filler(std::string_view folded);
/// Whether a word leads what follows it: "by", "with", "near".
[[nodiscard]] bool is_preposition(std::string_view folded);

}  // namespace quaestor::native
