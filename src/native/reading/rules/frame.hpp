// What a question asks for, piece by piece, before the pieces become a query: what is wanted, what it is measured by,
// what rows must be like, how they are grouped and ordered. Private to the rules; plain values.
// Threads: plain values.
#pragma once

#include "native/logical_form.hpp"
#include "native/reading/rules/tokens.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace quaestor::native::rules {

/// Something that rows must fit.
struct Test {
    enum class Kind {
        value,    ///< `low` is one of the column's texts
        number,   ///< compared with `low`, or between `low` and `high`
        period,   ///< a date column lies in it, after it …; between `low` and `high`
        truth,    ///< a flag
        missing,  ///< no value
        average,  ///< compared with the average of the column
        rows,     ///< how many rows of `table` belong to it
        latest,   ///< the latest value of the column
    } kind = Kind::value;
    ColumnId column = 0;  ///< 0: the one that fits
    TableId table = -1;
    Comparison comparison = Comparison::equal;
    bool is_range = false;
    Token low{};
    Token high{};
    bool negated = false;
    bool joins_last = false;      ///< "or", "and" stand between it and the test before
    std::size_t at = 0;           ///< token
    ColumnId role = 0;            ///< the foreign key that was said with it
    Cue direction = Cue::filler;  ///< "from" or "to" it
};

/// "without orders in 2022": no row of the table belongs to it that fits the tests.
struct Never {
    TableId table = -1;  ///< -1: that of its tests
    std::vector<Test> tests;
};

struct Grouping {
    TableId table = -1;
    ColumnId column = 0;
    std::optional<DatePart> part;
    ColumnId role = 0;
    bool is_per = false;    ///< "per": may be a rate
    bool is_asked = false;  ///< "which month": it is what the question asks for
};

struct Order {
    bool descending = true;
    std::optional<Aggregate> aggregate;
    ColumnId column = 0;
    TableId counted = -1;
    std::string_view about{};   ///< "oldest": columns that it may be about
    bool adds_up = false;       ///< "the most" rather than "the highest"
    bool is_list = false;       ///< all rows in this order
    bool waits_for_by = false;  ///< "top 5 players": what comes next is not what they are ordered by
};

enum class Special { none, share, ratio, difference, compare };

struct Frame {
    bool asks_who = false;
    bool asks_existence = false;
    TableId entity = -1;
    std::size_t entity_at = 0;
    std::vector<ColumnId> shown;
    TableId named = -1;        ///< a table whose rows have names, where "names" is all that is said
    bool shows_names = false;  ///< "names": whatever what is asked for is called by
    bool is_asked = false;     ///< "which", "list"
    std::vector<TableId> mentioned;
    std::vector<ColumnId> roles;

    std::optional<Aggregate> aggregate;  ///< of `measure`, or of rows when it is count and there is none
    ColumnId measure = 0;
    ColumnId divisor = 0;
    TableId counted = -1;
    bool is_distinct = false;
    bool is_mean_of_groups = false;  ///< "average number of", "average total"

    std::vector<Test> tests;
    std::vector<Never> nevers;
    std::vector<Grouping> groups;
    std::optional<Order> order;
    std::size_t order_at = 0;
    std::optional<Token> limit;
    std::string_view nth{};
    bool keeps_ties = false;
    bool is_single_row = false;
    bool is_total = false;

    Special special = Special::none;
    bool is_difference_of_extremes = false;
    std::optional<WindowKind> window;
    bool in_percent = false;
    std::vector<std::size_t> verbs;   ///< tokens
    std::vector<std::size_t> breaks;  ///< tokens that may part two things: "than", "and", "versus"
    std::vector<Token> left_out;      ///< words that nothing was made of
};

}  // namespace quaestor::native::rules
