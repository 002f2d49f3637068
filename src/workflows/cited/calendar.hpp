// Days as texts that sort by time, "2023-07-26", and what people do with them.
// Pure functions. Private to the workflow.
// Threads: safe everywhere.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace quaestor::workflows::cited {

[[nodiscard]] std::string iso_day(int year, int month, int day);
/// The last day of a month.
[[nodiscard]] std::string month_end(int year, int month);
/// So many days later; earlier when negative.
[[nodiscard]] std::string days_after(std::string_view day, int days);
[[nodiscard]] int year_of(std::string_view day);
[[nodiscard]] int month_of(std::string_view day);

/// 1 to 12 for "july", "jul", "sept"; the word is folded.
[[nodiscard]] std::optional<int> month_named(std::string_view word);
/// "July 26, 2023"
[[nodiscard]] std::string day_in_words(std::string_view day);
/// "July 2023"
[[nodiscard]] std::string month_in_words(int year, int month);

}  // namespace quaestor::workflows::cited
