#include "retrieval/html_tree.hpp"

#include "retrieval/plain_text.hpp"
#include "retrieval/readers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace quaestor::retrieval {

namespace {

using namespace std::string_view_literals;

/// Elements that a parser closes by itself, or that hold nothing: they do not nest.
constexpr std::array kFlat{"p"sv,    "li"sv,  "td"sv,    "tr"sv,     "th"sv,    "dd"sv,    "dt"sv,   "option"sv,
                           "br"sv,   "hr"sv,  "img"sv,   "meta"sv,   "link"sv,  "input"sv, "col"sv,  "area"sv,
                           "base"sv, "wbr"sv, "embed"sv, "source"sv, "tbody"sv, "thead"sv, "tfoot"sv};

/// Words in class or id that mark what is no content, as a whole or before the first - or _.
constexpr std::array kAside{"nav"sv,        "navbar"sv,  "navigation"sv, "menu"sv,      "breadcrumb"sv, "breadcrumbs"sv,
                            "footer"sv,     "sidebar"sv, "cookie"sv,     "cookies"sv,   "banner"sv,     "advert"sv,
                            "ads"sv,        "social"sv,  "share"sv,      "sharing"sv,   "related"sv,    "skip"sv,
                            "pagination"sv, "popup"sv,   "modal"sv,      "subscribe"sv, "newsletter"sv, "lastupdate"sv};

constexpr std::array kNoContent{GUMBO_TAG_SCRIPT, GUMBO_TAG_STYLE,    GUMBO_TAG_NOSCRIPT, GUMBO_TAG_NAV,
                                GUMBO_TAG_FOOTER, GUMBO_TAG_ASIDE,    GUMBO_TAG_FORM,     GUMBO_TAG_BUTTON,
                                GUMBO_TAG_IFRAME, GUMBO_TAG_SVG,      GUMBO_TAG_TEMPLATE, GUMBO_TAG_SELECT,
                                GUMBO_TAG_OBJECT, GUMBO_TAG_TEXTAREA, GUMBO_TAG_CANVAS,   GUMBO_TAG_HEAD};

constexpr std::array kAsideRoles{"navigation"sv, "banner"sv,        "contentinfo"sv,
                                 "search"sv,     "complementary"sv, "dialog"sv};

constexpr std::size_t kCharsetBytes = 2'048;
constexpr std::size_t kTreeBlockBytes = std::size_t{256} << 10;

std::string_view tag_name(std::string_view page, std::size_t at) {
    std::size_t end = at;
    while (end < page.size() && (is_letter(page[end]) || is_digit(page[end]))) ++end;
    return page.substr(at, end - at);
}

/// Elements open at the same time, at most, as far as a look at the tags can tell.
std::size_t nesting_of(std::string_view page) {
    std::size_t depth = 0;
    std::size_t deepest = 0;
    for (std::size_t at = page.find('<'); at < page.size(); at = page.find('<', at + 1)) {
        const bool is_end = at + 1 < page.size() && page[at + 1] == '/';
        const std::string_view name = tag_name(page, at + (is_end ? 2 : 1));
        if (name.empty() || name.size() > 10 || is_one_of(lower_ascii(name), kFlat)) continue;
        if (!is_end) {
            deepest = std::max(deepest, ++depth);
        } else if (depth > 0) {
            --depth;
        }
    }
    return deepest;
}

void* allocate(void* memory, std::size_t size) {
    return static_cast<std::pmr::monotonic_buffer_resource*>(memory)->allocate(size);
}
void keep_until_the_end(void*, void*) {}

bool names_something_aside(std::string_view names) {
    for (std::size_t at = 0; at < names.size();) {
        const std::size_t end = std::min(names.find_first_of(" \t\n", at), names.size());
        const std::string name = lower_ascii(names.substr(at, end - at));
        const std::string_view first = std::string_view(name).substr(0, name.find_first_of("-_"));
        if (is_one_of(name, kAside) || is_one_of(first, kAside)) return true;
        at = end + 1;
    }
    return false;
}

/// The first element for which `is_wanted`, the outermost before those inside it.
template <class Wanted>
const GumboNode* find_element(const GumboNode& node, Wanted is_wanted, std::size_t depth = 0) {
    if (node.type == GUMBO_NODE_ELEMENT && is_wanted(node)) return &node;
    if (depth > 2 * kHtmlDepthMax) return nullptr;
    for (const GumboNode* child : children_of(node)) {
        if (const GumboNode* found = find_element(*child, is_wanted, depth + 1)) return found;
    }
    return nullptr;
}

}  // namespace

Result<HtmlTree> HtmlTree::parse(std::string_view page) {
    if (nesting_of(page) > kHtmlDepthMax) {
        return fail(Code::limit_exceeded, fmt::format("its elements are nested more than {} deep", kHtmlDepthMax),
                    "save it as text and give that");
    }
    HtmlTree tree;
    tree.memory_ = std::make_unique<std::pmr::monotonic_buffer_resource>(kTreeBlockBytes);
    GumboOptions options = kGumboDefaultOptions;
    options.allocator = allocate;
    options.deallocator = keep_until_the_end;
    options.userdata = tree.memory_.get();
    options.max_errors = 0;
    tree.output_ = gumbo_parse_with_options(&options, page.data(), page.size());
    return tree;
}

std::span<GumboNode* const> children_of(const GumboNode& node) {
    const GumboVector* children = nullptr;
    if (node.type == GUMBO_NODE_ELEMENT || node.type == GUMBO_NODE_TEMPLATE) children = &node.v.element.children;
    if (node.type == GUMBO_NODE_DOCUMENT) children = &node.v.document.children;
    if (children == nullptr || children->length == 0) return {};
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): gumbo keeps pointers to nodes as void*.
    return {reinterpret_cast<GumboNode* const*>(children->data), children->length};
}

bool is_element(const GumboNode& node, GumboTag tag) {
    return node.type == GUMBO_NODE_ELEMENT && node.v.element.tag == tag;
}

std::string_view attribute(const GumboNode& node, const char* name) {
    if (node.type != GUMBO_NODE_ELEMENT) return {};
    const GumboAttribute* found = gumbo_get_attribute(&node.v.element.attributes, name);
    return found == nullptr ? std::string_view() : std::string_view(found->value);
}

bool is_boilerplate(const GumboNode& node) {
    if (node.type == GUMBO_NODE_TEMPLATE) return true;
    if (node.type != GUMBO_NODE_ELEMENT) return false;
    const GumboTag tag = node.v.element.tag;
    if (is_one_of(tag, kNoContent)) return true;
    if (tag == GUMBO_TAG_BODY || tag == GUMBO_TAG_HTML) return false;
    if (is_one_of(attribute(node, "role"), kAsideRoles)) return true;
    const std::string_view style = attribute(node, "style");
    if (attribute(node, "aria-hidden") == "true" || style.contains("display:none") || style.contains("display: none") ||
        gumbo_get_attribute(&node.v.element.attributes, "hidden") != nullptr) {
        return true;
    }
    return names_something_aside(attribute(node, "class")) || names_something_aside(attribute(node, "id"));
}

const GumboNode& content_of(const GumboNode& root) {
    const GumboNode* main = find_element(root, [](const GumboNode& node) {
        return node.v.element.tag == GUMBO_TAG_MAIN || attribute(node, "role") == "main";
    });
    if (main != nullptr) return *main;
    const auto is_article = [](const GumboNode& node) { return node.v.element.tag == GUMBO_TAG_ARTICLE; };
    const GumboNode* article = find_element(root, is_article);
    if (article == nullptr) return root;
    // A list of several articles is content as a whole.
    const GumboNode* another =
        find_element(root, [&](const GumboNode& node) { return is_article(node) && &node != article; });
    return another == nullptr ? *article : root;
}

std::string declared_charset(std::string_view page) {
    const std::string head = lower_ascii(page.substr(0, kCharsetBytes));
    const std::size_t at = head.find("charset=");
    if (at == std::string::npos) return {};
    std::size_t begin = at + "charset="sv.size();
    while (begin < head.size() && (head[begin] == '"' || head[begin] == '\'')) ++begin;
    return head.substr(begin, head.find_first_of("\"'>; /", begin) - begin);
}

}  // namespace quaestor::retrieval
