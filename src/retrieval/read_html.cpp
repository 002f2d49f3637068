#include "base/text.hpp"
#include "retrieval/encoding.hpp"
#include "retrieval/html_tree.hpp"
#include "retrieval/metadata.hpp"
#include "retrieval/plain_text.hpp"
#include "retrieval/readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace quaestor::retrieval {

namespace {

constexpr std::array kBlocks{GUMBO_TAG_P,      GUMBO_TAG_DIV,      GUMBO_TAG_SECTION,    GUMBO_TAG_ARTICLE,
                             GUMBO_TAG_UL,     GUMBO_TAG_OL,       GUMBO_TAG_DL,         GUMBO_TAG_TABLE,
                             GUMBO_TAG_PRE,    GUMBO_TAG_HEADER,   GUMBO_TAG_BLOCKQUOTE, GUMBO_TAG_FIGURE,
                             GUMBO_TAG_CENTER, GUMBO_TAG_FIELDSET, GUMBO_TAG_HR,         GUMBO_TAG_ADDRESS};
constexpr std::array kLines{GUMBO_TAG_BR, GUMBO_TAG_LI, GUMBO_TAG_DT, GUMBO_TAG_DD, GUMBO_TAG_CAPTION};
/// Names of <meta> elements that hold a page's date, surest first.
constexpr std::array kDateNames{"article:published_time", "datepublished", "date", "dc.date",
                                "dcterms.date",           "publishdate"};
/// A list of links only, of so many, is a menu whatever it is called.
constexpr std::size_t kMenuLinksMin = 4;
constexpr std::size_t kMenuLinkPercent = 80;

int heading_level(GumboTag tag) {
    switch (tag) {
        case GUMBO_TAG_H1:
            return 1;
        case GUMBO_TAG_H2:
            return 2;
        case GUMBO_TAG_H3:
            return 3;
        case GUMBO_TAG_H4:
            return 4;
        case GUMBO_TAG_H5:
            return 5;
        case GUMBO_TAG_H6:
            return 6;
        default:
            return 0;
    }
}

/// Text as it would be seen: white space runs together, blocks stand apart.
class VisibleText {
public:
    void add(std::string_view text) {
        for (const char character : text) {
            if (!is_blank(character)) {
                out_ += character;
            } else if (!out_.empty() && !is_blank(out_.back())) {
                out_ += ' ';
            }
        }
    }
    void end_line() {
        drop_space();
        if (!out_.empty() && !out_.ends_with('\n')) out_ += '\n';
    }
    void end_paragraph() {
        end_line();
        if (!out_.empty() && !out_.ends_with("\n\n")) out_ += '\n';
    }
    void drop_space() {
        while (out_.ends_with(' ')) out_.pop_back();
    }
    [[nodiscard]] std::size_t size() const { return out_.size(); }
    [[nodiscard]] std::string_view from(std::size_t begin) const { return std::string_view(out_).substr(begin); }
    [[nodiscard]] std::string take() {
        while (!out_.empty() && is_blank(out_.back())) out_.pop_back();
        return std::move(out_);
    }

private:
    std::string out_;
};

void collect_text(const GumboNode& node, std::string& out, std::size_t depth = 0) {
    if (node.type == GUMBO_NODE_TEXT || node.type == GUMBO_NODE_WHITESPACE) out += plain_text(node.v.text.text);
    if (depth > 2 * kHtmlDepthMax || is_boilerplate(node)) return;
    if (is_element(node, GUMBO_TAG_BR)) out += ' ';
    for (const GumboNode* child : children_of(node)) {
        collect_text(*child, out, depth + 1);
    }
}

std::string text_inside(const GumboNode& node) {
    std::string text;
    collect_text(node, text);
    std::ranges::replace(text, '\n', ' ');
    return tidy(text);
}

struct LinkShare {
    std::size_t links = 0;
    std::size_t link_bytes = 0;
    std::size_t bytes = 0;
};

void count_links(const GumboNode& node, LinkShare& share, bool is_link = false, std::size_t depth = 0) {
    if (depth > 2 * kHtmlDepthMax) return;
    if (node.type == GUMBO_NODE_TEXT) {
        const std::size_t bytes = text::trim(node.v.text.text).size();
        share.bytes += bytes;
        share.link_bytes += is_link ? bytes : 0;
    }
    const bool begins_link = is_element(node, GUMBO_TAG_A);
    share.links += begins_link ? 1 : 0;
    for (const GumboNode* child : children_of(node)) count_links(*child, share, is_link || begins_link, depth + 1);
}

bool is_menu(const GumboNode& node) {
    if (!is_element(node, GUMBO_TAG_UL) && !is_element(node, GUMBO_TAG_OL)) return false;
    LinkShare share;
    count_links(node, share);
    return share.links >= kMenuLinksMin && share.link_bytes * 100 >= share.bytes * kMenuLinkPercent;
}

class HtmlReader {
public:
    explicit HtmlReader(Document& document) : document_(document) {}

    void read(const GumboNode& root) {
        read_information(root, 0);
        walk(content_of(root), 0);
        document_.text = text_.take();
    }

private:
    void walk(const GumboNode& node, std::size_t depth) {
        if (node.type == GUMBO_NODE_TEXT || node.type == GUMBO_NODE_WHITESPACE || node.type == GUMBO_NODE_CDATA) {
            text_.add(plain_text(node.v.text.text));
            return;
        }
        if (depth > 2 * kHtmlDepthMax || is_boilerplate(node) || is_menu(node)) return;
        if (node.type == GUMBO_NODE_DOCUMENT) return walk_children(node, depth);
        if (node.type != GUMBO_NODE_ELEMENT) return;
        const GumboTag tag = node.v.element.tag;
        if (const int level = heading_level(tag); level > 0) return add_heading(node, level);
        if (tag == GUMBO_TAG_TR && is_row_of_values(node)) return add_row(node);
        if (is_one_of(tag, kLines)) text_.end_line();
        if (is_one_of(tag, kBlocks)) text_.end_paragraph();
        if (tag == GUMBO_TAG_LI) text_.add("- ");
        walk_children(node, depth);
        if (is_one_of(tag, kLines)) text_.end_line();
        if (is_one_of(tag, kBlocks)) text_.end_paragraph();
    }

    void walk_children(const GumboNode& node, std::size_t depth) {
        for (const GumboNode* child : children_of(node)) walk(*child, depth + 1);
    }

    void add_heading(const GumboNode& node, int level) {
        const std::string title = text_inside(node);
        if (title.empty()) return;
        text_.end_paragraph();
        document_.headings.push_back({{text_.size(), text_.size() + title.size()}, level, title});
        text_.add(title);
        text_.end_paragraph();
    }

    /// Tables that only lay out a page have cells with blocks in them, and are read like blocks.
    static bool is_row_of_values(const GumboNode& row) {
        return std::ranges::none_of(children_of(row), [](const GumboNode* cell) {
            return std::ranges::any_of(children_of(*cell), [](const GumboNode* inside) {
                return is_element(*inside, GUMBO_TAG_TABLE) || is_element(*inside, GUMBO_TAG_DIV) ||
                       (inside->type == GUMBO_NODE_ELEMENT && heading_level(inside->v.element.tag) > 0);
            });
        });
    }

    void add_row(const GumboNode& row) {
        text_.end_line();
        bool is_first = true;
        for (const GumboNode* cell : children_of(row)) {
            if (!is_element(*cell, GUMBO_TAG_TD) && !is_element(*cell, GUMBO_TAG_TH)) continue;
            const std::string value = text_inside(*cell);
            if (!is_first) text_.add(" | ");
            text_.add(value);
            is_first = false;
        }
        text_.end_line();
    }

    /// Title and date as the page's head has them.
    void read_information(const GumboNode& node, std::size_t depth) {
        if (depth > 2 * kHtmlDepthMax) return;
        if (is_element(node, GUMBO_TAG_TITLE) && document_.metadata.title.empty()) {
            for (const GumboNode* child : children_of(node)) {
                if (child->type == GUMBO_NODE_TEXT) document_.metadata.title = page_title(child->v.text.text);
            }
        } else if (is_element(node, GUMBO_TAG_META)) {
            read_meta(node);
        } else if (is_element(node, GUMBO_TAG_BODY)) {
            return;
        }
        for (const GumboNode* child : children_of(node)) read_information(*child, depth + 1);
    }

    void read_meta(const GumboNode& meta) {
        std::string name = lower_ascii(attribute(meta, "name"));
        if (name.empty()) name = lower_ascii(attribute(meta, "property"));
        if (name.empty()) name = lower_ascii(attribute(meta, "itemprop"));
        const auto rank = static_cast<std::size_t>(std::ranges::find(kDateNames, name) - kDateNames.begin());
        if (rank >= date_rank_) return;
        if (const auto date = find_date(attribute(meta, "content"))) {
            document_.metadata.date = to_string(*date);
            date_rank_ = rank;
        }
    }

    /// "Federal Reserve Board - Minutes of the FOMC" → "Minutes of the FOMC": the site's name is on every page.
    static std::string page_title(std::string_view raw) {
        std::string title(raw);
        std::ranges::replace(title, '\n', ' ');
        title = tidy(title);
        if (title.starts_with("Federal Reserve Board - "))
            title.erase(0, std::string_view("Federal Reserve Board - ").size());
        return std::string(text::trim(title));
    }

    Document& document_;
    VisibleText text_;
    std::size_t date_rank_ = kDateNames.size();
};

}  // namespace

Result<Document> read_html(std::string_view bytes) {
    if (bytes.size() > kHtmlBytesMax) {
        return fail(
            Code::limit_exceeded,
            fmt::format("it has {} MB, and an HTML page may have {} MB", bytes.size() >> 20, kHtmlBytesMax >> 20),
            "split it, or save it as text and give that");
    }
    auto page = to_utf8(bytes, declared_charset(bytes));
    if (!page) return fail(page.error());
    auto tree = HtmlTree::parse(*page);
    if (!tree) return fail(tree.error());
    Document document;
    HtmlReader(document).read(tree->root());
    return document;
}

}  // namespace quaestor::retrieval
