// A chart for a result that has a shape which wants one: time → line, categories → bars, two measures → points. As
// Vega-Lite JSON with its data inside, so that any client can draw it. Threads: pure functions.
#pragma once

#include "base/json.hpp"
#include "workflows/common/result_table.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace quaestor::workflows {

inline constexpr std::size_t kChartRowsMax = 500;
inline constexpr std::size_t kBarsMax = 40;

/// Nothing for a single row, for text alone, or for too many categories. `question` may wish for a kind: "as a bar
/// chart" (chart_wish.hpp).
[[nodiscard]] std::optional<json::object> chart_for(const ResultTable& table, std::string_view question);

}  // namespace quaestor::workflows
