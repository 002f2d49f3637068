// What the analyst asks about a question before any query: whether it is clear, what it says in full, how many queries
// it takes. Earlier turns are given as JSON, as data.
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

constexpr auto explain(std::type_identity<QueryIntent>) {
    using llm::Explained;
    return std::array{
        Explained{"clear", "can be answered from the tables as it stands, or with what was said before"},
        Explained{"ambiguous", "has two or more readings that give different answers"},
        Explained{"small_talk", "a greeting, thanks, or a question about the assistant itself"},
        Explained{"unanswerable", "asks for what the tables do not hold: the future, opinions, other subjects"},
    };
}
constexpr auto explain(std::type_identity<QueryComplexity>) {
    using llm::Explained;
    return std::array{Explained{"simple", "one SQL query answers it"},
                      Explained{"complex", "needs several queries whose results are put together"}};
}
constexpr auto explain(std::type_identity<Combination>) {
    using llm::Explained;
    return std::array{Explained{"synthesize", "one answer from all results"},
                      Explained{"synthesize_comparison", "results side by side, with who is ahead"},
                      Explained{"chain", "each result leads to the next question"},
                      Explained{"merge", "results of the same shape, one below the other"}};
}

/// Whether a question can be asked of the database as it is.
struct ClarifyQuery {
    static constexpr std::string_view kKey = "clarify_query";
    static constexpr llm::Tier kTier = llm::Tier::lightweight;
    static constexpr bool kHoldsConversation = true;
    static constexpr std::string_view kInstructions =
        "You decide whether a question about a database can be turned into a query as it stands. The earlier turns may "
        "settle what 'they', 'that' or 'the same' means. A question is ambiguous only when its readings would give "
        "different answers and neither the tables nor the earlier turns decide between them: 'best' without a measure "
        "is, a missing year is not (take all, or the latest, and say so). For an ambiguous question write two or three "
        "complete questions that the person may have meant, each answerable from the tables. For an unanswerable one "
        "say in one sentence what is missing.";
    struct Input {
        std::string question;
        std::vector<Turn> history;
        std::vector<std::string> tables;  ///< "games: one row per game; season, home_team_id, …"
    };
    struct Output {
        std::string reasoning;
        QueryIntent intent = QueryIntent::clear;
        std::string reason;
        std::vector<std::string> options;
        static constexpr auto kExplained =
            std::array{llm::Explained{"reasoning", "one sentence"},
                       llm::Explained{"reason",
                                      "for the person: why it cannot be answered yet, or what is missing; "
                                      "for small talk a friendly reply; else empty"},
                       llm::Explained{"options", "two or three complete questions when ambiguous, else empty"}};
    };
};
BOOST_DESCRIBE_STRUCT(ClarifyQuery::Input, (), (question, history, tables))
BOOST_DESCRIBE_STRUCT(ClarifyQuery::Output, (), (reasoning, intent, reason, options))

/// The question so that it can be understood alone.
struct RewriteQuery {
    static constexpr std::string_view kKey = "rewrite_query";
    static constexpr llm::Tier kTier = llm::Tier::lightweight;
    static constexpr bool kHoldsConversation = true;
    static constexpr std::string_view kInstructions =
        "You rewrite the last question of a conversation so that it can be understood without the others. Put names in "
        "the place of pronouns, repeat measures, periods and filters that it leans on, and change nothing else: no new "
        "conditions, no corrections of names, no answer. A question that stands alone is returned as it is.";
    struct Input {
        std::string question;
        std::vector<Turn> history;
    };
    struct Output {
        std::string rewritten;
        static constexpr auto kExplained = std::array{llm::Explained{"rewritten", "the question, in one sentence"}};
    };
};
BOOST_DESCRIBE_STRUCT(RewriteQuery::Input, (), (question, history))
BOOST_DESCRIBE_STRUCT(RewriteQuery::Output, (), (rewritten))

/// One query, or several and how they hang together.
struct PlanQuery {
    static constexpr std::string_view kKey = "plan_query";
    static constexpr llm::Tier kTier = llm::Tier::lightweight;
    static constexpr std::string_view kInstructions =
        "You plan how a question is put to a SQL database. Most questions need one query: joins, grouping, comparing "
        "two groups and ranking are all one query, and then the plan is simple with no sub-queries. A plan is complex "
        "when parts need different queries, or when one part needs the result of another. Each sub-query is a complete "
        "question of its own with a short id; depends_on names the ids whose results it needs.";
    struct Input {
        std::string question;
        std::vector<std::string> tables;
        std::string problem;  ///< what was wrong with the plan before this one; empty the first time
    };
    struct Output {
        std::string reasoning;
        QueryComplexity complexity = QueryComplexity::simple;
        std::vector<SubQuery> sub_queries;
        Combination combination_strategy = Combination::synthesize;
        static constexpr auto kExplained =
            std::array{llm::Explained{"reasoning", "one sentence"},
                       llm::Explained{"sub_queries", "two to six for a complex plan, none for a simple one"}};
    };
};
BOOST_DESCRIBE_STRUCT(PlanQuery::Input, (), (question, tables, problem))
BOOST_DESCRIBE_STRUCT(PlanQuery::Output, (), (reasoning, complexity, sub_queries, combination_strategy))

}  // namespace quaestor::workflows::reflective
