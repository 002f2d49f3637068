#include "native/reading/wording_nouns.hpp"

#include "native/lower.hpp"
#include "native/reading/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace quaestor::native {

namespace {

using NounPair = std::pair<std::string_view, std::string_view>;

constexpr auto kIrregular = std::to_array<NounPair>({
    {"person", "people"},
    {"man", "men"},
    {"woman", "women"},
    {"child", "children"},
    {"foot", "feet"},
    {"tooth", "teeth"},
    {"goose", "geese"},
    {"mouse", "mice"},
    {"ox", "oxen"},
    {"leaf", "leaves"},
    {"life", "lives"},
    {"wife", "wives"},
    {"knife", "knives"},
    {"half", "halves"},
    {"shelf", "shelves"},
    {"wolf", "wolves"},
    {"loaf", "loaves"},
    {"thief", "thieves"},
    {"hero", "heroes"},
    {"potato", "potatoes"},
    {"tomato", "tomatoes"},
    {"echo", "echoes"},
    {"veto", "vetoes"},
    {"crisis", "crises"},
    {"gas", "gases"},
    {"lens", "lenses"},
    {"atlas", "atlases"},
    {"canvas", "canvases"},
    {"bus", "buses"},
    {"quiz", "quizzes"},
    {"index", "indexes"},
    {"matrix", "matrices"},
    {"vertex", "vertices"},
    {"medium", "media"},
    {"criterion", "criteria"},
    {"phenomenon", "phenomena"},
    {"datum", "data"},
    {"curriculum", "curricula"},
});
constexpr auto kUnchanged = std::to_array<std::string_view>(
    {"series",    "species", "sheep",   "fish",        "deer",      "aircraft",    "spacecraft", "news",
     "staff",     "data",    "media",   "info",        "equipment", "information", "software",   "hardware",
     "offspring", "means",   "physics", "mathematics", "athletics", "status quo",  "salmon",     "trout"});

bool is_vowel(char letter) {
    return std::string_view("aeiou").contains(letter);
}

/// The word of a phrase that takes the ending: "date of birth" → its first four bytes.
std::pair<std::size_t, std::size_t> head_of(std::string_view phrase) {
    const std::size_t end = std::min(phrase.find(" of "), phrase.size());
    const std::size_t space = phrase.substr(0, end).rfind(' ');
    return {space == std::string_view::npos ? 0 : space + 1, end};
}

bool ends_with_any(std::string_view word, std::initializer_list<std::string_view> endings) {
    return std::ranges::any_of(endings, [word](std::string_view ending) { return word.ends_with(ending); });
}

bool is_plural_already(std::string_view word) {
    return word.size() > 3 && word.ends_with('s') && !ends_with_any(word, {"ss", "us", "is"});
}

std::string plural_word(const std::string& word) {
    const std::string key = lower(word);
    if (std::ranges::find(kUnchanged, key) != kUnchanged.end()) return word;
    for (const auto& [one, many] : kIrregular) {
        if (key == one) return std::string(many);
        if (key == many) return word;
    }
    if (word.empty() || is_plural_already(key)) return word;
    if (key.ends_with("sis")) return word.substr(0, word.size() - 2) + "es";
    if (ends_with_any(key, {"s", "x", "z", "ch", "sh"})) return word + "es";
    const bool is_long = key.size() > 1;
    if (is_long && key.ends_with('y') && !is_vowel(key[key.size() - 2])) return word.substr(0, word.size() - 1) + "ies";
    return word + "s";
}

std::string singular_word(const std::string& word) {
    const std::string key = lower(word);
    if (std::ranges::find(kUnchanged, key) != kUnchanged.end()) return word;
    for (const auto& [one, many] : kIrregular) {
        if (key == many) return std::string(one);
        if (key == one) return word;
    }
    if (!is_plural_already(key)) return word;
    if (key.ends_with("ies") && key.size() > 4) return word.substr(0, word.size() - 3) + "y";
    if (key.ends_with("yses")) return word.substr(0, word.size() - 2) + "is";
    if (ends_with_any(key, {"sses", "xes", "ches", "shes", "uses"})) return word.substr(0, word.size() - 2);
    return word.substr(0, word.size() - 1);
}

template <class Change>
std::string change_head(std::string_view phrase, Change change) {
    const auto [begin, end] = head_of(phrase);
    return std::string(phrase.substr(0, begin)) + change(std::string(phrase.substr(begin, end - begin))) +
           std::string(phrase.substr(end));
}

}  // namespace

std::string plural(std::string_view noun) {
    return change_head(noun, plural_word);
}

std::string singular(std::string_view noun) {
    return change_head(noun, singular_word);
}

std::string counted(double count, std::string_view noun) {
    const bool is_whole = std::nearbyint(count) == count;
    const std::string number = with_thousands(is_whole ? fmt::format("{:.0f}", count) : fmt::format("{}", count));
    return fmt::format("{} {}", number, count == 1 ? std::string(noun) : plural(noun));
}

std::string with_thousands(std::string_view digits) {
    const std::size_t begin = digits.starts_with('-') ? 1 : 0;
    const std::size_t end = std::min(digits.find_first_not_of("0123456789", begin), digits.size());
    std::string out(digits.substr(0, begin));
    for (std::size_t at = begin; at < end; ++at) {
        if (at > begin && (end - at) % 3 == 0) out += ',';
        out += digits[at];
    }
    return out + std::string(digits.substr(end));
}

std::string listed(const std::vector<std::string>& parts, std::string_view last) {
    std::string out;
    for (std::size_t at = 0; at < parts.size(); ++at) {
        if (at > 0) out += at + 1 == parts.size() ? fmt::format(" {} ", last) : ", ";
        out += parts[at];
    }
    return out;
}

std::string capitalised(std::string text) {
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 32);
    return text;
}

std::string with_article(std::string_view noun) {
    const bool sounds_like_vowel = !noun.empty() && (is_vowel(noun.front()) || noun.starts_with("hour")) &&
                                   !noun.starts_with("uni") && !noun.starts_with("use") && !noun.starts_with("eu");
    return fmt::format("{} {}", sounds_like_vowel ? "an" : "a", noun);
}

std::string place(std::size_t number) {
    const bool is_teen = number % 100 >= 11 && number % 100 <= 13;
    constexpr std::array<std::string_view, 4> kEndings{"th", "st", "nd", "rd"};
    return fmt::format("{}{}", number, number % 10 < 4 && !is_teen ? kEndings[number % 10] : "th");
}

}  // namespace quaestor::native
