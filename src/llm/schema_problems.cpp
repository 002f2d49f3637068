#include "base/json_problem.hpp"
#include "llm/structured.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace quaestor::llm {

namespace {

using json_codec::Problem;

/// Problems that are told of one reply; a model that made more has not understood.
constexpr std::size_t kProblemsMax = 20;

bool has_type(const json::value& value, std::string_view type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_bool();
    if (type == "null") return value.is_null();
    if (type == "number") return value.is_number();
    return value.is_int64() || value.is_uint64() ||
           (value.is_double() && std::trunc(value.get_double()) == value.get_double());
}

std::string_view shape_of(std::string_view type) {
    if (type == "object") return json_codec::kObjectShape;
    if (type == "array") return json_codec::kListShape;
    if (type == "string") return json_codec::kStringShape;
    if (type == "boolean") return json_codec::kBoolShape;
    if (type == "number") return json_codec::kNumberShape;
    return type == "integer" ? json_codec::kWholeNumberShape : type;
}

/// The strings of a list, or the one string that stands for a list.
std::vector<std::string_view> strings_of(const json::value* value) {
    std::vector<std::string_view> strings;
    if (value && value->is_string()) strings.emplace_back(value->get_string());
    if (value && value->is_array()) {
        for (const json::value& item : value->get_array()) {
            if (item.is_string()) strings.emplace_back(item.get_string());
        }
    }
    return strings;
}

/// The problems inside of one value; those of values within are moved up by what leads to them.
class Check {
public:
    void run(const json::value& value, const json::value& schema);
    [[nodiscard]] std::vector<Problem>& problems() { return problems_; }

private:
    void any_of(const json::value& value, const json::array& alternatives);
    void object(const json::object& value, const json::object& schema);
    template <class Step>
    void within(const json::value& value, const json::value& schema, Step step);
    template <class Tell>
    void add(Tell tell) {
        if (problems_.size() < kProblemsMax) tell(problems_.emplace_back());
    }

    std::vector<Problem> problems_;
};

template <class Step>
void Check::within(const json::value& value, const json::value& schema, Step step) {
    if (problems_.size() >= kProblemsMax) return;
    const std::size_t before = problems_.size();
    run(value, schema);
    for (std::size_t index = before; index < problems_.size(); ++index) step(problems_[index]);
}

void Check::run(const json::value& value, const json::value& schema) {
    const auto* rules = schema.if_object();
    if (!rules) return;
    if (const auto* alternatives = rules->if_contains("anyOf")) return any_of(value, alternatives->as_array());

    const auto types = strings_of(rules->if_contains("type"));
    if (!types.empty() && std::ranges::none_of(types, [&](auto type) { return has_type(value, type); })) {
        std::vector<std::string_view> shapes;
        for (const std::string_view type : types) shapes.push_back(shape_of(type));
        return add([&](Problem& problem) { problem.expected_one_of(shapes, value); });
    }
    if (const auto* allowed = rules->if_contains("enum"); allowed && value.is_string()) {
        const auto names = strings_of(allowed);
        const std::string_view name = value.get_string();
        if (std::ranges::find(names, name) == names.end()) {
            add([&](Problem& problem) { problem.expected_name(names, name); });
        }
    }
    if (const auto* fields = value.if_object()) object(*fields, *rules);
    if (const auto* list = value.if_array(); list && rules->contains("items")) {
        for (std::size_t index = 0; index < list->size(); ++index) {
            within((*list)[index], rules->at("items"), [&](Problem& problem) { problem.inside_item(index); });
        }
    }
}

void Check::any_of(const json::value& value, const json::array& alternatives) {
    std::vector<Problem> nearest;
    for (const json::value& alternative : alternatives) {
        Check check;
        check.run(value, alternative);
        if (check.problems().empty()) return;
        // The alternative that goes wrong inside of the value is the one that was meant, not the one of another type.
        const auto types = strings_of(alternative.is_object() ? alternative.get_object().if_contains("type") : nullptr);
        const bool is_meant = std::ranges::any_of(types, [&](auto type) { return has_type(value, type); });
        if (nearest.empty() || is_meant) nearest = std::move(check.problems());
    }
    for (Problem& problem : nearest) {
        add([&](Problem& place) { place = std::move(problem); });
    }
}

void Check::object(const json::object& value, const json::object& schema) {
    for (const std::string_view name : strings_of(schema.if_contains("required"))) {
        if (!value.contains(name)) add([&](Problem& problem) { problem.missing_field(name, {}); });
    }
    const auto* properties = schema.if_contains("properties");
    if (!properties) return;
    std::vector<std::string_view> names;
    for (const auto& field : properties->as_object()) names.emplace_back(field.key());
    const auto* others = schema.if_contains("additionalProperties");
    const bool is_closed = others && others->is_bool() && !others->get_bool();
    for (const auto& [name, field] : value) {
        if (const auto* wanted = properties->as_object().if_contains(name)) {
            within(field, *wanted, [&](Problem& problem) { problem.inside(name); });
        } else if (is_closed) {
            add([&](Problem& problem) { problem.unknown_field(names, name); });
        }
    }
}

}  // namespace

std::vector<std::string> schema_problems(const json::value& value, const json::value& schema) {
    Check check;
    check.run(value, schema);
    std::vector<std::string> lines;
    for (Problem& problem : check.problems()) {
        const Error error = std::move(problem).error();
        lines.push_back(error.hint.empty() ? error.message : fmt::format("{} ({})", error.message, error.hint));
    }
    return lines;
}

}  // namespace quaestor::llm
