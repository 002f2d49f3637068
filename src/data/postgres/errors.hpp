// What PostgreSQL objects to, as errors for people and as problems of a statement. Private to data/.
// Plain values and pure functions.
// Threads: safe everywhere.
#pragma once

#include "base/error.hpp"
#include "data/verdict.hpp"

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace quaestor::data::postgres {

/// Why the server did not do what it was asked.
struct Failure {
    Error error;
    std::string sqlstate;  ///< empty when the server did not say anything: the connection was lost, time was up
    std::string message;   ///< the server's words
    std::string hint;
    std::size_t position = 0;  ///< in the statement, in characters from 1; 0 when it does not say
};

template <class T>
using Answer = std::expected<T, Failure>;

/// The failure that a server reports.
[[nodiscard]] Failure server_failure(std::string_view sqlstate, std::string_view message, std::string_view hint,
                                     std::size_t position);

/// A failure without words of the server.
[[nodiscard]] std::unexpected<Failure> own_failure(Error error);

/// The refusal of a connection, from libpq's message; made with PQERRORS_VERBOSE it holds the SQLSTATE.
[[nodiscard]] Error connect_error(std::string_view libpq_message, bool needs_password);

/// The connection went away.
[[nodiscard]] Error lost_error(std::string_view libpq_message);

/// True when the connection is of no use after a failure with this SQLSTATE.
[[nodiscard]] bool ends_connection(std::string_view sqlstate);

/// What is wrong with the statement `sql`; nothing when the failure is none of the statement.
[[nodiscard]] std::optional<Problem> problem_of(const Failure& failure, std::string_view sql);

/// Where the character with this number, from 1, stands in `sql`; nothing for 0.
[[nodiscard]] std::optional<std::size_t> byte_offset(std::string_view sql, std::size_t character);

/// One line without control characters or secrets.
[[nodiscard]] std::string for_people(std::string_view text);

}  // namespace quaestor::data::postgres
