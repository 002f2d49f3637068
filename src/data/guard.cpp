#include "data/guard.hpp"

#include "base/text.hpp"
#include "data/sql_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

namespace quaestor::data {

namespace {

/// Errors and warnings that are told; whoever has mended these may ask again.
constexpr std::size_t kProblemsMax = 20;

/// Schemas that hold the engine's own functions.
constexpr std::array<std::string_view, 4> kFunctionSchemas = {"", "main", "pg_catalog", "system"};

Reading read(Dialect dialect, std::string_view sql) {
    switch (dialect) {
        case Dialect::duckdb:
            return read_duckdb(sql);
        case Dialect::postgres:
            return read_postgres(sql);
        case Dialect::sqlite:
            return read_sqlite(sql);
    }
    std::unreachable();
}

/// Statements may name a thing thousands of times.
class Once {
public:
    [[nodiscard]] bool is_new(const std::string& name) { return seen_.insert(name).second; }

private:
    std::unordered_set<std::string> seen_;
};

std::string written(const Mention& mention) {
    std::string name;
    for (const auto& part : {mention.database, mention.schema}) {
        if (!part.empty()) name += part + ".";
    }
    return name + mention.name;
}

Problem forbidden_function(Dialect dialect, const Mention& function) {
    return {.code = Problem::Code::forbidden_function,
            .message = fmt::format("the function {}() is not among those known to be harmless in {}", written(function),
                                   title_of(dialect)),
            .at = function.at,
            .suggestion =
                "use functions that compute from the values they are given; files, settings, sequences, "
                "other databases and text run as SQL are out of reach"};
}

Problem unknown_table(const Mention& relation, const TableNames& tables) {
    const auto meant = tables.nearest(relation);
    const bool looks_like_file = relation.name.find_first_of("./\\:*") != std::string::npos;
    return {.code = Problem::Code::unknown_table,
            .message = fmt::format("there is no table \"{}\"", written(relation)),
            .at = relation.at,
            .suggestion = meant             ? fmt::format("did you mean \"{}\"?", *meant)
                          : looks_like_file ? "files cannot be read from a query; open the file or folder as the source"
                                            : "see what there is: quaestor catalog show SOURCE"};
}

/// What can be said before any parser sees the text.
std::optional<Problem> refusal_unread(std::string_view sql) {
    if (sql.size() > kSqlBytesMax) {
        return Problem{
            .code = Problem::Code::too_long,
            .message = fmt::format("the statement has {} bytes; at most {} are looked at", sql.size(), kSqlBytesMax),
            .at = {},
            .suggestion = "ask for less at once"};
    }
    // To an engine the text would end there, whatever stands behind it.
    if (const auto zero = sql.find('\0'); zero != std::string_view::npos) {
        return Problem{.code = Problem::Code::syntax,
                       .message = "the statement has a zero byte in it",
                       .at = zero,
                       .suggestion = "write it as text"};
    }
    if (!text::is_utf8(sql)) {
        return Problem{.code = Problem::Code::syntax,
                       .message = "the statement is not UTF-8 text",
                       .at = {},
                       .suggestion = "write it as UTF-8"};
    }
    return std::nullopt;
}

Code code_for(Problem::Code code) {
    switch (code) {
        case Problem::Code::not_a_query:
        case Problem::Code::forbidden:
        case Problem::Code::forbidden_function:
        case Problem::Code::several_statements:
            return Code::permission_denied;
        default:
            return Code::invalid_argument;
    }
}

}  // namespace

Verdict Guard::check(std::string_view sql) const {
    return check(sql, [this](std::string_view text) { return read(dialect_, text); });
}

Verdict Guard::check(std::string_view sql, const Reader& reader) const {
    if (auto refusal = refusal_unread(sql)) {
        Reading reading;
        reading.statement.clear();
        reading.refusals.push_back(std::move(*refusal));
        return judge(sql, std::move(reading));
    }
    return judge(sql, reader(sql));
}

Verdict Guard::judge(std::string_view sql, Reading reading) const {
    Verdict verdict;
    verdict.statement = std::move(reading.statement);
    verdict.errors = std::move(reading.refusals);
    verdict.warnings = std::move(reading.warnings);
    add_tables(reading, verdict);
    add_functions(reading, verdict);
    Once once;
    for (const ColumnMention& column : reading.columns) {
        auto name = column.relation.empty() ? column.name : column.relation + "." + column.name;
        if (once.is_new(name)) verdict.columns.push_back(std::move(name));
    }
    for (auto* problems : {&verdict.errors, &verdict.warnings}) {
        if (problems->size() > kProblemsMax) problems->resize(kProblemsMax);
        for (Problem& problem : *problems) {
            problem.message = printable(problem.message);
            problem.suggestion = printable(problem.suggestion);
        }
    }
    verdict.ok = verdict.errors.empty();
    if (verdict.ok) {
        verdict.sql = without_tail(sql, dialect_);
        // One row more than is shown tells whether there are more. The line break ends a comment.
        if (!reading.has_limit && reading.takes_limit) verdict.sql += fmt::format("\nLIMIT {}", row_limit_ + 1);
    }
    return verdict;
}

void Guard::add_tables(const Reading& reading, Verdict& verdict) const {
    Once once;
    for (const Mention& relation : reading.relations) {
        if (!once.is_new(written(relation)) || verdict.errors.size() >= kProblemsMax) continue;
        auto table = tables_.find(relation);
        if (!table) {
            verdict.errors.push_back(unknown_table(relation, tables_));
        } else if (std::ranges::find(verdict.tables, *table) == verdict.tables.end()) {
            verdict.tables.push_back(std::move(*table));
        }
    }
}

void Guard::add_functions(const Reading& reading, Verdict& verdict) const {
    Once once;
    for (const Mention& function : reading.functions) {
        if (!once.is_new(written(function))) continue;
        const bool is_engines_own =
            function.database.empty() && std::ranges::find(kFunctionSchemas, function.schema) != kFunctionSchemas.end();
        if (!is_engines_own || !is_harmless_function(dialect_, function.name)) {
            verdict.errors.push_back(forbidden_function(dialect_, function));
        } else if (std::ranges::find(verdict.functions, function.name) == verdict.functions.end()) {
            verdict.functions.push_back(function.name);
        }
    }
}

Result<ReadOnlySql> Guard::admit(Verdict verdict) const {
    if (verdict.ok) return ReadOnlySql(dialect_, std::move(verdict));
    const Problem& first = verdict.errors.front();
    return fail(code_for(first.code), first.message, first.suggestion);
}

}  // namespace quaestor::data
