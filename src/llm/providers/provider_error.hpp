// What a provider says when it gives no reply, turned into the one taxonomy. Its words are data: bounded, cleaned, and
// without anything that looks like a key.
// Private to llm/providers. Threads: pure functions.
#pragma once

#include "llm/fault.hpp"
#include "llm/protocol.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace quaestor::llm {

/// What was read of an error, whoever wrote it. All of it may be missing.
struct ProviderSays {
    int status = 0;    ///< of HTTP; 0 inside a stream
    std::string code;  ///< the most specific name that it gives: "context_length_exceeded", "API_KEY_INVALID"
    std::string type;  ///< the less specific one: "invalid_request_error", "RESOURCE_EXHAUSTED"
    std::string message;
    std::optional<Duration> retry_after;
};

inline constexpr std::size_t kProviderWordsMax = 300;  ///< characters of a provider's message that are shown
inline constexpr auto kRetryAfterMax = std::chrono::hours(24);

[[nodiscard]] ModelError provider_error(const Endpoint& endpoint, const ProviderSays& says);

/// From an object like {"code", "type", "message"}, or a text, as it stands under "error" in a body or in a stream.
[[nodiscard]] ProviderSays says_of(const json::value& error);

/// Status, message and the time to wait of a response; `read` reads the error out of a body that is an object.
using ReadError = ProviderSays (*)(const json::object& body);
[[nodiscard]] ProviderSays says_of(const net::HttpResponse& response, ReadError read);

/// A provider's words fit to be shown.
[[nodiscard]] std::string shown_words(std::string_view words, std::string_view key);

/// "34.07s" or "34", as a time to wait.
[[nodiscard]] std::optional<Duration> seconds_from(std::string_view text);
/// From retry-after-ms and retry-after, which has seconds or a date.
[[nodiscard]] std::optional<Duration> retry_after_of(const net::HttpResponse& response);

}  // namespace quaestor::llm
