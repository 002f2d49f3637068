// One connection to PostgreSQL over libpq: prepared statements, transactions in one round trip, errors for people.
// Whoever opens it owns it. A connection that was lost stays lost: is_alive() says so, and a new one takes its place.
// Threads: one at a time. Every call blocks, and ends within the address' timeout for each statement.
#pragma once

#include "base/error.hpp"
#include "base/log.hpp"

#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct pg_conn;
struct pg_result;

namespace quaestor::store::postgres {

/// Where to connect, and how long to wait for the connection and for any one statement.
struct Address {
    Secret url;
    Secret password;  ///< the one in the URL, known on its own so that it is masked on its own
    std::chrono::milliseconds timeout{};
};

/// Checks the URL without connecting. The error never repeats a part of it, which could be a part of the password.
[[nodiscard]] Result<Address> read_address(const Secret& url, std::chrono::milliseconds timeout);

/// A statement that a connection prepares at its first use. Names are unique; both texts are literals.
struct Statement {
    const char* name;
    const char* sql;
};

/// Most bytes of one value; the server ends the connection over a message of 1 GiB.
inline constexpr std::size_t kValueMax = std::size_t{256} << 20;

/// The values of $1, $2, …; they never become part of a statement's text. Nothing means NULL.
using Values = std::vector<std::optional<std::string>>;

struct Query {
    const Statement* statement;
    Values values;
};

/// What a statement returned.
class Rows {
public:
    [[nodiscard]] std::size_t size() const;
    /// How many rows the statement wrote or removed.
    [[nodiscard]] std::size_t affected() const;
    [[nodiscard]] bool is_null(std::size_t row, int column) const;
    /// Valid as long as these rows; empty for NULL.
    [[nodiscard]] std::string_view text(std::size_t row, int column) const;
    /// 0 for NULL.
    [[nodiscard]] std::int64_t integer(std::size_t row, int column) const;
    [[nodiscard]] bool boolean(std::size_t row, int column) const { return text(row, column) == "t"; }

    struct Clear {
        void operator()(pg_result* result) const;
    };
    using Owned = std::unique_ptr<pg_result, Clear>;
    explicit Rows(Owned result) : result_(std::move(result)) {}

private:
    Owned result_;
};

/// Why nothing of a transaction was stored; when the connection was lost, whether it was is not known.
struct TransactionFailure {
    Error error;
    std::optional<std::size_t> query;  ///< the one that was wrong, when it was one of them
};

using TransactionResult = std::expected<std::vector<Rows>, TransactionFailure>;

class Connection {
public:
    /// Code::unavailable: nobody answers. Code::permission_denied: refused. Code::not_found: no such database.
    [[nodiscard]] static Result<Connection> open(const Address& address);

    /// Runs one statement.
    [[nodiscard]] Result<Rows> run(const Statement& statement, const Values& values = {});

    /// Runs all queries in one transaction and one round trip: all of them are stored, or none.
    [[nodiscard]] TransactionResult run_together(std::span<const Query> queries);

    /// Runs statements without values, separated by semicolons.
    [[nodiscard]] Result<> run_script(const std::string& sql);

    [[nodiscard]] bool is_alive() const;
    /// "15.19"
    [[nodiscard]] std::string server_version() const;
    /// The URL in use, without its password.
    [[nodiscard]] std::string location() const;

private:
    struct Close {
        void operator()(pg_conn* connection) const;
    };

    Connection(pg_conn* connection, std::chrono::milliseconds timeout);

    Result<> wait_until_connected();
    Result<> prepare(const Statement& statement);
    [[nodiscard]] bool send(const Statement& statement, const Values& values);
    [[nodiscard]] bool send_together(std::span<const Query> queries);
    Result<Rows::Owned> next_result();
    Result<Rows> finish_statement();
    TransactionResult receive_together(std::size_t count);
    [[nodiscard]] Error lost();
    [[nodiscard]] TransactionFailure not_stored(Error error, std::optional<std::size_t> query = {}) const;

    std::unique_ptr<pg_conn, Close> connection_;
    std::chrono::milliseconds timeout_;
    std::set<std::string_view> prepared_;
};

}  // namespace quaestor::store::postgres
