// Numbers, dates and truth as people say them: "3 million", "two dozen", "May 2023", "the 1990s", "yes". Those of
// training/values.py to the letter; a test holds both together.
// Threads: pure functions.
#pragma once

#include <boost/describe/enum.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace quaestor::native {

/// In the order of the keywords YEAR, QUARTER, MONTH, DAY, WEEKDAY.
enum class DatePart { year, quarter, month, day, weekday };
BOOST_DESCRIBE_ENUM(DatePart, year, quarter, month, day, weekday)

/// As SQL writes it: "3 million" → "3000000", "twenty" → "20", "12.5%" → "12.5".
[[nodiscard]] std::optional<std::string> number_of(std::string_view text);

/// Days from the first up to the one before `after`, as ISO dates.
struct Period {
    std::string first;
    std::string after;
    friend bool operator==(const Period&, const Period&) = default;
};
/// "May 2023", "2022", "Q3 2021", "1 March 2020", "the 1990s"; where it names no year, that of `year`.
[[nodiscard]] std::optional<Period> period_of(std::string_view text, std::optional<int> year = {});
/// The last year named in a text.
[[nodiscard]] std::optional<int> year_in(std::string_view text);
/// The number of a part: "May" → "5", "Mondays" → "1" (Monday is 1), "third quarter" → "3".
[[nodiscard]] std::string part_value(DatePart part, std::string_view text);
[[nodiscard]] std::optional<bool> truth_of(std::string_view text);

/// Whether a question word looks like a date, like a number, or like neither: a feature of the trained parser.
enum class WordLook { plain, number, date };
[[nodiscard]] WordLook look_of(std::string_view word);

}  // namespace quaestor::native
