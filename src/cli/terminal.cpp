#include "cli/terminal.hpp"

#include "base/log.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <ranges>
#include <sys/ioctl.h>
#include <unistd.h>

namespace quaestor::cli {

namespace {

constexpr std::size_t kWidthDefault = 100;
constexpr std::size_t kColumnMin = 6;
/// A column that is cut below this tells too little.
constexpr std::size_t kColumnReadable = 12;
/// A longer word is cut also where lines wrap.
constexpr std::size_t kWordMax = 24;
/// Bytes of a cell that are looked at; more never fit on a line.
constexpr std::size_t kCellBytesMax = 4096;
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

bool is_person_watching() {
    static const bool answer = isatty(STDOUT_FILENO) == 1;
    return answer;
}

bool is_plain(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

void append_point(std::string& out, UChar32 point) {
    std::array<char, U8_MAX_LENGTH> bytes{};
    std::size_t size = 0;
    U8_APPEND_UNSAFE(bytes, size, point);
    out.append(bytes.data(), size);
}

/// What is shown in place of a character.
UChar32 shown_for(UChar32 point) {
    constexpr UChar32 kSpace = 0x20;
    constexpr UChar32 kDelete = 0x7F;
    constexpr UChar32 kPictures = 0x2400;  // of the control characters, in their order
    constexpr UChar32 kPictureOfDelete = 0x2421;
    constexpr UChar32 kPictureOfNewLine = 0x2424;
    constexpr UChar32 kReplacement = 0xFFFD;
    if (point == utf8::kMalformed) return kReplacement;
    if (point < kSpace) return kPictures + point;
    if (point == kDelete) return kPictureOfDelete;
    const auto type = u_charType(point);
    if (type == U_LINE_SEPARATOR || type == U_PARAGRAPH_SEPARATOR) return kPictureOfNewLine;
    const bool is_harmful = type == U_CONTROL_CHAR || u_hasBinaryProperty(point, UCHAR_BIDI_CONTROL);
    return is_harmful ? kReplacement : point;
}

/// What of a long text can be on one line.
std::string visible_beginning(std::string_view text) {
    if (text.size() <= kCellBytesMax) return visible(text);
    std::size_t end = kCellBytesMax;
    while (end > 0 && U8_IS_TRAIL(text[end])) --end;
    return visible(text.substr(0, end)) + "…";
}

Table made_visible(const Table& table) {
    Table shown;
    shown.wraps = table.wraps;
    for (const auto& column : table.columns) {
        shown.columns.push_back({visible_beginning(column.title), column.right_aligned});
    }
    shown.rows.reserve(table.rows.size());
    for (const auto& row : table.rows) {
        auto& cells = shown.rows.emplace_back();
        for (const auto& cell : row) cells.emplace_back(visible_beginning(cell.text), cell.style);
    }
    return shown;
}

/// Widths that the contents want; none more than `width`.
std::vector<std::size_t> wanted_widths(const Table& table, std::size_t width) {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        std::size_t wanted = text::display_width(table.columns[i].title);
        for (const auto& row : table.rows) wanted = std::max(wanted, text::display_width(row[i].text));
        widths.push_back(std::min(wanted, std::max(width, kColumnMin)));
    }
    return widths;
}

std::size_t longest_word(std::string_view text) {
    std::size_t longest = 0;
    for (const auto word : text | std::views::split(' ')) {
        longest = std::max(longest, text::display_width(std::string_view(word)));
    }
    return longest;
}

/// How far each column may be narrowed: where lines wrap, no word is to be cut.
std::vector<std::size_t> least_widths(const Table& table) {
    std::vector<std::size_t> widths(table.columns.size(), kColumnMin);
    if (!table.wraps) return widths;
    for (std::size_t i = 0; i < widths.size(); ++i) {
        widths[i] = kColumnReadable;
        for (const auto& row : table.rows) widths[i] = std::max(widths[i], longest_word(row[i].text));
        widths[i] = std::min(widths[i], kWordMax);
    }
    return widths;
}

std::size_t total_width(const std::vector<std::size_t>& widths) {
    const std::size_t gaps = kGap.size() * (widths.empty() ? 0 : widths.size() - 1);
    return std::accumulate(widths.begin(), widths.end(), gaps);
}

/// Narrowed, widest first, until they fit; to `least` where they cannot.
std::vector<std::size_t> narrowed(std::vector<std::size_t> widths, std::vector<std::size_t> least, std::size_t width) {
    for (std::size_t i = 0; i < widths.size(); ++i) least[i] = std::min(least[i], widths[i]);
    if (total_width(least) > width) return least;
    for (auto total = total_width(widths); total > width; --total) {
        std::size_t widest = 0;
        for (std::size_t i = 1; i < widths.size(); ++i) {
            const bool may_give_way = widths[i] > least[i];
            if (may_give_way && (widths[i] > widths[widest] || widths[widest] == least[widest])) widest = i;
        }
        --widths[widest];
    }
    return widths;
}

bool is_readable(const std::vector<std::size_t>& wanted, const std::vector<std::size_t>& given, std::size_t width) {
    if (total_width(given) > width) return false;
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (given[i] < std::min(wanted[i], kColumnReadable)) return false;
    }
    return true;
}

std::string cell(const Table::Cell& content, std::size_t width, bool right_aligned) {
    const std::string shown = text::shorten(content.text, width);
    const std::string padding(width - std::min(width, text::display_width(shown)), ' ');
    const std::string look = styled(shown, content.style);
    return right_aligned ? padding + look : look + padding;
}

std::string line(const Table& table, const std::vector<Table::Cell>& cells, const std::vector<std::size_t>& widths) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i > 0) line += kGap;
        line += cell(cells[i], widths[i], table.columns[i].right_aligned);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

/// Lines of at most `width` columns, broken at spaces; one at least.
std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
    std::vector<std::string> lines{""};
    std::size_t used = 0;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        const std::size_t columns = text::display_width(word);
        if (used > 0 && used + 1 + columns > width) {
            lines.emplace_back();
            used = 0;
        }
        lines.back().append(used > 0 ? " " : "").append(word);
        used += columns + (used > 0 ? 1 : 0);
        text.remove_prefix(std::min(word.size() + 1, text.size()));
    }
    return lines;
}

/// The row's lines, each as a row of its own.
std::vector<std::vector<Table::Cell>> wrapped_row(const std::vector<Table::Cell>& row,
                                                  const std::vector<std::size_t>& widths) {
    std::vector<std::vector<Table::Cell>> lines;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const auto pieces = wrapped(row[i].text, widths[i]);
        while (lines.size() < pieces.size()) lines.emplace_back(row.size(), Table::Cell(""));
        for (std::size_t piece = 0; piece < pieces.size(); ++piece) {
            lines[piece][i] = Table::Cell(pieces[piece], row[i].style);
        }
    }
    return lines;
}

std::string rule(std::size_t width) {
    std::string rule;
    for (std::size_t column = 0; column < width; ++column) rule += "─";
    return rule;
}

std::string draw_lines(const Table& table, const std::vector<std::size_t>& widths) {
    std::vector<Table::Cell> titles;
    std::vector<Table::Cell> rules;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        titles.emplace_back(table.columns[i].title);
        rules.emplace_back(rule(widths[i]));
    }
    std::string drawn = styled(line(table, titles, widths), Style::bold) + "\n";
    drawn += styled(line(table, rules, widths), Style::dim) + "\n";
    for (const auto& row : table.rows) {
        if (table.wraps) {
            for (const auto& part : wrapped_row(row, widths)) drawn += line(table, part, widths) + "\n";
        } else {
            drawn += line(table, row, widths) + "\n";
        }
    }
    return drawn;
}

std::string draw_blocks(const Table& table, std::size_t width, std::string_view row_name) {
    std::size_t names = 0;
    for (const auto& column : table.columns) names = std::max(names, text::display_width(column.title));
    names = std::clamp(names, std::size_t{1}, std::max(width / 2, kColumnMin));
    const std::size_t values = std::max(width - std::min(width, names + kGap.size()), kColumnMin);
    std::string drawn;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const std::string head = fmt::format("── {} {} ", row_name, row + 1);
        drawn += styled(head + rule(width - std::min(width, text::display_width(head))), Style::dim) + "\n";
        for (std::size_t i = 0; i < table.columns.size(); ++i) {
            std::string line = styled(cell(table.columns[i].title, names, false), Style::bold);
            line += std::string(kGap) + cell(table.rows[row][i], values, false);
            line.erase(line.find_last_not_of(' ') + 1);
            drawn += line + "\n";
        }
    }
    return drawn;
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
    if (!is_terminal() || style == Style::plain || text.empty()) return std::string(text);
    return fmt::format("{}{}\x1b[0m", escape_for(style), text);
}

std::size_t terminal_width() {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return kWidthDefault;
}

std::string visible(std::string_view text) {
    if (is_plain(text)) return std::string(text);
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        append_point(out, shown_for(utf8::next(text, at)));
    }
    return out;
}

std::string grouped(std::int64_t number) {
    std::string digits = std::to_string(number);
    const std::size_t sign = number < 0 ? 1 : 0;
    for (std::size_t at = digits.size(); at > sign + 3;) digits.insert(at -= 3, 1, ',');
    return digits;
}

std::string counted(std::int64_t number, std::string_view thing) {
    return fmt::format("{} {}{}", grouped(number), thing, number == 1 ? "" : "s");
}

std::string draw(const Table& table, std::size_t width) {
    const Table shown = made_visible(table);
    return draw_lines(shown, narrowed(wanted_widths(shown, width), least_widths(shown), width));
}

std::string draw_to_fit(const Table& table, std::size_t width, std::string_view row_name) {
    const Table shown = made_visible(table);
    const auto wanted = wanted_widths(shown, width);
    const auto widths = narrowed(wanted, least_widths(shown), width);
    const bool as_lines = shown.rows.empty() || is_readable(wanted, widths, width);
    return as_lines ? draw_lines(shown, widths) : draw_blocks(shown, width, row_name);
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
    say(visible(message));
}

void print_json(const json::value& value) {
    print_data((is_terminal() ? to_pretty_text(value) : to_text(value)) + "\n");
}

void print_text(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
}

void print_data(std::string_view text) {
    if (!is_person_watching()) {
        print_text(text);
        return;
    }
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        print_text(visible(text.substr(0, end)) + "\n");
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

}  // namespace quaestor::cli
