#include "retrieval/terms.hpp"

#include "base/text.hpp"
#include "retrieval/plain_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <libstemmer.h>
#include <memory>
#include <string>

namespace quaestor::retrieval {

namespace {

using namespace std::string_view_literals;

/// Words that nearly every text has; in order.
constexpr std::array kCommonWords{
    "a"sv,    "about"sv, "after"sv, "all"sv,    "also"sv,   "am"sv,    "an"sv,    "and"sv,   "any"sv, "are"sv,
    "as"sv,   "at"sv,    "be"sv,    "been"sv,   "before"sv, "being"sv, "but"sv,   "by"sv,    "can"sv, "could"sv,
    "did"sv,  "do"sv,    "does"sv,  "for"sv,    "from"sv,   "had"sv,   "has"sv,   "have"sv,  "how"sv, "i"sv,
    "if"sv,   "in"sv,    "into"sv,  "is"sv,     "it"sv,     "its"sv,   "me"sv,    "my"sv,    "of"sv,  "on"sv,
    "or"sv,   "our"sv,   "s"sv,     "should"sv, "so"sv,     "such"sv,  "than"sv,  "that"sv,  "the"sv, "their"sv,
    "them"sv, "then"sv,  "there"sv, "these"sv,  "they"sv,   "this"sv,  "those"sv, "to"sv,    "was"sv, "we"sv,
    "were"sv, "what"sv,  "when"sv,  "where"sv,  "which"sv,  "who"sv,   "whom"sv,  "whose"sv, "why"sv, "will"sv,
    "with"sv, "would"sv, "you"sv,   "your"sv};
static_assert(std::ranges::is_sorted(kCommonWords));

struct Fraction {
    std::string_view written;
    std::string_view in_digits;
};
constexpr std::array kFractions{Fraction{"¼", "-1/4"}, Fraction{"½", "-1/2"}, Fraction{"¾", "-3/4"}};

std::string with_plain_fractions(std::string_view text) {
    std::string out(text);
    for (const Fraction& fraction : kFractions) {
        for (std::size_t at = out.find(fraction.written); at != std::string::npos;
             at = out.find(fraction.written, at)) {
            out.replace(at, fraction.written.size(), fraction.in_digits);
        }
    }
    return out;
}

int number_at(std::string_view text, std::size_t& at) {
    int value = 0;
    std::size_t digits = 0;
    for (; at < text.size() && is_digit(text[at]) && digits < 4; ++at, ++digits) value = value * 10 + (text[at] - '0');
    return digits == 0 ? -1 : value;
}

/// Rates are written "5-1/4" and asked for as "5.25": the decimal is a term as well.
void add_decimals(std::string_view text, std::vector<std::string>& terms) {
    for (std::size_t slash = text.find('/'); slash != std::string_view::npos; slash = text.find('/', slash + 1)) {
        std::size_t begin = slash;
        while (begin > 0 && slash - begin < 8 && (is_digit(text[begin - 1]) || text[begin - 1] == '-')) --begin;
        std::size_t at = begin;
        const int whole = number_at(text, at);
        if (whole < 0 || at >= slash || text[at] != '-') continue;
        const int above = number_at(text, ++at);
        if (above < 0 || at != slash) continue;
        const int below = number_at(text, ++at);
        if (below != 2 && below != 4 && below != 8 && below != 16) continue;
        terms.push_back(fmt::format("{}", whole + static_cast<double>(above) / below));
    }
}

/// Snowball's stemmer keeps a buffer, so each thread has one.
class Stemmer {
public:
    std::string_view stem(std::string_view word) const {
        const sb_symbol* stem = sb_stemmer_stem(stemmer_.get(), reinterpret_cast<const sb_symbol*>(word.data()),
                                                static_cast<int>(word.size()));
        if (stem == nullptr) return word;
        return {reinterpret_cast<const char*>(stem), static_cast<std::size_t>(sb_stemmer_length(stemmer_.get()))};
    }

private:
    std::unique_ptr<sb_stemmer, decltype(&sb_stemmer_delete)> stemmer_{sb_stemmer_new("english", "UTF_8"),
                                                                       sb_stemmer_delete};
};

/// At most kTermBytesMax, not cut inside a character.
std::string_view bounded_term(std::string_view term) {
    if (term.size() <= kTermBytesMax) return term;
    std::size_t end = kTermBytesMax;
    while (end > 0 && (static_cast<unsigned char>(term[end]) & 0xc0) == 0x80) --end;
    return term.substr(0, end);
}

/// "5.50" and "5.5" are the same number.
std::string_view without_trailing_zeros(std::string_view word) {
    const bool is_decimal =
        word.contains('.') && std::ranges::all_of(word, [](char c) { return is_digit(c) || c == '.'; });
    if (!is_decimal) return word;
    while (word.ends_with('0')) word.remove_suffix(1);
    if (word.ends_with('.')) word.remove_suffix(1);
    return word;
}

}  // namespace

std::vector<std::string> terms_of(std::string_view text) {
    thread_local const Stemmer kStemmer;
    const std::string plain = with_plain_fractions(text);
    std::vector<std::string> terms;
    for (std::string& word : text::words(text::fold(plain))) {
        for (std::size_t at = word.find("’"); at != std::string::npos; at = word.find("’")) word.replace(at, 3, "'");
        if (std::ranges::binary_search(kCommonWords, std::string_view(word))) continue;
        terms.emplace_back(bounded_term(kStemmer.stem(without_trailing_zeros(word))));
    }
    add_decimals(plain, terms);
    return terms;
}

}  // namespace quaestor::retrieval
