#include "retrieval/sentences.hpp"

#include "base/text.hpp"
#include "retrieval/plain_text.hpp"

#include <unicode/brkiter.h>
#include <unicode/utext.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

namespace quaestor::retrieval {

namespace {

using namespace std::string_view_literals;

/// Words whose full stop does not end a sentence.
constexpr std::array kAbbreviations{
    "Mr."sv,  "Ms."sv,  "Mrs."sv, "Dr."sv,  "Messrs."sv, "Mses."sv, "Prof."sv,   "St."sv,  "No."sv,  "vs."sv,
    "Inc."sv, "e.g."sv, "i.e."sv, "cf."sv,  "Fig."sv,    "Jr."sv,   "approx."sv, "Gov."sv, "Sen."sv, "Rep."sv,
    "Jan."sv, "Feb."sv, "Mar."sv, "Apr."sv, "Aug."sv,    "Sept."sv, "Oct."sv,    "Nov."sv, "Dec."sv};

bool is_item(std::string_view line) {
    return line.starts_with("- ") || line.starts_with("* ") || line.starts_with("• ") || line.contains(" | ");
}

/// A short line that opens a paragraph, ends without a mark and is followed by a new beginning.
bool is_heading_line(std::string_view line, std::string_view next) {
    constexpr std::size_t kHeadingBytesMax = 90;
    if (line.empty() || next.empty() || line.size() > kHeadingBytesMax || !is_upper(next.front())) return false;
    const char last = line.back();
    return (is_upper(line.front()) || is_digit(line.front())) && (is_upper(last) || is_lower(last) || is_digit(last));
}

/// `text` with the line ends inside of paragraphs turned into spaces: there a line end says nothing.
std::string with_whole_paragraphs(std::string_view text) {
    std::string out(text);
    std::string_view before;
    bool is_paragraph_open = false;  // `before` goes on from another line
    for_each_line(text, [&](std::string_view line, std::size_t begin) {
        const bool is_after_heading = !is_paragraph_open && is_heading_line(before, line);
        const bool goes_on = begin > 0 && !before.empty() && !line.empty() && !is_item(line) &&
                             !before.contains(" | ") && !is_after_heading;
        if (goes_on) out[begin - 1] = ' ';
        is_paragraph_open = goes_on;
        before = line;
    });
    return out;
}

/// The last word is an abbreviation or an initial, and so the next sentence goes on with it.
bool goes_on(std::string_view sentence) {
    const std::size_t space = sentence.find_last_of(" \n(");
    const std::string_view word = space == std::string_view::npos ? sentence : sentence.substr(space + 1);
    const bool is_initial = word.size() == 2 && is_upper(word[0]) && word[1] == '.';
    return is_initial || is_one_of(word, kAbbreviations);
}

std::unique_ptr<icu::BreakIterator> make_breaks() {
    UErrorCode status = U_ZERO_ERROR;
    return std::unique_ptr<icu::BreakIterator>(
        icu::BreakIterator::createSentenceInstance(icu::Locale::getEnglish(), status));
}

Span trimmed(std::string_view text, Span span) {
    while (span.begin < span.end && is_blank(text[span.begin])) ++span.begin;
    while (span.begin < span.end && is_blank(text[span.end - 1])) --span.end;
    return span;
}

}  // namespace

std::vector<Span> sentences_of(std::string_view text) {
    thread_local const auto kBreaks = make_breaks();
    const std::string flowing = with_whole_paragraphs(text);
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<UText, decltype(&utext_close)> view(
        utext_openUTF8(nullptr, flowing.data(), static_cast<std::int64_t>(flowing.size()), &status), utext_close);
    if (kBreaks == nullptr || U_FAILURE(status)) return {trimmed(text, {0, text.size()})};
    kBreaks->setText(view.get(), status);
    std::vector<Span> sentences;
    bool is_open = false;
    std::int32_t begin = kBreaks->first();
    for (std::int32_t end = kBreaks->next(); end != icu::BreakIterator::DONE; begin = end, end = kBreaks->next()) {
        const Span piece = trimmed(text, {static_cast<std::size_t>(begin), static_cast<std::size_t>(end)});
        if (piece.empty()) continue;
        if (is_open) {
            sentences.back().end = piece.end;
        } else {
            sentences.push_back(piece);
        }
        // A paragraph's end is one, whatever its last word.
        const bool is_paragraph_end = flowing[static_cast<std::size_t>(end) - 1] == '\n';
        is_open = !is_paragraph_end && goes_on(piece.of(text));
    }
    return sentences;
}

}  // namespace quaestor::retrieval
