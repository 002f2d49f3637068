// Private to native: words that say a number, a month or a weekday.
// Constants.
// Threads: pure functions.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace quaestor::native {

struct SpokenNumber {
    std::string_view word;
    int number;
};

inline constexpr auto kMonths = std::to_array<SpokenNumber>(
    {{"january", 1}, {"february", 2}, {"march", 3},     {"april", 4},    {"may", 5},       {"june", 6},
     {"july", 7},    {"august", 8},   {"september", 9}, {"october", 10}, {"november", 11}, {"december", 12},
     {"jan", 1},     {"feb", 2},      {"mar", 3},       {"apr", 4},      {"jun", 6},       {"jul", 7},
     {"aug", 8},     {"sep", 9},      {"sept", 9},      {"oct", 10},     {"nov", 11},      {"dec", 12}});
inline constexpr auto kWeekdays = std::to_array<SpokenNumber>(
    {{"monday", 1}, {"tuesday", 2}, {"wednesday", 3}, {"thursday", 4}, {"friday", 5}, {"saturday", 6}, {"sunday", 7}});

template <std::size_t Size>
[[nodiscard]] constexpr std::optional<int> find_spoken(const std::array<SpokenNumber, Size>& words,
                                                       std::string_view word) {
    const auto* const found = std::ranges::find(words, word, &SpokenNumber::word);
    if (found == words.end()) return std::nullopt;
    return found->number;
}

}  // namespace quaestor::native
