#include "cli/source_support.hpp"
#include "cli/sql_view.hpp"

namespace quaestor::cli {

namespace {

Result<data::Verdict> check_on_source(const Invocation& invocation, const SqlCheckOptions& options, std::string sql) {
    ProgressBar progress(invocation.quiet);
    auto source = open_named_source(*options.source, source_settings(invocation, progress));
    if (!source) return fail(source.error());
    return run_to_end((*source)->check(std::move(sql), invocation.settings().data.row_limit));
}

Result<data::Verdict> check_alone(const Invocation& invocation, const SqlCheckOptions& options, std::string_view sql) {
    const auto dialect = decode<data::Dialect>(json::value(options.dialect));
    if (!dialect) return fail(dialect.error());
    const auto tables = options.tables ? data::TableNames::parse(*options.tables) : data::TableNames::any();
    return data::Guard(*dialect, tables, invocation.settings().data.row_limit).check(sql);
}

data::QueryLimits query_limits(const Invocation& invocation, const SqlRunOptions& options) {
    const DataConfig& configured = invocation.settings().data;
    data::QueryLimits limits;
    limits.rows = options.limit.value_or(configured.row_limit);
    limits.bytes = memory_limit_bytes(configured);
    limits.timeout = configured.timeout_ms;
    if (options.timeout) {
        limits.timeout = std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>(*options.timeout));
    }
    return limits;
}

void print_result(const Invocation& invocation, const data::ResultSet& result, std::string_view format) {
    if (invocation.json || format == "json") {
        print_data(to_json_text(result) + "\n");
    } else if (format == "csv") {
        print_data(to_csv(result));
    } else {
        print_text(draw(result, terminal_width()));
    }
}

}  // namespace

CommandResult sql_check(const Invocation& invocation, const SqlCheckOptions& options) {
    const auto sql = read_statement(options.sql, invocation.cancel);
    if (!sql) return fail(sql.error());
    const auto verdict =
        options.source ? check_on_source(invocation, options, *sql) : check_alone(invocation, options, *sql);
    if (!verdict) return fail(verdict.error());
    if (invocation.json) {
        print_json(encode(*verdict));
    } else {
        print_text(describe(*verdict, *sql, terminal_width()));
    }
    return verdict->ok ? ExitCode::done : ExitCode::not_answered;
}

CommandResult sql_run(const Invocation& invocation, const SqlRunOptions& options) {
    auto sql = read_statement(options.sql, invocation.cancel);
    if (!sql) return fail(sql.error());
    ProgressBar progress(invocation.quiet);
    auto source = open_named_source(options.source, source_settings(invocation, progress));
    progress.clear();
    if (!source) return fail(source.error());
    const auto limits = query_limits(invocation, options);
    const auto result = run_to_end((*source)->query(std::move(*sql), limits, invocation.cancel));
    if (!result) {
        print_error(result.error());
        return exit_code_for_statement(result.error());
    }
    print_result(invocation, *result, options.format);
    if (!invocation.quiet && !invocation.json) say(summary(*result, limits.rows));
    return ExitCode::done;
}

}  // namespace quaestor::cli
