#include "data/sqlite/prepare.hpp"

#include "base/text.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>

namespace quaestor::data::sqlite {

namespace {

/// Words of a statement that are looked up as tables when the nearest column is sought.
constexpr std::size_t kNamesLookedUp = 200;

constexpr const char* kTableNamesQuery =
    "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
constexpr const char* kColumnNamesQuery = "SELECT name FROM pragma_table_info(?1)";

constexpr std::array<std::string_view, 20> kOtherVerbs = {
    "alter",   "analyze", "attach", "begin",   "commit",  "create",  "delete",   "detach",    "drop",   "end",
    "explain", "insert",  "pragma", "reindex", "release", "replace", "rollback", "savepoint", "update", "vacuum"};

/// Texts of SQLite's that mean the statement is larger than it wants to work on.
constexpr std::array<std::string_view, 4> kTooLarge = {"tree is too large", "stack overflow", "too many terms",
                                                       "too many columns"};

constexpr const char* kAskRows = "ask for rows with SELECT";
constexpr const char* kAskCatalogue = "the catalogue has tables, columns and keys: quaestor catalog show SOURCE";

Problem syntax(std::string message, std::optional<std::size_t> at) {
    return {.code = Problem::Code::syntax,
            .message = std::move(message),
            .at = at,
            .suggestion = "check the statement against SQLite's SELECT"};
}

Problem not_a_query(std::string_view what, std::string_view suggestion) {
    return {.code = Problem::Code::not_a_query,
            .message = fmt::format("{} is not allowed: only one SELECT may run", what),
            .at = {},
            .suggestion = std::string(suggestion)};
}

std::string upper(std::string_view verb) {
    std::string shown(verb);
    for (char& c : shown) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    return shown;
}

/// What can be said without asking SQLite.
std::optional<Problem> objection_to(std::string_view sql, const StatementText& text) {
    if (const std::size_t at = sql.find('\0'); at != std::string_view::npos) {
        return syntax("a statement cannot hold a NUL character", at);
    }
    if (text.is_blank()) {
        return Problem{
            .code = Problem::Code::empty, .message = "there is no statement", .at = {}, .suggestion = kAskRows};
    }
    const bool is_other = std::ranges::find(kOtherVerbs, text.verb()) != kOtherVerbs.end();
    if (!is_other) return std::nullopt;
    return not_a_query(upper(text.verb()), text.verb() == "pragma" ? kAskCatalogue : kAskRows);
}

/// What is wrong with a statement that SQLite took.
std::optional<Problem> objection_to(const Prepared& prepared, std::string_view sql, std::size_t end,
                                    const Observed& observed, const StatementText& text) {
    sqlite3_stmt* const statement = prepared.statement.get();
    for (const SqlToken& token : tokens_of(sql.substr(end), Dialect::sqlite)) {
        if (token.text == ";") continue;
        return Problem{.code = Problem::Code::several_statements,
                       .message = "there is a second statement; exactly one is allowed",
                       .at = end + token.at,
                       .suggestion = "send them one by one"};
    }
    if (sqlite3_stmt_isexplain(statement) != 0 || sqlite3_stmt_readonly(statement) == 0 ||
        sqlite3_column_count(statement) == 0) {
        return not_a_query("what the statement does", kAskRows);
    }
    if (sqlite3_bind_parameter_count(statement) > 0) {
        return Problem{.code = Problem::Code::forbidden,
                       .message = "the statement has placeholders, for which there are no values",
                       .at = {},
                       .suggestion = "write the values into the statement"};
    }
    for (const auto& read : observed.reads) {
        // The authorizer lets their ROWID pass.
        if (!lower(read.table).starts_with("sqlite_") || !text.find_name(read.table)) continue;
        return Problem{.code = Problem::Code::forbidden,
                       .message = fmt::format("{} belongs to SQLite itself", read.table),
                       .at = text.find_name(read.table),
                       .suggestion = kAskCatalogue};
    }
    return std::nullopt;
}

/// Turns a message of SQLite's into a problem.
class Explainer {
public:
    Explainer(Connection& connection, const StatementText& text) : connection_(connection), text_(text) {
        const int offset = sqlite3_error_offset(connection.handle());
        if (offset >= 0) at_ = static_cast<std::size_t>(offset);
        message_ = connection.message();
    }

    void explain(Prepared& prepared) {
        if (const auto table = after("no such table: ")) return missing_table(*table, prepared);
        if (const auto column = after("no such column: ")) return missing_column(*column, prepared);
        if (const auto function = after("no such function: ")) return missing_function(*function, prepared);
        const auto says = [&](std::string_view part) { return message_.find(part) != std::string::npos; };
        Problem problem{.code = Problem::Code::wrong_type, .message = message_, .at = at_, .suggestion = {}};
        if (says("syntax error") || says("incomplete input") || says("unrecognized token")) {
            problem = syntax(message_, at_);
        } else if (std::ranges::any_of(kTooLarge, says)) {
            problem.code = Problem::Code::too_deep;
            problem.suggestion = "ask for less at once";
        } else if (says("ambiguous column name")) {
            problem.suggestion = "write the table in front: table.column";
        }
        prepared.problems.push_back(std::move(problem));
    }

private:
    [[nodiscard]] std::optional<std::string> after(std::string_view beginning) const {
        if (!message_.starts_with(beginning)) return std::nullopt;
        return message_.substr(beginning.size());
    }

    void missing_table(const std::string& name, Prepared& prepared) {
        Mention mention{.database = {}, .schema = {}, .name = name, .at = text_.find_name(name)};
        const std::size_t dot = name.find('.');
        if (!mention.at && dot != std::string::npos) {
            mention.schema = name.substr(0, dot);
            mention.name = name.substr(dot + 1);
            mention.at = text_.find_name(mention.name);
        }
        if (!mention.at) return broken_view(prepared);
        if (mention.schema.empty() && text_.find_call(mention.name)) return missing_function(mention.name, prepared);
        const auto meant = text::nearest(mention.name, connection_.first_column(kTableNamesQuery));
        prepared.problems.push_back({.code = Problem::Code::unknown_table,
                                     .message = fmt::format("there is no table \"{}\"", name),
                                     .at = mention.at,
                                     .suggestion = meant ? fmt::format("did you mean \"{}\"?", *meant)
                                                         : "see what there is: quaestor catalog show SOURCE"});
        prepared.missing_table = std::move(mention);
    }

    void missing_column(const std::string& name, Prepared& prepared) {
        const std::size_t dot = text_.find_name(name) ? std::string::npos : name.rfind('.');
        const std::string column = dot == std::string::npos ? name : name.substr(dot + 1);
        const std::string qualifier = dot == std::string::npos ? "" : name.substr(0, dot + 1);
        const auto at = at_ ? at_ : text_.find_name(column);
        if (!at) return broken_view(prepared);
        const auto meant = text::nearest(column, columns_in_reach());
        std::string suggestion = meant ? fmt::format("did you mean \"{}{}\"?", qualifier, *meant) : "";
        if (text_.is_quoted_at(*at)) suggestion += fmt::format("{}texts stand in single quotes", meant ? " " : "");
        prepared.problems.push_back({.code = Problem::Code::unknown_column,
                                     .message = fmt::format("there is no column \"{}\"", name),
                                     .at = at,
                                     .suggestion = std::move(suggestion)});
    }

    void missing_function(const std::string& name, Prepared& prepared) {
        Mention mention{.database = {}, .schema = {}, .name = lower(name), .at = text_.find_call(name)};
        const bool is_harmless = is_harmless_function(Dialect::sqlite, mention.name);
        prepared.problems.push_back(
            {.code = is_harmless ? Problem::Code::wrong_type : Problem::Code::forbidden_function,
             .message = fmt::format("this SQLite has no function {}()", name),
             .at = mention.at,
             .suggestion = {}});
        if (!is_harmless) prepared.missing_function = std::move(mention);
    }

    void broken_view(Prepared& prepared) {
        prepared.problems.push_back({.code = Problem::Code::wrong_type,
                                     .message = fmt::format("a view that the statement reads is broken: {}", message_),
                                     .at = {},
                                     .suggestion = "read the tables behind it"});
    }

    [[nodiscard]] std::vector<std::string> columns_in_reach() {
        std::vector<std::string> columns;
        auto names = text_.names();
        names.resize(std::min(names.size(), kNamesLookedUp));
        for (const auto& name : names) {
            if (text_.is_cte(name)) continue;
            for (auto& column : connection_.first_column(kColumnNamesQuery, name)) columns.push_back(std::move(column));
        }
        return columns;
    }

    Connection& connection_;
    const StatementText& text_;
    std::string message_;
    std::optional<std::size_t> at_;
};

}  // namespace

Result<Prepared> prepare(Connection& connection, const Connection::Oversight& oversight, std::string_view sql,
                         const StatementText& text, const CancelToken& stop) {
    Prepared prepared;
    if (auto problem = objection_to(sql, text)) {
        prepared.problems.push_back(std::move(*problem));
        return prepared;
    }
    std::size_t end = 0;
    const int code = connection.prepare(sql, prepared.statement, end);
    prepared.problems = oversight.observed().refusals;
    if (!prepared.problems.empty()) return prepared;
    if (code == SQLITE_OK) {
        auto problem = objection_to(prepared, sql, end, oversight.observed(), text);
        if (problem) prepared.problems.push_back(std::move(*problem));
        return prepared;
    }
    const int primary = code & 0xff;
    if (primary == SQLITE_ERROR || primary == SQLITE_TOOBIG) {
        Explainer(connection, text).explain(prepared);
        return prepared;
    }
    return fail(connection.error(code, stop));
}

}  // namespace quaestor::data::sqlite
