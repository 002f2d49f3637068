#include "native/answer/marks.hpp"
#include "native/characters.hpp"
#include "native/lower.hpp"
#include "native/spoken_words.hpp"
#include "native/words.hpp"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <optional>

namespace quaestor::native {

namespace {

/// Longer texts in quotation marks are not looked for as a whole.
constexpr std::size_t kQuotedBytesMax = 300;

/// Words that begin sentences and name nothing; those of is_stop_word() are known besides.
constexpr auto kOpeners = std::to_array<std::string_view>({"about",
                                                           "above",
                                                           "according",
                                                           "across",
                                                           "additionally",
                                                           "after",
                                                           "again",
                                                           "all",
                                                           "almost",
                                                           "along",
                                                           "also",
                                                           "although",
                                                           "among",
                                                           "an",
                                                           "another",
                                                           "answer",
                                                           "any",
                                                           "around",
                                                           "as",
                                                           "at",
                                                           "average",
                                                           "based",
                                                           "because",
                                                           "before",
                                                           "behind",
                                                           "below",
                                                           "besides",
                                                           "best",
                                                           "between",
                                                           "beyond",
                                                           "both",
                                                           "but",
                                                           "by",
                                                           "compared",
                                                           "despite",
                                                           "difference",
                                                           "during",
                                                           "each",
                                                           "either",
                                                           "every",
                                                           "except",
                                                           "few",
                                                           "finally",
                                                           "first",
                                                           "following",
                                                           "for",
                                                           "from",
                                                           "further",
                                                           "given",
                                                           "he",
                                                           "hence",
                                                           "here",
                                                           "highest",
                                                           "his",
                                                           "her",
                                                           "how",
                                                           "however",
                                                           "i",
                                                           "if",
                                                           "in",
                                                           "instead",
                                                           "it",
                                                           "its",
                                                           "last",
                                                           "least",
                                                           "less",
                                                           "like",
                                                           "lowest",
                                                           "many",
                                                           "more",
                                                           "moreover",
                                                           "most",
                                                           "much",
                                                           "near",
                                                           "neither",
                                                           "next",
                                                           "no",
                                                           "nobody",
                                                           "none",
                                                           "nor",
                                                           "not",
                                                           "note",
                                                           "nothing",
                                                           "now",
                                                           "of",
                                                           "on",
                                                           "once",
                                                           "one",
                                                           "only",
                                                           "or",
                                                           "other",
                                                           "others",
                                                           "our",
                                                           "out",
                                                           "outside",
                                                           "over",
                                                           "overall",
                                                           "per",
                                                           "result",
                                                           "results",
                                                           "second",
                                                           "several",
                                                           "she",
                                                           "since",
                                                           "so",
                                                           "some",
                                                           "sorry",
                                                           "still",
                                                           "such",
                                                           "summary",
                                                           "than",
                                                           "that",
                                                           "the",
                                                           "their",
                                                           "them",
                                                           "then",
                                                           "there",
                                                           "therefore",
                                                           "these",
                                                           "they",
                                                           "third",
                                                           "this",
                                                           "those",
                                                           "three",
                                                           "through",
                                                           "thus",
                                                           "to",
                                                           "today",
                                                           "together",
                                                           "top",
                                                           "total",
                                                           "two",
                                                           "under",
                                                           "unlike",
                                                           "until",
                                                           "up",
                                                           "using",
                                                           "was",
                                                           "we",
                                                           "were",
                                                           "what",
                                                           "when",
                                                           "where",
                                                           "which",
                                                           "while",
                                                           "who",
                                                           "whose",
                                                           "why",
                                                           "with",
                                                           "within",
                                                           "without",
                                                           "worst",
                                                           "yes",
                                                           "yet",
                                                           "you",
                                                           "your",
                                                           "and",
                                                           "a",
                                                           "unfortunately",
                                                           "please",
                                                           "data",
                                                           "table",
                                                           "see",
                                                           "consider",
                                                           "nowhere",
                                                           "null",
                                                           "sql",
                                                           "id",
                                                           "ok",
                                                           "okay",
                                                           "thanks",
                                                           "hello",
                                                           "hi"});
/// Small words inside a name: "Ludwig van Beethoven".
constexpr auto kInside = std::to_array<std::string_view>({"of", "de", "la", "le", "van", "von", "der", "den", "del",
                                                          "da", "di", "du", "al", "el", "bin", "dos", "du", "the"});

struct Word {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool is_capital = false;
};

class NameScanner {
public:
    NameScanner(MarkedText& text, const Masked& masked, std::size_t sentence, std::size_t first_mark)
        : text_(text), plain_(text.plain), masked_(masked), sentence_(sentence), first_mark_(first_mark) {}

    void scan() {
        mark_quoted();
        const std::vector<Word> words = words_of();
        for (std::size_t at = 0; at < words.size();) {
            if (!words[at].is_capital) {
                ++at;
                continue;
            }
            const std::size_t end = run_end(words, at);
            add_run(words, at, end);
            at = end;
        }
    }

private:
    [[nodiscard]] const MarkedSentence& sentence() const { return text_.sentences[sentence_]; }
    [[nodiscard]] std::string_view slice(const Word& word) const {
        return plain_.substr(word.begin, word.end - word.begin);
    }

    [[nodiscard]] bool is_marked(std::size_t begin, std::size_t end) const {
        return std::any_of(text_.marks.begin() + static_cast<std::ptrdiff_t>(first_mark_), text_.marks.end(),
                           [=](const Mark& mark) { return mark.begin < end && begin < mark.end; });
    }

    void add_quoted(std::size_t begin, std::size_t end) {
        if (end <= begin || end - begin > kQuotedBytesMax || masked_[begin]) return;
        std::erase_if(text_.marks, [=, this](const Mark& mark) {
            return mark.sentence == sentence_ && mark.begin < end && begin < mark.end;
        });
        text_.marks.push_back(
            {.kind = Mark::Kind::name, .begin = begin, .end = end, .sentence = sentence_, .is_quoted = true});
    }

    void mark_quoted() {
        constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kQuotes{{{"\"", "\""}, {"“", "”"}}};
        for (const auto& [open, close] : kQuotes) {
            for (std::size_t at = plain_.find(open, sentence().begin); at < sentence().end;
                 at = plain_.find(open, at)) {
                const std::size_t begin = at + open.size();
                const std::size_t end = plain_.find(close, begin);
                if (end == std::string_view::npos || end >= sentence().end) break;
                add_quoted(begin, end);
                at = end + close.size();
            }
        }
    }

    [[nodiscard]] std::vector<Word> words_of() const {
        std::vector<Word> words;
        for (std::size_t at = sentence().begin; at < sentence().end;) {
            const std::size_t begin = at;
            const char32_t point = next_point(plain_, at);
            if (!is_word_point(point) || masked_[begin]) continue;
            while (at < sentence().end) {
                std::size_t next = at;
                if (!is_word_point(next_point(plain_, next))) break;
                at = next;
            }
            Word word{begin, std::min(at, sentence().end), u_isupper(static_cast<UChar32>(point)) != 0};
            if (is_marked(word.begin, word.end) || is_calendar(word)) word.is_capital = false;
            words.push_back(word);
        }
        return words;
    }

    [[nodiscard]] bool is_calendar(const Word& word) const {
        const std::string key = lower(slice(word));
        return find_spoken(kMonths, key).has_value() || find_spoken(kWeekdays, key).has_value();
    }

    [[nodiscard]] bool are_joined(const Word& left, const Word& right) const {
        constexpr auto kGaps = std::to_array<std::string_view>({" ", "-", "'", "’", ". ", ".", " & ", "&"});
        const std::string_view gap = plain_.substr(left.end, right.begin - left.end);
        return std::ranges::find(kGaps, gap) != kGaps.end();
    }

    [[nodiscard]] std::size_t run_end(const std::vector<Word>& words, std::size_t first) const {
        std::size_t end = first + 1;
        while (end < words.size() && are_joined(words[end - 1], words[end])) {
            if (words[end].is_capital) {
                ++end;
                continue;
            }
            const bool is_inside = std::ranges::find(kInside, slice(words[end])) != kInside.end();
            const bool goes_on = is_inside && end + 1 < words.size() && words[end + 1].is_capital &&
                                 are_joined(words[end], words[end + 1]);
            if (!goes_on) break;
            end += 2;
        }
        return end;
    }

    /// "LeBron's" is LeBron; a run of initials stays.
    void add_run(const std::vector<Word>& words, std::size_t first, std::size_t end) {
        const std::size_t start = first;
        while (first < end && is_opener(slice(words[first])) && (first == 0 || first > start || end - first == 1))
            ++first;
        if (first == end) return;
        const bool opens = first == 0 && end - first == 1;
        text_.marks.push_back({.kind = Mark::Kind::name,
                               .begin = words[first].begin,
                               .end = words[end - 1].end,
                               .sentence = sentence_,
                               .opens_sentence = opens});
    }

    [[nodiscard]] static bool is_opener(std::string_view word) {
        const std::string key = lower(word);
        return is_stop_word(key) || std::ranges::find(kOpeners, key) != kOpeners.end();
    }

    MarkedText& text_;
    std::string_view plain_;
    const Masked& masked_;
    std::size_t sentence_;
    std::size_t first_mark_;
};

}  // namespace

void mark_names(MarkedText& text, const Masked& masked, std::size_t sentence) {
    const auto first =
        std::ranges::find_if(text.marks, [sentence](const Mark& mark) { return mark.sentence == sentence; });
    NameScanner(text, masked, sentence, static_cast<std::size_t>(first - text.marks.begin())).scan();
}

}  // namespace quaestor::native
