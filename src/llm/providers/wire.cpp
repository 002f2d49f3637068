#include "llm/providers/wire.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace quaestor::llm::wire {

const json::object* object_at(const json::object& object, std::string_view field) {
    const json::value* value = object.if_contains(field);
    return value ? value->if_object() : nullptr;
}

const json::array* array_at(const json::object& object, std::string_view field) {
    const json::value* value = object.if_contains(field);
    return value ? value->if_array() : nullptr;
}

std::string_view text_at(const json::object& object, std::string_view field) {
    const json::value* value = object.if_contains(field);
    return value && value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

std::int64_t count_at(const json::object& object, std::string_view field) {
    const json::value* value = object.if_contains(field);
    if (!value || !value->is_number()) return 0;
    // Not in integers: a count may arrive as 12.0, and as one that no integer holds.
    const auto number = value->to_number<double>();
    if (!(number > 0)) return 0;
    return number < static_cast<double>(kCountMax) ? static_cast<std::int64_t>(number) : kCountMax;
}

bool is_true(const json::object& object, std::string_view field) {
    const json::value* value = object.if_contains(field);
    return value && value->is_bool() && value->get_bool();
}

std::string arguments_text(const json::value* arguments) {
    if (!arguments) return {};
    if (arguments->is_string()) return std::string(arguments->get_string());
    return arguments->is_object() ? to_text(*arguments) : std::string();
}

json::object arguments_object(std::string_view arguments) {
    auto parsed = parse_json(arguments);
    if (parsed && parsed->is_object()) return std::move(parsed->get_object());
    return {{"unreadable_arguments", arguments}};
}

std::string address(const Endpoint& endpoint, std::string_view own, std::string_view path) {
    std::string_view base = endpoint.base_url.empty() ? own : std::string_view(endpoint.base_url);
    while (base.ends_with('/')) base.remove_suffix(1);
    const std::string_view version = path.substr(0, path.find('/', 1));
    if (base.ends_with(version)) path.remove_prefix(version.size());
    return fmt::format("{}{}", base, path);
}

net::HttpRequest post(std::string url, const json::object& body) {
    return {.method = "POST",
            .url = std::move(url),
            .headers = {{"content-type", "application/json"}, {"accept", "text/event-stream, application/json"}},
            .body = to_text(body)};
}

void add_key(net::HttpRequest& request, std::string name, std::string_view prefix, std::string_view key) {
    std::string value(prefix);
    std::ranges::copy_if(key, std::back_inserter(value), [](char c) { return c > 0x20 && c < 0x7f; });
    if (value.size() > prefix.size()) request.headers.push_back({std::move(name), std::move(value)});
}

std::string schema_in_words(const OutputShape& output) {
    return fmt::format(
        "Answer with one JSON object and nothing else: no explanation, no code fence. It must fit this JSON "
        "Schema:\n{}",
        to_text(output.schema));
}

std::string system_text(const ChatRequest& request) {
    std::string text;
    for (const Message& message : request.messages) {
        if (message.role != Role::system || message.content.empty()) continue;
        if (!text.empty()) text += "\n\n";
        text += message.content;
    }
    return text;
}

void add_turn(json::array& turns, std::string_view role, std::string_view field, json::array parts) {
    if (parts.empty()) return;
    if (turns.empty() || turns.back().at("role") != json::value(role)) {
        turns.push_back({{"role", role}, {field, std::move(parts)}});
        return;
    }
    json::array& together = turns.back().at(field).get_array();
    together.insert(together.end(), parts.begin(), parts.end());
}

std::optional<double> temperature_of(const ChatRequest& request, const Endpoint& endpoint) {
    return request.temperature ? request.temperature : endpoint.temperature;
}

std::optional<int> max_tokens_of(const ChatRequest& request, const Endpoint& endpoint) {
    return request.max_tokens ? request.max_tokens : endpoint.max_tokens;
}

}  // namespace quaestor::llm::wire
