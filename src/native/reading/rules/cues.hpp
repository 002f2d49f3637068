// Words by which people say what is to be done with the things they name: "how many", "per", "more than", "running
// total". Finer than the kinds of links, which are about things; private to the rules. Constants.
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace quaestor::native::rules {

enum class Cue : std::uint8_t {
    filler,
    ask,  ///< "which", "list"
    who,
    verb,      ///< "is", "did", "have": parts a whole from its share
    relative,  ///< "that", "whose", "with"
    how_many,
    how_much,
    how_many_more,
    exists,
    count,
    sum,
    average,
    maximum,
    minimum,
    distinct,
    most,     ///< "the most", "fewest": what is ordered by is added up
    least,    ///
    highest,  ///< "the highest": what is ordered by is looked at row by row
    lowest,
    about,  ///< "oldest": `detail` says which columns it may be about, and their direction
    top,
    bottom,
    nth,
    ties,
    more_than,
    at_least,
    less_than,
    at_most,
    exactly,
    or_more,
    or_less,
    since,
    after,
    before,
    until,
    between,
    from,
    to,
    than,
    both,
    conjunction,
    disjunction,
    comma,
    negation,
    never,
    group,
    by,
    sort,
    ascending,
    descending,
    share,
    ratio,
    difference,
    compare,
    versus,
    change,
    growth,
    previous,
    running,
    rank,
    percent,
    time_unit,    ///< `detail`: "year", "month" …
    time_adverb,  ///< "monthly"
    over_time,
    single,  ///< "in a single", "ever": one row, not the sum of several
    in_total,
    times,     ///< "more than 3 times"
    latest,    ///< "last season": the latest value there is
    addition,  ///< "also", "what about": a follow-up
    only,
    instead,
    pronoun,
    reverse,
};

struct CueMatch {
    Cue cue = Cue::filler;
    std::size_t words = 0;
    std::string_view detail{};
};

/// The longest phrase that begins at a word; words are folded.
[[nodiscard]] std::optional<CueMatch> cue_at(std::span<const std::string> words, std::size_t at);

/// Whether a word that nothing is known about can only say that something took place: "published" before "in".
[[nodiscard]] bool is_event_word(std::span<const std::string> words, std::size_t at);

}  // namespace quaestor::native::rules
