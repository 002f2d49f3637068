#include "data/sqlite/connection.hpp"

#include "data/sqlite/functions.hpp"
#include "data/sqlite/text.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

namespace quaestor::data::sqlite {

namespace {

/// Steps of SQLite's machine between two looks at the clock and the memory.
constexpr int kStepsPerCheck = 1'000;
constexpr std::chrono::milliseconds kLockRetry{5};

constexpr std::size_t kHeaderSize = 100;
constexpr std::size_t kWriteVersionAt = 18;
constexpr unsigned char kWalVersion = 2;
constexpr std::size_t kChangeCounterAt = 24;

struct Bound {
    int what;
    int value;
};

/// The database's own schema is parsed under these, too: lengths and depths are no smaller than what SQLite allows by
/// default, or a database with long views could not be opened. The guard is stricter with a person's statement.
constexpr std::array kBounds = {
    Bound{SQLITE_LIMIT_LENGTH, kValueBytesMax},
    Bound{SQLITE_LIMIT_SQL_LENGTH, 1'000'000},
    Bound{SQLITE_LIMIT_EXPR_DEPTH, 1'000},
    Bound{SQLITE_LIMIT_COMPOUND_SELECT, 500},
    Bound{SQLITE_LIMIT_VDBE_OP, 1'000'000},
    Bound{SQLITE_LIMIT_FUNCTION_ARG, 127},
    Bound{SQLITE_LIMIT_ATTACHED, 0},
    Bound{SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 200},
    Bound{SQLITE_LIMIT_VARIABLE_NUMBER, 16},
    Bound{SQLITE_LIMIT_TRIGGER_DEPTH, 1},
    Bound{SQLITE_LIMIT_WORKER_THREADS, 0},
};

struct Switch {
    int what;
    int value;
};

/// DQS_DML: a misspelt "column" would otherwise pass as a text and give wrong answers.
constexpr std::array kSwitches = {
    Switch{SQLITE_DBCONFIG_DEFENSIVE, 1},      Switch{SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
    Switch{SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0}, Switch{SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0},
    Switch{SQLITE_DBCONFIG_DQS_DML, 0},        Switch{SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
};

/// temp_store: sorting and grouping stay in memory, so that no file is written anywhere. mmap_size: a file that another
/// program cuts short must give an error and not end the process.
constexpr const char* kPragmas =
    "PRAGMA query_only = 1; PRAGMA cell_size_check = 1; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0;";

std::string_view view(const char* text) {
    return text == nullptr ? std::string_view() : std::string_view(text);
}

bool is_schema_table(std::string_view table) {
    const std::string name = lower(table);
    return name == "sqlite_master" || name == "sqlite_schema" || name == "sqlite_temp_master" ||
           name == "sqlite_temp_schema";
}

/// Full-text and R-tree tables ask these when they are connected.
bool is_asked_by_modules(std::string_view pragma) {
    return pragma == "data_version" || pragma == "page_size";
}

Problem refusal_of(int action, std::string_view object) {
    const auto not_a_query = [&](std::string_view verb) {
        return Problem{.code = Problem::Code::not_a_query,
                       .message = fmt::format("{} {} would change something; only reading is allowed", verb, object),
                       .at = {},
                       .suggestion = "ask for rows with SELECT"};
    };
    switch (action) {
        case SQLITE_INSERT:
            return not_a_query("INSERT INTO");
        case SQLITE_UPDATE:
            return not_a_query("UPDATE of");
        case SQLITE_DELETE:
            return not_a_query("DELETE FROM");
        case SQLITE_PRAGMA:
        case SQLITE_READ:
            return {.code = Problem::Code::forbidden,
                    .message = fmt::format("{} shows how the database is made, which a query may not", object),
                    .at = {},
                    .suggestion = "the catalogue has tables, columns and keys: quaestor catalog show SOURCE"};
        default:
            return {.code = Problem::Code::not_a_query,
                    .message = "the statement does something else than read",
                    .at = {},
                    .suggestion = "ask for rows with SELECT"};
    }
}

struct Meaning {
    Code code;
    const char* what;
    const char* hint;
};

Meaning meaning_of(int primary_code) {
    switch (primary_code) {
        case SQLITE_ERROR:
        case SQLITE_CONSTRAINT:
        case SQLITE_MISMATCH:
        case SQLITE_RANGE:
            return {Code::invalid_argument, "SQLite cannot run the statement", ""};
        case SQLITE_AUTH:
            return {Code::permission_denied, "only reading is allowed", "ask for rows with SELECT"};
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
        case SQLITE_PROTOCOL:
            return {Code::unavailable, "another program holds the database",
                    "try again when it has finished writing, or close it"};
        case SQLITE_CORRUPT:
        case SQLITE_NOTADB:
        case SQLITE_FORMAT:
            return {
                Code::corrupt, "the file is no SQLite database, or it is encrypted or damaged",
                "check the path, or restore the file from a backup; sqlite3 FILE 'PRAGMA integrity_check' tells more"};
        case SQLITE_READONLY:
            return {Code::unavailable, "the last change to the database was interrupted and has to be undone first",
                    "open it once with the program that writes it"};
        case SQLITE_NOMEM:
            return {Code::limit_exceeded, "the query needs more memory than it may use",
                    "ask for less: fewer rows, fewer groups, or no sorting of everything"};
        case SQLITE_TOOBIG:
            return {Code::limit_exceeded, "a value is larger than is allowed", "take only a part of it with substr()"};
        case SQLITE_IOERR:
        case SQLITE_CANTOPEN:
        case SQLITE_PERM:
        case SQLITE_FULL:
            return {Code::unavailable, "the database could not be read", "look whether the file and disk are in order"};
        default:
            return {Code::internal, "SQLite failed", ""};
    }
}

}  // namespace

std::string text_at(sqlite3_stmt* statement, int column) {
    const auto* text = sqlite3_column_text(statement, column);
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
    return text == nullptr ? std::string() : std::string(text, text + size);
}

void Finalize::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

// ---- opening

Result<std::unique_ptr<Connection>> Connection::open(const std::string& path, const FileState& state,
                                                     std::size_t memory_limit) {
    std::unique_ptr<Connection> connection(new Connection(path, state, memory_limit));
    if (auto done = connection->connect(Access::locking); !done) return fail(done.error());
    const auto access = connection->choose_access();
    if (!access) return fail(access.error());
    if (*access == Access::frozen) {
        if (auto done = connection->connect(Access::frozen); !done) return fail(done.error());
    }
    connection->harden();
    if (auto done = connection->probe(); !done) return fail(done.error());
    return connection;
}

Connection::~Connection() {
    sqlite3_close(handle_);
}

Result<> Connection::connect(Access access) {
    sqlite3_close(handle_);
    handle_ = nullptr;
    access_ = access;
    constexpr int kFlags =
        SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE;
    const int code = sqlite3_open_v2(uri_of(path_, access).c_str(), &handle_, kFlags, read_only_vfs());
    if (code != SQLITE_OK) return fail(error(code, {}));
    return {};
}

/// A reader of a database in WAL mode takes part in its shared memory. Where somebody has that open, it is used, for
/// reading only. Where nobody has, SQLite would create it, so the file is read without locks instead; the engine throws
/// away what was read when the file changes meanwhile. What lies only in a log must not be left out.
Result<Access> Connection::choose_access() const {
    if (!is_in_wal_mode() || (state_.has_wal && state_.has_shared_memory)) return Access::locking;
    if (state_.wal_size == 0) return Access::frozen;
    return fail(Code::unavailable,
                fmt::format("{}-wal holds changes that cannot be read without {}-shm, and nothing may be written",
                            path_, path_),
                "open the database once with the program that writes it, or with sqlite3, so that they are taken over");
}

void Connection::harden() {
    for (const auto& [what, value] : kSwitches) sqlite3_db_config(handle_, what, value, nullptr);
    for (const auto& [what, value] : kBounds) sqlite3_limit(handle_, what, value);
    sqlite3_exec(handle_, kPragmas, nullptr, nullptr, nullptr);
    replace_slow_functions(handle_);
    sqlite3_set_authorizer(
        handle_,
        [](void* self, int action, const char* first, const char* second, const char* schema, const char* within) {
            return static_cast<Connection*>(self)->judge(action, first, second, schema, within);
        },
        this);
    sqlite3_progress_handler(
        handle_, kStepsPerCheck, [](void* self) { return static_cast<Connection*>(self)->should_stop() ? 1 : 0; },
        this);
    sqlite3_busy_handler(
        handle_, [](void* self, int tries) { return static_cast<Connection*>(self)->should_wait(tries) ? 1 : 0; },
        this);
}

/// SQLite looks into the file only when it is asked something.
Result<> Connection::probe() {
    Statement statement;
    std::size_t end = 0;
    int code = prepare("SELECT count(*) FROM sqlite_schema", statement, end);
    if (code == SQLITE_OK) code = sqlite3_step(statement.get());
    if (code == SQLITE_ROW) return {};
    Error problem = error(code == SQLITE_ERROR ? SQLITE_CORRUPT : code, {});
    const int primary = code & 0xff;
    if (primary == SQLITE_BUSY || primary == SQLITE_READONLY) problem.code = Code::conflict;
    return fail(std::move(problem));
}

bool Connection::is_in_wal_mode() const {
    sqlite3_file* file = nullptr;
    std::array<unsigned char, kHeaderSize> header{};
    if (sqlite3_file_control(handle_, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return false;
    return file->pMethods->xRead(file, header.data(), kHeaderSize, 0) == SQLITE_OK &&
           header[kWriteVersionAt] == kWalVersion;
}

std::uint32_t Connection::change_counter() const {
    sqlite3_file* file = nullptr;
    std::array<unsigned char, 4> bytes{};
    if (sqlite3_file_control(handle_, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return 0;
    if (file->pMethods->xRead(file, bytes.data(), bytes.size(), kChangeCounterAt) != SQLITE_OK) return 0;
    std::uint32_t counter = 0;
    for (const unsigned char byte : bytes) counter = counter << 8U | byte;
    return counter;
}

// ---- overseeing

Connection::Oversight::Oversight(Connection& connection, const CancelToken& stop) : connection_(connection) {
    connection_.observed_ = &observed_;
    connection_.stop_ = &stop;
    connection_.out_of_memory_ = false;
    // An interrupt between two statements is forgotten by SQLite; should_stop() then sees the token.
    if (stop.can_be_cancelled()) {
        interrupt_ = stop.on_cancel([handle = connection.handle_] { sqlite3_interrupt(handle); });
    }
}

Connection::Oversight::~Oversight() {
    interrupt_.reset();
    connection_.observed_ = nullptr;
    connection_.stop_ = nullptr;
}

/// Connecting a virtual table declares its columns, for which SQLite asks as if sqlite_master were updated and its
/// ROWID read; nothing is. A statement that really updates is no read-only one, and is refused for that.
int Connection::judge(int action, const char* first, const char* second, const char* schema, const char* within) {
    if (observed_ == nullptr) return SQLITE_OK;
    switch (action) {
        case SQLITE_SELECT:
            return SQLITE_OK;
        case SQLITE_RECURSIVE:
            observed_->recurses = true;
            return SQLITE_OK;
        case SQLITE_FUNCTION:
            observed_->functions.push_back(lower(view(second)));
            return SQLITE_OK;
        case SQLITE_READ:
            if (is_schema_table(view(first)) && view(second) != "ROWID") break;
            observed_->reads.push_back({.table = std::string(view(first)),
                                        .column = std::string(view(second)),
                                        .schema = std::string(view(schema)),
                                        .within = std::string(view(within))});
            return SQLITE_OK;
        case SQLITE_UPDATE:
            if (is_schema_table(view(first))) return SQLITE_OK;
            break;
        case SQLITE_PRAGMA:
            if (second == nullptr && is_asked_by_modules(view(first))) return SQLITE_OK;
            break;
        default:
            break;
    }
    observed_->refusals.push_back(refusal_of(action, view(first)));
    return SQLITE_DENY;
}

/// SQLite's own heap limit holds for the whole process, and would fail Quaestor's store when a query takes too much.
/// So the query that finds the memory used up gives up, and nobody else.
bool Connection::should_stop() {
    if (stop_ != nullptr && stop_->cancelled()) return true;
    out_of_memory_ = static_cast<std::size_t>(std::max<sqlite3_int64>(sqlite3_memory_used(), 0)) > memory_limit_;
    return out_of_memory_;
}

bool Connection::should_wait(int tries) {
    const Instant now = std::chrono::steady_clock::now();
    if (tries == 0) waiting_since_ = now;
    if ((stop_ != nullptr && stop_->cancelled()) || now - waiting_since_ > kLockPatience) return false;
    std::this_thread::sleep_for(kLockRetry);
    return true;
}

// ---- statements

int Connection::prepare(std::string_view sql, Statement& statement, std::size_t& end) {
    sqlite3_stmt* prepared = nullptr;
    const char* tail = sql.data();
    const int code = sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()), 0, &prepared, &tail);
    statement.reset(prepared);
    end = tail == nullptr ? sql.size() : static_cast<std::size_t>(tail - sql.data());
    return code;
}

Result<Statement> Connection::prepare_own(const char* sql) {
    Statement statement;
    std::size_t end = 0;
    const int code = prepare(sql, statement, end);
    if (code != SQLITE_OK) return fail(error(code, {}));
    return statement;
}

std::vector<std::string> Connection::first_column(const char* sql, std::string_view argument) {
    std::vector<std::string> values;
    Observed* const observed = std::exchange(observed_, nullptr);
    if (const auto statement = prepare_own(sql)) {
        sqlite3_bind_text(statement->get(), 1, argument.data(), static_cast<int>(argument.size()), SQLITE_TRANSIENT);
        while (sqlite3_step(statement->get()) == SQLITE_ROW) values.push_back(text_at(statement->get(), 0));
    }
    observed_ = observed;
    return values;
}

std::string Connection::message() const {
    std::string said = sqlite3_errmsg(handle_);
    std::ranges::replace_if(said, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    return said;
}

Error Connection::error(int code, const CancelToken& stop) const {
    const int primary = code & 0xff;
    if (stop.cancelled() && (primary == SQLITE_INTERRUPT || primary == SQLITE_BUSY)) return stop.error();
    const bool is_memory = primary == SQLITE_INTERRUPT && out_of_memory_;
    const auto [meaning, what, hint] = meaning_of(is_memory ? SQLITE_NOMEM : primary);
    const std::string said = handle_ == nullptr || is_memory ? sqlite3_errstr(code) : message();
    if (meaning == Code::invalid_argument) return {.code = meaning, .message = fmt::format("{}: {}", what, said)};
    return {.code = meaning, .message = fmt::format("{} ({}: {})", what, path_, said), .hint = hint};
}

}  // namespace quaestor::data::sqlite
