#include "base/text.hpp"
#include "case_file.hpp"
#include "kit.hpp"
#include "retrieval/chunking.hpp"
#include "retrieval/headings.hpp"
#include "retrieval/metadata.hpp"
#include "retrieval/readers.hpp"
#include "retrieval/sentences.hpp"
#include "retrieval/terms.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>

namespace quaestor::retrieval {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string headings_text(const Document& document) {
    std::vector<std::string> all;
    for (const Heading& heading : document.headings) all.push_back(fmt::format("{} {}", heading.level, heading.title));
    return fmt::format("{}", fmt::join(all, "; "));
}

void check_chunks(const DocumentCase& expected, const Document& document) {
    ChunkingOptions options;
    ASSERT_EQ(std::sscanf(expected.fact("chunks").c_str(), "%zu/%zu", &options.tokens, &options.overlap), 2);
    options.window = options.tokens;
    const auto count = [](std::string_view text) { return text::words(text).size(); };
    const auto chunks = chunk_document(document, count, options);
    std::vector<std::string> actual;
    for (const Chunk& chunk : chunks) {
        actual.push_back(fmt::format("{}\n{}", chunk.section, chunk.place.of(document.text)));
    }
    std::vector<std::string> wanted;
    for (const auto& part : expected.parts) {
        if (part.what.starts_with("chunk")) {
            wanted.push_back(fmt::format("{}\n{}", text::trim(part.what.substr(5)), part.text));
        }
    }
    EXPECT_EQ(actual, wanted);
}

void check_metadata(const DocumentCase& expected, const Document& document) {
    const Metadata& metadata = document.metadata;
    if (expected.has("title")) EXPECT_EQ(metadata.title, expected.fact("title"));
    if (expected.has("type")) EXPECT_EQ(metadata.type, expected.fact("type"));
    if (expected.has("date")) EXPECT_EQ(metadata.date, expected.fact("date"));
    const auto [first, last] = expected.facts.equal_range("attribute");
    for (auto at = first; at != last; ++at) {
        const auto equals = at->second.find(" = ");
        EXPECT_EQ(metadata.attributes.at(at->second.substr(0, equals)), at->second.substr(equals + 3));
    }
}

void check(const DocumentCase& expected) {
    const Format format = expected.fact("format") == "html"       ? Format::html
                          : expected.fact("format") == "markdown" ? Format::markdown
                                                                  : Format::text;
    const auto document = read_document(expected.part("input"), format, expected.fact("file"));
    if (expected.has("error")) {
        ASSERT_FALSE(document.has_value());
        EXPECT_THAT(document.error().message, HasSubstr(expected.fact("error")));
        return;
    }
    ASSERT_TRUE(document.has_value()) << document.error().message;
    check_metadata(expected, *document);
    if (expected.has("headings")) EXPECT_EQ(headings_text(*document), expected.fact("headings"));
    if (!expected.part("text").empty()) EXPECT_EQ(document->text, expected.part("text"));
    if (expected.has("chunks")) check_chunks(expected, *document);
    for (const Heading& heading : document->headings) {
        ASSERT_LE(heading.place.end, document->text.size());
    }
}

class DocumentCases : public testing::TestWithParam<const char*> {};

TEST_P(DocumentCases, AreReadAsWritten) {
    for (const DocumentCase& one : read_document_cases(GetParam())) {
        SCOPED_TRACE(one.name);
        check(one);
    }
}

INSTANTIATE_TEST_SUITE_P(Retrieval, DocumentCases,
                         testing::Values("text.cases", "markdown.cases", "html.cases", "headings.cases",
                                         "chunking.cases"));

TEST(Html, ThatIsNestedTooDeeplyIsRefusedAndNeverCrashes) {
    std::string page;
    for (int i = 0; i < 50'000; ++i) page += "<div>";
    const auto document = read_document(page + "text", Format::html, "x.html");
    ASSERT_FALSE(document.has_value());
    EXPECT_EQ(document.error().code, Code::limit_exceeded);
}

TEST(Html, WithManyUnclosedParagraphsIsNotDeep) {
    std::string page;
    for (int i = 0; i < 5'000; ++i) page += "<p>word <br> <li>item ";
    EXPECT_TRUE(read_document(page, Format::html, "x.html").has_value());
}

TEST(Pdf, PagesLoseHeadersFootersAndHyphensAndKeepTheirNumbers) {
    const std::string pdf =
        make_pdf({{"Report of the Board", "The commit-", "tee met in Washington on a day in", "July.", "1"},
                  {"Report of the Board", "It raised the rate by a quarter of one", "point.", "2"},
                  {"Report of the Board", "Nobody voted against it at that time.", "3"}});
    const auto document = read_document(pdf, Format::pdf, "minutes_2023-07-26.pdf");
    ASSERT_TRUE(document.has_value()) << document.error().message;
    EXPECT_THAT(document->text, HasSubstr("The committee met in Washington on a day in July."));
    EXPECT_THAT(document->text, testing::Not(HasSubstr("Report of the Board")));
    ASSERT_EQ(document->pages.size(), 3U);
    EXPECT_EQ(document->pages[1].page, 2);
    EXPECT_TRUE(document->text.substr(document->pages[1].begin).starts_with("It raised") ||
                document->text.substr(document->pages[1].begin).starts_with("\n"));
    const auto chunks = chunk_document(*document, [](std::string_view t) { return text::words(t).size(); },
                                       {.tokens = 12, .overlap = 0, .window = 12});
    ASSERT_GE(chunks.size(), 2U);
    EXPECT_EQ(chunks.front().page, 1);
    EXPECT_EQ(chunks.back().page, 3);
}

TEST(Pdf, WithoutTextIsReportedWithWhatToDo) {
    const auto document = read_document(make_pdf({{}, {}}), Format::pdf, "scan.pdf");
    ASSERT_FALSE(document.has_value());
    EXPECT_EQ(document.error().code, Code::unsupported);
    EXPECT_THAT(document.error().hint, HasSubstr("ocrmypdf"));
}

TEST(Pdf, ThatIsDamagedIsReported) {
    const std::string pdf = make_pdf({{"Some text."}});
    EXPECT_FALSE(read_document("%PDF-1.4 nonsense", Format::pdf, "x.pdf").has_value());
    EXPECT_FALSE(read_document("hello", Format::pdf, "x.pdf").has_value());
    // Cut anywhere it is read or refused, and nothing else happens.
    for (std::size_t size = 0; size < pdf.size(); size += 37) {
        const auto cut = read_document(std::string_view(pdf).substr(0, size), Format::pdf, "x.pdf");
        if (!cut) EXPECT_FALSE(cut.error().message.empty());
    }
}

TEST(Chunks, LongerThanAVectorSeesHaveSeveralWindowsThatCoverThem) {
    Document document;
    for (int i = 0; i < 40; ++i) document.text += fmt::format("Sentence number {} has seven words now. ", i);
    const auto count = [](std::string_view text) { return text::words(text).size(); };
    const auto chunks = chunk_document(document, count, {.tokens = 100, .overlap = 10, .window = 30});
    ASSERT_GT(chunks.size(), 2U);
    for (const Chunk& chunk : chunks) {
        EXPECT_LE(chunk.tokens, 100U);
        ASSERT_FALSE(chunk.windows.empty());
        EXPECT_EQ(chunk.windows.front().begin, chunk.place.begin);
        EXPECT_EQ(chunk.windows.back().end, chunk.place.end);
        for (std::size_t i = 0; i < chunk.windows.size(); ++i) {
            EXPECT_LE(count(chunk.windows[i].of(document.text)), 30U);
            if (i > 0) EXPECT_LE(chunk.windows[i].begin - chunk.windows[i - 1].end, 1U);
        }
    }
}

TEST(Chunks, CarryTheContextOfTheirDocument) {
    EXPECT_EQ(context_of({.title = "Minutes", .type = {}, .date = "2023-07-26", .attributes = {}}, "Outlook"),
              "Minutes (July 26, 2023): Outlook");
    EXPECT_EQ(context_of({.title = "Minutes", .type = {}, .date = {}, .attributes = {}}, "Minutes"), "Minutes");
}

TEST(Terms, AreStemmedFoldedAndWithoutCommonWords) {
    EXPECT_THAT(terms_of("The Committee's decisions were RAISING rates in São Paulo"),
                ElementsAre("committe", "decis", "rais", "rate", "sao", "paulo"));
    EXPECT_TRUE(terms_of("what is the").empty());
    EXPECT_TRUE(terms_of("").empty());
}

TEST(Terms, FindARateHoweverItIsWritten) {
    const auto has = [](std::string_view text, const std::string& term) {
        const auto terms = terms_of(text);
        return std::ranges::find(terms, term) != terms.end();
    };
    EXPECT_TRUE(has("5-1/4 to 5-1/2 percent", "5.25"));
    EXPECT_TRUE(has("5¼ percent", "5.25"));
    EXPECT_TRUE(has("5.50 percent", "5.5"));
    EXPECT_TRUE(has("5-1/2 percent", "5.5"));
    EXPECT_FALSE(has("on 3/4 days", "0.75"));
    EXPECT_TRUE(has("1/", "1"));
}

TEST(Terms, OfEndlessWordsAreCut) {
    const auto terms =
        terms_of(std::string(100'000, 'x') + " äääääääääääääääääääääääääääääääääääääääääääääääääääääääääääää");
    for (const auto& term : terms) EXPECT_LE(term.size(), kTermBytesMax);
}

}  // namespace
}  // namespace quaestor::retrieval
