#include "retrieval/pdf_pages.hpp"

#include "base/text.hpp"
#include "retrieval/plain_text.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace quaestor::retrieval {

namespace {

using Lines = std::vector<std::string>;

/// Lines from the top and from the bottom among which headers and footers are looked for.
constexpr std::size_t kEdgeLines = 3;
/// A line stands on every page when it is on so many of them.
constexpr std::size_t kRepeatPercent = 50;
constexpr std::size_t kRepeatPagesMin = 3;
/// A line that ends a sentence and is shorter than this share of the widest ends its paragraph.
constexpr std::size_t kShortLinePercent = 80;

Lines lines_of_page(const std::string& page) {
    Lines lines = text::lines(tidy(page));
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    return lines;
}

/// "Page 3 of 12" and "Page 4 of 12" are the same line.
std::string without_numbers(std::string_view line) {
    std::string out;
    for (const char character : line) {
        if (!is_digit(character)) {
            out += character;
        } else if (!out.ends_with('#')) {
            out += '#';
        }
    }
    return out;
}

bool is_page_number(std::string_view line) {
    const std::string shape = without_numbers(line);
    return shape == "#" || shape == "- # -" || shape == "– # –" || shape == "Page #" || shape == "Page # of #" ||
           shape == "# of #" || shape == "#/#";
}

template <class See>
void for_each_edge(const Lines& lines, See see) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i < kEdgeLines || i + kEdgeLines >= lines.size()) see(i);
    }
}

/// Takes out headers, footers and page numbers.
void drop_edges(std::vector<Lines>& pages) {
    std::map<std::string, std::size_t> pages_with;
    for (const Lines& lines : pages) {
        std::map<std::string, bool> seen;
        for_each_edge(lines, [&](std::size_t i) {
            const std::string shape = without_numbers(lines[i]);
            if (!shape.empty() && !std::exchange(seen[shape], true)) ++pages_with[shape];
        });
    }
    const std::size_t enough = std::max(kRepeatPagesMin, pages.size() * kRepeatPercent / 100);
    for (Lines& lines : pages) {
        std::vector<bool> dropped(lines.size());
        for_each_edge(lines, [&](std::size_t i) {
            dropped[i] = is_page_number(lines[i]) || pages_with[without_numbers(lines[i])] >= enough;
        });
        Lines kept;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (!dropped[i]) kept.push_back(std::move(lines[i]));
        }
        lines = std::move(kept);
    }
}

bool ends_sentence(std::string_view line) {
    return line.ends_with('.') || line.ends_with('?') || line.ends_with('!') || line.ends_with(':') ||
           line.ends_with(".”") || line.ends_with(".\"");
}

/// "infla-" before "tion"; "two-" before "Year" keeps its hyphen, and so does a dash.
bool is_cut_word(std::string_view line, std::string_view next) {
    return line.size() >= 3 && line.ends_with('-') && is_letter(line[line.size() - 2]) && !next.empty() &&
           is_lower(next.front());
}

class Paragraphs {
public:
    explicit Paragraphs(std::size_t widest) : widest_(widest) {}

    void begin_page() { is_page_new_ = true; }
    [[nodiscard]] std::size_t size() const { return out_.size(); }

    void add(std::string_view line) {
        if (line.empty()) {
            // An empty line at the top of a page does not end a sentence that goes on there.
            if (!is_page_new_ || ends_sentence(out_)) end_paragraph();
            return;
        }
        is_page_new_ = false;
        if (out_.empty() || out_.ends_with('\n')) {
            out_ += line;
        } else if (is_cut_word(out_, line)) {
            out_.pop_back();
            out_ += line;
        } else if (is_short(last_width_) && (ends_sentence(out_) || is_title_like(line))) {
            end_paragraph();
            out_ += line;
        } else {
            out_ += is_short(last_width_) ? '\n' : ' ';
            out_ += line;
        }
        last_width_ = line.size();
    }

    void end_paragraph() {
        if (out_.empty() || out_.ends_with("\n\n")) return;
        out_ += out_.ends_with('\n') ? "\n" : "\n\n";
    }

    [[nodiscard]] std::string take() {
        while (!out_.empty() && is_blank(out_.back())) out_.pop_back();
        return std::move(out_);
    }

private:
    [[nodiscard]] bool is_short(std::size_t width) const { return width * 100 < widest_ * kShortLinePercent; }
    [[nodiscard]] bool is_title_like(std::string_view line) const {
        return is_upper(line.front()) && is_short(line.size()) && !ends_sentence(line);
    }

    std::string out_;
    std::size_t widest_;
    std::size_t last_width_ = 0;
    bool is_page_new_ = false;
};

/// The width that nine of ten lines keep to: a stray wide line does not make all others short.
std::size_t usual_width(const std::vector<Lines>& pages) {
    std::vector<std::size_t> widths;
    for (const Lines& lines : pages) {
        for (const auto& line : lines) {
            if (!line.empty()) widths.push_back(line.size());
        }
    }
    if (widths.empty()) return 0;
    const auto ninth = widths.begin() + static_cast<std::ptrdiff_t>((widths.size() - 1) * 9 / 10);
    std::ranges::nth_element(widths, ninth);
    return *ninth;
}

}  // namespace

void join_pages(const std::vector<std::string>& pages, Document& document) {
    std::vector<Lines> all;
    all.reserve(pages.size());
    for (const auto& page : pages) all.push_back(lines_of_page(page));
    drop_edges(all);
    Paragraphs paragraphs(usual_width(all));
    for (std::size_t i = 0; i < all.size(); ++i) {
        paragraphs.begin_page();
        document.pages.push_back({paragraphs.size(), static_cast<int>(i) + 1});
        for (const auto& line : all[i]) paragraphs.add(line);
    }
    document.text = paragraphs.take();
    for (PageMark& mark : document.pages) mark.begin = std::min(mark.begin, document.text.size());
}

}  // namespace quaestor::retrieval
