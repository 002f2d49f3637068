#include "llm/providers/provider_error.hpp"

#include "base/log.hpp"
#include "base/text.hpp"
#include "llm/providers/wire.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ctime>
#include <iomanip>
#include <locale>
#include <sstream>

namespace quaestor::llm {

namespace {

/// What an error means to us; no_money is told apart because waiting does not help, and neither does another key.
struct Meaning {
    Fault fault;
    bool no_money = false;
};

struct Known {
    std::string_view name;
    Meaning meaning;
};

// Names that are specific enough to be believed before the HTTP status.
constexpr std::array kKnown{
    Known{"context_length_exceeded", {Fault::context_too_long}},
    Known{"exceed_context_size_error", {Fault::context_too_long}},
    Known{"string_above_max_length", {Fault::context_too_long}},
    Known{"request_too_large", {Fault::context_too_long}},
    Known{"invalid_api_key", {Fault::auth}},
    Known{"authentication_error", {Fault::auth}},
    Known{"permission_error", {Fault::auth}},
    Known{"API_KEY_INVALID", {Fault::auth}},
    Known{"UNAUTHENTICATED", {Fault::auth}},
    Known{"PERMISSION_DENIED", {Fault::auth}},
    Known{"insufficient_quota", {Fault::auth, true}},
    Known{"billing_hard_limit_reached", {Fault::auth, true}},
    Known{"billing_not_active", {Fault::auth, true}},
    Known{"billing_error", {Fault::auth, true}},
    Known{"rate_limit_exceeded", {Fault::rate_limited}},
    Known{"rate_limit_error", {Fault::rate_limited}},
    Known{"RESOURCE_EXHAUSTED", {Fault::rate_limited}},
    Known{"content_policy_violation", {Fault::refused}},
    Known{"content_filter", {Fault::refused}},
    Known{"invalid_prompt", {Fault::refused}},
    Known{"model_not_found", {Fault::bad_request}},
    Known{"not_found_error", {Fault::bad_request}},
    Known{"overloaded_error", {Fault::overloaded}},
    Known{"UNAVAILABLE", {Fault::overloaded}},
    Known{"timeout_error", {Fault::timeout}},
    Known{"DEADLINE_EXCEEDED", {Fault::timeout}},
};

// Where a provider has no name for it, only words.
constexpr std::array<std::string_view, 7> kLengthPhrases{
    "maximum context length", "prompt is too long", "exceed context limit",    "context size",
    "context window",         "input token count",  "maximum number of tokens"};
constexpr std::array<std::string_view, 2> kRefusalPhrases{"content filtering policy", "content management policy"};
constexpr std::array<std::string_view, 2> kMoneyPhrases{"credit balance is too low", "insufficient balance"};

template <std::size_t N>
bool speaks_of(std::string_view message, const std::array<std::string_view, N>& phrases) {
    std::string lower(message);
    std::ranges::transform(lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    return std::ranges::any_of(phrases, [&](std::string_view phrase) { return lower.contains(phrase); });
}

std::optional<Meaning> meaning_of_name(std::string_view name) {
    const auto found = std::ranges::find(kKnown, name, &Known::name);
    return found == kKnown.end() ? std::nullopt : std::optional(found->meaning);
}

/// Only where the status leaves it open: a limit on tokens a minute speaks of tokens, too.
std::optional<Meaning> meaning_of_words(const ProviderSays& says) {
    if (says.status == 401 || says.status == 403 || says.status == 429) return std::nullopt;
    if (speaks_of(says.message, kLengthPhrases)) return Meaning{Fault::context_too_long};
    if (speaks_of(says.message, kRefusalPhrases)) return Meaning{Fault::refused};
    if (speaks_of(says.message, kMoneyPhrases)) return Meaning{Fault::auth, true};
    return std::nullopt;
}

Meaning meaning_of_status(int status) {
    switch (status) {
        case 401:
        case 403:
            return {Fault::auth};
        case 402:
            return {Fault::auth, true};
        case 408:
        case 504:
            return {Fault::timeout};
        case 413:
            return {Fault::context_too_long};
        case 429:
            return {Fault::rate_limited};
        default:
            return {status >= 500 ? Fault::overloaded : Fault::bad_request};
    }
}

Meaning meaning_of(const ProviderSays& says) {
    if (const auto meaning = meaning_of_name(says.code)) return *meaning;
    if (const auto meaning = meaning_of_name(says.type)) return *meaning;
    if (const auto meaning = meaning_of_words(says)) return *meaning;
    if (says.status != 0) return meaning_of_status(says.status);
    const bool is_ours = says.type.starts_with("invalid") || says.type.starts_with("INVALID");
    return {is_ours ? Fault::bad_request : Fault::overloaded};
}

std::string words_for(const Meaning& meaning, const ProviderSays& says) {
    if (meaning.no_money) return "the account has no credit left";
    switch (meaning.fault) {
        case Fault::auth:
            return "the key was refused";
        case Fault::rate_limited:
            return "too many requests for now";
        case Fault::overloaded:
            return "the provider is overloaded or has a fault of its own";
        case Fault::context_too_long:
            return "the request is too long for this model";
        case Fault::refused:
            return "the provider will not answer this content";
        case Fault::timeout:
            return "the provider gave no answer in time";
        default:
            break;
    }
    if (says.status == 404 || says.code == "model_not_found") return "the provider knows no such model or address";
    if (says.status >= 300 && says.status < 400) return "the server sends us elsewhere instead of answering";
    return "the provider does not understand the request";
}

/// True for what the providers' keys look like, and for what begins like ours: some show the beginning of a wrong one.
bool looks_like_key(std::string_view word, std::string_view key) {
    constexpr std::array<std::string_view, 6> kBeginnings{"sk-", "sk_", "gsk_", "AIza", "xai-", "hf_"};
    constexpr std::size_t kLengthMin = 8;
    if (word.size() < kLengthMin) return false;
    if (key.size() >= kLengthMin && word.starts_with(key.substr(0, kLengthMin / 2))) return true;
    return std::ranges::any_of(kBeginnings, [&](std::string_view begin) { return word.starts_with(begin); });
}

bool is_key_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '*' || c == '.';
}

std::string without_keys(std::string_view text, std::string_view key) {
    std::string masked;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_key_character(text[end])) ++end;
        const std::string_view word = text.substr(at, end - at);
        masked += looks_like_key(word, key) ? std::string_view("***") : word;
        if (end < text.size()) masked += text[end++];
        at = end;
    }
    return masked;
}

std::string with_whole_key_masked(std::string text, std::string_view key) {
    if (key.size() < kSecretLengthMin) return text;
    for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 3))
        text.replace(at, key.size(), "***");
    return text;
}

std::optional<WallTime> http_date(std::string_view text) {
    std::istringstream in{std::string(text)};
    in.imbue(std::locale::classic());
    std::tm parts{};
    in >> std::get_time(&parts, "%a, %d %b %Y %H:%M:%S");
    if (in.fail()) return std::nullopt;
    const std::chrono::year_month_day day(std::chrono::year(parts.tm_year + 1900),
                                          std::chrono::month(static_cast<unsigned>(parts.tm_mon + 1)),
                                          std::chrono::day(static_cast<unsigned>(parts.tm_mday)));
    if (!day.ok()) return std::nullopt;
    return std::chrono::sys_days(day) + std::chrono::hours(parts.tm_hour) + std::chrono::minutes(parts.tm_min) +
           std::chrono::seconds(parts.tm_sec);
}

std::optional<double> number_from(std::string_view text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

std::optional<Duration> bounded(double seconds) {
    if (!std::isfinite(seconds) || seconds < 0) return std::nullopt;
    const std::chrono::duration<double> time(std::min(seconds, std::chrono::duration<double>(kRetryAfterMax).count()));
    return std::chrono::duration_cast<Duration>(time);
}

}  // namespace

ModelError provider_error(const Endpoint& endpoint, const ProviderSays& says) {
    const Meaning meaning = meaning_of(says);
    std::string what = words_for(meaning, says);
    if (says.status != 0) what += fmt::format(" (HTTP {})", says.status);
    if (const std::string shown = shown_words(says.message, endpoint.key); !shown.empty())
        what += fmt::format(": {}", shown);
    ModelError told = fault(meaning.fault, endpoint.name, std::move(what), says.retry_after).error();
    if (meaning.no_money)
        told.error.hint = "waiting does not help: look at billing and credits in the account at the provider";
    return told;
}

ProviderSays says_of(const json::value& error) {
    if (error.is_string()) return {.message = std::string(error.get_string())};
    const json::object* object = error.if_object();
    if (!object) return {};
    ProviderSays says{.code = std::string(wire::text_at(*object, "code")),
                      .type = std::string(wire::text_at(*object, "type")),
                      .message = std::string(wire::text_at(*object, "message"))};
    // Servers that put the HTTP status of an error into the stream.
    const std::int64_t number = wire::count_at(*object, "code");
    if (number >= 400 && number < 600) says.status = static_cast<int>(number);
    return says;
}

ProviderSays says_of(const net::HttpResponse& response, ReadError read) {
    ProviderSays says;
    const auto body = parse_json(response.body);
    if (body && body->is_object()) says = read(body->get_object());
    // A proxy's page is of no use to a person; a line of text may be.
    if (!body && !text::trim(response.body).starts_with('<')) says.message = response.body;
    says.status = response.status;
    if (!says.retry_after) says.retry_after = retry_after_of(response);
    return says;
}

std::string shown_words(std::string_view words, std::string_view key) {
    // Keys are taken out before the text is cut, so that no half of one is left at the end.
    constexpr std::size_t kReadMax = 4096;
    std::string shown = with_whole_key_masked(mask_secrets(words.substr(0, kReadMax)), key);
    shown = text::clean(without_keys(shown, key));
    std::ranges::replace_if(shown, [](char c) { return (c >= 0 && c < 0x20) || c == 0x7f; }, ' ');
    return text::shorten(text::trim(shown), kProviderWordsMax);
}

std::optional<Duration> seconds_from(std::string_view text) {
    text = text::trim(text);
    if (text.ends_with('s')) text.remove_suffix(1);
    const auto seconds = number_from(text);
    return seconds ? bounded(*seconds) : std::nullopt;
}

std::optional<Duration> retry_after_of(const net::HttpResponse& response) {
    if (const auto header = response.header("retry-after-ms"))
        if (const auto milliseconds = number_from(text::trim(*header))) return bounded(*milliseconds / 1000);
    const auto header = response.header("retry-after");
    if (!header) return std::nullopt;
    if (const auto seconds = seconds_from(*header)) return seconds;
    const auto when = http_date(*header);
    if (!when) return std::nullopt;
    // By the server's own clock where it tells the time: ours may be wrong.
    const auto date = response.header("date");
    const WallTime now = (date ? http_date(*date) : std::nullopt).value_or(system_clock().wall());
    return bounded(std::max(0.0, std::chrono::duration<double>(*when - now).count()));
}

}  // namespace quaestor::llm
