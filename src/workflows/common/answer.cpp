#include "workflows/common/answer.hpp"

namespace quaestor::workflows {

namespace {

constexpr double kHighFrom = 0.75;
constexpr double kMediumFrom = 0.5;

json::object query_json(const AskedQuery& query) {
    json::array columns;
    for (const auto& column : query.result.columns) columns.emplace_back(column.name);
    json::array rows;
    for (const auto& row : query.result.rows) rows.emplace_back(row);
    json::object shown{{"kind", query.kind}, {"text", query.text}, {"source", query.source}};
    shown["columns"] = std::move(columns);
    shown["rows"] = std::move(rows);
    shown["row_count"] = query.result.row_count;
    shown["truncated"] = query.result.truncated;
    shown["execution_time_ms"] = query.result.execution_time_ms;
    shown["tables"] = encode(query.tables);
    return shown;
}

/// An object without the fields that say nothing.
template <class T>
void put(json::object& out, std::string_view name, const T& value) {
    if (!value.empty()) out[name] = encode(value);
}

}  // namespace

Confidence confidence_of(double score) {
    const auto level = score >= kHighFrom     ? ConfidenceLevel::high
                       : score >= kMediumFrom ? ConfidenceLevel::medium
                                              : ConfidenceLevel::low;
    return {level, score};
}

UsageSummary add(UsageSummary there, UsageSummary more) {
    return {there.llm_calls + more.llm_calls, there.input_tokens + more.input_tokens,
            there.output_tokens + more.output_tokens, there.cost_usd + more.cost_usd};
}

json::object to_json(const Answer& answer) {
    json::object out{{"answer", answer.answer}, {"status", encode(answer.status)}};
    put(out, "agent", answer.agent);
    put(out, "workflow", answer.workflow);
    put(out, "thread_id", answer.thread_id);
    put(out, "run_id", answer.run_id);
    out["question"] = answer.question;
    put(out, "resolved_question", answer.resolved_question);
    if (answer.clarification) out["clarification"] = encode(*answer.clarification);
    if (!answer.queries.empty()) {
        json::array queries;
        for (const auto& query : answer.queries) queries.emplace_back(query_json(query));
        out["queries"] = std::move(queries);
    }
    put(out, "citations", answer.citations);
    put(out, "assumptions", answer.assumptions);
    put(out, "suggestions", answer.suggestions);
    put(out, "method", answer.method);
    if (answer.confidence) out["confidence"] = encode(*answer.confidence);
    if (answer.grounding) out["grounding"] = encode(*answer.grounding);
    put(out, "chart", answer.chart);
    out["usage"] = encode(answer.usage);
    put(out, "trace", answer.trace);
    out["timing_ms"] = answer.timing_ms;
    return out;
}

}  // namespace quaestor::workflows
