#include "workflows/common/language.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace quaestor::workflows {

namespace {

struct Letters {
    std::uint32_t first;
    std::uint32_t last;
    std::string_view language;
};
constexpr std::array kLetters{
    Letters{0x0370, 0x03FF, "Greek"},    Letters{0x0400, 0x052F, "a language in Cyrillic letters"},
    Letters{0x0590, 0x05FF, "Hebrew"},   Letters{0x0600, 0x06FF, "Arabic"},
    Letters{0x0900, 0x097F, "Hindi"},    Letters{0x0E00, 0x0E7F, "Thai"},
    Letters{0x3040, 0x30FF, "Japanese"}, Letters{0x4E00, 0x9FFF, "Chinese"},
    Letters{0xAC00, 0xD7AF, "Korean"},
};

using Words = std::set<std::string_view>;
struct SmallWords {
    std::string_view language;
    Words words;  ///< folded; none that English has too
};

const std::vector<SmallWords>& small_words() {
    static const std::vector<SmallWords> all{
        {"French",
         {"le",  "la",   "les",  "des",  "du",   "une", "est", "sont", "combien", "quel", "quelle", "quels", "quelles",
          "qui", "dans", "avec", "pour", "plus", "ou",  "sur", "et",   "y",       "ont",  "nous",   "vous",  "que"}},
        {"German",
         {"der", "die", "das", "ein", "eine", "wie",  "viele", "welche", "welcher", "welches", "wer", "ist", "sind",
          "und", "mit", "im",  "von", "fur",  "gibt", "es",    "hat",    "haben",   "nicht",   "den", "dem", "uns"}},
        {"Spanish",
         {"el", "la",  "los",  "las", "una", "cuantos", "cuantas", "cual", "cuales", "que",   "quien",  "hay",
          "en", "con", "para", "mas", "y",   "por",     "del",     "es",   "son",    "tiene", "tienen", "donde"}},
        {"Italian", {"il",  "lo",    "gli", "una", "quanti", "quante", "quale", "quali", "chi", "che", "ci",   "sono",
                     "nel", "nella", "con", "per", "piu",    "di",     "della", "dei",   "e",   "ha",  "hanno"}},
        {"Portuguese", {"o",  "os", "as",  "uma",  "quantos", "quantas", "qual", "quais", "quem", "que", "ha",
                        "no", "na", "com", "para", "mais",    "e",       "do",   "da",    "dos",  "sao", "tem"}},
        {"Dutch",
         {"het", "een", "hoeveel", "welke", "wie", "zijn", "er", "en", "met", "voor", "van", "meest", "niet", "heeft",
          "hebben", "wat", "de"}},
    };
    return all;
}

const Words& english_words() {
    static const Words words{"the",  "a",    "an",  "of",    "in",    "is",   "are",  "how",  "many", "much", "which",
                             "who",  "what", "and", "with",  "for",   "by",   "to",   "show", "list", "all",  "that",
                             "most", "from", "on",  "their", "there", "each", "than", "more", "at",   "not",  "every"};
    return words;
}

constexpr int kSmallWordsMin = 2;

/// The code point that begins at `at`, which moves behind it. `text` is UTF-8.
std::uint32_t next_point(std::string_view text, std::size_t& at) {
    const auto lead = static_cast<unsigned char>(text[at++]);
    const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
    std::uint32_t point = more == 0 ? lead : lead & (0x3FU >> more);
    for (int i = 0; i < more && at < text.size(); ++i)
        point = point << 6 | (static_cast<unsigned char>(text[at++]) & 0x3FU);
    return point;
}

std::optional<std::string_view> by_letters(std::string_view text) {
    std::array<std::size_t, kLetters.size()> counts{};
    std::size_t latin = 0;
    for (std::size_t at = 0; at < text.size();) {
        const auto point = next_point(text, at);
        if ((point >= 'a' && point <= 'z') || (point >= 'A' && point <= 'Z') || (point >= 0xC0 && point <= 0x24F))
            ++latin;
        for (std::size_t kind = 0; kind < kLetters.size(); ++kind) {
            if (point >= kLetters[kind].first && point <= kLetters[kind].last) ++counts[kind];
        }
    }
    const auto most = std::ranges::max_element(counts);
    if (*most <= latin) return std::nullopt;
    return kLetters[static_cast<std::size_t>(most - counts.begin())].language;
}

}  // namespace

std::optional<std::string_view> foreign_language(std::string_view text) {
    if (const auto by = by_letters(text)) return by;
    const auto words = text::words(text::fold(text));
    const auto among = [&](const Words& known) {
        return static_cast<int>(std::ranges::count_if(words, [&](const auto& word) { return known.contains(word); }));
    };
    const int english = among(english_words());
    const SmallWords* best = nullptr;
    int most = std::max(kSmallWordsMin - 1, english);
    for (const auto& language : small_words()) {
        if (const int count = among(language.words); count > most) {
            most = count;
            best = &language;
        }
    }
    if (best == nullptr) return std::nullopt;
    return best->language;
}

}  // namespace quaestor::workflows
