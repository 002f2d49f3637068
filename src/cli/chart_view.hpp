// A chart as text: bars, lines or points of a Vega-Lite description whose data are inside it.
// Private to cli/.
// Threads: pure functions; uses_unicode() looks at the environment.
#pragma once

#include "base/json.hpp"

#include <cstddef>
#include <string>

namespace quaestor::cli {

struct ChartLook {
    std::size_t width = 80;
    bool is_unicode = true;  ///< false: ASCII alone
};

/// Whether the locale can show more than ASCII.
[[nodiscard]] bool uses_unicode();

/// The chart with its title, or nothing where the description is of another kind or has no numbers.
[[nodiscard]] std::string draw_chart(const json::object& spec, const ChartLook& look);

}  // namespace quaestor::cli
