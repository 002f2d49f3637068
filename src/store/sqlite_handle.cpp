#include "store/sqlite_handle.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <limits>

namespace quaestor::store::sqlite {

namespace {

struct Meaning {
    Code code;
    const char* hint;
};

Meaning meaning_of(int primary_code) {
    switch (primary_code) {
        case SQLITE_BUSY:
        case SQLITE_PROTOCOL:
        case SQLITE_LOCKED:
            return {Code::unavailable, "another process is using it; try again when that has finished"};
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
            return {Code::corrupt, "restore it from a backup, or give another path to start anew"};
        case SQLITE_FULL:
            return {Code::unavailable, "make room on the disk and try again"};
        case SQLITE_IOERR:
            return {Code::unavailable, "look whether the disk is healthy and try again"};
        case SQLITE_CANTOPEN:
            return {Code::unavailable, "look whether the path exists and may be read and written"};
        case SQLITE_PERM:
        case SQLITE_AUTH:
        case SQLITE_READONLY:
            return {Code::permission_denied, "give this user leave to write the file and its folder"};
        case SQLITE_NOMEM:
        case SQLITE_TOOBIG:
            return {Code::limit_exceeded, "store less at once"};
        case SQLITE_CONSTRAINT:
            return {Code::conflict, ""};
        default:
            return {Code::internal, ""};
    }
}

constexpr int kPrimaryCodeMask = 0xff;

}  // namespace

// ---- Database

void Database::Close::operator()(sqlite3* handle) const {
    sqlite3_close_v2(handle);
}

void Database::Finalize::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

Result<Database> Database::open(const std::string& path, std::chrono::milliseconds patience) {
    sqlite3* handle = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
    Database database(handle, path);
    if (code != SQLITE_OK) return fail(database.last_error());
    sqlite3_busy_timeout(handle, static_cast<int>(patience.count()));
    return database;
}

Result<> Database::execute(const std::string& sql) {
    if (sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) return fail(last_error());
    return {};
}

Result<std::int64_t> Database::integer(const char* sql) {
    Query query(*this, sql);
    const auto found = query.next();
    if (!found) return fail(found.error());
    return query.integer(0);
}

std::size_t Database::changes() const {
    return static_cast<std::size_t>(sqlite3_changes64(handle_.get()));
}

bool Database::in_transaction() const {
    return sqlite3_get_autocommit(handle_.get()) == 0;
}

bool Database::is_read_only() const {
    return sqlite3_db_readonly(handle_.get(), "main") == 1;
}

Error Database::last_error() const {
    // A handle is null only when there was no memory for it.
    const int code = handle_ ? sqlite3_extended_errcode(handle_.get()) : SQLITE_NOMEM;
    const char* what = handle_ ? sqlite3_errmsg(handle_.get()) : sqlite3_errstr(SQLITE_NOMEM);
    const auto [kind, hint] = meaning_of(code & kPrimaryCodeMask);
    return fail(kind, fmt::format("the store {} failed: {} (SQLite error {})", path_, what, code), hint).error();
}

sqlite3_stmt* Database::prepare(const char* sql) {
    auto& kept = prepared_[sql];
    if (!kept) {
        sqlite3_stmt* made = nullptr;
        sqlite3_prepare_v3(handle_.get(), sql, -1, SQLITE_PREPARE_PERSISTENT, &made, nullptr);
        kept.reset(made);
    }
    return kept.get();
}

// ---- Query

Query::~Query() {
    if (statement_ == nullptr) return;
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
}

Result<bool> Query::next() {
    if (failure_) return fail(*failure_);
    switch (sqlite3_step(statement_)) {
        case SQLITE_ROW:
            return true;
        case SQLITE_DONE:
            return false;
        default:
            return fail(database_.last_error());
    }
}

Result<> Query::run() {
    return for_each([] { return Result<>{}; });
}

std::string_view Query::text(int column) const {
    const void* bytes = sqlite3_column_blob(statement_, column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
    return bytes == nullptr ? std::string_view() : std::string_view(static_cast<const char*>(bytes), size);
}

std::int64_t Query::integer(int column) const {
    return sqlite3_column_int64(statement_, column);
}

bool Query::is_null(int column) const {
    return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

WallTime Query::time(int column) const {
    return WallTime(WallTime::duration(integer(column)));
}

void Query::bind(int place, std::string_view value) {
    if (failure_) return;
    // An empty view may have no address, which SQLite would read as NULL.
    const char* bytes = value.empty() ? "" : value.data();
    keep_failure(sqlite3_bind_text64(statement_, place, bytes, value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Query::bind(int place, std::int64_t value) {
    if (!failure_) keep_failure(sqlite3_bind_int64(statement_, place, value));
}

void Query::keep_failure(int code) {
    if (code != SQLITE_OK) failure_ = database_.last_error();
}

// ---- Transaction

Result<Transaction> Transaction::begin(Database& database, Kind kind) {
    // A write takes the lock at once: a later attempt could find that another process has written in between.
    Query begin(database, kind == Kind::read ? "BEGIN" : "BEGIN IMMEDIATE");
    if (auto begun = begin.run(); !begun) return fail(begun.error());
    return Transaction(database);
}

Transaction::~Transaction() {
    if (database_ != nullptr && database_->in_transaction()) static_cast<void>(Query(*database_, "ROLLBACK").run());
}

Result<> Transaction::commit() {
    return Query(*database_, "COMMIT").run();
}

}  // namespace quaestor::store::sqlite
