// Cases about SQL as text, so that adding one needs no compiler. A file holds many:
//
//     --- the case's name
//     expect: refused forbidden_function
//
//     SELECT getenv('HOME')
//
// Behind the name come `key: value` lines, then a blank line, then the statement up to the next case.
// ${100*(} in a statement stands for a hundred opening brackets. Lines before the first case are a comment.
#pragma once

#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace quaestor::data {

struct SqlCase {
    std::string name;
    std::string place;                         ///< "attack_duckdb.cases:12"
    std::map<std::string, std::string> facts;  ///< the `key: value` lines
    std::string sql;

    /// The value of a key; empty when the case has none.
    [[nodiscard]] std::string fact(const std::string& key) const;
};

inline void PrintTo(const SqlCase& sql_case, std::ostream* out) {
    *out << sql_case.place << " (" << sql_case.name << ")";
}

/// Reads tests/data/cases/`file`; a file that makes no sense ends the test program with a message.
[[nodiscard]] std::vector<SqlCase> read_cases(const std::string& file);

/// For INSTANTIATE_TEST_SUITE_P: letters and digits of the case's name.
[[nodiscard]] std::string test_name_of(const SqlCase& sql_case);

}  // namespace quaestor::data
