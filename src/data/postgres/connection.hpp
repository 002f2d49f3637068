// One connection to PostgreSQL that never waits longer than it is told to. Private to data/.
// Whoever opens a connection owns it; a connection that was given up or lost is closed and stays so.
// Threads: one at a time.
#pragma once

#include "base/log.hpp"
#include "data/postgres/errors.hpp"
#include "resilience/cancellation.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct pg_conn;
struct pg_result;

namespace quaestor::data::postgres {

struct CloseConnection {
    void operator()(pg_conn* connection) const;
};
struct ClearResult {
    void operator()(pg_result* result) const;
};
using OwnedResult = std::unique_ptr<pg_result, ClearResult>;

/// Until when, and for whom, the server is waited for.
class Patience {
public:
    explicit Patience(std::chrono::milliseconds limit, CancelToken stop = {});
    ~Patience();
    Patience(const Patience&) = delete;
    Patience& operator=(const Patience&) = delete;

    /// Waits for the socket. False when time is up or the work is to stop.
    [[nodiscard]] bool wait(int socket, short events) const;

    /// Why a wait was given up: the token's error, or Code::timeout.
    [[nodiscard]] Error error() const;
    [[nodiscard]] std::chrono::steady_clock::time_point until() const { return until_; }
    [[nodiscard]] const CancelToken& stop() const { return stop_; }

private:
    std::chrono::milliseconds limit_;
    std::chrono::steady_clock::time_point until_;
    CancelToken stop_;
    int bell_;  ///< an eventfd that becomes readable when the work is to stop
    std::unique_ptr<CancelToken::Registration> registration_;
};

/// Rows that have all arrived, as text.
class Rows {
public:
    explicit Rows(OwnedResult result) : result_(std::move(result)) {}
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] bool is_null(std::size_t row, int column) const;
    [[nodiscard]] std::string_view text(std::size_t row, int column) const;
    [[nodiscard]] const pg_result* raw() const { return result_.get(); }

private:
    OwnedResult result_;
};

class Connection {
public:
    /// Connects and makes the session speak as we read it: ISO dates, UTC, UTF-8, and unable to write.
    [[nodiscard]] static Result<std::unique_ptr<Connection>> open(const Secret& url, const Patience& patience);

    /// Statements of our own, without parameters or rows.
    Answer<void> run_script(const std::string& sql, const Patience& patience);
    /// One statement of our own with its rows.
    Answer<Rows> query(const std::string& sql, const std::vector<std::string>& values, const Patience& patience);

    /// Prepares exactly one statement, as the one that start() runs.
    Answer<void> prepare(const std::string& sql, const Patience& patience);
    /// The columns of what was prepared: rows without any row.
    Answer<Rows> describe(const Patience& patience);
    /// Begins to run what was prepared; next_row() gives its rows.
    Answer<void> start();

    struct Row {
        OwnedResult result;  ///< holds one row; nothing at the end
        bool is_too_large = false;
    };
    /// A row for which more than `bytes_max` bytes arrive is not waited for; the connection is given up.
    Answer<Row> next_row(const Patience& patience, std::size_t bytes_max);

    /// Asks the server to stop what it does and closes the connection, without waiting for either.
    void give_up();
    /// False also when the server has closed it while nobody was looking.
    [[nodiscard]] bool is_usable();

private:
    explicit Connection(pg_conn* connection) : connection_(connection) {}
    Result<> wait_until_connected(const Patience& patience);
    Result<> set_up_session(const Patience& patience);
    Answer<OwnedResult> next_result(const Patience& patience, std::size_t bytes_max);
    Answer<Rows> finish(const Patience& patience);
    Failure failure_of(const pg_result* result);
    std::unexpected<Failure> lost();
    std::unexpected<Failure> too_late(const Patience& patience);

    std::unique_ptr<pg_conn, CloseConnection> connection_;
};

/// Code::invalid_argument, without repeating the URL, when libpq cannot read it. Its password becomes a secret.
[[nodiscard]] Result<Secret> read_url(const std::string& url);

}  // namespace quaestor::data::postgres
