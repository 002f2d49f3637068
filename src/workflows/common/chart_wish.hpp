// The wish for a chart in a question ("Plot …", "… as a bar chart") and the question without it, which is what the data
// is asked.
// Threads: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace quaestor::workflows {

enum class ChartKind { any, line, bar, pie, scatter };

struct ChartWish {
    ChartKind kind = ChartKind::any;
    std::string question;  ///< empty where nothing but the wish was said: "plot that", "now as a bar chart"
};

/// Nothing where no chart is wished for: a song may be in the charts, and a game may end in a draw.
[[nodiscard]] std::optional<ChartWish> chart_wish(std::string_view question);

/// Words that can be part of such a wish; where they name something in the data, it may be no wish.
[[nodiscard]] bool is_chart_word(std::string_view word);

}  // namespace quaestor::workflows
