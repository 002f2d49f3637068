// What the analyst asks on the way from a question to SQL: which tables, which statement. Names, comments and sample
// values of the database are given as JSON, as data.
// Threads: pure values.
#pragma once

#include "llm/prompt.hpp"
#include "workflows/reflective/state.hpp"

#include <boost/describe/class.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::workflows::reflective {

/// Which tables a query needs.
struct SelectTables {
    static constexpr std::string_view kKey = "select_tables";
    static constexpr llm::Tier kTier = llm::Tier::lightweight;
    static constexpr std::string_view kInstructions =
        "You choose the tables that a query needs, from candidates that a search found. Think of the measures, of the "
        "names that the question gives, and of the tables that join them. Choose three to five, fewer when fewer "
        "suffice. Use the names exactly as they are written.";
    struct Input {
        std::string question;
        std::vector<std::string> candidates;  ///< "games: one row per game; season, home_team_id, …"
    };
    struct Output {
        std::string reasoning;
        std::vector<std::string> tables;
        static constexpr auto kExplained =
            std::array{llm::Explained{"reasoning", "one sentence"}, llm::Explained{"tables", "names of candidates"}};
    };
};
BOOST_DESCRIBE_STRUCT(SelectTables::Input, (), (question, candidates))
BOOST_DESCRIBE_STRUCT(SelectTables::Output, (), (reasoning, tables))

/// The query.
struct GenerateSql {
    static constexpr std::string_view kKey = "generate_sql";
    static constexpr llm::Tier kTier = llm::Tier::frontier;
    static constexpr std::string_view kInstructions =
        "You write one SELECT statement that answers a question, in the SQL dialect that is named. Use only the tables "
        "and columns of the schema, join along its foreign keys, and compare texts with the spelling of the sample "
        "values. Give every computed column a name that a person understands. Do not add a LIMIT unless the question "
        "asks for one. Columns that name the things asked for come first, then the measures. When an earlier attempt "
        "and its errors are given, mend exactly what was wrong. List what you took for granted as short sentences.";
    struct Input {
        std::string question;
        std::string asked;        ///< the person's own words, where the question was rewritten
        std::string earlier_sql;  ///< the query of the turn that it leans on
        std::string dialect;
        std::string schema;
        std::vector<std::string> known;  ///< results that this question builds on, quoted
        std::string previous_sql;
        std::vector<std::string> errors;
    };
    struct Output {
        std::string thinking;
        std::string sql;
        std::vector<std::string> assumptions;
        static constexpr auto kExplained =
            std::array{llm::Explained{"thinking", "which tables, joins and filters, in two sentences at most"},
                       llm::Explained{"sql", "one statement, without a semicolon"},
                       llm::Explained{"assumptions", "what the question left open and you decided"}};
    };
};
BOOST_DESCRIBE_STRUCT(GenerateSql::Input, (),
                      (question, asked, earlier_sql, dialect, schema, known, previous_sql, errors))
BOOST_DESCRIBE_STRUCT(GenerateSql::Output, (), (thinking, sql, assumptions))

}  // namespace quaestor::workflows::reflective
