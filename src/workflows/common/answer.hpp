// What a person gets for a question, whichever workflow answered: the Answer of the contract, with how it was found.
// Plain values with one JSON form, in which what does not apply is absent. Threads: immutable once made.
#pragma once

#include "base/json.hpp"
#include "workflows/common/result_table.hpp"

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <optional>
#include <string>
#include <vector>

namespace quaestor::workflows {

enum class AnswerStatus { answered, clarification, uncertain, refused, failed };
BOOST_DESCRIBE_ENUM(AnswerStatus, answered, clarification, uncertain, refused, failed)

struct Clarification {
    std::string reason;
    std::vector<std::string> options;  ///< two or three concrete readings
};
BOOST_DESCRIBE_STRUCT(Clarification, (), (reason, options))

struct AskedQuery {
    std::string kind = "sql";
    std::string text;
    std::string source;
    std::vector<std::string> tables;
    ResultTable result;
};
BOOST_DESCRIBE_STRUCT(AskedQuery, (), (kind, text, source, tables, result))

struct Citation {
    std::int64_t n = 1;
    std::string document;
    std::string date;
    std::string section;
    std::string chunk_id;
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::string excerpt;
    double score = 0;
};
BOOST_DESCRIBE_STRUCT(Citation, (), (n, document, date, section, chunk_id, start, end, excerpt, score))

enum class ConfidenceLevel { high, medium, low };
BOOST_DESCRIBE_ENUM(ConfidenceLevel, high, medium, low)
struct Confidence {
    ConfidenceLevel level = ConfidenceLevel::high;
    double score = 1;
};
BOOST_DESCRIBE_STRUCT(Confidence, (), (level, score))
/// high from 0.75, medium from 0.5.
[[nodiscard]] Confidence confidence_of(double score);

/// What the grounding check found (native/answer/grounding.hpp); `claims` say where each number comes from.
struct GroundingSummary {
    std::int64_t checked = 0;
    std::int64_t traced = 0;
    std::vector<std::string> untraced;
    json::array claims;
};
BOOST_DESCRIBE_STRUCT(GroundingSummary, (), (checked, traced, untraced, claims))

struct UsageSummary {
    std::int64_t llm_calls = 0;
    std::int64_t input_tokens = 0;
    std::int64_t output_tokens = 0;
    double cost_usd = 0;
};
BOOST_DESCRIBE_STRUCT(UsageSummary, (), (llm_calls, input_tokens, output_tokens, cost_usd))
[[nodiscard]] UsageSummary add(UsageSummary there, UsageSummary more);

struct StepSummary {
    std::string node;
    std::string status;
    int attempt = 1;
    double latency_ms = 0;
};
BOOST_DESCRIBE_STRUCT(StepSummary, (), (node, status, attempt, latency_ms))

struct Answer {
    std::string answer;  ///< Markdown
    AnswerStatus status = AnswerStatus::failed;
    std::string agent;
    std::string workflow;
    std::string thread_id;
    std::string run_id;
    std::string question;
    std::string resolved_question;
    std::optional<Clarification> clarification;
    std::vector<AskedQuery> queries;
    std::vector<Citation> citations;
    std::vector<std::string> assumptions;
    std::vector<std::string> suggestions;
    std::string method;
    std::optional<Confidence> confidence;
    std::optional<GroundingSummary> grounding;
    json::object chart;  ///< Vega-Lite; empty when the result wants none
    UsageSummary usage;
    std::vector<StepSummary> trace;
    double timing_ms = 0;
};

/// As in the contract: rows as arrays, empty fields left out.
[[nodiscard]] json::object to_json(const Answer& answer);

}  // namespace quaestor::workflows
