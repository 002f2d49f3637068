// Values as a person writes them: rounding, thousands, millions, units, dates; and text that cannot be taken for
// Markdown or HTML. What is rounded here is found again by the grounding check. Private to native/, but for escaped(),
// which is for all who write answers. Threads: pure functions.
#pragma once

#include "data/result_set.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace quaestor::native {

/// Characters of a cell that an answer shows.
inline constexpr std::size_t kCellPointsMax = 120;
/// Rows that are looked at to tell what a column holds.
inline constexpr std::size_t kJudgedRowsMax = 200;

/// How the numbers of a column are written.
struct NumberStyle {
    std::string name;               ///< of the column in words, without its unit: "height" for height_cm
    std::string_view before;        ///< "$"
    std::string_view after;         ///< " cm"; " %"
    bool is_fraction = false;       ///< 0.457 is 45.7 %
    bool is_plain = false;          ///< a year or an identifier: no thousands, no millions
    bool is_whole = false;          ///< integers are written to the last digit
    bool in_full = false;           ///< no millions
    std::optional<int> decimals{};  ///< other than what the size of the number asks for

    [[nodiscard]] bool is_percent() const { return after == " %"; }
};
[[nodiscard]] NumberStyle style_of(const data::ResultColumn& column);

/// The digits behind the point that a number of this size is written with.
[[nodiscard]] int decimals_of(double value);
/// "1,234", "5.21 million", "45.7 %", "$3.50".
[[nodiscard]] std::string say_number(double value, const NumberStyle& style);
[[nodiscard]] std::string say_value(const data::ResultColumn& column, std::size_t row, const NumberStyle& style);
/// "2023-05-03" → "May 3, 2023"; "2023-05-03 12:30:00" → "May 3, 2023, 12:30"; nothing when it is no date.
[[nodiscard]] std::optional<std::string> say_date(std::string_view text);

/// One line of text that Markdown and HTML show as it is.
[[nodiscard]] std::string escaped(std::string_view text);
/// The same for a phrase of any length.
[[nodiscard]] std::string escaped_words(std::string_view text);

}  // namespace quaestor::native
