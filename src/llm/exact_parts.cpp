#include "base/json.hpp"
#include "base/text.hpp"
#include "llm/semantic_cache.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace quaestor::llm {

namespace {

/// Between two parts; no text of a person has it.
constexpr char kSeparator = '\x1F';
/// The longest quoted text; a quote that is not closed within it is none.
constexpr std::size_t kQuotedBytesMax = 256;

// clang-format off
/// Words that turn a question into another one and barely move its vector: negations, comparisons and directions,
/// measures, times and numbers. Sorted.
constexpr auto kTellingWords = std::to_array<std::string_view>({
    "above", "after", "against", "all", "any", "april", "ascending", "august", "average", "avg", "before", "below",
    "best", "between", "biggest", "bottom", "but", "cannot", "count", "daily", "december", "decline", "decrease",
    "decreased", "descending", "distinct", "double", "down", "each", "earlier", "earliest", "eight", "eleven",
    "equal", "every", "except", "exclude", "excluding", "fall", "february", "fell", "fewer", "fewest", "first",
    "five", "four", "friday", "gain", "greater", "greatest", "half", "high", "higher", "highest", "hour",
    "hundred", "include", "including", "increase", "increased", "january", "july", "june", "larger", "largest",
    "last", "later", "latest", "least", "less", "longer", "longest", "loss", "low", "lower", "lowest", "march", "max",
    "maximum", "mean", "median", "million", "min", "minimum", "monday", "month", "monthly", "more", "most",
    "never", "newer", "newest", "next", "nine", "no", "nobody", "none", "nor", "not", "nothing", "november",
    "october", "off", "older", "oldest", "one", "only", "over", "per", "previous", "profit", "quarter",
    "quarterly", "rise", "rose", "saturday", "second", "september", "seven", "share", "shorter", "shortest", "since",
    "six", "smaller", "smallest", "sum", "sunday", "ten", "than", "third", "this", "thousand", "three", "thursday",
    "today", "tomorrow", "top", "total", "tuesday", "twelve", "twice", "two", "under", "until", "up",
    "wednesday", "week", "weekly", "within", "without", "worst", "year", "yearly", "yesterday",
});
// clang-format on
static_assert(std::ranges::is_sorted(kTellingWords));

/// Words that begin a sentence with a capital and are no names. Sorted.
constexpr auto kOpeningWords = std::to_array<std::string_view>(
    {"a",    "an",   "and",  "are",    "as",    "at",   "can",    "compare", "could", "did",  "do",    "does",
     "find", "for",  "get",  "give",   "has",   "have", "hello",  "hi",      "how",   "i",    "in",    "is",
     "list", "of",   "our",  "please", "show",  "tell", "thanks", "the",     "these", "they", "was",   "we",
     "were", "what", "when", "where",  "which", "who",  "whose",  "why",     "will",  "with", "would", "you"});
static_assert(std::ranges::is_sorted(kOpeningWords));

/// A pair of quotes, and whether it is one only beside blanks or punctuation, for it may be an apostrophe.
struct Quotes {
    std::string_view open;
    std::string_view close;
    bool may_be_apostrophe;
};
constexpr std::array kQuotes = {
    Quotes{"\"", "\"", false}, Quotes{"`", "`", false},          Quotes{"\u201C", "\u201D", false},
    Quotes{"'", "'", true},    Quotes{"\u2018", "\u2019", true},
};

bool is_word_byte(std::string_view text, std::size_t at) {
    if (at >= text.size()) return false;
    const auto byte = static_cast<unsigned char>(text[at]);
    return std::isalnum(byte) != 0 || byte >= 0x80;
}

/// A number, a date, a name, or a word that tells.
bool is_exact(std::string_view word, std::string_view folded, bool is_first) {
    const auto is_digit = [](unsigned char byte) { return std::isdigit(byte) != 0; };
    if (std::ranges::any_of(word, is_digit) || word.find_first_of("_.") != std::string_view::npos) return true;
    const bool is_capital = std::isupper(static_cast<unsigned char>(word.front())) != 0;
    if (is_capital && !(is_first && std::ranges::binary_search(kOpeningWords, folded))) return true;
    return std::ranges::binary_search(kTellingWords, folded) || folded.ends_with("n't");
}

/// The parts of one text, appended.
class Parts {
public:
    explicit Parts(std::string& out) : out_(out) {}

    void of_text(std::string_view text);
    void of_json(const json::value& value);

private:
    void add(std::string_view part) { out_.append(part).push_back(kSeparator); }
    void of_words(std::string_view text, bool& is_first);
    /// Where the quoted text that begins at `at` ends, behind its closing quote; `at` when none begins there.
    [[nodiscard]] static std::size_t quoted_end(std::string_view text, std::size_t at);

    std::string& out_;
};

std::size_t Parts::quoted_end(std::string_view text, std::size_t at) {
    for (const Quotes& quotes : kQuotes) {
        if (!text.substr(at).starts_with(quotes.open)) continue;
        if (quotes.may_be_apostrophe && at > 0 && is_word_byte(text, at - 1)) continue;
        const std::string_view near = text.substr(0, at + kQuotedBytesMax);
        std::size_t close = near.find(quotes.close, at + quotes.open.size());
        while (quotes.may_be_apostrophe && close != std::string_view::npos &&
               is_word_byte(text, close + quotes.close.size())) {
            close = near.find(quotes.close, close + quotes.close.size());
        }
        if (close != std::string_view::npos) return close + quotes.close.size();
    }
    return at;
}

void Parts::of_text(std::string_view text) {
    bool is_first = true;
    std::size_t unquoted = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = quoted_end(text, at);
        if (end == at) {
            ++at;
            continue;
        }
        of_words(text.substr(unquoted, at - unquoted), is_first);
        add(text.substr(at, end - at));
        unquoted = at = end;
    }
    of_words(text.substr(unquoted), is_first);
}

void Parts::of_words(std::string_view text, bool& is_first) {
    for (const std::string& word : text::words(text)) {
        const std::string folded = text::fold(word);
        if (is_exact(word, folded, is_first)) add(folded);
        is_first = false;
    }
}

void Parts::of_json(const json::value& value) {
    if (const auto* fields = value.if_object()) {
        for (const auto& [name, field] : *fields) {
            add(name);
            of_json(field);
        }
    } else if (const auto* items = value.if_array()) {
        add(std::to_string(items->size()));
        for (const json::value& item : *items) of_json(item);
    } else if (const auto* string = value.if_string(); string && std::string_view(*string).contains(' ')) {
        of_text(*string);
    } else {
        add(to_text(value));  // a number, or a single word: the name of something
    }
}

}  // namespace

std::string exact_parts(std::string_view text) {
    std::string parts;
    const auto parsed = text.starts_with('{') || text.starts_with('[') ? parse_json(text) : fail(Code::unsupported, {});
    if (parsed) {
        Parts(parts).of_json(*parsed);
    } else {
        Parts(parts).of_text(text);
    }
    return parts;
}

}  // namespace quaestor::llm
