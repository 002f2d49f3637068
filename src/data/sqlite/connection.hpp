// A connection to a SQLite file that can only read: opened read-only through read_only_vfs(), hardened, bounded, and
// with every statement of a person's overseen while it is prepared and run. Private to the SQLite engine.
// Threads: used by one thread at a time.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "data/sqlite/file.hpp"
#include "data/verdict.hpp"
#include "resilience/cancellation.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace quaestor::data::sqlite {

/// How long a lock of another program is waited for. Writers hold the lock that keeps readers out for moments only.
inline constexpr std::chrono::milliseconds kLockPatience{1'000};

/// Largest value that SQLite may make or read.
inline constexpr int kValueBytesMax = 16 << 20;

struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

/// A cell of the row that a statement stands on; empty for NULL.
[[nodiscard]] std::string text_at(sqlite3_stmt* statement, int column);

/// What SQLite's authorizer was asked while a statement was prepared.
struct Observed {
    struct ColumnRead {
        std::string table;
        std::string column;  ///< empty when only its rows are counted
        std::string schema;  ///< may be empty then
        std::string within;  ///< the view or CTE whose body reads it; empty for the statement itself
    };
    std::vector<ColumnRead> reads;
    std::vector<std::string> functions;  ///< lower case, operators too
    std::vector<Problem> refusals;       ///< what is not allowed, in the order it was met
    bool recurses = false;
};

class Connection {
public:
    /// Opens the file as it was found in `state`. Queries fail once SQLite as a whole uses more than `memory_limit`.
    [[nodiscard]] static Result<std::unique_ptr<Connection>> open(const std::string& path, const FileState& state,
                                                                  std::size_t memory_limit);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    [[nodiscard]] sqlite3* handle() const { return handle_; }
    [[nodiscard]] const FileState& state() const { return state_; }
    [[nodiscard]] bool is_frozen() const { return access_ == Access::frozen; }
    /// The change counter in the file's header; 0 for an empty file. Read through SQLite, because closing a file of our
    /// own would drop the locks of every connection in this process.
    [[nodiscard]] std::uint32_t change_counter() const;

    /// While it lives, only reading is allowed, what is read is noted, and SQLite stops when `stop` is cancelled.
    class Oversight {
    public:
        Oversight(Connection& connection, const CancelToken& stop);
        ~Oversight();
        Oversight(const Oversight&) = delete;
        Oversight& operator=(const Oversight&) = delete;
        [[nodiscard]] const Observed& observed() const { return observed_; }

    private:
        Connection& connection_;
        Observed observed_;
        std::unique_ptr<CancelToken::Registration> interrupt_;
    };

    /// The first statement of `sql`, and where it ends; SQLite's result code.
    [[nodiscard]] int prepare(std::string_view sql, Statement& statement, std::size_t& end);
    /// Prepares a statement of our own; not while a person's is overseen.
    [[nodiscard]] Result<Statement> prepare_own(const char* sql);
    /// The texts in the first column of a statement of our own, with `argument` for ?1; what was read until it failed.
    [[nodiscard]] std::vector<std::string> first_column(const char* sql, std::string_view argument = {});

    /// What SQLite said last, on one line.
    [[nodiscard]] std::string message() const;
    /// What went wrong with `code`, for people. A cancelled `stop` comes first.
    [[nodiscard]] Error error(int code, const CancelToken& stop) const;

private:
    Connection(std::string path, const FileState& state, std::size_t memory_limit)
        : path_(std::move(path)), state_(state), memory_limit_(memory_limit) {}

    [[nodiscard]] Result<> connect(Access access);
    [[nodiscard]] Result<Access> choose_access() const;
    void harden();
    [[nodiscard]] Result<> probe();
    [[nodiscard]] bool is_in_wal_mode() const;
    [[nodiscard]] int judge(int action, const char* first, const char* second, const char* schema, const char* within);
    [[nodiscard]] bool should_stop();
    [[nodiscard]] bool should_wait(int tries);

    std::string path_;
    FileState state_;
    std::size_t memory_limit_;
    Access access_ = Access::locking;
    sqlite3* handle_ = nullptr;
    Observed* observed_ = nullptr;       ///< set while a person's statement is overseen
    const CancelToken* stop_ = nullptr;  ///< the same
    bool out_of_memory_ = false;
    Instant waiting_since_{};
};

}  // namespace quaestor::data::sqlite
