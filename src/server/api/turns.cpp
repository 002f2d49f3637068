#include "server/api/turns.hpp"

#include "server/api/node_labels.hpp"
#include "server/api/stage_payload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ranges>

namespace quaestor::server {

namespace {

using Role = store::Message::Role;

const json::array* list_in(const json::object& fields, std::string_view name) {
    const auto* value = fields.if_contains(name);
    return value != nullptr && value->is_array() ? &value->get_array() : nullptr;
}

double number_in(const json::object& fields, std::string_view name) {
    const auto* value = fields.if_contains(name);
    return value != nullptr && value->is_number() ? value->to_number<double>() : 0;
}

std::string text_in(const json::object& fields, std::string_view name) {
    const auto* value = fields.if_contains(name);
    return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

json::array steps_json(const json::object& answer) {
    json::array steps;
    const auto* trace = list_in(answer, "trace");
    if (trace == nullptr) return steps;
    for (const auto& item : *trace) {
        if (!item.is_object()) continue;
        const std::string node = text_in(item.get_object(), "node");
        json::object step = item.get_object();
        step["label"] = label_of(node);
        step["pipeline_type"] = pipeline_of(node);
        step["query_index"] = 1;
        step["detail"] = item;
        steps.push_back(std::move(step));
    }
    return steps;
}

/// A cell of a Markdown table: nothing in it ends the cell or the line.
std::string markdown_cell(const json::value& value) {
    std::string text = value.is_string() ? std::string(value.get_string()) : to_text(value);
    std::string escaped;
    for (const char c : text) {
        if (c == '|') escaped += '\\';
        escaped += c == '\n' || c == '\r' ? ' ' : c;
    }
    return escaped;
}

std::string markdown_row(const json::array& cells) {
    std::string row = "|";
    for (const auto& cell : cells) row += fmt::format(" {} |", markdown_cell(cell));
    return row + "\n";
}

std::string markdown_query(const json::object& query) {
    std::string out = fmt::format("\n```sql\n{}\n```\n", text_in(query, "text"));
    const auto* columns = list_in(query, "columns");
    const auto* rows = list_in(query, "rows");
    if (columns == nullptr || rows == nullptr || columns->empty()) return out;
    out += "\n" + markdown_row(*columns) + "|";
    for (std::size_t at = 0; at < columns->size(); ++at) out += " --- |";
    out += "\n";
    for (const auto& row : *rows) {
        if (row.is_array()) out += markdown_row(row.get_array());
    }
    return out;
}

/// A CSV field. What a spreadsheet would take for a formula is kept from being one.
std::string csv_field(std::string_view text) {
    std::string field;
    if (!text.empty() && std::string_view("=+-@\t\r").contains(text.front())) field = "'";
    for (const char c : text) {
        if (c == '"') field += '"';
        field += c;
    }
    return "\"" + field + "\"";
}

std::string queries_text(const json::object& answer) {
    std::string all;
    const auto* queries = list_in(answer, "queries");
    if (queries == nullptr) return all;
    for (const auto& query : *queries) {
        if (!all.empty()) all += ";\n";
        all += text_in(query.as_object(), "text");
    }
    return all;
}

/// How each query went; what it found stands in the queries themselves.
json::array without_rows(json::array queries) {
    for (auto& query : queries) {
        query.as_object().erase("rows");
        query.as_object().erase("columns");
    }
    return queries;
}

/// The names of the documents that an answer cites, each once.
json::array documents_of(const json::object& answer) {
    json::array documents;
    const auto* citations = list_in(answer, "citations");
    if (citations == nullptr) return documents;
    for (const auto& citation : *citations) {
        if (!citation.is_object()) continue;
        json::value document(text_in(citation.get_object(), "document"));
        if (std::ranges::find(documents, document) == documents.end()) documents.push_back(std::move(document));
    }
    return documents;
}

}  // namespace

std::vector<TurnRecord> turns_of(const std::vector<store::Message>& messages) {
    std::vector<TurnRecord> turns;
    const store::Message* question = nullptr;
    for (const auto& message : messages) {
        if (message.role == Role::user) question = &message;
        if (message.role != Role::assistant || message.text.empty()) continue;
        turns.push_back({.question = question ? question->text : text_in(message.data, "question"),
                         .text = message.text,
                         .answer = message.data,
                         .asked_at = question ? question->created_at : message.created_at,
                         .answered_at = message.created_at});
        question = nullptr;
    }
    return turns;
}

json::array messages_json(const std::vector<TurnRecord>& turns) {
    json::array messages;
    for (const auto& turn : turns) {
        messages.push_back({{"role", "human"}, {"content", turn.question}});
        messages.push_back({{"role", "ai"}, {"content", turn.text}});
    }
    return messages;
}

json::object overrides_json(const std::vector<store::Message>& messages) {
    json::object overrides{{"override_schema", nullptr}, {"override_direction", nullptr}, {"override_mode", nullptr}};
    for (const auto& message : messages | std::views::reverse) {
        if (message.role != Role::user) continue;
        const auto* input = message.data.if_contains("input");
        if (input == nullptr || !input->is_object()) break;
        for (auto& field : overrides) {
            if (const auto* set = input->get_object().if_contains(field.key())) field.value() = *set;
        }
        break;
    }
    return overrides;
}

json::object summary_json(const TurnRecord& turn) {
    json::array queries;
    double rows = 0;
    double milliseconds = 0;
    if (const auto* asked = list_in(turn.answer, "queries")) {
        for (const auto& query : *asked) {
            rows += number_in(query.as_object(), "row_count");
            milliseconds += number_in(query.as_object(), "execution_time_ms");
            queries.push_back(query_payload(query.as_object()));
        }
    }
    json::object summary{{"entities", nullptr}, {"queries", std::move(queries)}};
    summary["total_rows"] = static_cast<std::int64_t>(rows);
    summary["total_execution_time_ms"] = milliseconds;
    const auto* links = list_in(turn.answer, "links");
    summary["atlas_links"] = links != nullptr ? *links : json::array();
    summary["docs_consulted"] = documents_of(turn.answer);
    for (const auto* empty : {"graphql_summaries", "graphql_call_details"}) summary[empty] = json::array();
    summary["sql_call_details"] = without_rows(summary["queries"].as_array());
    summary["total_graphql_time_ms"] = 0;
    summary["pipeline_steps"] = steps_json(turn.answer);
    summary["asked_at"] = to_iso8601(turn.asked_at);
    summary["answered_at"] = to_iso8601(turn.answered_at);
    summary["answer"] = turn.answer;
    return summary;
}

json::object metadata_json(const json::object& summary) {
    const auto has = [&](std::string_view name) { return !summary.at(name).as_array().empty(); };
    return {{"has_queries", has("queries")},
            {"query_count", summary.at("queries").as_array().size()},
            {"total_rows", summary.at("total_rows")},
            {"total_execution_time_ms", summary.at("total_execution_time_ms")},
            {"total_graphql_time_ms", summary.at("total_graphql_time_ms")},
            {"has_atlas_links", has("atlas_links")},
            {"has_docs_consulted", has("docs_consulted")},
            {"has_graphql_summaries", has("graphql_summaries")},
            {"has_pipeline_steps", has("pipeline_steps")},
            {"entities", summary.at("entities")}};
}

std::string export_markdown(const store::ConversationInfo& info, const std::vector<TurnRecord>& turns) {
    std::string out = fmt::format("# {}\n", markdown_cell(json::value(info.title)));
    for (const auto& turn : turns) {
        out += fmt::format("\n## {}\n\n{}\n", markdown_cell(json::value(turn.question)), turn.text);
        if (const auto method = text_in(turn.answer, "method"); !method.empty()) out += fmt::format("\n{}\n", method);
        if (const auto* queries = list_in(turn.answer, "queries")) {
            for (const auto& query : *queries) out += markdown_query(query.as_object());
        }
    }
    return out;
}

std::string export_csv(const std::vector<TurnRecord>& turns) {
    std::string out = "turn,asked_at,status,question,answer,queries\r\n";
    for (std::size_t at = 0; at < turns.size(); ++at) {
        const auto& turn = turns[at];
        out += fmt::format("{},{},{},{},{},{}\r\n", at, to_iso8601(turn.asked_at), text_in(turn.answer, "status"),
                           csv_field(turn.question), csv_field(turn.text), csv_field(queries_text(turn.answer)));
    }
    return out;
}

json::object export_json(const store::ConversationInfo& info, const std::vector<TurnRecord>& turns) {
    json::array all;
    for (const auto& turn : turns) {
        all.push_back({{"question", turn.question},
                       {"asked_at", to_iso8601(turn.asked_at)},
                       {"answered_at", to_iso8601(turn.answered_at)},
                       {"answer", turn.answer}});
    }
    return {{"thread_id", info.thread_id},
            {"title", info.title},
            {"created_at", to_iso8601(info.created_at)},
            {"updated_at", to_iso8601(info.updated_at)},
            {"turns", std::move(all)}};
}

}  // namespace quaestor::server
