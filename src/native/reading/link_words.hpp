// The words of linking: phrases and what they ask for, adjectives and what they measure, words without meaning.
// Private to native/. Constants.
// Threads: share freely.
#pragma once

#include "native/reading/linking.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace quaestor::native {

/// Folded words with single spaces.
struct LinkPhrase {
    std::string_view words;
    LinkKind kind;
    std::string_view text;
    double score = 1;
};

inline constexpr auto kLinkPhrases = std::to_array<LinkPhrase>({
#include "native/reading/link_phrases.inc"
});

/// What an adjective measures, as a column may be called.
struct MeasuringWord {
    std::string_view adjective;
    std::string_view noun;
};
/// In place of a noun: every column that holds times.
inline constexpr std::string_view kAnyTime = "*";
inline constexpr auto kMeasuringWords = std::to_array<MeasuringWord>({
#include "native/reading/measuring_words.inc"
});

/// What people say, and what columns are called that mean the same: "payroll" and "salary".
struct RelatedWord {
    std::string_view said;
    std::string_view meant;
};
inline constexpr auto kRelatedWords = std::to_array<RelatedWord>({
#include "native/reading/related_words.inc"
});

/// Plurals that no ending tells.
struct IrregularPlural {
    std::string_view plural;
    std::string_view singular;
};
inline constexpr auto kIrregularPlurals = std::to_array<IrregularPlural>({{"people", "person"},
                                                                          {"children", "child"},
                                                                          {"men", "man"},
                                                                          {"women", "woman"},
                                                                          {"feet", "foot"},
                                                                          {"teeth", "tooth"},
                                                                          {"wives", "wife"},
                                                                          {"lives", "life"},
                                                                          {"media", "medium"},
                                                                          {"criteria", "criterion"}});

/// Words that end as superlatives do and are none.
inline constexpr auto kNoSuperlatives =
    std::to_array<std::string_view>({"arrest", "conquest", "contest", "forest", "harvest", "honest", "interest",
                                     "invest", "latest", "modest", "priest", "protest", "request", "suggest"});

/// Words that ask, join or name nothing that a database would have; sorted.
inline constexpr auto kFillerWords = std::to_array<std::string_view>({
#include "native/reading/filler_words.inc"
});

/// Words that lead what follows them, and are not understood together with it; sorted.
inline constexpr auto kPrepositions = std::to_array<std::string_view>(
    {"about", "across",  "against", "along",  "around",  "at",    "beside", "by",   "during",
     "for",   "from",    "in",      "inside", "into",    "near",  "of",     "on",   "outside",
     "over",  "through", "to",      "toward", "towards", "under", "via",    "with", "without"});
static_assert(std::ranges::is_sorted(kFillerWords) && std::ranges::is_sorted(kPrepositions));

}  // namespace quaestor::native
