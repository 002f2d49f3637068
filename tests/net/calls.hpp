// Short ways to make HTTP calls in tests, and to look at how they ended.
// Plain values.
// Threads: pure functions.
#pragma once

#include "base/task.hpp"
#include "net/http.hpp"

#include <chrono>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace quaestor::net {

inline HttpCall get(std::string url) {
    HttpCall call;
    call.request.url = std::move(url);
    return call;
}

inline HttpCall post(std::string url, std::string body) {
    HttpCall call = get(std::move(url));
    call.request.method = "POST";
    call.request.body = std::move(body);
    return call;
}

/// The same call with an end to its patience.
inline HttpCall within(std::chrono::milliseconds silence, HttpCall call) {
    call.limits.silence = silence;
    return call;
}

/// Runs a call to its end on an event loop of its own.
inline Result<HttpResponse> run(Http& http, HttpCall call, BodySink sink = nullptr) {
    return run_to_end(http.stream(std::move(call), std::move(sink)));
}

/// A sink that keeps the pieces.
inline BodySink into(std::vector<std::string>& pieces) {
    return [&pieces](std::string_view piece) -> Task<bool> {
        pieces.emplace_back(piece);
        co_return true;
    };
}

/// "200 text", or "unavailable: could not connect …".
inline std::string summary(const Result<HttpResponse>& result) {
    if (result) return std::to_string(result->status) + " " + result->body;
    return std::string(to_string(result.error().code)) + ": " + result.error().describe();
}

}  // namespace quaestor::net
