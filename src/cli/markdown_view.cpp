#include "cli/markdown_view.hpp"

#include "base/text.hpp"
#include "cli/terminal.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace quaestor::cli {

namespace {

constexpr std::string_view kBold = "**";
constexpr std::string_view kFence = "```";
constexpr std::string_view kCodeIndent = "    ";
constexpr std::string_view kItemMark = "• ";
/// At the end of a line: the next one begins a line of its own.
constexpr std::string_view kLineBreak = "  ";
constexpr std::size_t kIndentMax = 8;
constexpr std::string_view kAsciiMarks = R"(!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~)";

using Lines = std::span<const std::string>;

/// Text in one look.
struct Span {
    std::string text;
    Style style = Style::plain;
};

struct Entity {
    std::string_view written;
    char meant;
};
constexpr std::array kEntities{Entity{"&lt;", '<'}, Entity{"&gt;", '>'}, Entity{"&amp;", '&'}, Entity{"&quot;", '"'},
                               Entity{"&#39;", '\''}};

const Entity* entity_at(std::string_view text) {
    const auto* found = std::ranges::find_if(kEntities, [&](const Entity& e) { return text.starts_with(e.written); });
    return found == kEntities.end() ? nullptr : found;
}

/// Reads the marks inside a line.
class InlineReader {
public:
    explicit InlineReader(std::string_view text) : text_(text) {}

    std::vector<Span> read() {
        while (!text_.empty()) step();
        end_span();
        return std::move(spans_);
    }

private:
    void step() {
        if (text_.starts_with('\\') && text_.size() > 1 && kAsciiMarks.contains(text_[1])) {
            add(text_[1], 2);
        } else if (text_.starts_with(kBold) &&
                   (is_bold_ || text_.find(kBold, kBold.size()) != std::string_view::npos)) {
            end_span();
            is_bold_ = !is_bold_;
            text_.remove_prefix(kBold.size());
        } else if (text_.front() == '`' && text_.find('`', 1) != std::string_view::npos) {
            const auto end = text_.find('`', 1);
            now_ += text_.substr(1, end - 1);
            text_.remove_prefix(end + 1);
        } else if (const auto* entity = entity_at(text_)) {
            add(entity->meant, entity->written.size());
        } else {
            add(text_.front(), 1);
        }
    }
    void add(char c, std::size_t bytes_read) {
        now_ += c;
        text_.remove_prefix(bytes_read);
    }
    void end_span() {
        if (!now_.empty()) spans_.push_back({visible(now_), is_bold_ ? Style::bold : Style::plain});
        now_.clear();
    }

    std::string_view text_;
    std::vector<Span> spans_;
    std::string now_;
    bool is_bold_ = false;
};

std::string plain_text(std::string_view markdown) {
    std::string text;
    for (const auto& span : InlineReader(markdown).read()) text += span.text;
    return text;
}

/// Fills lines with words; a word may change its look in the middle.
class Paragraph {
public:
    Paragraph(std::string_view first, std::size_t width)
        : out_(first), indent_(text::display_width(first), ' '), width_(width), used_(indent_.size()) {}

    void add(const std::vector<Span>& spans) {
        for (const auto& span : spans) {
            for (std::size_t at = 0; at <= span.text.size();) {
                const auto end = std::min(span.text.find(' ', at), span.text.size());
                if (end > at) word_.push_back({span.text.substr(at, end - at), span.style});
                if (end < span.text.size()) end_word();
                at = end + 1;
            }
        }
        end_word();
    }
    [[nodiscard]] std::string text() && { return std::move(out_) + "\n"; }

private:
    void end_word() {
        if (word_.empty()) return;
        std::size_t columns = 0;
        for (const auto& part : word_) columns += text::display_width(part.text);
        if (has_words_ && used_ + 1 + columns > width_) {
            out_ += "\n" + indent_;
            used_ = indent_.size();
        } else if (has_words_) {
            out_ += ' ';
            ++used_;
        }
        for (const auto& part : word_) out_ += styled(part.text, part.style);
        used_ += columns;
        has_words_ = true;
        word_.clear();
    }

    std::string out_;
    const std::string indent_;
    const std::size_t width_;
    std::size_t used_;
    bool has_words_ = false;
    std::vector<Span> word_;
};

std::string paragraph(const std::vector<Span>& spans, std::string_view first, std::size_t width) {
    Paragraph lines(first, width);
    lines.add(spans);
    return std::move(lines).text();
}

bool is_table_line(std::string_view line) {
    return text::trim(line).starts_with('|');
}

/// The cells of a table's line, without the bars around them.
std::vector<std::string> cells_of(std::string_view line) {
    line = text::trim(line);
    line.remove_prefix(1);
    std::vector<std::string> cells{""};
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (line[at] == '\\' && at + 1 < line.size()) {
            cells.back() += line.substr(at++, 2);
        } else if (line[at] == '|') {
            cells.emplace_back();
        } else {
            cells.back() += line[at];
        }
    }
    if (text::trim(cells.back()).empty()) cells.pop_back();
    for (auto& cell : cells) cell = std::string(text::trim(cell));
    return cells;
}

bool is_rule(std::string_view line) {
    return is_table_line(line) && line.contains('-') && line.find_first_not_of(" |:-") == std::string_view::npos;
}

bool begins_table(Lines lines) {
    return lines.size() > 1 && is_table_line(lines[0]) && is_rule(lines[1]);
}

/// Draws the table that the lines begin with; says how many lines that were.
std::size_t add_table(Lines lines, std::size_t width, std::string& out) {
    Table table;
    const auto rules = cells_of(lines[1]);
    for (const auto& title : cells_of(lines[0])) {
        const std::size_t at = table.columns.size();
        table.columns.push_back({plain_text(title), at < rules.size() && rules[at].ends_with(':')});
    }
    std::size_t count = 2;
    for (; count < lines.size() && is_table_line(lines[count]); ++count) {
        auto& row = table.rows.emplace_back();
        for (const auto& cell : cells_of(lines[count])) row.emplace_back(plain_text(cell));
        row.resize(table.columns.size(), Table::Cell(""));
    }
    out += draw_to_fit(table, width, "row");
    return count;
}

std::size_t add_code(Lines lines, std::string& out) {
    std::size_t count = 1;
    for (; count < lines.size() && !text::trim(lines[count]).starts_with(kFence); ++count) {
        out += std::string(kCodeIndent) + visible(lines[count]) + "\n";
    }
    return std::min(count + 1, lines.size());
}

/// "- ", "* " or "12. " at the beginning of an item's text: its size, or 0.
std::size_t item_mark_size(std::string_view line) {
    if (line.starts_with("- ") || line.starts_with("* ")) return 2;
    const auto digits = std::min(line.find_first_not_of("0123456789"), line.size());
    return digits > 0 && line.substr(digits).starts_with(". ") ? digits + 2 : 0;
}

std::string drawn_item(std::string_view line, std::size_t width) {
    const auto text = text::trim(line);
    const std::size_t mark = item_mark_size(text);
    const std::string indent(line.find_first_not_of(' ') + 2, ' ');
    const std::string first =
        text.front() == '-' || text.front() == '*' ? std::string(kItemMark) : std::string(text.substr(0, mark));
    return paragraph(InlineReader(text.substr(mark)).read(), indent + first, width);
}

std::string drawn_heading(std::string_view line) {
    return styled(plain_text(text::trim(line.substr(std::min(line.find_first_not_of('#'), line.size())))),
                  Style::bold) +
           "\n";
}

bool is_heading(std::string_view line) {
    const auto marks = std::min(line.find_first_not_of('#'), line.size());
    return marks > 0 && marks <= 6 && line.substr(marks).starts_with(' ');
}

bool is_plain_line(Lines lines) {
    const auto line = text::trim(lines.front());
    return !line.empty() && !line.starts_with(kFence) && !is_heading(line) && item_mark_size(line) == 0 &&
           !begins_table(lines);
}

std::size_t add_plain_lines(Lines lines, std::size_t width, std::string& out) {
    std::string text;
    std::string indent;
    std::size_t count = 0;
    const auto end_line = [&] {
        if (!text.empty()) out += paragraph(InlineReader(text).read(), indent, width);
        text.clear();
    };
    for (; count < lines.size() && is_plain_line(lines.subspan(count)); ++count) {
        const std::string& line = lines[count];
        if (text.empty()) indent.assign(std::min(line.find_first_not_of(' '), kIndentMax), ' ');
        text += text.empty() ? "" : " ";
        text += text::trim(line);
        if (line.ends_with(kLineBreak)) end_line();
    }
    end_line();
    return count;
}

}  // namespace

std::string draw_markdown(std::string_view markdown, std::size_t width) {
    const auto all = text::lines(markdown);
    Lines lines(all);
    std::string out;
    while (!lines.empty()) {
        const auto line = text::trim(lines.front());
        std::size_t taken = 1;
        if (line.empty()) {
            if (!out.empty() && !out.ends_with("\n\n")) out += "\n";
        } else if (line.starts_with(kFence)) {
            taken = add_code(lines, out);
        } else if (begins_table(lines)) {
            taken = add_table(lines, width, out);
        } else if (is_heading(line)) {
            out += drawn_heading(line);
        } else if (item_mark_size(line) > 0) {
            out += drawn_item(lines.front(), width);
        } else {
            taken = add_plain_lines(lines, width, out);
        }
        lines = lines.subspan(taken);
    }
    while (out.ends_with("\n\n")) out.pop_back();
    return out;
}

std::string draw_paragraph(std::string_view text, std::string_view first, std::size_t width) {
    return paragraph({{visible(text), Style::plain}}, first, width);
}

}  // namespace quaestor::cli
