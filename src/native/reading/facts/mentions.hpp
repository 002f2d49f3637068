// What a question mentions besides columns, wherever it stands in the sentence: values, times, numbers that something
// is compared with, and what is to be done. Private to the fact reader; plain values.
// Threads: pure functions.
#pragma once

#include "native/logical_form.hpp"
#include "native/reading/facts/names.hpp"

#include <optional>
#include <string>
#include <vector>

namespace quaestor::native::facts {

/// "Lakers": the columns that have it.
struct ValueMention {
    struct Meaning {
        ColumnId column = 0;
        Value value;
        double score = 0;
        bool is_part = false;  ///< a word that several values have: "guard"
    };
    std::size_t first = 0;
    std::size_t last = 0;
    std::vector<Meaning> meanings;
    bool negated = false;
    bool is_perhaps = false;  ///< a plain word that may as well say a name: "draft"
    bool is_idle = false;     ///< words that may as well say nothing: "regular season"
};

/// A name that no column has, after a word that says what it could be: "from Iceland".
struct UnknownName {
    std::size_t first = 0;
    std::size_t last = 0;
    std::string led_by;
};

/// Years, days, or the latest there are.
struct TimeMention {
    std::size_t first = 0;
    std::size_t last = 0;
    bool is_latest = false;
    bool is_season = false;  ///< "2022-23": `to` is the year in which it ends
    Comparison comparison = Comparison::equal;
    std::string from;  ///< ISO days; `after` is the day after the last
    std::string after;
    [[nodiscard]] bool is_years() const;
    [[nodiscard]] std::string first_year() const { return from.substr(0, 4); }
    [[nodiscard]] std::string last_year() const;
};

/// "more than 27", "50 or more", "between 5 and 10".
struct NumberMention {
    std::size_t first = 0;
    std::size_t last = 0;
    Comparison comparison = Comparison::equal;
    std::string number;
    bool is_said = false;  ///< with a word of comparison
};

/// "first overall pick", "second round": a number that tells rows apart.
struct OrdinalMention {
    std::size_t first = 0;
    std::size_t last = 0;  ///< of the words that say the column
    ColumnId column = 0;
    std::string number;
};

/// "the team with the most wins": a row that is said by a question within the question.
struct DescribedMention {
    std::size_t first = 0;
    std::size_t last = 0;
    TableId table = -1;
    Query keys;         ///< of the rows that are meant
    ColumnId time = 0;  ///< by which it says when
    bool is_several = false;
};

struct Mentions {
    std::vector<ValueMention> values;
    std::vector<DescribedMention> described;
    std::optional<UnknownName> unknown;
    std::optional<TimeMention> time;
    std::optional<ColumnId> shares_time;    ///< the time is one said elsewhere, of such a column; 0: of any
    std::optional<TimeMention> other_time;  ///< with which the first is compared: "more in 2023 than in 2022"
    std::vector<NumberMention> numbers;
    std::vector<OrdinalMention> ordinals;

    bool asks_who = false;
    bool asks_how_many = false;
    bool asks_which = false;  ///< "which", "what", "list"
    bool is_distinct = false;
    bool asks_whether = false;            ///< "did", "is"
    bool is_commonest = false;            ///< "the most common"
    bool is_compared = false;             ///< "compare", "or" between two values
    std::optional<std::size_t> share_at;  ///< "share of", "what percentage of"
    bool is_over_time = false;
    bool is_difference = false;  ///< "how much higher", "difference between", "change from … to"
    bool is_second_minus_first = false;
    bool has_both_ends = false;  ///< "between the dearest and the cheapest"
    bool asks_where = false;     ///< "where does … play"
    bool asks_when = false;
    bool is_ratio = false;
    std::optional<std::size_t> per_at;    ///< the word after "per", or after "to" of a ratio
    std::optional<bool> is_last_of_time;  ///< "the last five": true; "the first five": false
    std::optional<std::size_t> worth_at;  ///< "revenue": what was sold for how much
    std::vector<std::size_t> negations;
    bool is_never = false;                ///< "never": no row of those that are meant
    std::optional<NumberMention> times;   ///< "more than once", "at least five times"
    std::optional<std::size_t> rank_at;   ///< "where do they rank in"
    std::vector<std::size_t> present_at;  ///< "current", "on a roster", "right now"
    struct Outcome {
        std::size_t at = 0;
        bool is_won = false;
    };
    std::optional<Outcome> outcome;           ///< "won", "lost"
    std::optional<std::size_t> unit_at;       ///< "in metres"
    std::optional<std::size_t> of_others_at;  ///< "allowed", "gave up": what the other side did
    bool is_single = false;                   ///< "in a single game", "ever"
    std::optional<Comparison> beats_average;  ///< "more than the average"
    bool has_negation = false;
    std::optional<Aggregate> aggregate;
    std::optional<bool> descending;  ///< "most", "highest", "led"; false: "fewest"
    bool is_highest = false;         ///< "highest": row by row
    bool is_most = false;            ///< "most", "fewest": of what can be counted
    bool is_better = false;          ///< "better", "best", "worst": which way is better depends on the measure
    std::size_t order_at = 0;
    std::string_view order_about{};       ///< "oldest": words of columns with their direction, as in rules/cues.hpp
    std::size_t limit = 0;                ///< 0: not said
    std::vector<std::size_t> grouped_by;  ///< words after "per", "by", "for each"
    std::vector<std::size_t> asked;       ///< words that may name what is asked for: those after "which", "how many" …

    std::vector<bool> taken;      ///< words that are values, times or numbers
    std::vector<bool> explained;  ///< words that are understood without a column
    std::vector<bool> weak;       ///< verbs that say little: "scored", "sold"
};

[[nodiscard]] Mentions mentions_of(const LinkedQuestion& question, const Names& names, const rules::SchemaView& view);

}  // namespace quaestor::native::facts
