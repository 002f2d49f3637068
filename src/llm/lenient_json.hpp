// Reads one JSON object as weak models write them: with commas behind the last item, comments, Python's literals,
// single or typographic quotes, names without quotes, and an end that comes too early.
// A private header of llm/; see structured.hpp. Threads: pure functions, linear in what they read, bounded in depth.
#pragma once

#include "base/json.hpp"

#include <cstddef>
#include <expected>
#include <string_view>

namespace quaestor::llm {

struct LenientObject {
    json::object value;
    std::size_t end = 0;       ///< behind it
    bool is_complete = false;  ///< its brackets were closed; if not, the text or its code fence ended before
};

struct LenientProblem {
    std::size_t at = 0;
    std::string_view what;  ///< "expected ':' behind a name"
};

/// `begin` is the place of the opening brace. The text is UTF-8.
[[nodiscard]] std::expected<LenientObject, LenientProblem> read_lenient_object(std::string_view text,
                                                                               std::size_t begin);

/// How code is fenced in Markdown. Outside of strings it ends an object.
inline constexpr std::string_view kCodeFence = "```";

}  // namespace quaestor::llm
