#include "native/words.hpp"

#include "native/characters.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace quaestor::native {

namespace {

constexpr auto kStopWords = std::to_array<std::string_view>(
    {"a",    "all",  "an",    "and",   "any",   "are",    "as",    "at",   "be",    "been",   "by",     "did",
     "do",   "does", "each",  "every", "find",  "for",    "from",  "give", "had",   "has",    "have",   "how",
     "id",   "in",   "is",    "it",    "its",   "least",  "less",  "list", "many",  "me",     "more",   "most",
     "much", "name", "names", "no",    "not",   "number", "of",    "on",   "or",    "please", "return", "show",
     "tell", "than", "that",  "the",   "their", "there",  "these", "this", "those", "to",     "us",     "was",
     "were", "what", "which", "who",   "whom",  "whose",  "with"});
static_assert(std::ranges::is_sorted(kStopWords));
constexpr std::size_t kStopWordBytesMax = std::ranges::max(kStopWords, {}, &std::string_view::size).size();

using Abbreviation = std::pair<std::string_view, std::string_view>;
constexpr auto kAbbreviations = std::to_array<Abbreviation>({{"acct", "account"},
                                                             {"addr", "address"},
                                                             {"amt", "amount"},
                                                             {"appt", "appointment"},
                                                             {"arr", "arrival"},
                                                             {"avg", "average"},
                                                             {"bal", "balance"},
                                                             {"capt", "captain"},
                                                             {"cat", "category"},
                                                             {"cnt", "count"},
                                                             {"cntry", "country"},
                                                             {"crs", "course"},
                                                             {"ctry", "country"},
                                                             {"cust", "customer"},
                                                             {"dep", "departure"},
                                                             {"dept", "department"},
                                                             {"desc", "description"},
                                                             {"descr", "description"},
                                                             {"dest", "destination"},
                                                             {"dim", ""},
                                                             {"dob", "date of birth"},
                                                             {"doc", "document"},
                                                             {"dt", "date"},
                                                             {"emp", "employee"},
                                                             {"fac", "faculty"},
                                                             {"fct", ""},
                                                             {"fname", "first name"},
                                                             {"grp", "group"},
                                                             {"hosp", "hospital"},
                                                             {"ht", "height"},
                                                             {"ins", "insurance"},
                                                             {"inv", "invoice"},
                                                             {"lang", "language"},
                                                             {"lat", "latitude"},
                                                             {"lname", "last name"},
                                                             {"lng", "longitude"},
                                                             {"loc", "location"},
                                                             {"lon", "longitude"},
                                                             {"max", "maximum"},
                                                             {"mfr", "manufacturer"},
                                                             {"mgr", "manager"},
                                                             {"min", "minimum"},
                                                             {"msg", "message"},
                                                             {"nbr", "number"},
                                                             {"num", "number"},
                                                             {"org", "organisation"},
                                                             {"pat", "patient"},
                                                             {"pct", "percentage"},
                                                             {"pmt", "payment"},
                                                             {"pol", "policy"},
                                                             {"pop", "population"},
                                                             {"pos", "position"},
                                                             {"ppl", "people"},
                                                             {"prod", "product"},
                                                             {"pts", "points"},
                                                             {"qtr", "quarter"},
                                                             {"qty", "quantity"},
                                                             {"ref", "reference"},
                                                             {"reg", "region"},
                                                             {"rev", "revenue"},
                                                             {"sal", "salary"},
                                                             {"src", "source"},
                                                             {"stat", "status"},
                                                             {"std", "standard"},
                                                             {"stn", "station"},
                                                             {"stu", "student"},
                                                             {"sup", "supplier"},
                                                             {"tbl", ""},
                                                             {"tel", "telephone"},
                                                             {"temp", "temperature"},
                                                             {"tot", "total"},
                                                             {"trans", "transaction"},
                                                             {"txn", "transaction"},
                                                             {"veh", "vehicle"},
                                                             {"whse", "warehouse"},
                                                             {"wt", "weight"},
                                                             {"yr", "year"}});
static_assert(std::ranges::is_sorted(kAbbreviations, {}, &Abbreviation::first));

std::string_view written_out(std::string_view word) {
    const auto* const found = std::ranges::lower_bound(kAbbreviations, word, {}, &Abbreviation::first);
    return found != kAbbreviations.end() && found->first == word ? found->second : word;
}

constexpr bool is_upper(char byte) {
    return byte >= 'A' && byte <= 'Z';
}

constexpr bool is_lower(char byte) {
    return byte >= 'a' && byte <= 'z';
}

/// The end of the digits from `at` on.
std::size_t digits_end(std::string_view text, std::size_t at) {
    while (at < text.size() && is_digit(text[at])) ++at;
    return at;
}

/// The end of a number with separators (1,000 or 2.5 or 1,000.5) that starts here, or `start` when there is none.
std::size_t number_end(std::string_view text, std::size_t start) {
    const std::size_t plain = digits_end(text, start);
    if (plain == start) return start;
    std::size_t end = plain;
    while (end < text.size() && text[end] == ',' && digits_end(text.substr(0, end + 5), end + 1) == end + 4) end += 4;
    if (end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1])) end = digits_end(text, end + 1);
    return end == plain ? start : end;
}

std::size_t word_end(std::string_view text, std::size_t start) {
    std::size_t end = number_end(text, start);
    if (end > start) return end;
    for (std::size_t next = start; next < text.size(); end = next)
        if (!is_word_point(next_point(text, next))) break;
    if (end == start) std::ignore = next_point(text, end);
    return end;
}

/// Adds the folded parts of a word, which underscores separate, with spaces between all parts.
void append_key(std::string_view word, std::string& out) {
    bool is_new = true;
    for (std::size_t at = 0; at < word.size();) {
        const char32_t point = next_point(word, at);
        const std::size_t before = out.size();
        if (point != U'_') append_folded(out, point);
        if (is_new && before > 0 && out.size() > before) out.insert(before, 1, ' ');
        is_new = point == U'_' || (is_new && out.size() == before);
    }
}

/// Starts a new word: custID, team2Name, and the last capital of an acronym (HTTPServer).
bool is_case_change(std::string_view name, std::size_t at) {
    if (at == 0 || !is_upper(name[at])) return false;
    const char before = name[at - 1];
    if (is_lower(before) || is_digit(before)) return true;
    return is_upper(before) && at + 1 < name.size() && is_lower(name[at + 1]);
}

}  // namespace

std::vector<WordSpan> split_words(std::string_view text) {
    std::vector<WordSpan> words;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        if (is_space(next_point(text, at))) continue;
        at = word_end(text, begin);
        words.push_back({.begin = begin, .end = at});
    }
    return words;
}

std::string fold(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) append_folded(out, next_point(text, at));
    return out;
}

std::string stem(std::string_view word) {
    constexpr auto kEndingsInEs = std::to_array<std::string_view>({"ses", "xes", "ches", "shes"});
    constexpr auto kNoPlurals = std::to_array<std::string_view>({"ss", "us", "is"});
    const auto ends = [word](std::string_view ending) { return word.ends_with(ending); };
    if (!ends("s")) return std::string(word);

    const std::size_t length = count_points(word);
    if (length > 4 && ends("ies")) return std::string(word.substr(0, word.size() - 3)) + "y";
    if (length > 4 && std::ranges::any_of(kEndingsInEs, ends)) return std::string(word.substr(0, word.size() - 2));
    if (length > 3 && std::ranges::none_of(kNoPlurals, ends)) return std::string(word.substr(0, word.size() - 1));
    return std::string(word);
}

std::vector<std::string> plain_words(std::string_view text) {
    std::vector<std::string> out;
    for (const auto& [begin, end] : split_words(text)) {
        std::size_t at = begin;
        if (!is_word_point(next_point(text, at))) continue;
        const std::string word = fold(text.substr(begin, end - begin));
        for (std::size_t from = 0; from <= word.size();) {
            const std::size_t to = std::min(word.find('_', from), word.size());
            if (to > from) out.push_back(word.substr(from, to - from));
            from = to + 1;
        }
    }
    return out;
}

std::vector<std::string> stems(std::string_view text) {
    auto words = plain_words(text);
    for (auto& word : words) word = stem(word);
    return words;
}

// Values are squashed by the million: one pass, without the words in between.
std::string squash(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        const char32_t first = next_point(text, at);
        if (is_space(first)) continue;
        const std::size_t end = word_end(text, begin);
        if (is_word_point(first)) append_key(text.substr(begin, end - begin), out);
        at = end;
    }
    return out;
}

std::string name_words(std::string_view name) {
    std::string spaced;
    for (std::size_t at = 0; at < name.size(); ++at) {
        if (is_case_change(name, at)) spaced += ' ';
        spaced += name[at];
    }
    const auto words = plain_words(spaced);
    std::vector<std::string_view> expanded;
    for (const auto& word : words)
        if (const auto full = written_out(word); !full.empty()) expanded.push_back(full);

    if (!expanded.empty()) return fmt::format("{}", fmt::join(expanded, " "));
    return words.empty() ? fold(name) : fmt::format("{}", fmt::join(words, " "));
}

bool is_stop_word(std::string_view word) {
    return word.size() <= kStopWordBytesMax && std::ranges::binary_search(kStopWords, word);
}

}  // namespace quaestor::native
