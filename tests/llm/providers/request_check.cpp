#include "llm/providers/request_check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quaestor::test {

namespace {

bool is_of(const json::value& value, Kind kind) {
    switch (kind) {
        case Kind::text:
            return value.is_string();
        case Kind::number:
            return value.is_number();
        case Kind::boolean:
            return value.is_bool();
        case Kind::object:
            return value.is_object();
        case Kind::list:
            return value.is_array();
        case Kind::any:
            return true;
    }
    return false;
}

}  // namespace

const json::object& object_with(const json::value& value, const std::string& path,
                                std::initializer_list<Field> fields) {
    const json::object* object = value.if_object();
    if (!object) throw WrongRequest(path + ": not an object");
    for (const Field& field : fields) {
        const json::value* found = object->if_contains(field.name);
        if (!found && field.is_required) throw WrongRequest(fmt::format("{}.{}: missing", path, field.name));
        if (found && !is_of(*found, field.kind))
            throw WrongRequest(fmt::format("{}.{}: of the wrong kind: {}", path, field.name, to_text(*found)));
    }
    for (const auto& [name, unused] : *object) {
        const std::string_view known(name);
        if (std::ranges::find(fields, known, &Field::name) == fields.end())
            throw WrongRequest(fmt::format("{}.{}: unknown", path, known));
    }
    return *object;
}

std::string one_of(const json::value& value, const std::string& path, std::initializer_list<std::string_view> choices) {
    const std::string text = text_of(value);
    if (std::ranges::find(choices, text) == choices.end())
        throw WrongRequest(fmt::format("{}: {} is none of the choices", path, text));
    return text;
}

json::value posted(const ReceivedRequest& request, std::string_view target, std::string_view key_header,
                   std::string_view key) {
    if (request.method != "POST") throw WrongRequest("method: " + request.method);
    if (request.target != target) throw WrongRequest("target: " + request.target);
    if (request.header("content-type") != "application/json") throw WrongRequest("content-type");
    if (request.header(key_header) != key) throw WrongRequest("the key is not in its header");
    if (request.body.contains(kFakeKey) || request.target.contains(kFakeKey))
        throw WrongRequest("the key is where it can be read");
    auto body = parse_json(request.body);
    if (!body) throw WrongRequest("body: " + body.error().message);
    return std::move(*body);
}

std::string properties_of(const json::value& schema) {
    std::string names;
    const json::value* properties = schema.as_object().if_contains("properties");
    if (!properties) return names;
    for (const auto& [name, unused] : properties->as_object()) {
        if (!names.empty()) names += ", ";
        names += std::string_view(name);
    }
    return names;
}

std::string text_of(const json::value& value) {
    if (!value.is_string()) throw WrongRequest("not a text: " + to_text(value));
    return std::string(value.get_string());
}

std::optional<double> number_in(const json::object& object, std::string_view field) {
    const json::value* value = object.if_contains(field);
    return value ? std::optional(value->to_number<double>()) : std::nullopt;
}

std::vector<std::string> texts_in(const json::object& object, std::string_view field) {
    std::vector<std::string> texts;
    if (const json::value* list = object.if_contains(field))
        for (const json::value& item : list->as_array()) texts.push_back(text_of(item));
    return texts;
}

std::string event(const json::value& data, std::string_view name) {
    const std::string line = name.empty() ? "" : fmt::format("event: {}\n", name);
    return fmt::format("{}data: {}\n\n", line, to_text(data));
}

std::ostream& operator<<(std::ostream& out, const Asked& asked) {
    return out << fmt::format("model {}\nsystem {}\nturns {}\ntools {}\nchoice {}\noutput {}\n", asked.model,
                              asked.system, fmt::join(asked.turns, " | "), fmt::join(asked.tools, " | "),
                              asked.tool_choice, asked.output)
               << fmt::format("temperature {} max_tokens {} stop {}", asked.temperature.value_or(-1),
                              asked.max_tokens.value_or(-1), fmt::join(asked.stop, ","));
}

std::unique_ptr<FakeProvider> fake_provider(const std::string& name) {
    if (name == "openai") return fake_openai();
    if (name == "compatible") return fake_compatible();
    return name == "anthropic" ? fake_anthropic() : fake_google();
}

}  // namespace quaestor::test
