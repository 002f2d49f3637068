// Reads JSON that must be exactly of a shape, as providers do with requests. All throw WrongRequest with the path.
// Functions over borrowed values.
// Threads: pure functions.
#pragma once

#include "base/json.hpp"
#include "llm/providers/fake_provider.hpp"

#include <initializer_list>
#include <string>
#include <string_view>

namespace quaestor::test {

enum class Kind { text, number, boolean, object, list, any };

struct Field {
    std::string_view name;
    Kind kind;
    bool is_required = true;
};
inline constexpr bool kOptional = false;

/// The value as an object that has these fields and no others.
const json::object& object_with(const json::value& value, const std::string& path, std::initializer_list<Field> fields);

/// A text that must be one of these.
std::string one_of(const json::value& value, const std::string& path, std::initializer_list<std::string_view> choices);

/// The whole body of a POST to that target with this header, JSON both ways.
json::value posted(const ReceivedRequest& request, std::string_view target, std::string_view key_header,
                   std::string_view key);

/// "x, y" for a schema of an object with these properties.
std::string properties_of(const json::value& schema);

std::string text_of(const json::value& value);
std::optional<double> number_in(const json::object& object, std::string_view field);
std::vector<std::string> texts_in(const json::object& object, std::string_view field);

/// `events` as server-sent events, with names where they are given.
std::string event(const json::value& data, std::string_view name = {});

}  // namespace quaestor::test
