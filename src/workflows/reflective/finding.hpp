// What became of one question to the database, with every attempt at a query; and the grade of an answer.
// Parts of the analyst's memory (state.hpp).
// Threads: plain values.
#pragma once

#include "base/json.hpp"
#include "workflows/common/result_table.hpp"

#include <boost/describe/class.hpp>

#include <optional>
#include <string>
#include <vector>

namespace quaestor::workflows::reflective {

/// GenerationAttempt::by, for the program's own readings.
inline constexpr const char* kByReader = "native";
struct GenerationAttempt {
    std::string sql;
    std::string by;  ///< the model's name, or kByReader
    std::vector<std::string> errors;
};
BOOST_DESCRIBE_STRUCT(GenerationAttempt, (), (sql, by, errors))

/// What became of one question to the database: the question itself, or one of its parts.
struct Finding {
    std::string id;  ///< of the sub-query; empty for the whole question
    std::string question;
    std::string sql;
    std::string reading;  ///< the SQL in words, where it is known
    std::vector<std::string> tables;
    std::vector<std::string> assumptions;
    std::vector<GenerationAttempt> attempts;
    double probability = 1;  ///< of the native reading
    std::optional<ResultTable> result;
    std::string error;                      ///< why there is no result
    std::vector<std::string> missing;       ///< values that the person named and that are not in the data, in words
    std::vector<std::string> wrong_values;  ///< the same of values that whoever wrote the query made up
};
BOOST_DESCRIBE_STRUCT(Finding, (),
                      (id, question, sql, reading, tables, assumptions, attempts, probability, result, error, missing,
                       wrong_values))

struct Grade {
    bool passed = false;
    double confidence = 0;
    std::vector<std::string> issues;
    std::vector<std::string> suggestions;
};
BOOST_DESCRIBE_STRUCT(Grade, (), (passed, confidence, issues, suggestions))

}  // namespace quaestor::workflows::reflective
