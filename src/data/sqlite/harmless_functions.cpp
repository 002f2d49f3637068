#include "data/functions.hpp"

#include <array>

namespace quaestor::data {

namespace {

// Left out on purpose: load_extension, readfile, writefile, edit, fts3_tokenizer (code and files); sqlite_*, changes,
// total_changes, last_insert_rowid, subtype (the connection's own affairs); randomblob, zeroblob (large values out of
// nothing); json_patch (its time grows with the square of its arguments); sqlite_log (writes a log); rtreecheck,
// rtreenode, optimize, matchinfo (insides of virtual tables); pragma_*.
// clang-format off
constexpr std::array<std::string_view, 114> kHarmless = {
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "avg", "bm25", "ceil", "ceiling", "char",
    "coalesce", "concat", "concat_ws", "cos", "cosh", "count", "cume_dist", "current_date", "current_time",
    "current_timestamp", "date", "datetime", "degrees", "dense_rank", "exp", "first_value", "floor", "format",
    "glob", "group_concat", "hex", "highlight", "ifnull", "iif", "instr", "json", "json_array", "json_array_length",
    "json_each", "json_extract", "json_group_array", "json_group_object", "json_insert", "json_object",
    "json_quote", "json_remove", "json_replace", "json_set", "json_tree", "json_type", "json_valid", "julianday",
    "lag", "last_value", "lead", "length", "like", "likelihood", "likely", "ln", "log", "log10", "log2", "lower",
    "ltrim", "match", "max", "min", "mod", "nth_value", "ntile", "nullif", "octet_length", "offsets",
    "percent_rank", "pi", "pow", "power", "printf", "quote", "radians", "random", "rank", "replace", "round",
    "row_number", "rtrim", "sign", "sin", "sinh", "snippet", "soundex", "sqrt", "strftime", "string_agg", "substr",
    "substring", "sum", "tan", "tanh", "time", "timediff", "total", "trim", "trunc", "typeof", "unhex", "unicode",
    "unixepoch", "unlikely", "upper"};
// clang-format on

}  // namespace

std::span<const std::string_view> harmless_sqlite_functions() {
    return kHarmless;
}

}  // namespace quaestor::data
