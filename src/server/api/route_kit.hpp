// What the descriptions of routes have in common: parameters, schemas, and an endpoint from a function of desk and
// request. Private to server/. Threads: used while the router is built.
#pragma once

#include "server/api/desk.hpp"
#include "server/router.hpp"

#include <initializer_list>
#include <string>
#include <utility>

namespace quaestor::server {

/// An endpoint that works on the desk.
using DeskEndpoint = Task<Reply> (*)(Desk&, Request);
[[nodiscard]] inline Endpoint at(Desk& desk, DeskEndpoint endpoint) {
    return [&desk, endpoint](Request request) { return endpoint(desk, std::move(request)); };
}

inline const Parameter kSessionHeader{"X-Session-Id", "header", "Who asks: stays the same for one person.", false};
inline const Parameter kSessionNeeded{"X-Session-Id", "header", "Who asks: stays the same for one person.", true};
inline const Parameter kThreadInPath{"id", "path", "The conversation.", true};
inline const Parameter kRunInPath{"id", "path", "The run.", true};

/// {"type": "string"} and kin, with a sentence.
[[nodiscard]] inline json::object typed(std::string_view type, std::string_view about = {}) {
    json::object schema{{"type", type}};
    if (!about.empty()) schema["description"] = about;
    return schema;
}

[[nodiscard]] inline json::object list_of(json::object items) {
    return {{"type", "array"}, {"items", std::move(items)}};
}

/// An object with these fields; those in `required` must be there.
[[nodiscard]] inline json::object object_schema(std::initializer_list<std::pair<std::string_view, json::object>> fields,
                                                std::initializer_list<std::string_view> required = {}) {
    json::object properties;
    for (const auto& [name, schema] : fields) properties[name] = schema;
    json::object schema{{"type", "object"}, {"properties", std::move(properties)}};
    json::array names;
    for (const auto name : required) names.emplace_back(name);
    if (!names.empty()) schema["required"] = std::move(names);
    return schema;
}

/// The Answer of the contract; its parts are described in docs/server.md.
[[nodiscard]] inline json::object answer_schema() {
    return object_schema({{"answer", typed("string", "Markdown")},
                          {"status", typed("string", "answered, clarification, uncertain, refused or failed")},
                          {"agent", typed("string")},
                          {"thread_id", typed("string")},
                          {"run_id", typed("string")},
                          {"queries", list_of(typed("object"))},
                          {"citations", list_of(typed("object"))},
                          {"suggestions", list_of(typed("string"))}},
                         {"answer", "status"});
}

}  // namespace quaestor::server
