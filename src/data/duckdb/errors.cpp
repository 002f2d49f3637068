#include "data/duckdb/errors.hpp"

#include "base/json.hpp"
#include "base/text.hpp"
#include "data/sql_text.hpp"

#include <boost/describe/class.hpp>
#include <fmt/format.h>

#include <charconv>
#include <string>

namespace quaestor::data {

namespace {

constexpr std::size_t kMessageColumnsMax = 500;

struct DuckdbMessage {
    std::string exception_type;
    std::string exception_message;
    std::string error_subtype;
    std::string position;
    std::string name;
    std::string candidates;
};
BOOST_DESCRIBE_STRUCT(DuckdbMessage, (), (exception_type, exception_message, error_subtype, position, name, candidates))

/// {"exception_type": …}; what the parser objects to comes with the type in front: Parser Error: {…}
DuckdbMessage read_message(const Error& error) {
    const auto begin = error.message.find('{');
    auto parsed = parse_json(std::string_view(error.message).substr(begin == std::string::npos ? 0 : begin));
    auto message = parsed ? decode<DuckdbMessage>(*parsed) : Result<DuckdbMessage>(fail(parsed.error()));
    if (!message) return {.exception_type = "Unknown", .exception_message = error.message};
    return std::move(*message);
}

/// The first line: what follows are candidates, which are told as a suggestion, and advice to a database's owner.
std::string first_line(const std::string& message) {
    return text::shorten(printable(message.substr(0, message.find('\n'))), kMessageColumnsMax);
}

std::string first_candidate(const std::string& candidates) {
    return printable(candidates.substr(0, candidates.find(',')));
}

Problem::Code problem_code(const DuckdbMessage& message) {
    if (message.exception_type == "Parser") return Problem::Code::syntax;
    if (message.error_subtype == "COLUMN_NOT_FOUND") return Problem::Code::unknown_column;
    if (message.error_subtype == "MISSING_ENTRY" && message.exception_message.starts_with("Table")) {
        return Problem::Code::unknown_table;
    }
    if (message.exception_message.find("does not have a column named") != std::string::npos) {
        return Problem::Code::unknown_column;
    }
    return Problem::Code::wrong_type;
}

Code fault_code(const DuckdbMessage& message) {
    const auto& type = message.exception_type;
    if (type == "Interrupt" || type == "INTERRUPT") return Code::cancelled;
    if (type == "Out of Memory" || type == "Object Size") return Code::limit_exceeded;
    if (type == "Permission") return Code::permission_denied;
    if (type == "Serialization") return Code::corrupt;
    if (type == "IO") return Code::unavailable;
    if (type == "FATAL" || type == "INTERNAL" || type == "Unknown") return Code::internal;
    return Code::invalid_argument;
}

}  // namespace

Result<Problem> duckdb_problem(const Error& error) {
    const DuckdbMessage message = read_message(error);
    if (fault_code(message) != Code::invalid_argument && fault_code(message) != Code::permission_denied) {
        return fail(duckdb_run_error(error));
    }
    Problem problem{
        .code = problem_code(message), .message = first_line(message.exception_message), .at = {}, .suggestion = {}};
    std::size_t at = 0;
    const auto& position = message.position;
    if (std::from_chars(position.data(), position.data() + position.size(), at).ec == std::errc()) problem.at = at;
    if (const auto meant = first_candidate(message.candidates); !meant.empty()) {
        problem.suggestion = fmt::format("did you mean {}?", meant);
    }
    return problem;
}

Error duckdb_run_error(const Error& error) {
    const DuckdbMessage message = read_message(error);
    const Code code = fault_code(message);
    if (code == Code::limit_exceeded) {
        return {code, "the query needs more memory than it may use", "ask for less: fewer rows, columns or groups"};
    }
    std::string hint(error.advice());
    if (const auto meant = first_candidate(message.candidates); !meant.empty()) {
        hint = fmt::format("did you mean {}?", meant);
    }
    return {code, first_line(message.exception_message), std::move(hint)};
}

}  // namespace quaestor::data
