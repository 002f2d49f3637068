// A document once it is read: clean text, and what is known about it.
// Plain values; whoever reads a file owns what comes out.
// Threads: plain values.
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::retrieval {

enum class Format { text, markdown, html, pdf };
BOOST_DESCRIBE_ENUM(Format, text, markdown, html, pdf)

/// Bytes [begin, end) of a document's text.
struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;

    [[nodiscard]] std::size_t size() const { return end - begin; }
    [[nodiscard]] bool empty() const { return begin >= end; }
    [[nodiscard]] std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
    friend bool operator==(const Span&, const Span&) = default;
};
BOOST_DESCRIBE_STRUCT(Span, (), (begin, end))

/// A heading stands in the text, at its place; what follows it up to the next one of its level or above is its section.
struct Heading {
    Span place;
    int level = 1;  ///< 1 is the highest
    std::string title;
};
BOOST_DESCRIBE_STRUCT(Heading, (), (place, level, title))

/// Where a page of a PDF begins in the text.
struct PageMark {
    std::size_t begin = 0;
    int page = 0;  ///< as people count, from 1
};
BOOST_DESCRIBE_STRUCT(PageMark, (), (begin, page))

struct Metadata {
    std::string title;
    std::string type;                               ///< "statement", "minutes", …; empty when nothing says
    std::string date;                               ///< "2023-07-26"; empty when nothing says
    std::map<std::string, std::string> attributes;  ///< what else its front matter says
};
BOOST_DESCRIBE_STRUCT(Metadata, (), (title, type, date, attributes))

struct Document {
    Format format = Format::text;
    std::string text;  ///< UTF-8, lines end with \n, paragraphs are apart by an empty line; offsets point into it
    Metadata metadata;
    std::vector<Heading> headings;  ///< in order of their places
    std::vector<PageMark> pages;    ///< in order; empty where a document has no pages
};
BOOST_DESCRIBE_STRUCT(Document, (), (format, text, metadata, headings, pages))

}  // namespace quaestor::retrieval
