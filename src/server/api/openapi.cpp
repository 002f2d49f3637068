#include "server/api/routes.hpp"

#include <algorithm>
#include <cctype>

namespace quaestor::server {

namespace {

json::object parameter_json(const Parameter& parameter) {
    return {{"name", parameter.name},
            {"in", parameter.in},
            {"description", parameter.about},
            {"required", parameter.required || parameter.in == "path"},
            {"schema", {{"type", "string"}}}};
}

json::object json_content(const json::object& schema) {
    return {{"application/json", {{"schema", schema}}}};
}

json::object replies_json(const RouteAbout& about) {
    json::object replies;
    for (const auto& [status, when] : about.replies) {
        json::object reply{{"description", when}};
        const bool is_success = status >= 200 && status < 300;
        if (is_success && !about.reply_schema.empty()) reply["content"] = json_content(about.reply_schema);
        if (!is_success) reply["content"] = json_content({{"$ref", "#/components/schemas/Error"}});
        replies[std::to_string(status)] = std::move(reply);
    }
    return replies;
}

json::object operation_json(const Route& route) {
    json::object operation{{"summary", route.about.summary}};
    json::array parameters;
    for (const auto& parameter : route.about.parameters) parameters.push_back(parameter_json(parameter));
    if (!parameters.empty()) operation["parameters"] = std::move(parameters);
    if (!route.about.request_schema.empty()) {
        operation["requestBody"] =
            json::object{{"required", true}, {"content", json_content(route.about.request_schema)}};
    }
    operation["responses"] = replies_json(route.about);
    if (route.access != Access::open) operation["security"] = json::array{{{"bearer", json::array()}}, json::object()};
    return operation;
}

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

/// Without the mark of a placeholder that takes the rest of a path.
std::string documented(std::string pattern) {
    std::erase(pattern, '*');
    return pattern;
}

}  // namespace

json::object openapi_of(const Router& router) {
    json::object paths;
    for (const auto& route : router.routes()) {
        json::value& path = paths[documented(route.pattern)];
        if (!path.is_object()) path.emplace_object();
        path.get_object()[lower(route.method)] = operation_json(route);
    }
    const json::object error{{"type", "object"},
                             {"properties", {{"error", {{"type", "object"}}}, {"detail", {{"type", "string"}}}}}};
    return {{"openapi", "3.1.0"},
            {"info",
             {{"title", "Quaestor"},
              {"version", "1"},
              {"description", "Questions in plain words over databases and documents, and how they were answered."}}},
            {"paths", std::move(paths)},
            {"components",
             {{"schemas", {{"Error", error}}},
              {"securitySchemes", {{"bearer", {{"type", "http"}, {"scheme", "bearer"}}}}}}}};
}

}  // namespace quaestor::server
