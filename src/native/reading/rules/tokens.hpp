// A linked question as the rules read it: one sequence of things and cues without overlaps, and the other things that
// the same words may mean. Private to the rules; plain values.
// Threads: pure functions.
#pragma once

#include "native/reading/linking.hpp"
#include "native/reading/rules/cues.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace quaestor::native::rules {

/// Things that the same words may mean, and ways to choose one for all words, that are looked at.
inline constexpr std::size_t kMeaningsMax = 5;
inline constexpr std::size_t kReadingsMax = 40;

struct Token {
    enum class Kind : std::uint8_t { cue, table, column, value, number, period, unknown } kind = Kind::unknown;
    std::size_t first = 0;  ///< word
    std::size_t last = 0;
    double score = 0;
    Cue cue = Cue::filler;
    std::string_view detail{};  ///< of a cue
    TableId table = -1;
    ColumnId column = 0;
    std::string text{};  ///< of a value, number or period, as in its link

    [[nodiscard]] bool is(Cue other) const { return kind == Kind::cue && cue == other; }
    [[nodiscard]] bool is(Kind other) const { return kind == other; }
};

/// Words, and what they may mean, the likeliest first.
struct Unit {
    std::vector<Token> meanings;
};

/// The units that cover a question best. Fillers are left out.
[[nodiscard]] std::vector<Unit> units_of(const LinkedQuestion& question);

/// One meaning for each unit.
struct TokenReading {
    std::vector<Token> tokens;
    double score = 0;  ///< the sum of the logarithms of the meanings' scores
};
/// The likeliest first, at most kReadingsMax.
[[nodiscard]] std::vector<TokenReading> readings_of(const std::vector<Unit>& units);

}  // namespace quaestor::native::rules
