// Seasons that are played over two years, "2022-23", where a database has them by one year or by a code.
// Private to native/.
// Threads: pure functions.
#pragma once

#include "native/reading/linking.hpp"
#include "native/reading/rules/schema_view.hpp"

#include <optional>
#include <string>

namespace quaestor::native {

/// The year in which a season ends that is written like "2022-23" or "2022/2023"; nothing for another text.
[[nodiscard]] std::optional<int> season_end(std::string_view text);

/// Whether "2022-23" is 2022 in the column and not 2023: its earliest season is the year of the earliest day.
[[nodiscard]] bool begins_with_year(const rules::SchemaView& view, ColumnId column);

/// The form with such seasons as the columns have them that they are compared with.
[[nodiscard]] Query with_seasons(Query form, const LinkedQuestion& question, const rules::SchemaView& view);

}  // namespace quaestor::native
