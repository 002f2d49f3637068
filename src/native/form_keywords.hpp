// The closed vocabulary of the token form by name, in the order in which the trained parser learnt it.
// Private to native/.
// Threads: constants.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace quaestor::native {

/// Those of a group (aggregates, parts …) are its first one plus the value of the enum they stand for.
enum class Keyword : std::uint8_t {
    pad,
    bos,
    select,
    distinct,
    from,
    where,
    group,
    having,
    order,
    ascending,
    descending,
    limit,
    ties,
    nth,
    all_of,
    any_of,
    not_that,
    open,
    close,
    sub,
    end,
    filter,
    via,
    outer,
    aggregates,
    parts = aggregates + 5,
    comparisons = parts + 5,
    matches = comparisons + 6,
    unmatches = matches + 4,
    in = unmatches + 4,
    not_in,
    between,
    not_between,
    is_null,
    not_null,
    sets,
    arithmetic = sets + 3,
    constants = arithmetic + 5,
    count = constants + 18,
};

inline constexpr std::array<std::string_view, static_cast<std::size_t>(Keyword::count)> kKeywordNames{
    "PAD",     "BOS",         "SELECT", "DISTINCT", "FROM",      "WHERE",   "GROUP",   "HAVING",  "ORDER", "ASC",
    "DESC",    "LIMIT",       "TIES",   "NTH",      "AND",       "OR",      "NOT",     "OPEN",    "CLOSE", "SUB",
    "END",     "FILTER",      "VIA",    "OUTER",    "COUNT",     "SUM",     "AVG",     "MIN",     "MAX",   "YEAR",
    "QUARTER", "MONTH",       "DAY",    "WEEKDAY",  "=",         "!=",      ">",       "<",       ">=",    "<=",
    "LIKE_C",  "LIKE_S",      "LIKE_E", "LIKE_X",   "NLIKE_C",   "NLIKE_S", "NLIKE_E", "NLIKE_X", "IN",    "NOT_IN",
    "BETWEEN", "NOT_BETWEEN", "ISNULL", "NOTNULL",  "INTERSECT", "UNION",   "EXCEPT",  "+",       "-",     "/",
    "MUL",     "PCT",         "V:0",    "V:1",      "V:2",       "V:3",     "V:4",     "V:5",     "V:6",   "V:7",
    "V:10",    "V:100",       "V:T",    "V:F",      "V:M",       "V:Y",     "V:N",     "V:Yes",   "V:No",  "V:UNK"};

/// What stands in front of a constant's text.
inline constexpr std::string_view kConstantMark = "V:";

[[nodiscard]] constexpr int id_of(Keyword keyword) {
    return static_cast<int>(keyword);
}

/// The keyword of a group that stands for `value`.
template <class Enum>
[[nodiscard]] constexpr int id_of(Keyword group, Enum value) {
    return id_of(group) + static_cast<int>(value);
}

}  // namespace quaestor::native
