#include "server/api/stage_payload.hpp"

#include <algorithm>
#include <array>
#include <functional>

namespace quaestor::server {

namespace {

/// Fields that are told elsewhere: in the answer, or in the totals.
constexpr std::array<std::string_view, 6> kToldElsewhere{"usage",  "history", "chart",
                                                         "answer", "method",  "suggestions"};

json::object changed_fields(const json::value& update) {
    json::object fields;
    const auto* parts = update.if_object();
    if (parts == nullptr) return fields;
    for (const auto* part : {"set", "replace"}) {
        const auto* there = parts->if_contains(part);
        if (there == nullptr || !there->is_object()) continue;
        for (const auto& field : there->get_object()) fields[field.key()] = field.value();
    }
    return fields;
}

/// A field of an object, or null where there is none.
json::value field_of(const json::object& fields, std::string_view name) {
    const auto* value = fields.if_contains(name);
    return value == nullptr ? json::value() : *value;
}

json::object object_part(const json::object& fields, std::string_view name) {
    const auto* value = fields.if_contains(name);
    return value != nullptr && value->is_object() ? value->get_object() : json::object();
}

json::array column_names(const json::object& table) {
    json::array names;
    if (const auto* columns = table.if_contains("columns"); columns != nullptr && columns->is_array()) {
        for (const auto& column : columns->get_array()) {
            names.push_back(column.is_object() ? field_of(column.get_object(), "name") : column);
        }
    }
    return names;
}

void put_attempt(const json::object& finding, json::object& payload) {
    const auto* attempts = finding.if_contains("attempts");
    if (attempts == nullptr || !attempts->is_array() || attempts->get_array().empty()) return;
    const auto& last = attempts->get_array().back();
    if (!last.is_object()) return;
    payload["sql"] = field_of(last.get_object(), "sql");
    payload["by"] = field_of(last.get_object(), "by");
    payload["attempt_count"] = attempts->get_array().size();
    const auto* errors = last.get_object().if_contains("errors");
    const bool has_errors = errors != nullptr && errors->is_array() && !errors->get_array().empty();
    payload["is_valid"] = !has_errors;
    if (has_errors) payload["error"] = errors->get_array().front();
}

void put_result(const json::object& finding, json::object& payload) {
    const json::object table = object_part(finding, "result");
    const json::value error = field_of(finding, "error");
    payload["success"] = !table.empty();
    if (error.is_string() && !error.get_string().empty()) payload["error"] = error;
    if (table.empty()) return;
    payload["columns"] = column_names(table);
    for (const auto* name : {"rows", "row_count", "truncated", "execution_time_ms"})
        payload[name] = field_of(table, name);
}

json::object generated(const json::object& finding) {
    json::object payload{{"question", field_of(finding, "question")}};
    put_attempt(finding, payload);
    for (const auto* name : {"tables", "assumptions"}) payload[name] = field_of(finding, name);
    payload["explanation"] = field_of(finding, "reading");
    return payload;
}

json::object executed(const json::object& finding) {
    json::object payload{{"sql", field_of(finding, "sql")}, {"tables", field_of(finding, "tables")}, {"schema", ""}};
    put_result(finding, payload);
    return payload;
}

json::object answered_part(const json::object& fields) {
    const auto* findings = fields.if_contains("findings");
    if (findings == nullptr || !findings->is_array() || findings->get_array().empty()) return {};
    const json::object& finding = findings->get_array().front().as_object();
    json::object payload = generated(finding);
    for (const auto& field : executed(finding)) payload[field.key()] = field.value();
    payload["id"] = field_of(finding, "id");
    return payload;
}

json::object graded(const json::object& fields) {
    json::object payload = object_part(fields, "grade");
    json::object grounding = object_part(fields, "grounding");
    grounding.erase("claims");
    if (!grounding.empty()) payload["grounding"] = std::move(grounding);
    return payload;
}

/// A step that nobody wrote a case for: what it changed, as far as it is small.
json::object as_changed(const json::object& fields) {
    json::object payload;
    for (const auto& field : fields) {
        if (std::ranges::find(kToldElsewhere, std::string_view(field.key())) != kToldElsewhere.end()) continue;
        if (to_text(field.value()).size() <= kFieldBytesMax) payload[field.key()] = field.value();
    }
    return payload;
}

}  // namespace

json::object stage_payload(std::string_view node, const json::value& update) {
    const json::object fields = changed_fields(update);
    const json::object finding = object_part(fields, "finding");
    if (node == "generate_sql" && !finding.empty()) return generated(finding);
    if (node == "execute_sql" && !finding.empty()) return executed(finding);
    if (node == "answer_sub_query") return answered_part(fields);
    if (node == "plan_query" && fields.contains("plan")) return object_part(fields, "plan");
    if (node == "select_tables") return {{"tables", field_of(fields, "selected_tables")}};
    if (node == "grade_response") return graded(fields);
    return as_changed(fields);
}

json::object query_payload(const json::object& query) {
    json::object payload = query;
    payload["sql"] = field_of(query, "text");
    payload["schema_name"] = "";
    return payload;
}

json::object query_payload(const workflows::AskedQuery& query) {
    workflows::Answer answer;
    answer.queries = {query};
    return query_payload(to_json(answer).at("queries").as_array().front().as_object());
}

}  // namespace quaestor::server
