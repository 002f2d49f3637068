#include "data/duckdb/handle.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace quaestor::data::duck {

namespace {

/// The file errors that opening tells only in words.
struct Wording {
    std::string_view words;
    Code code;
    std::string_view hint;
};

constexpr std::string_view kHeldHint = "another program is using it; try again when that has finished";
constexpr std::string_view kCorruptHint = "restore it from a backup, or give another path";

constexpr auto kFileErrors = std::to_array<Wording>({
    {"Could not set lock on file", Code::conflict, kHeldHint},
    {"Conflicting lock", Code::conflict, kHeldHint},
    {"already attached", Code::conflict, kHeldHint},
    {"same database file with a different configuration", Code::conflict, kHeldHint},
    {"not a valid DuckDB database file", Code::corrupt, "look whether it is the right file"},
    {"newer version of DuckDB", Code::unsupported, "write it again with DuckDB 1.4"},
    {"older DuckDB version", Code::unsupported, "write it again with DuckDB 1.4"},
    {"storage version", Code::unsupported, "write it again with DuckDB 1.4"},
    {"Corrupt database file", Code::corrupt, kCorruptHint},
    {"corrupt", Code::corrupt, kCorruptHint},
    {"checksum", Code::corrupt, kCorruptHint},
    {"Could not read enough bytes", Code::corrupt, kCorruptHint},
    {"does not exist", Code::not_found, "look whether the path is right"},
    {"No such file or directory", Code::not_found, "look whether the path is right"},
    {"Permission denied", Code::permission_denied, "give this user leave to read the file"},
    {"No space left", Code::unavailable, "make room on the disk and try again"},
});

Wording file_error(std::string_view message) {
    const auto* known = std::ranges::find_if(
        kFileErrors, [&](const Wording& wording) { return message.find(wording.words) != std::string_view::npos; });
    if (known != kFileErrors.end()) return *known;
    return {{}, Code::unavailable, "look whether the file can be read and the disk is healthy"};
}

Code code_of(duckdb_error_type type) {
    switch (type) {
        case DUCKDB_ERROR_INTERRUPT:
            return Code::cancelled;
        case DUCKDB_ERROR_OUT_OF_MEMORY:
        case DUCKDB_ERROR_OBJECT_SIZE:
            return Code::limit_exceeded;
        case DUCKDB_ERROR_PERMISSION:
            return Code::permission_denied;
        case DUCKDB_ERROR_TRANSACTION:
        case DUCKDB_ERROR_CONSTRAINT:
            return Code::conflict;
        case DUCKDB_ERROR_SERIALIZATION:
            return Code::corrupt;
        case DUCKDB_ERROR_NETWORK:
        case DUCKDB_ERROR_HTTP:
        case DUCKDB_ERROR_CONNECTION:
            return Code::unavailable;
        case DUCKDB_ERROR_INVALID:
        case DUCKDB_ERROR_FATAL:
        case DUCKDB_ERROR_INTERNAL:
        case DUCKDB_ERROR_NULL_POINTER:
        case DUCKDB_ERROR_SCHEDULER:
            return Code::internal;
        default:
            return Code::invalid_argument;
    }
}

/// Preparing tells the kind only by the words in front: "Binder Error: …".
duckdb_error_type kind_of(std::string_view message) {
    constexpr auto kKinds = std::to_array<std::pair<std::string_view, duckdb_error_type>>({
        {"IO Error", DUCKDB_ERROR_IO},
        {"INTERRUPT Error", DUCKDB_ERROR_INTERRUPT},
        {"Out of Memory Error", DUCKDB_ERROR_OUT_OF_MEMORY},
        {"Permission Error", DUCKDB_ERROR_PERMISSION},
        {"TransactionContext Error", DUCKDB_ERROR_TRANSACTION},
        {"Serialization Error", DUCKDB_ERROR_SERIALIZATION},
        {"INTERNAL Error", DUCKDB_ERROR_INTERNAL},
        {"FATAL Error", DUCKDB_ERROR_FATAL},
    });
    const auto* known = std::ranges::find_if(kKinds, [&](const auto& kind) { return message.starts_with(kind.first); });
    return known == kKinds.end() ? DUCKDB_ERROR_BINDER : known->second;
}

std::string_view or_empty(const char* text) {
    return text == nullptr ? std::string_view() : text;
}

std::string without_control_characters(std::string_view text) {
    std::string out(text);
    std::ranges::replace_if(
        out, [](char byte) { return (byte >= 0 && byte < ' ' && byte != '\n') || byte == '\x7f'; }, ' ');
    return out;
}

Result<Rows> rows_or_error(duckdb_state state, const duckdb_result& result) {
    Rows rows(result);
    if (state == DuckDBSuccess) return rows;
    return fail(error_of(duckdb_result_error_type(rows.raw()), or_empty(duckdb_result_error(rows.raw()))));
}

}  // namespace

Error error_of(duckdb_error_type type, std::string_view message) {
    Error error{.code = code_of(type), .message = without_control_characters(message)};
    if (type == DUCKDB_ERROR_IO) {
        const Wording wording = file_error(message);
        error.code = wording.code;
        error.hint = wording.hint;
    }
    return error;
}

// ---- Chunk

bool Chunk::is_null(std::size_t column_index, std::size_t row) const {
    std::uint64_t* validity = duckdb_vector_get_validity(column(column_index));
    return validity != nullptr && !duckdb_validity_row_is_valid(validity, row);
}

std::string_view Chunk::text(std::size_t column_index, std::size_t row) const {
    auto* cells = static_cast<duckdb_string_t*>(duckdb_vector_get_data(column(column_index)));
    return {duckdb_string_t_data(&cells[row]), duckdb_string_t_length(cells[row])};
}

std::int64_t Chunk::integer(std::size_t column_index, std::size_t row) const {
    return static_cast<const std::int64_t*>(duckdb_vector_get_data(column(column_index)))[row];
}

// ---- Rows

void Rows::Delete::operator()(duckdb_result* result) const {
    duckdb_destroy_result(result);
    delete result;
}

Result<std::optional<Chunk>> Rows::next() {
    if (auto* chunk = duckdb_fetch_chunk(*raw())) return Chunk(chunk);
    // The end of a stream and its failure look alike until the result is asked.
    const auto message = or_empty(duckdb_result_error(raw()));
    if (message.empty()) return std::nullopt;
    return fail(error_of(duckdb_result_error_type(raw()), message));
}

// ---- Statement

void Statement::bind(std::size_t place, std::string_view text) {
    duckdb_bind_varchar_length(raw(), place, text.data(), text.size());
}

void Statement::bind(std::size_t place, std::int64_t value) {
    duckdb_bind_int64(raw(), place, value);
}

Result<Rows> Statement::execute() {
    duckdb_result result{};
    const auto state = duckdb_execute_prepared(raw(), &result);
    return rows_or_error(state, result);
}

Result<Rows> Statement::execute_streaming() {
    duckdb_result result{};
    const auto state = duckdb_execute_prepared_streaming(raw(), &result);
    return rows_or_error(state, result);
}

// ---- Connection

Result<Rows> Connection::query(const std::string& sql) const {
    duckdb_result result{};
    const auto state = duckdb_query(raw(), sql.c_str(), &result);
    return rows_or_error(state, result);
}

Result<Statement> Connection::prepare(const std::string& sql) const {
    duckdb_prepared_statement handle = nullptr;
    const auto state = duckdb_prepare(raw(), sql.c_str(), &handle);
    Statement statement(handle);
    if (state == DuckDBSuccess) return statement;
    const auto message = or_empty(duckdb_prepare_error(handle));
    return fail(error_of(kind_of(message), message));
}

std::optional<double> Connection::progress() const {
    constexpr double kPercent = 100.0;
    const double percentage = duckdb_query_progress(raw()).percentage;
    if (percentage < 0) return std::nullopt;
    return std::min(percentage / kPercent, 1.0);
}

// ---- Database

Result<Database> Database::open(const std::string& path, const Settings& settings) {
    duckdb_config made = nullptr;
    if (duckdb_create_config(&made) != DuckDBSuccess) return fail(Code::internal, "DuckDB made no configuration");
    const Handle<duckdb_config, duckdb_destroy_config> config(made);
    Settings all = {{"autoinstall_known_extensions", "false"}, {"autoload_known_extensions", "false"}};
    all.insert(all.end(), settings.begin(), settings.end());
    for (const auto& [name, value] : all) {
        if (duckdb_set_config(config.get(), name.c_str(), value.c_str()) != DuckDBSuccess) {
            return fail(Code::internal, fmt::format("DuckDB does not know the option {} = {}", name, value));
        }
    }
    duckdb_database handle = nullptr;
    char* message = nullptr;
    const auto state = duckdb_open_ext(path.c_str(), &handle, config.get(), &message);
    Database database(handle);
    if (state == DuckDBSuccess) return database;
    Error error = error_of(DUCKDB_ERROR_IO, or_empty(message));
    duckdb_free(message);
    return fail(std::move(error));
}

Result<Connection> Database::connect() const {
    duckdb_connection handle = nullptr;
    if (duckdb_connect(raw(), &handle) != DuckDBSuccess) return fail(Code::internal, "DuckDB gave no connection");
    return Connection(handle);
}

// ---- Appender

Result<Appender> Appender::open(const Connection& connection, const std::string& schema, const std::string& table) {
    duckdb_appender handle = nullptr;
    const char* in_schema = schema.empty() ? nullptr : schema.c_str();
    const auto state = duckdb_appender_create(connection.raw(), in_schema, table.c_str(), &handle);
    Appender appender(handle);
    if (state == DuckDBSuccess) return appender;
    return fail(appender.failure());
}

Result<> Appender::end_row() {
    if (duckdb_appender_end_row(raw()) != DuckDBSuccess) return fail(failure());
    return {};
}

Result<> Appender::flush() {
    if (duckdb_appender_flush(raw()) != DuckDBSuccess) return fail(failure());
    return {};
}

Result<> Appender::close() {
    if (duckdb_appender_close(raw()) != DuckDBSuccess) return fail(failure());
    return {};
}

Error Appender::failure() const {
    duckdb_error_data data = duckdb_appender_error_data(raw());
    Error error = error_of(duckdb_error_data_error_type(data), or_empty(duckdb_error_data_message(data)));
    duckdb_destroy_error_data(&data);
    return error;
}

}  // namespace quaestor::data::duck
