// What the guard says of a statement: whether it may run, what it reads, and what is wrong with it, in words for a
// person. Plain values with a JSON form, the one that `quaestor sql check --json` prints.
// Threads: immutable once made.
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace quaestor::data {

struct Problem {
    enum class Code {
        empty,               ///< nothing to run
        too_long,            ///< more text than kSqlBytesMax
        syntax,              ///< the engine cannot read it
        several_statements,  ///< exactly one is allowed
        not_a_query,         ///< it would change something, or is no SELECT
        forbidden,           ///< a part of a SELECT that is not on the list: FOR UPDATE, INTO, reading a file
        too_deep,            ///< nested deeper than is looked at
        forbidden_function,  ///< not on the list of harmless functions
        unknown_table,
        unknown_column,
        wrong_type,           ///< the engine knows the names but not what to do with them: 'a' + 1, wrong arguments
        select_star,          ///< warning
        leading_wildcard,     ///< warning: LIKE '%…' cannot use an index
        unbounded_recursion,  ///< warning: WITH RECURSIVE ends at the deadline if its data does not end it
    };
    BOOST_DESCRIBE_NESTED_ENUM(Code, empty, too_long, syntax, several_statements, not_a_query, forbidden, too_deep,
                               forbidden_function, unknown_table, unknown_column, wrong_type, select_star,
                               leading_wildcard, unbounded_recursion)

    Code code = Code::syntax;
    std::string message;            ///< what is wrong and why, one sentence
    std::optional<std::size_t> at;  ///< byte offset into the text that was given
    std::string suggestion;         ///< what to write or do instead; may be empty
};
BOOST_DESCRIBE_STRUCT(Problem, (), (code, message, at, suggestion))

struct Verdict {
    bool ok = false;
    std::string statement;             ///< "select"; what kind it would have been when it is refused, if that is known
    std::vector<std::string> tables;   ///< that it reads, as "schema.name" where the schema was written or is known
    std::vector<std::string> columns;  ///< that it names: "table.column" where it says which table, else "column"
    std::vector<std::string> functions;  ///< that it calls, lower case; operators left out
    std::vector<Problem> errors;
    std::vector<Problem> warnings;
    std::string sql;  ///< what would run: the statement with its row limit; empty when it is refused
};
BOOST_DESCRIBE_STRUCT(Verdict, (), (ok, statement, tables, columns, functions, errors, warnings, sql))

}  // namespace quaestor::data
