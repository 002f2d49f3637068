#include "data/postgres/errors.hpp"

#include "base/log.hpp"
#include "base/sqlstate.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace quaestor::data::postgres {

namespace {

/// Longest piece of the server's words that a message repeats.
constexpr std::size_t kShownColumns = 300;

constexpr std::string_view kWhenUnreachable = "check that the PostgreSQL server runs and accepts connections";
constexpr std::string_view kWhenTooMuch = "ask for less at once: fewer rows, fewer or shorter values";

struct Meaning {
    std::string_view sqlstate;  ///< or how it begins; the first that fits counts
    Code code;
    std::string_view hint;
};

constexpr auto kMeanings = std::to_array<Meaning>({
    {"08", Code::unavailable, kWhenUnreachable},
    {"57P", Code::unavailable, kWhenUnreachable},
    {"57014", Code::cancelled, "somebody stopped the query in the PostgreSQL server"},
    {"532", Code::limit_exceeded, kWhenTooMuch},
    {"534", Code::limit_exceeded, kWhenTooMuch},
    {"53", Code::unavailable, "the PostgreSQL server ran out of disk or connections; make room there"},
    {"54", Code::limit_exceeded, kWhenTooMuch},
    {"55P03", Code::timeout, "something holds a lock on a table; try again"},
    {"28", Code::permission_denied, "check the user and password in the URL"},
    {"42501", Code::permission_denied, "let the PostgreSQL user read the table"},
    {"25006", Code::permission_denied, "only reading is allowed"},
    {"3D000", Code::not_found, "create the database, or correct its name in the URL"},
    {"40", Code::unavailable, "try again"},
    {"58", Code::unavailable, "the PostgreSQL server has trouble with its files; see its log"},
    {"XX001", Code::corrupt, "the PostgreSQL server found damaged data; see its log"},
    {"XX002", Code::corrupt, "the PostgreSQL server found a damaged index; see its log"},
    {"XX", Code::internal, "see the log of the PostgreSQL server"},
});

/// A value of a gigabyte is an internal error to PostgreSQL, but it is the statement's own doing.
bool is_too_large(std::string_view sqlstate, std::string_view message) {
    return sqlstate == "XX000" && message.contains("invalid memory alloc request size");
}

Error error_of(std::string_view sqlstate, std::string_view message) {
    const auto text = fmt::format("PostgreSQL: {}", for_people(message));
    if (is_too_large(sqlstate, message)) {
        return {.code = Code::limit_exceeded, .message = text, .hint = std::string(kWhenTooMuch), .cause = {}};
    }
    const auto* const meaning = std::ranges::find_if(
        kMeanings, [&](const Meaning& candidate) { return sqlstate.starts_with(candidate.sqlstate); });
    if (meaning == kMeanings.end()) {
        return {.code = Code::invalid_argument, .message = text, .hint = {}, .cause = {}};
    }
    return {.code = meaning->code, .message = text, .hint = std::string(meaning->hint), .cause = {}};
}

std::optional<Problem::Code> problem_code(std::string_view sqlstate) {
    if (sqlstate == "42703") return Problem::Code::unknown_column;
    if (sqlstate == "42P01" || sqlstate == "3F000") return Problem::Code::unknown_table;
    if (sqlstate == "42601") return Problem::Code::syntax;
    if (sqlstate.starts_with("54")) return Problem::Code::too_deep;
    for (const std::string_view mistake : {"42", "22", "0A", "21"}) {
        if (sqlstate != "42501" && sqlstate.starts_with(mistake)) return Problem::Code::wrong_type;
    }
    return std::nullopt;
}

/// "orders.amount" of: Perhaps you meant to reference the column "orders.amount".
std::optional<std::string_view> quoted_in(std::string_view hint) {
    const auto begin = hint.find('"');
    const auto end = begin == hint.npos ? hint.npos : hint.find('"', begin + 1);
    if (end == hint.npos) return std::nullopt;
    return hint.substr(begin + 1, end - begin - 1);
}

}  // namespace

std::optional<std::size_t> byte_offset(std::string_view sql, std::size_t character) {
    if (character == 0) return std::nullopt;
    std::size_t at = 0;
    for (std::size_t passed = 1; passed < character && at < sql.size(); ++passed) {
        ++at;
        while (at < sql.size() && (static_cast<unsigned char>(sql[at]) & 0xC0) == 0x80) ++at;
    }
    return at;
}

std::string for_people(std::string_view text) {
    std::string line = mask_secrets(text);
    std::ranges::replace_if(line, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
    return std::string(text::trim(text::shorten(line, kShownColumns)));
}

Failure server_failure(std::string_view sqlstate, std::string_view message, std::string_view hint,
                       std::size_t position) {
    return {.error = error_of(sqlstate, message),
            .sqlstate = std::string(sqlstate),
            .message = for_people(message),
            .hint = for_people(hint),
            .position = position};
}

std::unexpected<Failure> own_failure(Error error) {
    return std::unexpected(Failure{.error = std::move(error), .sqlstate = {}, .message = {}, .hint = {}});
}

Error connect_error(std::string_view libpq_message, bool needs_password) {
    if (const auto refusal = find_refusal(libpq_message)) return error_of(refusal->sqlstate, refusal->message);
    auto message = fmt::format("could not connect to PostgreSQL: {}", for_people(libpq_message));
    if (needs_password) {
        return {.code = Code::permission_denied,
                .message = std::move(message),
                .hint = "put a password into the URL",
                .cause = {}};
    }
    return {
        .code = Code::unavailable, .message = std::move(message), .hint = std::string(kWhenUnreachable), .cause = {}};
}

Error lost_error(std::string_view libpq_message) {
    return {.code = Code::unavailable,
            .message = fmt::format("the connection to PostgreSQL was lost: {}", for_people(libpq_message)),
            .hint = std::string(kWhenUnreachable),
            .cause = {}};
}

bool ends_connection(std::string_view sqlstate) {
    return sqlstate.starts_with("57P") || sqlstate.starts_with("08");
}

std::optional<Problem> problem_of(const Failure& failure, std::string_view sql) {
    const auto code = problem_code(failure.sqlstate);
    if (!code) return std::nullopt;
    Problem problem{.code = *code,
                    .message = failure.message,
                    .at = byte_offset(sql, failure.position),
                    .suggestion = failure.hint};
    if (code == Problem::Code::unknown_column) {
        const auto meant = quoted_in(failure.hint);
        problem.suggestion = meant ? fmt::format("did you mean \"{}\"?", *meant) : std::string();
    }
    return problem;
}

}  // namespace quaestor::data::postgres
