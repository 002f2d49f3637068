// Parts of a question that follow-ups speak of: names, times, and where they stand. Private to restating.
// Threads: pure functions.
#pragma once

#include "native/reading/rules/schema_view.hpp"
#include "native/reading/rules/tokens.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

/// Words `first` to `last`.
struct WordRange {
    std::size_t first = 0;
    std::size_t last = 0;
};

[[nodiscard]] bool is_listed(std::string_view word, std::span<const std::string_view> words);
/// Whether words may say a time.
[[nodiscard]] bool says_time(const rules::Unit& unit, const rules::SchemaView& view);
/// Whether they are a value, and no time.
[[nodiscard]] bool says_value(const rules::Unit& unit, const rules::SchemaView& view);

/// From the first to the last unit that fits.
template <typename Fits>
[[nodiscard]] std::optional<WordRange> range_of(const std::vector<rules::Unit>& units, Fits fits) {
    std::optional<WordRange> range;
    for (const rules::Unit& unit : units) {
        if (!fits(unit)) continue;
        const rules::Token& token = unit.meanings.front();
        if (!range) range = WordRange{token.first, token.last};
        range->last = token.last;
    }
    return range;
}

/// With names for pronouns and the time for "that season". Nothing when it has neither, or nobody knows whose.
[[nodiscard]] std::optional<std::string> without_pronouns(const LinkedQuestion& question, const LinkedQuestion& earlier,
                                                          std::span<const std::string> given,
                                                          const rules::SchemaView& view);

}  // namespace quaestor::native
