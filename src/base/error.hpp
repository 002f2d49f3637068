// What went wrong, told to a person: a code for programs, a message, what to do next, and the error underneath.
// Errors are plain values; copying one is cheap enough for the failing path and never throws away its cause.
// Threads: immutable once built, share freely.
#pragma once

#include <boost/describe/enum.hpp>

#include <expected>
#include <memory>
#include <string>
#include <string_view>

namespace quaestor {

/// The kind of failure; decides exit codes, HTTP statuses and whether trying again makes sense.
enum class Code {
    invalid_argument,   ///< the caller gave something that can never work
    not_found,          ///< a named thing does not exist
    already_exists,     ///< a named thing exists and must not
    conflict,           ///< somebody else changed or holds it
    permission_denied,  ///< not allowed
    limit_exceeded,     ///< a bound of ours was reached: steps, size, budget
    rate_limited,       ///< too many requests; later works
    unavailable,        ///< a dependency is down or refuses; later may work
    timeout,            ///< a deadline passed
    cancelled,          ///< somebody asked to stop
    corrupt,            ///< stored data does not make sense
    unsupported,        ///< understood, and not done here
    internal,           ///< our own mistake
};
BOOST_DESCRIBE_ENUM(Code, invalid_argument, not_found, already_exists, conflict, permission_denied, limit_exceeded,
                    rate_limited, unavailable, timeout, cancelled, corrupt, unsupported, internal)

struct Error {
    Code code = Code::internal;
    std::string message;                 ///< what happened and why, one sentence, no final full stop needed
    std::string hint;                    ///< what to do about it; may be empty
    std::shared_ptr<const Error> cause;  ///< the error underneath, if any

    /// The same error standing on `underneath`.
    [[nodiscard]] Error because(Error underneath) const&;
    [[nodiscard]] Error because(Error underneath) &&;

    /// Message and causes on one line: "could not open the store: disk is full". The hint is left out.
    [[nodiscard]] std::string describe() const;

    /// The hint of this error or, where it has none, of the nearest cause that has one.
    [[nodiscard]] std::string_view advice() const;
};

/// The code's name as written in JSON and logs: "not_found".
[[nodiscard]] std::string_view to_string(Code code);

/// True for failures that may pass by themselves: rate_limited, unavailable, timeout.
[[nodiscard]] bool is_transient(const Error& error);

/// A value, or the reason why there is none.
template <class T = void>
using Result = std::expected<T, Error>;

/// `return fail(Code::not_found, "no run 42", "list them with quaestor runs list");`
[[nodiscard]] std::unexpected<Error> fail(Code code, std::string message, std::string hint = {});

/// `return fail(rows.error());` hands an error on as it is.
[[nodiscard]] std::unexpected<Error> fail(Error error);

}  // namespace quaestor
