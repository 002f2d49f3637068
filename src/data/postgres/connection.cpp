#include "data/postgres/connection.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <libpq-fe.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <limits>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace quaestor::data::postgres {

namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

/// Longest time without an acknowledgement from the server's machine.
constexpr const char* kSilenceLimit = "30000";
/// Requests to stop a query that may be on their way at the same time.
constexpr int kCancelsMax = 8;
/// libpq reads this much at a time, if it is there.
constexpr std::size_t kReadMin = 8'192;
constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

constexpr std::string_view kHowToWriteUrl =
    "write it as postgres://user:password@host:port/database, with @ : / ? # % in the password as %40 %3A %2F %3F %23 "
    "%25";

/// The server's own schema is always looked into first, so that no function or operator of the same name is taken
/// instead; otherwise the role's search path stays. temp_file_limit is for superusers to set.
constexpr const char* kSession = R"sql(
SET DateStyle = 'ISO';
SET IntervalStyle = 'postgres';
SET TimeZone = 'UTC';
SET extra_float_digits = 3;
SET bytea_output = 'hex';
SET standard_conforming_strings = on;
SET default_transaction_read_only = on;
SELECT pg_catalog.set_config('search_path', coalesce((
    SELECT pg_catalog.string_agg(pg_catalog.quote_ident(name), ', ' ORDER BY place)
    FROM pg_catalog.unnest(pg_catalog.current_schemas(false)) WITH ORDINALITY AS path(name, place)
    WHERE name <> 'pg_catalog' AND name !~ '^pg_temp'), ''), false);
SELECT pg_catalog.set_config('temp_file_limit', '4GB', false)
WHERE pg_catalog.current_setting('is_superuser') = 'on';
)sql";

/// Lets the server notice while it computes that nobody is there any more. Older servers and some systems cannot.
constexpr const char* kNoticeClosedConnection = "SET client_connection_check_interval = '1s'";

bool succeeded(const PGresult* result) {
    const auto status = PQresultStatus(result);
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY;
}

std::string_view field(const PGresult* result, int code) {
    const char* text = PQresultErrorField(result, code);
    return text == nullptr ? std::string_view() : text;
}

/// Bytes that have arrived and were not read yet.
std::size_t waiting_bytes(const PGconn* connection) {
    int count = 0;
    return ioctl(PQsocket(connection), FIONREAD, &count) == 0 && count > 0 ? static_cast<std::size_t>(count) : 0;
}

/// How many bytes libpq has read at least, from what waited before and after: more may have come in the meantime.
std::size_t bytes_read(std::size_t before, std::size_t after) {
    return std::min(before, std::max(kReadMin, before - std::min(before, after)));
}

/// PQcancel connects and waits without a limit of its own, so a thread does it for whom nobody waits.
void request_cancel(PGconn* connection) {
    static std::atomic<int> on_their_way = 0;
    std::unique_ptr<PGcancel, void (*)(PGcancel*)> cancel(PQgetCancel(connection), PQfreeCancel);
    if (!cancel) return;
    if (on_their_way.fetch_add(1) >= kCancelsMax) {
        --on_their_way;
        return;
    }
    try {
        std::thread([held = std::move(cancel)] {
            std::array<char, 256> problem{};
            PQcancel(held.get(), problem.data(), static_cast<int>(problem.size()));
            --on_their_way;
        }).detach();
    } catch (const std::system_error&) {  // no thread to be had; the server notices the closed connection
        --on_their_way;
    }
}

/// False where an unescaped @ or / in a password has made libpq take a part of it for the host, port or database.
bool is_plausible(std::string_view keyword, std::string_view value) {
    if (keyword == "port") return value.find_first_not_of("0123456789,") == value.npos;
    if (keyword == "host" || keyword == "dbname") return !value.contains('@');
    return true;
}

}  // namespace

void CloseConnection::operator()(pg_conn* connection) const {
    PQfinish(connection);
}

void ClearResult::operator()(pg_result* result) const {
    PQclear(result);
}

Patience::Patience(milliseconds limit, CancelToken stop)
    : limit_(limit),
      until_(SteadyClock::now() + limit),
      stop_(std::move(stop)),
      bell_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    registration_ = stop_.on_cancel([bell = bell_] { eventfd_write(bell, 1); });
}

Patience::~Patience() {
    registration_.reset();
    close(bell_);
}

bool Patience::wait(int socket, short events) const {
    std::array<pollfd, 2> watched{pollfd{.fd = socket, .events = events, .revents = 0},
                                  pollfd{.fd = bell_, .events = POLLIN, .revents = 0}};
    for (;;) {
        const auto left = std::chrono::ceil<milliseconds>(until_ - SteadyClock::now());
        if (stop_.cancelled() || left <= milliseconds::zero()) return false;
        const auto slice = std::min<milliseconds::rep>(left.count(), std::numeric_limits<int>::max());
        const int ready = poll(watched.data(), watched.size(), static_cast<int>(slice));
        if (ready > 0) return watched[1].revents == 0;
        if (ready < 0 && errno != EINTR) return false;
    }
}

Error Patience::error() const {
    if (stop_.cancelled()) return stop_.error();
    return {.code = Code::timeout,
            .message = fmt::format("PostgreSQL did not finish within {}", limit_),
            .hint = "ask for less at once, or allow more time",
            .cause = {}};
}

std::size_t Rows::size() const {
    return static_cast<std::size_t>(PQntuples(result_.get()));
}

bool Rows::is_null(std::size_t row, int column) const {
    return PQgetisnull(result_.get(), static_cast<int>(row), column) != 0;
}

std::string_view Rows::text(std::size_t row, int column) const {
    const int at = static_cast<int>(row);
    return {PQgetvalue(result_.get(), at, column), static_cast<std::size_t>(PQgetlength(result_.get(), at, column))};
}

Result<Secret> read_url(const std::string& url) {
    const std::unique_ptr<PQconninfoOption, void (*)(PQconninfoOption*)> options(PQconninfoParse(url.c_str(), nullptr),
                                                                                 PQconninfoFree);
    bool is_readable = options != nullptr && !url.contains('\0');
    for (const auto* option = options.get(); is_readable && option->keyword != nullptr; ++option) {
        if (option->val == nullptr) continue;
        if (std::string_view(option->keyword) == "password") const Secret registered{std::string(option->val)};
        is_readable = is_plausible(option->keyword, option->val);
    }
    if (!is_readable) {
        return fail(Code::invalid_argument, "the PostgreSQL URL cannot be read", std::string(kHowToWriteUrl));
    }
    return Secret(url);
}

Result<std::unique_ptr<Connection>> Connection::open(const Secret& url, const Patience& patience) {
    // What stands before dbname may be overruled by the URL.
    constexpr std::array keywords{"fallback_application_name", "tcp_user_timeout", "dbname", "client_encoding",
                                  static_cast<const char*>(nullptr)};
    const std::array<const char*, 5> values{"quaestor", kSilenceLimit, url.reveal().c_str(), "UTF8", nullptr};
    std::unique_ptr<Connection> connection(
        new Connection(PQconnectStartParams(keywords.data(), values.data(), /*expand_dbname=*/1)));
    if (auto connected = connection->wait_until_connected(patience); !connected) return fail(connected.error());
    if (auto ready = connection->set_up_session(patience); !ready) return fail(ready.error());
    return connection;
}

Result<> Connection::wait_until_connected(const Patience& patience) {
    PGconn* connection = connection_.get();
    if (connection == nullptr || PQstatus(connection) == CONNECTION_BAD) {
        return fail(connect_error(PQerrorMessage(connection), false));
    }
    PQsetErrorVerbosity(connection, PQERRORS_VERBOSE);
    PQsetNoticeProcessor(connection, [](void*, const char*) {}, nullptr);
    for (short events = POLLOUT;;) {
        if (!patience.wait(PQsocket(connection), events)) {
            if (patience.stop().cancelled()) return fail(patience.error());
            return fail(Code::unavailable, "PostgreSQL did not accept the connection in time",
                        "check that the server runs, and that the host and port in the URL are right");
        }
        const auto state = PQconnectPoll(connection);
        if (state == PGRES_POLLING_OK) break;
        if (state == PGRES_POLLING_FAILED) {
            return fail(connect_error(PQerrorMessage(connection), PQconnectionNeedsPassword(connection) != 0));
        }
        events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT;
    }
    PQsetErrorVerbosity(connection, PQERRORS_TERSE);
    PQsetnonblocking(connection, 1);
    return {};
}

Result<> Connection::set_up_session(const Patience& patience) {
    if (auto set = run_script(kSession, patience); !set) return fail(set.error().error);
    auto noticing = run_script(kNoticeClosedConnection, patience);
    const bool is_refused = !noticing && !noticing.error().sqlstate.empty();
    if (!noticing && !is_refused) return fail(noticing.error().error);
    return {};
}

Answer<void> Connection::run_script(const std::string& sql, const Patience& patience) {
    if (!connection_ || PQsendQuery(connection_.get(), sql.c_str()) == 0) return lost();
    auto rows = finish(patience);
    if (!rows) return std::unexpected(rows.error());
    return {};
}

Answer<Rows> Connection::query(const std::string& sql, const std::vector<std::string>& values,
                               const Patience& patience) {
    std::vector<const char*> texts;
    texts.reserve(values.size());
    for (const std::string& value : values) texts.push_back(value.c_str());
    if (!connection_ || PQsendQueryParams(connection_.get(), sql.c_str(), static_cast<int>(texts.size()), nullptr,
                                          texts.data(), nullptr, nullptr, /*resultFormat=*/0) == 0) {
        return lost();
    }
    return finish(patience);
}

Answer<void> Connection::prepare(const std::string& sql, const Patience& patience) {
    if (!connection_ || PQsendPrepare(connection_.get(), "", sql.c_str(), 0, nullptr) == 0) return lost();
    auto prepared = finish(patience);
    if (!prepared) return std::unexpected(prepared.error());
    return {};
}

Answer<Rows> Connection::describe(const Patience& patience) {
    if (!connection_ || PQsendDescribePrepared(connection_.get(), "") == 0) return lost();
    return finish(patience);
}

Answer<void> Connection::start() {
    if (!connection_ ||
        PQsendQueryPrepared(connection_.get(), "", 0, nullptr, nullptr, nullptr, /*resultFormat=*/0) == 0 ||
        PQsetSingleRowMode(connection_.get()) == 0) {
        return lost();
    }
    return {};
}

Answer<Connection::Row> Connection::next_row(const Patience& patience, std::size_t bytes_max) {
    auto result = next_result(patience, bytes_max);
    if (!result) return std::unexpected(result.error());
    if (!connection_) return Row{.result = nullptr, .is_too_large = true};
    if (*result == nullptr) return Row{.result = nullptr};
    const auto status = PQresultStatus(result->get());
    if (status == PGRES_SINGLE_TUPLE) return Row{.result = std::move(*result)};
    if (succeeded(result->get())) return next_row(patience, bytes_max);
    auto failure = failure_of(result->get());
    while (connection_) {
        auto rest = next_result(patience, kNoLimit);
        if (!rest || *rest == nullptr) break;
    }
    return std::unexpected(std::move(failure));
}

/// The next result of the statement being run, nothing at its end. Closes the connection when more than `bytes_max`
/// bytes have come and it is still not complete.
Answer<OwnedResult> Connection::next_result(const Patience& patience, std::size_t bytes_max) {
    PGconn* connection = connection_.get();
    std::size_t received = 0;
    for (;;) {
        const int unsent = PQflush(connection);
        if (unsent < 0) return lost();
        if (PQisBusy(connection) == 0) return OwnedResult(PQgetResult(connection));
        if (received > bytes_max) {
            give_up();
            return OwnedResult();
        }
        if (!patience.wait(PQsocket(connection), unsent == 0 ? POLLIN : POLLIN | POLLOUT)) return too_late(patience);
        const std::size_t before = waiting_bytes(connection);
        if (PQconsumeInput(connection) == 0) return lost();
        received += bytes_read(before, waiting_bytes(connection));
    }
}

/// All results of what was sent: the last rows, or the first failure.
Answer<Rows> Connection::finish(const Patience& patience) {
    std::optional<Answer<Rows>> outcome;
    for (;;) {
        auto result = next_result(patience, kNoLimit);
        if (!result) return std::unexpected(result.error());
        if (*result == nullptr) break;
        if (outcome && !*outcome) continue;
        if (succeeded(result->get())) {
            outcome = Rows(std::move(*result));
        } else {
            outcome = std::unexpected(failure_of(result->get()));
            if (!connection_) break;
        }
    }
    if (!outcome) return lost();
    return std::move(*outcome);
}

Failure Connection::failure_of(const pg_result* result) {
    const auto sqlstate = field(result, PG_DIAG_SQLSTATE);
    if (sqlstate.empty() || ends_connection(sqlstate) || PQstatus(connection_.get()) != CONNECTION_OK) {
        const std::string_view words = field(result, PG_DIAG_MESSAGE_PRIMARY);
        auto error = lost_error(words.empty() ? PQresultErrorMessage(result) : words);
        connection_.reset();
        return {.error = std::move(error), .sqlstate = {}, .message = {}, .hint = {}};
    }
    std::size_t position = 0;
    const auto digits = field(result, PG_DIAG_STATEMENT_POSITION);
    std::from_chars(digits.data(), digits.data() + digits.size(), position);
    return server_failure(sqlstate, field(result, PG_DIAG_MESSAGE_PRIMARY), field(result, PG_DIAG_MESSAGE_HINT),
                          position);
}

std::unexpected<Failure> Connection::lost() {
    auto error = lost_error(connection_ ? PQerrorMessage(connection_.get()) : "it is closed");
    connection_.reset();
    return own_failure(std::move(error));
}

std::unexpected<Failure> Connection::too_late(const Patience& patience) {
    give_up();
    return own_failure(patience.error());
}

void Connection::give_up() {
    if (connection_ && PQstatus(connection_.get()) == CONNECTION_OK) request_cancel(connection_.get());
    connection_.reset();
}

bool Connection::is_usable() {
    if (!connection_) return false;
    PGconn* connection = connection_.get();
    const bool is_idle = PQstatus(connection) == CONNECTION_OK && PQtransactionStatus(connection) == PQTRANS_IDLE;
    // Reading without waiting shows whether the server has said goodbye in the meantime.
    if (!is_idle || PQconsumeInput(connection) == 0 || PQstatus(connection) != CONNECTION_OK) connection_.reset();
    return connection_ != nullptr;
}

}  // namespace quaestor::data::postgres
