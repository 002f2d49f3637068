#include "base/log.hpp"

#include "base/clock.hpp"

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <ostream>
#include <shared_mutex>
#include <vector>

namespace quaestor {

namespace {

constexpr std::string_view kMask = "***";

// ---- Secrets

class SecretRegistry {
public:
    void add(std::string_view secret) {
        if (secret.size() < kSecretLengthMin) return;
        const std::string quoted = to_text(json::value(secret));
        const std::unique_lock lock(mutex_);
        remember(secret);
        remember(std::string_view(quoted).substr(1, quoted.size() - 2));
    }

    template <class Visit>
    void for_each(Visit visit) const {
        const std::shared_lock lock(mutex_);
        for (const std::string& form : forms_) visit(form);
    }

private:
    void remember(std::string_view form) {
        if (std::ranges::find(forms_, form) == forms_.end()) forms_.emplace_back(form);
    }

    mutable std::shared_mutex mutex_;
    std::vector<std::string> forms_;  ///< each secret as it is and as it looks inside JSON text
};

/// Never destroyed: threads may log while the program ends.
SecretRegistry& secret_registry() {
    static SecretRegistry& registry = *new SecretRegistry;
    return registry;
}

struct Stretch {
    std::size_t begin;
    std::size_t end;
};

void find_registered(std::string_view text, std::vector<Stretch>& found) {
    secret_registry().for_each([&](std::string_view form) {
        for (auto at = text.find(form); at != std::string_view::npos; at = text.find(form, at + 1)) {
            found.push_back({at, at + form.size()});
        }
    });
}

/// The password in `after_scheme`, the part of a URL behind "://" together with whatever follows the URL.
std::optional<Stretch> find_password(std::string_view after_scheme) {
    constexpr std::string_view kEndOfUrl = " \t\r\n\"'<>`";
    const std::string_view url = after_scheme.substr(0, after_scheme.find_first_of(kEndOfUrl));
    const std::string_view authority = url.substr(0, url.find_first_of("/?#"));
    const std::size_t colon = authority.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    std::size_t at = authority.rfind('@');
    if (at == std::string_view::npos) {
        // A password with a bare '/', '?' or '#' ends the authority early. What is no port is taken for such a
        // password.
        const bool is_port = authority.find_first_not_of("0123456789", colon + 1) == std::string_view::npos;
        if (!is_port) at = url.rfind('@');
    }
    if (at == std::string_view::npos || at <= colon + 1) return std::nullopt;
    return Stretch{colon + 1, at};
}

void find_url_passwords(std::string_view text, std::vector<Stretch>& found) {
    constexpr std::string_view kSeparator = "://";
    for (auto at = text.find(kSeparator); at != std::string_view::npos; at = text.find(kSeparator, at + 1)) {
        const std::size_t begin = at + kSeparator.size();
        if (const auto password = find_password(text.substr(begin))) {
            found.push_back({begin + password->begin, begin + password->end});
        }
    }
}

json::value masked(const json::value& value) {
    if (value.is_string()) return json::value(mask_secrets(value.get_string()));
    if (value.is_number()) {
        const std::string text = to_text(value);
        const std::string safe = mask_secrets(text);
        return safe == text ? value : json::value(safe);
    }
    if (value.is_array()) {
        json::array array;
        for (const json::value& item : value.get_array()) array.push_back(masked(item));
        return array;
    }
    if (value.is_object()) {
        json::object object;
        for (const auto& [key, item] : value.get_object()) object.emplace(mask_secrets(key), masked(item));
        return object;
    }
    return value;
}

// ---- Lines

std::string make_line(LogLevel level, std::string_view message, const json::object& fields, LogScope scope) {
    json::object line;
    line.reserve(fields.size() + 5);
    line.emplace("time", to_iso8601(system_clock().wall()));
    line.emplace("level", encode(level));
    // Strings are masked before they are written, not in the finished line, which a secret such as "true" would break.
    line.emplace("message", mask_secrets(message));
    if (!scope.trace_id.empty()) line.emplace("trace_id", mask_secrets(scope.trace_id));
    if (!scope.node.empty()) line.emplace("node", mask_secrets(scope.node));
    for (const auto& [key, value] : fields) {
        std::string name = mask_secrets(key);
        while (line.contains(name)) name += '_';
        line.emplace(name, masked(value));
    }
    return to_text(line);
}

spdlog::level::level_enum to_spdlog(LogLevel level) {
    switch (level) {
        case LogLevel::debug:
            return spdlog::level::debug;
        case LogLevel::info:
            return spdlog::level::info;
        case LogLevel::warning:
            return spdlog::level::warn;
        case LogLevel::error:
            return spdlog::level::err;
        case LogLevel::off:
            break;
    }
    return spdlog::level::off;
}

class FunctionSink final : public spdlog::sinks::base_sink<std::mutex> {
public:
    explicit FunctionSink(std::function<void(std::string_view)> function) : function_(std::move(function)) {}

private:
    void sink_it_(const spdlog::details::log_msg& message) override {
        function_(std::string_view(message.payload.data(), message.payload.size()));
    }
    void flush_() override {}

    std::function<void(std::string_view)> function_;
};

std::unique_ptr<spdlog::logger> make_logger(spdlog::sink_ptr sink, LogLevel level) {
    auto logger = std::make_unique<spdlog::logger>("quaestor", std::move(sink));
    logger->set_pattern("%v");
    logger->set_level(to_spdlog(level));
    logger->flush_on(spdlog::level::trace);
    return logger;
}

/// The configured logger and, in tests, the one that takes its place.
class Log {
public:
    void configure(std::unique_ptr<spdlog::logger> logger) {
        const std::lock_guard lock(mutex_);
        configured_ = std::move(logger);
        update_level();
    }

    void redirect(std::unique_ptr<spdlog::logger> logger) {
        const std::lock_guard lock(mutex_);
        redirected_ = std::move(logger);
        update_level();
    }

    [[nodiscard]] bool wants(LogLevel level) const {
        return to_spdlog(level) >= level_.load(std::memory_order_relaxed);
    }

    void write(LogLevel level, std::string_view line) {
        const std::lock_guard lock(mutex_);
        const auto& logger = redirected_ ? redirected_ : configured_;
        logger->log(to_spdlog(level), spdlog::string_view_t(line.data(), line.size()));
    }

private:
    void update_level() { level_ = (redirected_ ? redirected_ : configured_)->level(); }

    std::mutex mutex_;
    std::unique_ptr<spdlog::logger> configured_ =
        make_logger(std::make_shared<spdlog::sinks::stderr_sink_mt>(), LogSettings().level);
    std::unique_ptr<spdlog::logger> redirected_;
    std::atomic<spdlog::level::level_enum> level_ = configured_->level();
};

/// Never destroyed: threads may log while the program ends.
Log& the_log() {
    static Log& log = *new Log;
    return log;
}

void write(LogLevel level, std::string_view message, const json::object& fields, LogScope scope) {
    try {
        if (the_log().wants(level)) the_log().write(level, make_line(level, message, fields, scope));
    } catch (...) {
        std::fputs("a log line was lost\n", stderr);
    }
}

}  // namespace

Result<> configure_log(const LogSettings& settings) {
    try {
        spdlog::sink_ptr sink;
        if (settings.file.empty()) {
            sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
        } else {
            sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(settings.file);
        }
        the_log().configure(make_logger(std::move(sink), settings.level));
        return {};
    } catch (const std::exception& error) {
        return fail(Code::unavailable, fmt::format("could not open the log file {}: {}", settings.file, error.what()),
                    "check that its folder can be written, or log to standard error");
    }
}

void redirect_log(std::function<void(std::string_view line)> sink) {
    if (!sink) return the_log().redirect(nullptr);
    the_log().redirect(make_logger(std::make_shared<FunctionSink>(std::move(sink)), LogLevel::debug));
}

namespace log {

void debug(std::string_view message, const json::object& fields, LogScope scope) {
    write(LogLevel::debug, message, fields, scope);
}

void info(std::string_view message, const json::object& fields, LogScope scope) {
    write(LogLevel::info, message, fields, scope);
}

void warning(std::string_view message, const json::object& fields, LogScope scope) {
    write(LogLevel::warning, message, fields, scope);
}

void error(std::string_view message, const json::object& fields, LogScope scope) {
    write(LogLevel::error, message, fields, scope);
}

}  // namespace log

Secret::Secret(std::string value) : value_(std::move(value)) {
    secret_registry().add(value_);
}

std::ostream& operator<<(std::ostream& out, const Secret& secret) {
    return out << (secret.empty() ? std::string_view() : kMask);
}

json::value encode_json(const Secret& secret) {
    return json::value(secret.empty() ? std::string_view() : kMask);
}

Result<Secret> decode_json(std::type_identity<Secret>, const json::value& value) {
    auto text = decode<std::string>(value);
    if (!text) return fail(std::move(text.error()));
    return Secret(std::move(*text));
}

std::string mask_secrets(std::string_view text) {
    std::vector<Stretch> found;
    find_registered(text, found);
    find_url_passwords(text, found);
    std::ranges::sort(found, {}, &Stretch::begin);
    std::string out;
    out.reserve(text.size());
    std::size_t copied = 0;
    for (const Stretch& secret : found) {
        if (secret.end <= copied) continue;
        // A stretch that begins inside the one before only makes it longer.
        if (secret.begin >= copied) out.append(text, copied, secret.begin - copied).append(kMask);
        copied = secret.end;
    }
    return out.append(text, copied);
}

}  // namespace quaestor
