// Structured logging: one JSON object a line, with level, time, message, trace id, node and typed fields.
// Secrets never reach a line: a Secret encodes as "***", and every registered secret is masked wherever it appears.
// Threads: log from anywhere; configure once, early in main().
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <type_traits>

namespace quaestor {

enum class LogLevel { debug, info, warning, error, off };
BOOST_DESCRIBE_ENUM(LogLevel, debug, info, warning, error, off)

struct LogSettings {
    LogLevel level = LogLevel::warning;  ///< lines below this level are not written
    std::string file;                    ///< path to append to; empty: standard error
};
BOOST_DESCRIBE_STRUCT(LogSettings, (), (level, file))

/// Opens the log. Until it is called, warnings and errors go to standard error.
[[nodiscard]] Result<> configure_log(const LogSettings& settings);

/// Sends every line of every level to `sink` instead; for tests. An empty function restores the configured log; once it
/// is back, `sink` is not called any more. The sink must not log.
void redirect_log(std::function<void(std::string_view line)> sink);

/// Who a line is about; fields that are empty are left out.
struct LogScope {
    std::string_view trace_id;  ///< the run
    std::string_view node;
};

namespace log {
void debug(std::string_view message, const json::object& fields = {}, LogScope scope = {});
void info(std::string_view message, const json::object& fields = {}, LogScope scope = {});
void warning(std::string_view message, const json::object& fields = {}, LogScope scope = {});
void error(std::string_view message, const json::object& fields = {}, LogScope scope = {});
}  // namespace log

/// A value that must not be seen: an API key, a password. Prints, logs and encodes as "***"; reveal() is the one way
/// in.
class Secret {
public:
    Secret() = default;
    /// Takes the value and registers it, so that it is masked in every log line; a value shorter than kSecretLengthMin
    /// would mask ordinary text and is not.
    explicit Secret(std::string value);
    [[nodiscard]] const std::string& reveal() const { return value_; }
    [[nodiscard]] bool empty() const { return value_.empty(); }

    friend std::ostream& operator<<(std::ostream& out, const Secret& secret);
    friend json::value encode_json(const Secret& secret);
    friend Result<Secret> decode_json(std::type_identity<Secret>, const json::value& value);

private:
    std::string value_;
};

inline constexpr std::size_t kSecretLengthMin = 4;

/// `text` with every registered secret, and the password of every URL in it, replaced by "***".
[[nodiscard]] std::string mask_secrets(std::string_view text);

}  // namespace quaestor
