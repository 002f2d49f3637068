// JSON out of what models write, and whether it fits a schema.
// Threads: pure functions, bounded by the size of their input.
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace quaestor::llm {

/// The JSON object in a reply: the whole of it, or what stands in a code fence or between chatter; small slips of weak
/// models are mended (commas behind the last item, comments, Python's True and None, single quotes, a reply that ends
/// before its brackets do). Of several the last is taken that is complete. Code::invalid_argument with what is wrong.
[[nodiscard]] Result<json::value> extract_json(std::string_view reply);

/// What does not fit, each with its path: "filters[1].column: expected a string, got 7". Empty when it fits. Knows what
/// output_schema() writes: type (also as a list), properties, required, additionalProperties, items, enum, anyOf.
[[nodiscard]] std::vector<std::string> schema_problems(const json::value& value, const json::value& schema);

}  // namespace quaestor::llm
