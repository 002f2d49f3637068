// What the wire formats have in common: reading JSON of which nothing is certain, writing addresses and headers.
// Private to llm/providers.
// Threads: pure functions.
#pragma once

#include "base/json.hpp"
#include "llm/protocol.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace quaestor::llm::wire {

/// More tokens than any request has; a count beyond it is no count, and sums of counts cannot overflow.
inline constexpr std::int64_t kCountMax = 1'000'000'000'000;

// A field of an object, or nothing where it is missing or of another kind.
[[nodiscard]] const json::object* object_at(const json::object& object, std::string_view field);
[[nodiscard]] const json::array* array_at(const json::object& object, std::string_view field);
[[nodiscard]] std::string_view text_at(const json::object& object, std::string_view field);
/// 0 where it is missing, negative or no number.
[[nodiscard]] std::int64_t count_at(const json::object& object, std::string_view field);
[[nodiscard]] bool is_true(const json::object& object, std::string_view field);

/// Arguments as the provider wrote them, as text: a string as it is, an object as JSON, anything else as nothing.
[[nodiscard]] std::string arguments_text(const json::value* arguments);
/// Arguments for providers that take them as an object. What a model wrote that is none goes back to it as text.
[[nodiscard]] json::object arguments_object(std::string_view arguments);

/// base_url or `own`, and the path behind it. A version ("/v1") that stands at the end of the one and the beginning of
/// the other is written once.
[[nodiscard]] std::string address(const Endpoint& endpoint, std::string_view own, std::string_view path);

/// A POST of JSON whose answer is a stream.
[[nodiscard]] net::HttpRequest post(std::string url, const json::object& body);
/// The key as a header's value, unless there is none: visible characters only, so that a line end that came along from
/// a file ends no header.
void add_key(net::HttpRequest& request, std::string name, std::string_view prefix, std::string_view key);

/// The schema put into words, for those who cannot be held to it otherwise.
[[nodiscard]] std::string schema_in_words(const OutputShape& output);

/// All system messages, with an empty line between two.
[[nodiscard]] std::string system_text(const ChatRequest& request);

/// Adds {"role": role, field: parts} to a conversation whose sides take turns: what one side says in a row, results of
/// tools included, is put together. Without parts nothing is added.
void add_turn(json::array& turns, std::string_view role, std::string_view field, json::array parts);

[[nodiscard]] std::optional<double> temperature_of(const ChatRequest& request, const Endpoint& endpoint);
[[nodiscard]] std::optional<int> max_tokens_of(const ChatRequest& request, const Endpoint& endpoint);

}  // namespace quaestor::llm::wire
