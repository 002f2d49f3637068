// What the three dialects write differently: parts of dates, days between dates, searching in texts, real division.
// Arguments are SQL already, unless they are called text.
// Private to native/. Threads: pure functions.
#pragma once

#include "data/dialect.hpp"
#include "native/logical_form.hpp"
#include "native/schema.hpp"

#include <string>
#include <string_view>

namespace quaestor::native {

/// `is_text`: it holds its date as text.
[[nodiscard]] std::string part_sql(data::Dialect dialect, DatePart part, const std::string& date, bool is_text);
/// Days from `earlier` to `later`, with a fraction where there are times.
[[nodiscard]] std::string days_sql(data::Dialect dialect, const std::string& later, const std::string& earlier);
[[nodiscard]] std::string calculation_sql(data::Dialect dialect, Arithmetic operation, const std::string& left,
                                          const std::string& right);
/// `over`: how the rows are parted and ordered.
[[nodiscard]] std::string window_sql(data::Dialect dialect, WindowKind kind, const std::string& of,
                                     const std::string& over);
/// `left LIKE '%text%'`, without regard to case in every dialect; marks of the text stand for themselves, but for
/// TextMatch::like, whose text is a pattern.
[[nodiscard]] std::string match_sql(data::Dialect dialect, const std::string& left, TextMatch match, bool negated,
                                    std::string_view text);
/// A day as a literal that compares with a column.
[[nodiscard]] std::string day_sql(data::Dialect dialect, const SchemaColumn& column, std::string_view day);
/// The value of `of` in the row in which `extreme` is highest (or lowest) of a group; without one, in any row. SQLite
/// needs none of this: there a column beside MAX() is that of its row.
[[nodiscard]] std::string row_of_group_sql(data::Dialect dialect, const std::string& of, const std::string& extreme,
                                           bool is_highest);

/// A text that stands for an amount, as a number: inches for feet and inches.
[[nodiscard]] std::string amount_sql(data::Dialect dialect, TextAmount amount, const std::string& text);

}  // namespace quaestor::native
