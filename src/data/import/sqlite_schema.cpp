#include "data/import/sqlite_schema.hpp"

#include "data/dialect.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>

namespace quaestor::data {

namespace {

namespace fs = std::filesystem;

/// How long a lock of another process is waited for.
constexpr int kPatienceMs = 2'000;
constexpr int kPrimaryCodeMask = 0xff;

struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

/// True when the file is in WAL mode and no other process has it open. Then SQLite would make files beside it even to
/// read; it does not when it is told that nobody writes.
bool is_resting_wal_file(const std::string& path) {
    constexpr std::size_t kWriteVersionAt = 18;
    std::array<char, kWriteVersionAt + 1> head{};
    std::ifstream(path, std::ios::binary).read(head.data(), head.size());
    std::error_code ignored;
    return head[kWriteVersionAt] == 2 && !fs::exists(path + "-wal", ignored);
}

/// A path as a URI that SQLite reads back unchanged.
std::string uri_of(const std::string& path) {
    std::string uri = "file:";
    std::error_code ignored;
    for (const char byte : fs::absolute(path, ignored).string()) {
        const bool is_plain = std::isalnum(static_cast<unsigned char>(byte)) != 0 || byte == '/';
        uri += is_plain ? std::string(1, byte) : fmt::format("%{:02X}", static_cast<unsigned char>(byte));
    }
    return uri + (is_resting_wal_file(path) ? "?mode=ro&immutable=1" : "?mode=ro");
}

std::string upper(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](unsigned char byte) { return static_cast<char>(std::toupper(byte)); });
    return out;
}

}  // namespace

void SqliteFile::Close::operator()(sqlite3* handle) const {
    sqlite3_close_v2(handle);
}

Result<SqliteFile> SqliteFile::open(const std::string& path) {
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) {
        return fail(Code::not_found, fmt::format("there is no file {}", path), "look whether the path is right");
    }
    sqlite3* handle = nullptr;
    const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
    const int code = sqlite3_open_v2(uri_of(path).c_str(), &handle, flags, nullptr);
    SqliteFile file(handle, path);
    if (code != SQLITE_OK) return fail(file.failure());
    sqlite3_busy_timeout(handle, kPatienceMs);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    // The first read shows whether it is a database at all.
    const char* const begin = "BEGIN; SELECT count(*) FROM sqlite_schema";
    if (sqlite3_exec(handle, begin, nullptr, nullptr, nullptr) != SQLITE_OK) return fail(file.failure());
    return file;
}

Error SqliteFile::failure() const {
    const int code = handle_ ? sqlite3_errcode(handle_.get()) & kPrimaryCodeMask : SQLITE_NOMEM;
    const std::string why = handle_ ? sqlite3_errmsg(handle_.get()) : "out of memory";
    const auto told = [&](Code kind, std::string hint) {
        return fail(kind, fmt::format("{} cannot be read: {}", path_, why), std::move(hint)).error();
    };
    switch (code) {
        case SQLITE_NOTADB:
            return fail(Code::corrupt, fmt::format("{} is no SQLite database", path_),
                        "look whether it is the right file")
                .error();
        case SQLITE_CORRUPT:
            return told(Code::corrupt, "restore it from a backup");
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return told(Code::conflict, "another program is writing to it; try again when that has finished");
        case SQLITE_PERM:
        case SQLITE_AUTH:
        case SQLITE_CANTOPEN:
            return told(Code::permission_denied, "look whether the file may be read");
        case SQLITE_INTERRUPT:
            return told(Code::cancelled, "");
        default:
            return told(Code::unavailable, "look whether the file is complete and may be read");
    }
}

Result<> SqliteFile::for_each_row(const std::string& sql, const std::function<Result<>(sqlite3_stmt*)>& visit) const {
    sqlite3_stmt* made = nullptr;
    const int prepared = sqlite3_prepare_v2(handle_.get(), sql.c_str(), -1, &made, nullptr);
    const std::unique_ptr<sqlite3_stmt, Finalize> statement(made);
    if (prepared != SQLITE_OK) return fail(failure());
    int code = sqlite3_step(made);
    for (; code == SQLITE_ROW; code = sqlite3_step(made)) {
        if (auto visited = visit(made); !visited) return visited;
    }
    if (code != SQLITE_DONE) return fail(failure());
    return {};
}

void SqliteFile::interrupt() const {
    sqlite3_interrupt(handle_.get());
}

Result<SqliteSchema> SqliteFile::read_schema() const {
    SqliteSchema schema;
    auto listed = for_each_row(
        "SELECT name, type FROM pragma_table_list WHERE schema = 'main' ORDER BY name", [&](sqlite3_stmt* row) {
            const std::string name(sqlite_text(row, 0));
            const std::string_view type = sqlite_text(row, 1);
            if (name.starts_with("sqlite_") || type == "shadow") return Result<>();
            if (type == "table") {
                schema.tables.push_back({.name = name});
            } else {
                schema.notes.push_back(
                    fmt::format("{} {} was passed over", type == "view" ? "view" : "virtual table", name));
            }
            return Result<>();
        });
    if (!listed) return fail(listed.error());
    for (auto& table : schema.tables) {
        if (auto read = read_columns(table); !read) return fail(read.error());
        if (auto read = read_foreign_keys(table); !read) return fail(read.error());
    }
    return schema;
}

Result<> SqliteFile::read_columns(SqliteTable& table) const {
    // Hidden columns of kind 1 belong to virtual tables; 2 and 3 are generated and can be read.
    return for_each_row(fmt::format("SELECT name, type, \"notnull\", pk FROM pragma_table_xinfo({}) WHERE hidden <> 1",
                                    quote_text(table.name)),
                        [&](sqlite3_stmt* row) {
                            table.columns.push_back({.name = std::string(sqlite_text(row, 0)),
                                                     .declared = upper(sqlite_text(row, 1)),
                                                     .not_null = sqlite3_column_int(row, 2) != 0,
                                                     .place_in_key = sqlite3_column_int(row, 3)});
                            return Result<>();
                        });
}

Result<> SqliteFile::read_foreign_keys(SqliteTable& table) const {
    std::map<int, SqliteForeignKey> by_id;
    auto read = for_each_row(
        fmt::format("SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list({}) ORDER BY id, seq",
                    quote_text(table.name)),
        [&](sqlite3_stmt* row) {
            auto& key = by_id[sqlite3_column_int(row, 0)];
            key.table = sqlite_text(row, 1);
            key.columns.emplace_back(sqlite_text(row, 2));
            if (sqlite3_column_type(row, 3) != SQLITE_NULL) key.target_columns.emplace_back(sqlite_text(row, 3));
            return Result<>();
        });
    for (auto& [id, key] : by_id) table.foreign_keys.push_back(std::move(key));
    return read;
}

std::string_view sqlite_text(sqlite3_stmt* row, int column) {
    const void* const bytes = sqlite3_column_type(row, column) == SQLITE_BLOB ? sqlite3_column_blob(row, column)
                                                                              : sqlite3_column_text(row, column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(row, column));
    return bytes == nullptr ? std::string_view() : std::string_view(static_cast<const char*>(bytes), size);
}

}  // namespace quaestor::data
