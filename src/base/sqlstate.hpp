// The SQLSTATE in a message of libpq. While a connection is being made there is no other way to learn it.
// Threads: a pure function.
#pragma once

#include <optional>
#include <string_view>

namespace quaestor {

struct PostgresRefusal {
    std::string_view sqlstate;
    std::string_view message;  ///< one line
};

/// From a message made with PQERRORS_VERBOSE: "FATAL:  28P01: password authentication failed". Views into `text`.
[[nodiscard]] std::optional<PostgresRefusal> find_refusal(std::string_view text);

}  // namespace quaestor
