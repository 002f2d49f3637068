#include "cli/terminal.hpp"

#include "base/log.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <sys/ioctl.h>
#include <unistd.h>

namespace quaestor::cli {

namespace {

constexpr std::size_t kWidthDefault = 100;
constexpr std::size_t kColumnMin = 6;
constexpr std::string_view kGap = "  ";

std::string_view escape_for(Style style) {
    switch (style) {
        case Style::bold:
            return "\x1b[1m";
        case Style::dim:
            return "\x1b[2m";
        case Style::green:
            return "\x1b[32m";
        case Style::yellow:
            return "\x1b[33m";
        case Style::red:
            return "\x1b[31m";
        case Style::plain:
            break;
    }
    return "";
}

/// Widths that the contents want, then narrowed, widest first, until they fit.
std::vector<std::size_t> column_widths(const Table& table, std::size_t width) {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        std::size_t wanted = text::display_width(table.columns[i].title);
        for (const auto& row : table.rows) wanted = std::max(wanted, text::display_width(row[i]));
        widths.push_back(wanted);
    }
    const std::size_t gaps = kGap.size() * (widths.empty() ? 0 : widths.size() - 1);
    while (std::accumulate(widths.begin(), widths.end(), gaps) > width) {
        auto widest = std::ranges::max_element(widths);
        if (*widest <= kColumnMin) break;
        --*widest;
    }
    return widths;
}

std::string cell(std::string_view content, std::size_t width, bool right_aligned) {
    const std::string shown = text::shorten(content, width);
    const std::string padding(width - std::min(width, text::display_width(shown)), ' ');
    return right_aligned ? padding + shown : shown + padding;
}

std::string line(const Table& table, const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0) line += kGap;
        line += cell(cells[i], widths[i], table.columns[i].right_aligned);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

}  // namespace

ExitCode exit_code_for(const Error& error) {
    switch (error.code) {
        case Code::invalid_argument:
        case Code::not_found:
        case Code::already_exists:
        case Code::conflict:
        case Code::permission_denied:
        case Code::unsupported:
            return ExitCode::wrong_usage;
        case Code::limit_exceeded:
            return ExitCode::not_answered;
        case Code::cancelled:
            return ExitCode::interrupted;
        case Code::rate_limited:
        case Code::unavailable:
        case Code::timeout:
        case Code::corrupt:
        case Code::internal:
            break;
    }
    return ExitCode::dependency_failed;
}

bool is_terminal() {
    static const bool answer = isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
    return answer;
}

std::string styled(std::string_view text, Style style) {
    if (!is_terminal() || style == Style::plain) return std::string(text);
    return fmt::format("{}{}\x1b[0m", escape_for(style), text);
}

std::size_t terminal_width() {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return kWidthDefault;
}

std::string draw(const Table& table, std::size_t width) {
    const auto widths = column_widths(table, width);
    std::vector<std::string> titles;
    std::vector<std::string> rules;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        titles.push_back(table.columns[i].title);
        std::string rule;
        for (std::size_t column = 0; column < widths[i]; ++column) rule += "─";
        rules.push_back(std::move(rule));
    }
    std::string drawn = styled(line(table, titles, widths), Style::bold) + "\n";
    drawn += styled(line(table, rules, widths), Style::dim) + "\n";
    for (const auto& row : table.rows) drawn += line(table, row, widths) + "\n";
    return drawn;
}

void say(std::string_view line) {
    const std::string whole = fmt::format("{}\n", line);
    std::fwrite(whole.data(), 1, whole.size(), stderr);
}

void print_error(const Error& error) {
    std::string message = "quaestor: " + mask_secrets(error.describe());
    // A hint is ours and holds no secrets, but perhaps an example of a URL with a password.
    if (const auto advice = error.advice(); !advice.empty()) message += fmt::format(" — {}", advice);
    std::ranges::replace(message, '\n', ' ');
    say(message);
}

void print_json(const json::value& value) {
    fmt::print("{}\n", is_terminal() ? to_pretty_text(value) : to_text(value));
}

}  // namespace quaestor::cli
