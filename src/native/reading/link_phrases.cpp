#include "native/reading/link_finders.hpp"
#include "native/reading/link_words.hpp"

#include <algorithm>

namespace quaestor::native {

namespace {

constexpr double kEndingScore = 0.7;
constexpr double kComparativeScore = 0.8;
constexpr std::size_t kSuperlativeBytesMin = 6;
constexpr std::size_t kComparativeBytesMin = 4;

/// Words of a phrase when the question has it at `first`; 0 when it does not.
std::size_t words_matched(const LinkingView& view, std::size_t first, std::string_view phrase) {
    std::size_t count = 0;
    while (!phrase.empty()) {
        const std::size_t end = std::min(phrase.find(' '), phrase.size());
        if (first + count >= view.size() || view.folded[first + count] != phrase.substr(0, end)) return 0;
        phrase.remove_prefix(std::min(end + 1, phrase.size()));
        ++count;
    }
    return count;
}

/// The longest phrase at `first` with all that it may mean; how many words it has.
std::size_t link_longest_phrase(const LinkingView& view, std::size_t first, Links& out) {
    std::size_t longest = 0;
    for (const LinkPhrase& phrase : kLinkPhrases) {
        longest = std::max(longest, words_matched(view, first, phrase.words));
    }
    if (longest == 0) return 0;
    for (const LinkPhrase& phrase : kLinkPhrases) {
        if (words_matched(view, first, phrase.words) != longest) continue;
        out.push_back({.first = first,
                       .last = first + longest - 1,
                       .kind = phrase.kind,
                       .score = phrase.score,
                       .text = std::string(phrase.text)});
    }
    return longest;
}

bool is_superlative(std::string_view word) {
    return word.size() >= kSuperlativeBytesMin && word.ends_with("est") &&
           std::ranges::find(kNoSuperlatives, word) == kNoSuperlatives.end();
}

/// "heavier than", "more expensive than": words that no table lists.
std::size_t link_comparative(const LinkingView& view, std::size_t first, Links& out) {
    const auto says = [&view](std::size_t at, std::string_view word) {
        return at < view.size() && view.folded[at] == word;
    };
    const auto add = [&](std::size_t count, const char* text) {
        out.push_back({.first = first,
                       .last = first + count - 1,
                       .kind = LinkKind::comparison,
                       .score = kComparativeScore,
                       .text = text});
        return count;
    };
    const std::string& word = view.folded[first];
    if (word.size() >= kComparativeBytesMin && word.ends_with("er") && says(first + 1, "than")) return add(2, ">");
    if (word == "more" && says(first + 2, "than")) return add(3, ">");
    if (word == "less" && says(first + 2, "than")) return add(3, "<");
    return 0;
}

bool is_ordering(const Links& links, std::size_t word) {
    return std::ranges::any_of(links,
                               [word](const Link& link) { return link.kind == LinkKind::order && link.first == word; });
}

/// "top 5", "first three", "3 oldest".
void link_limits(const LinkingView& view, Links& out) {
    constexpr auto kLeading =
        std::to_array<std::string_view>({"top", "first", "best", "bottom", "last", "leading", "worst"});
    for (std::size_t at = 0; at < view.size(); ++at) {
        const auto number = number_at(view, at);
        if (!number || number->text.contains('.')) continue;
        const bool is_led = at > 0 && std::ranges::find(kLeading, view.folded[at - 1]) != kLeading.end();
        if (!is_led && !is_ordering(out, number->last + 1)) continue;
        out.push_back({.first = is_led ? at - 1 : at,
                       .last = number->last,
                       .kind = LinkKind::limit,
                       .score = 1,
                       .text = number->text});
        at = number->last;
    }
}

}  // namespace

std::string link_stem(std::string_view folded) {
    const auto* const irregular = std::ranges::find(kIrregularPlurals, folded, &IrregularPlural::plural);
    return irregular != kIrregularPlurals.end() ? std::string(irregular->singular) : stem(folded);
}

bool is_filler(std::string_view folded) {
    return std::ranges::binary_search(kFillerWords, folded);
}

bool is_preposition(std::string_view folded) {
    return std::ranges::binary_search(kPrepositions, folded);
}

void link_phrases(const LinkingView& view, Links& out) {
    for (std::size_t at = 0; at < view.size();) {
        std::size_t count = link_longest_phrase(view, at, out);
        if (count == 0) count = link_comparative(view, at, out);
        if (count == 0 && is_superlative(view.folded[at])) {
            out.push_back({.first = at, .last = at, .kind = LinkKind::order, .score = kEndingScore, .text = "desc"});
        }
        at += std::max<std::size_t>(count, 1);
    }
    for (std::size_t at = 0; at < view.size(); ++at) {
        if (is_filler(view.folded[at])) {
            out.push_back({.first = at, .last = at, .kind = LinkKind::filler, .score = 1, .text = {}});
        }
    }
    link_limits(view, out);
}

}  // namespace quaestor::native
