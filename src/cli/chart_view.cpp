#include "cli/chart_view.hpp"

#include "base/text.hpp"
#include "cli/chart_plot.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace quaestor::cli {

namespace {

constexpr std::size_t kRowsDrawnMax = 1'000;
constexpr std::size_t kBarsDrawnMax = 60;
constexpr std::size_t kBarColumnsMin = 10;
/// Longer bars say no more.
constexpr std::size_t kBarColumnsMax = 50;
constexpr std::string_view kBarGap = "  ";

std::string text_at(const json::value& in, std::string_view pointer) {
    boost::system::error_code none;
    const json::value* found = in.find_pointer(pointer, none);
    return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

/// Numbers, also those that are written as text because a double would change them.
std::optional<double> number_of(const json::value& value) {
    if (value.is_number()) return value.to_number<double>();
    if (!value.is_string() || value.get_string().empty()) return std::nullopt;
    char* end = nullptr;
    const double number = std::strtod(value.get_string().c_str(), &end);
    return *end == '\0' && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

std::string label_of(const json::value& value) {
    if (value.is_null()) return "(none)";
    return visible(value.is_string() ? std::string_view(value.get_string()) : std::string_view(to_text(value)));
}

/// What is drawn along one direction.
struct Channel {
    std::string field;
    std::string title;

    [[nodiscard]] const json::value& of(const json::object& row) const {
        static const json::value kNone;
        const auto* value = row.if_contains(field);
        return value == nullptr ? kNone : *value;
    }
};

struct Chart {
    std::string mark;
    Channel x;
    Channel y;
    Channel color;
    std::vector<json::object> rows;
};

Channel channel_of(const json::value& spec, const std::string& name) {
    Channel channel{text_at(spec, "/encoding/" + name + "/field"), text_at(spec, "/encoding/" + name + "/title")};
    if (channel.title.empty()) channel.title = channel.field;
    channel.title = visible(channel.title);
    return channel;
}

std::optional<Chart> read_chart(const json::object& given) {
    const json::value spec(given);
    Chart chart{
        text_at(spec, "/mark/type"), channel_of(spec, "x"), channel_of(spec, "y"), channel_of(spec, "color"), {}};
    boost::system::error_code none;
    const json::value* values = spec.find_pointer("/data/values", none);
    if (values == nullptr || !values->is_array() || chart.x.field.empty() || chart.y.field.empty()) return std::nullopt;
    for (const auto& value : values->get_array()) {
        if (value.is_object() && chart.rows.size() < kRowsDrawnMax) chart.rows.push_back(value.get_object());
    }
    return chart;
}

std::string title_line(const std::string& what, const std::string& by, std::size_t width) {
    return styled(text::shorten(fmt::format("{} by {}", what, by), width), Style::bold) + "\n";
}

struct Bar {
    std::string label;
    double value = 0;
    std::string shown;
};

std::vector<Bar> bars_of(const Chart& chart) {
    std::vector<Bar> bars;
    for (const auto& row : chart.rows) {
        const auto value = number_of(chart.x.of(row));
        if (value && bars.size() < kBarsDrawnMax) {
            bars.push_back({label_of(chart.y.of(row)), *value, short_number(*value)});
        }
    }
    return bars;
}

/// `columns` columns of a bar, the last one to an eighth where the locale has signs for that.
std::string filled(double columns, bool is_unicode) {
    static constexpr std::array<std::string_view, 8> kEighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    const auto eighths = static_cast<std::size_t>(std::lround(std::max(columns, 0.0) * 8));
    std::string bar;
    const std::size_t whole = is_unicode ? eighths / 8 : (eighths + 4) / 8;
    for (std::size_t at = 0; at < whole; ++at) bar += is_unicode ? "█" : "#";
    return is_unicode ? bar + std::string(kEighths.at(eighths % 8)) : bar;
}

/// Bars to both sides of zero, when there are values below it.
std::string drawn_bar(double value, const AxisRange& range, std::size_t columns, bool is_unicode) {
    const double per_value = static_cast<double>(columns) / (range.high - range.low);
    const auto zero = static_cast<std::size_t>(std::lround(-range.low * per_value));
    if (value >= 0) return std::string(zero, ' ') + filled(value * per_value, is_unicode);
    const auto length = std::min(static_cast<std::size_t>(std::lround(-value * per_value)), zero);
    return std::string(zero - length, ' ') + filled(static_cast<double>(length), is_unicode);
}

std::string draw_bar_chart(const Chart& chart, const ChartLook& look) {
    const auto bars = bars_of(chart);
    if (bars.empty()) return {};
    std::size_t labels = 0;
    std::size_t numbers = 0;
    std::vector<double> values{0};
    for (const auto& bar : bars) {
        labels = std::max(labels, text::display_width(bar.label));
        numbers = std::max(numbers, text::display_width(bar.shown));
        values.push_back(bar.value);
    }
    labels = std::min(labels, std::max(look.width / 3, kBarColumnsMin));
    const std::size_t taken = labels + numbers + 2 * kBarGap.size();
    const std::size_t columns = std::clamp(look.width - std::min(look.width, taken), kBarColumnsMin, kBarColumnsMax);
    const AxisRange range = axis_range(values);
    std::string out = title_line(chart.x.title, chart.y.title, look.width);
    for (const auto& bar : bars) {
        const std::string label = text::shorten(bar.label, labels);
        out += label + std::string(labels - text::display_width(label), ' ') + std::string(kBarGap);
        out += std::string(numbers - text::display_width(bar.shown), ' ') + bar.shown + std::string(kBarGap);
        out += drawn_bar(bar.value, range, columns, look.is_unicode);
        out.erase(out.find_last_not_of(' ') + 1);
        out += "\n";
    }
    return out;
}

/// The values along a line, in their order: by number where all are numbers, else as text, which also puts dates right.
std::vector<std::string> ordered_steps(const Chart& chart) {
    std::set<std::string> texts;
    std::map<double, std::string> numbers;
    bool all_numbers = true;
    for (const auto& row : chart.rows) {
        const auto& value = chart.x.of(row);
        texts.insert(label_of(value));
        const auto number = number_of(value);
        all_numbers = all_numbers && number.has_value();
        if (number) numbers.emplace(*number, label_of(value));
    }
    if (!all_numbers) return {texts.begin(), texts.end()};
    std::vector<std::string> steps;
    for (const auto& [number, label] : numbers) steps.push_back(label);
    return steps;
}

using Series = std::map<std::string, std::map<std::size_t, double>>;

/// The values of each series by step.
Series series_of(const Chart& chart, const std::vector<std::string>& steps) {
    Series series;
    for (const auto& row : chart.rows) {
        const auto value = number_of(chart.y.of(row));
        const auto step = std::ranges::find(steps, label_of(chart.x.of(row)));
        if (!value || step == steps.end()) continue;
        const std::string name = chart.color.field.empty() ? "" : label_of(chart.color.of(row));
        series[name][static_cast<std::size_t>(step - steps.begin())] = *value;
    }
    return series;
}

std::string legend(const Series& series, bool is_unicode) {
    if (series.size() < 2) return {};
    std::string line;
    std::size_t number = 0;
    for (const auto& [name, values] : series) line += fmt::format("{} {}  ", series_mark(number++, is_unicode), name);
    return std::string(text::trim(line)) + "\n";
}

std::string draw_line_chart(const Chart& chart, const ChartLook& look) {
    const auto steps = ordered_steps(chart);
    const auto series = series_of(chart, steps);
    std::vector<double> values;
    for (const auto& [name, points] : series) {
        for (const auto& [step, value] : points) values.push_back(value);
    }
    if (values.empty() || steps.size() < 2) return {};
    Plot plot(axis_range(values), look.width, look.is_unicode);
    const auto place = [&](const auto& point) {
        return Plot::Place{static_cast<double>(point.first) / static_cast<double>(steps.size() - 1), point.second};
    };
    for (const auto& [name, points] : series) {
        for (auto at = points.begin(); std::next(at) != points.end(); ++at)
            plot.connect(place(*at), place(*std::next(at)));
    }
    std::size_t number = 0;
    for (const auto& [name, points] : series) {
        for (const auto& point : points) plot.mark(place(point), series_mark(number, look.is_unicode));
        ++number;
    }
    return title_line(chart.y.title, chart.x.title, look.width) + plot.draw(steps) + legend(series, look.is_unicode);
}

std::string draw_point_chart(const Chart& chart, const ChartLook& look) {
    std::vector<double> across;
    std::vector<double> down;
    for (const auto& row : chart.rows) {
        const auto x = number_of(chart.x.of(row));
        const auto y = number_of(chart.y.of(row));
        if (!x || !y) continue;
        across.push_back(*x);
        down.push_back(*y);
    }
    if (across.empty()) return {};
    const AxisRange width = axis_range(across);
    Plot plot(axis_range(down), look.width, look.is_unicode);
    for (std::size_t at = 0; at < across.size(); ++at) {
        plot.mark({width.part(across[at]), down[at]}, series_mark(0, look.is_unicode));
    }
    const std::vector<std::string> labels{short_number(width.low), short_number((width.low + width.high) / 2),
                                          short_number(width.high)};
    return title_line(chart.y.title, chart.x.title, look.width) + plot.draw(labels);
}

}  // namespace

bool uses_unicode() {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const char* value = std::getenv(name);
        if (value == nullptr || *value == '\0') continue;
        const std::string locale = text::fold(value);
        return locale.contains("utf-8") || locale.contains("utf8");
    }
    return false;
}

std::string draw_chart(const json::object& spec, const ChartLook& look) {
    const auto chart = read_chart(spec);
    if (!chart) return {};
    if (chart->mark == "bar") return draw_bar_chart(*chart, look);
    if (chart->mark == "line") return draw_line_chart(*chart, look);
    if (chart->mark == "point") return draw_point_chart(*chart, look);
    return {};
}

}  // namespace quaestor::cli
