#include "cli/chart_plot.hpp"

#include "base/text.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace quaestor::cli {

namespace {

constexpr std::size_t kPlotRows = 10;
constexpr std::size_t kPlotColumnsMin = 16;
/// Columns beside the field: a space and the axis.
constexpr std::size_t kAxisColumns = 2;
constexpr double kWholeMax = 1e15;
/// Above this, what is behind the point tells nothing.
constexpr double kDecimalsBelow = 1'000;

/// `count` places, evenly spread over 0 to `last`.
std::size_t spread(std::size_t at, std::size_t count, std::size_t last) {
    return count < 2 ? 0 : at * last / (count - 1);
}

/// The labels that have room, each in the middle of its place, the ends kept inside.
std::string label_line(const std::vector<std::string>& labels, std::size_t width) {
    std::vector<std::pair<std::size_t, std::string>> placed;
    std::size_t free_from = 0;
    const auto place = [&](std::size_t at, std::size_t limit) {
        const std::size_t columns = text::display_width(labels[at]);
        const std::size_t middle = spread(at, labels.size(), width - 1);
        const std::size_t begin = std::min(middle - std::min(middle, columns / 2), width - std::min(width, columns));
        if (begin < free_from || begin + columns > limit) return;
        placed.emplace_back(begin, labels[at]);
        free_from = begin + columns + 2;
    };
    const std::size_t last = text::display_width(labels.back());
    const std::size_t last_begin = width - std::min(width, last);
    for (std::size_t at = 0; at + 1 < labels.size(); ++at) place(at, last_begin - std::min<std::size_t>(last_begin, 2));
    place(labels.size() - 1, width);
    std::string line;
    for (const auto& [begin, label] : placed) line += std::string(begin - text::display_width(line), ' ') + label;
    return line;
}

}  // namespace

AxisRange axis_range(const std::vector<double>& values) {
    if (values.empty()) return {0, 1};
    const auto [low, high] = std::ranges::minmax(values);
    if (low < high) return {low, high};
    const double room = low == 0 ? 1 : std::abs(low) / 10;
    return {low - room, high + room};
}

std::string short_number(double value) {
    if (!std::isfinite(value)) return "";
    const double size = std::abs(value);
    if (size >= kWholeMax) return fmt::format("{:.3g}", value);
    if (size >= kDecimalsBelow || value == std::trunc(value)) return grouped(std::llround(value));
    std::string text = fmt::format("{:.{}f}", value, size >= 100 ? 1 : size >= 1 ? 2 : 3);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
    return text;
}

std::string_view series_mark(std::size_t series, bool is_unicode) {
    static constexpr std::array<std::string_view, 8> kMarks{"●", "▲", "■", "◆", "○", "△", "□", "◇"};
    static constexpr std::array<std::string_view, 8> kPlainMarks{"*", "o", "x", "+", "#", "@", "%", "&"};
    return is_unicode ? kMarks.at(series % kMarks.size()) : kPlainMarks.at(series % kPlainMarks.size());
}

Plot::Plot(AxisRange down, std::size_t width, bool is_unicode) : down_(down), is_unicode_(is_unicode) {
    label_width_ = 0;
    for (std::size_t at = 0; at < kPlotRows; ++at) {
        label_width_ = std::max(label_width_, text::display_width(label_of_row(at)));
    }
    const std::size_t taken = label_width_ + kAxisColumns;
    const std::size_t columns = std::max(width - std::min(width, taken), kPlotColumnsMin);
    cells_.assign(kPlotRows, std::vector<std::string>(columns, " "));
}

std::size_t Plot::column(double across) const {
    return static_cast<std::size_t>(
        std::lround(std::clamp(across, 0.0, 1.0) * static_cast<double>(cells_.front().size() - 1)));
}

std::size_t Plot::row(double value) const {
    return static_cast<std::size_t>(
        std::lround((1 - std::clamp(down_.part(value), 0.0, 1.0)) * static_cast<double>(kPlotRows - 1)));
}

std::string Plot::label_of_row(std::size_t row) const {
    const bool is_labelled = row == 0 || row == kPlotRows / 2 || row == kPlotRows - 1;
    if (!is_labelled) return {};
    const double part = 1 - static_cast<double>(row) / static_cast<double>(kPlotRows - 1);
    return short_number(down_.low + part * (down_.high - down_.low));
}

void Plot::mark(Place place, std::string_view mark) {
    cells_[row(place.value)][column(place.across)] = mark;
}

void Plot::connect(Place from, Place to) {
    const std::size_t begin = column(from.across);
    const std::size_t end = column(to.across);
    for (std::size_t at = begin + 1; at < end; ++at) {
        const double part = static_cast<double>(at - begin) / static_cast<double>(end - begin);
        auto& cell = cells_[row(from.value + part * (to.value - from.value))][at];
        if (cell == " ") cell = is_unicode_ ? "·" : ".";
    }
}

std::string Plot::draw(const std::vector<std::string>& labels) const {
    std::string out;
    for (std::size_t at = 0; at < cells_.size(); ++at) {
        const std::string label = label_of_row(at);
        std::string line = std::string(label_width_ - text::display_width(label), ' ') + label;
        line += label.empty() ? (is_unicode_ ? " │" : " |") : (is_unicode_ ? " ┤" : " +");
        for (const auto& cell : cells_[at]) line += cell;
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    out += std::string(label_width_ + 1, ' ') + (is_unicode_ ? "└" : "+");
    for (std::size_t at = 0; at < cells_.front().size(); ++at) out += is_unicode_ ? "─" : "-";
    out += "\n" + std::string(label_width_ + kAxisColumns, ' ');
    return out + label_line(labels, cells_.front().size()) + "\n";
}

}  // namespace quaestor::cli
