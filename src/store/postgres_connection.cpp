#include "store/postgres_connection.hpp"

#include "base/sqlstate.hpp"

#include <fmt/format.h>
#include <libpq-fe.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <poll.h>

namespace quaestor::store::postgres {

namespace {

using std::chrono::milliseconds;

/// How much longer than the server itself we wait for it to give up on a statement.
constexpr milliseconds kGrace{1'000};
constexpr milliseconds kTimeoutMin{1};
constexpr milliseconds kTimeoutMax{3'600'000};

constexpr std::string_view kWhenUnreachable =
    "check that the PostgreSQL server runs and accepts connections; stored runs go on from their last checkpoint";
constexpr std::string_view kHowToWriteUrl =
    "write it as postgres://user:password@host:port/database, with @ : / ? # % in the password as %40 %3A %2F %3F %23 "
    "%25";

struct Meaning {
    std::string_view sqlstate;  ///< or how it begins
    Code code;
    std::string_view hint;
};

constexpr std::array kMeanings{
    Meaning{"08", Code::unavailable, kWhenUnreachable},
    Meaning{"57P", Code::unavailable, kWhenUnreachable},
    Meaning{"53", Code::unavailable, "the PostgreSQL server ran out of disk, memory or connections; make room there"},
    Meaning{"25006", Code::unavailable, "this PostgreSQL server is read-only; name the primary in the URL"},
    Meaning{"57014", Code::timeout,
            "the PostgreSQL server is slow or something holds a lock; try again or raise the timeout"},
    Meaning{"55P03", Code::timeout, "something holds a lock in the PostgreSQL server; try again"},
    Meaning{"40", Code::conflict, "another program changed the same rows at the same time; try again"},
    Meaning{"23503", Code::not_found, ""},
    Meaning{"23505", Code::already_exists, ""},
    Meaning{"28", Code::permission_denied, "check the user and password in the URL"},
    Meaning{"42501", Code::permission_denied, "let the PostgreSQL user create and use the schema quaestor"},
    Meaning{"3D000", Code::not_found, "create the database, or correct its name in the URL"},
    Meaning{"22021", Code::invalid_argument, "PostgreSQL stores only well-formed UTF-8"},
    Meaning{"54", Code::limit_exceeded, ""},
};

std::string_view first_line(std::string_view text) {
    return text.substr(0, text.find('\n'));
}

Error make_error(Code code, std::string_view message, std::string_view hint) {
    return {.code = code, .message = mask_secrets(message), .hint = std::string(hint), .cause = {}};
}

Error describe(std::string_view sqlstate, std::string_view message) {
    const auto* meaning = std::ranges::find_if(
        kMeanings, [&](const Meaning& candidate) { return sqlstate.starts_with(candidate.sqlstate); });
    const auto text = fmt::format("PostgreSQL: {}", message);
    if (meaning == kMeanings.end()) return make_error(Code::internal, fmt::format("{} ({})", text, sqlstate), "");
    return make_error(meaning->code, text, meaning->hint);
}

std::string_view field(const PGresult* result, int code) {
    const char* text = PQresultErrorField(result, code);
    return text == nullptr ? std::string_view() : text;
}

/// An error that takes the connection with it, although libpq has not noticed its end yet.
bool ends_connection(std::string_view sqlstate) {
    return sqlstate.starts_with("57P") || sqlstate.starts_with("08");
}

bool succeeded(const PGresult* result) {
    const auto status = PQresultStatus(result);
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_EMPTY_QUERY;
}

Error connect_error(const PGconn* connection) {
    const std::string_view text = PQerrorMessage(connection);
    if (const auto refusal = find_refusal(text)) return describe(refusal->sqlstate, refusal->message);
    const auto message = fmt::format("could not connect to PostgreSQL: {}", first_line(text));
    if (PQconnectionNeedsPassword(connection) != 0) {
        return make_error(Code::permission_denied, message, "put a password into the URL");
    }
    return make_error(Code::unavailable, message, kWhenUnreachable);
}

/// What libpq or the server would cut off, or end the connection for.
Result<> check(const Values& values) {
    for (const auto& value : values) {
        if (!value) continue;
        if (value->size() > kValueMax) {
            return fail(Code::limit_exceeded,
                        fmt::format("a value of {} bytes is too large for PostgreSQL", value->size()),
                        fmt::format("keep each part of a checkpoint below {} bytes", kValueMax));
        }
        if (value->contains('\0')) {
            return fail(Code::invalid_argument, "PostgreSQL cannot store text with a NUL character",
                        "leave the character out");
        }
    }
    return {};
}

/// Waits for the socket; false when nothing happened in time.
bool wait_for(const PGconn* connection, short events, milliseconds timeout) {
    pollfd socket{.fd = PQsocket(connection), .events = events, .revents = 0};
    for (;;) {
        const int ready = poll(&socket, 1, static_cast<int>(timeout.count()));
        if (ready >= 0 || errno != EINTR) return ready != 0;
    }
}

/// False where an unescaped @ or / in a password has made libpq take a part of it for the host, port or database.
bool is_plausible(std::string_view keyword, std::string_view value) {
    if (keyword == "port") return value.find_first_not_of("0123456789,") == value.npos;
    if (keyword == "host" || keyword == "dbname") return !value.contains('@');
    return true;
}

}  // namespace

Result<Address> read_address(const Secret& url, milliseconds timeout) {
    if (url.empty()) return fail(Code::invalid_argument, "no PostgreSQL URL is given", std::string(kHowToWriteUrl));
    const std::unique_ptr<PQconninfoOption, void (*)(PQconninfoOption*)> options(
        PQconninfoParse(url.reveal().c_str(), nullptr), PQconninfoFree);
    Address address{.url = url, .password = {}, .timeout = std::clamp(timeout, kTimeoutMin, kTimeoutMax)};
    bool readable = options != nullptr;
    for (const auto* option = options.get(); readable && option->keyword != nullptr; ++option) {
        if (option->val == nullptr) continue;
        const std::string_view keyword = option->keyword;
        if (keyword == "password") address.password = Secret(option->val);
        readable = is_plausible(keyword, option->val);
    }
    if (!readable) {
        return fail(Code::invalid_argument, "the PostgreSQL URL cannot be read", std::string(kHowToWriteUrl));
    }
    return address;
}

void Rows::Clear::operator()(pg_result* result) const {
    PQclear(result);
}

std::size_t Rows::size() const {
    return static_cast<std::size_t>(PQntuples(result_.get()));
}

std::size_t Rows::affected() const {
    const std::string_view text = PQcmdTuples(result_.get());
    std::size_t count = 0;
    std::from_chars(text.data(), text.data() + text.size(), count);
    return count;
}

bool Rows::is_null(std::size_t row, int column) const {
    return PQgetisnull(result_.get(), static_cast<int>(row), column) != 0;
}

std::string_view Rows::text(std::size_t row, int column) const {
    const int at = static_cast<int>(row);
    return {PQgetvalue(result_.get(), at, column), static_cast<std::size_t>(PQgetlength(result_.get(), at, column))};
}

std::int64_t Rows::integer(std::size_t row, int column) const {
    const auto digits = text(row, column);
    std::int64_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

void Connection::Close::operator()(pg_conn* connection) const {
    PQfinish(connection);
}

Connection::Connection(pg_conn* connection, milliseconds timeout) : connection_(connection), timeout_(timeout) {}

Result<Connection> Connection::open(const Address& address) {
    const std::string silence_limit = std::to_string(address.timeout.count());
    // What stands before dbname may be overruled by the URL.
    const std::array<const char*, 5> keywords{"fallback_application_name", "tcp_user_timeout", "dbname",
                                              "client_encoding", nullptr};
    const std::array<const char*, 5> values{"quaestor", silence_limit.c_str(), address.url.reveal().c_str(), "UTF8",
                                            nullptr};
    Connection connection(PQconnectStartParams(keywords.data(), values.data(), /*expand_dbname=*/1), address.timeout);
    if (auto connected = connection.wait_until_connected(); !connected) return fail(connected.error());
    if (auto set = connection.run_script(fmt::format("SET statement_timeout = {}", silence_limit)); !set) {
        return fail(set.error());
    }
    return connection;
}

Result<> Connection::wait_until_connected() {
    PGconn* connection = connection_.get();
    if (connection == nullptr || PQstatus(connection) == CONNECTION_BAD) return fail(connect_error(connection));
    PQsetErrorVerbosity(connection, PQERRORS_VERBOSE);
    PQsetNoticeProcessor(connection, [](void*, const char*) {}, nullptr);
    const auto give_up_at = std::chrono::steady_clock::now() + timeout_;
    for (short events = POLLOUT;;) {
        const auto left = std::chrono::ceil<milliseconds>(give_up_at - std::chrono::steady_clock::now());
        if (left <= milliseconds::zero() || !wait_for(connection, events, left)) {
            return fail(Code::unavailable, fmt::format("PostgreSQL did not answer within {}", timeout_),
                        std::string(kWhenUnreachable));
        }
        const auto state = PQconnectPoll(connection);
        if (state == PGRES_POLLING_OK) break;
        if (state == PGRES_POLLING_FAILED) return fail(connect_error(connection));
        events = state == PGRES_POLLING_READING ? POLLIN : POLLOUT;
    }
    PQsetErrorVerbosity(connection, PQERRORS_TERSE);
    PQsetnonblocking(connection, 1);
    return {};
}

Result<Rows> Connection::run(const Statement& statement, const Values& values) {
    if (auto checked = check(values); !checked) return fail(checked.error());
    if (auto ready = prepare(statement); !ready) return fail(ready.error());
    if (!send(statement, values)) return fail(lost());
    return finish_statement();
}

Result<> Connection::run_script(const std::string& sql) {
    if (!is_alive() || PQsendQuery(connection_.get(), sql.c_str()) == 0) return fail(lost());
    auto outcome = finish_statement();
    if (!outcome) return fail(outcome.error());
    return {};
}

TransactionResult Connection::run_together(std::span<const Query> queries) {
    for (std::size_t i = 0; i < queries.size(); ++i) {
        auto ready = check(queries[i].values);
        if (ready) ready = prepare(*queries[i].statement);
        if (!ready) return std::unexpected(not_stored(std::move(ready.error()), i));
    }
    if (!send_together(queries)) return std::unexpected(not_stored(lost()));
    auto result = receive_together(queries.size());
    if (is_alive() && PQtransactionStatus(connection_.get()) != PQTRANS_IDLE) {
        if (auto undone = run_script("ROLLBACK"); !undone) connection_.reset();
    }
    return result;
}

bool Connection::is_alive() const {
    return connection_ && PQstatus(connection_.get()) == CONNECTION_OK;
}

std::string Connection::server_version() const {
    const char* reported = PQparameterStatus(connection_.get(), "server_version");
    const std::string_view version = reported == nullptr ? "" : reported;
    return std::string(version.substr(0, version.find(' ')));
}

std::string Connection::location() const {
    const PGconn* connection = connection_.get();
    const std::string_view host = PQhost(connection);
    if (host.starts_with('/')) {
        return fmt::format("postgres://{}@/{}?host={}&port={}", PQuser(connection), PQdb(connection), host,
                           PQport(connection));
    }
    return fmt::format("postgres://{}@{}:{}/{}", PQuser(connection), host, PQport(connection), PQdb(connection));
}

Result<> Connection::prepare(const Statement& statement) {
    if (prepared_.contains(statement.name)) return {};
    if (!is_alive() || PQsendPrepare(connection_.get(), statement.name, statement.sql, 0, nullptr) == 0) {
        return fail(lost());
    }
    auto outcome = finish_statement();
    if (!outcome) return fail(outcome.error());
    prepared_.insert(statement.name);
    return {};
}

bool Connection::send(const Statement& statement, const Values& values) {
    std::vector<const char*> texts;
    texts.reserve(values.size());
    for (const auto& value : values) texts.push_back(value ? value->c_str() : nullptr);
    return is_alive() && PQsendQueryPrepared(connection_.get(), statement.name, static_cast<int>(texts.size()),
                                             texts.data(), nullptr, nullptr, /*resultFormat=*/0) != 0;
}

bool Connection::send_together(std::span<const Query> queries) {
    PGconn* connection = connection_.get();
    const auto send_word = [&](const char* sql) {
        return PQsendQueryParams(connection, sql, 0, nullptr, nullptr, nullptr, nullptr, 0) != 0;
    };
    if (!is_alive() || PQenterPipelineMode(connection) == 0 || !send_word("BEGIN")) return false;
    for (const auto& query : queries) {
        if (!send(*query.statement, query.values)) return false;
    }
    return send_word("COMMIT") && PQpipelineSync(connection) != 0;
}

/// Only a connection that still stands can tell which query was wrong.
TransactionFailure Connection::not_stored(Error error, std::optional<std::size_t> query) const {
    return {.error = std::move(error), .query = is_alive() ? query : std::nullopt};
}

/// The answers to BEGIN, `count` queries, COMMIT and the end of the pipeline. After a query that failed, the server
/// skips the rest.
TransactionResult Connection::receive_together(std::size_t count) {
    std::vector<Rows> rows;
    rows.reserve(count + 2);
    std::optional<TransactionFailure> failure;
    for (std::size_t i = 0; i < count + 2 && is_alive(); ++i) {
        auto outcome = finish_statement();
        if (outcome) rows.push_back(std::move(*outcome));
        if (outcome || failure) continue;
        const bool is_query = i >= 1 && i <= count;
        failure = not_stored(std::move(outcome.error()), is_query ? std::optional(i - 1) : std::nullopt);
    }
    if (is_alive() && !(next_result() && PQexitPipelineMode(connection_.get()) != 0)) connection_.reset();
    if (failure) return std::unexpected(not_stored(std::move(failure->error), failure->query));
    rows.erase(rows.begin());
    rows.pop_back();
    return rows;
}

/// All results of one statement: its rows, or its first error.
Result<Rows> Connection::finish_statement() {
    std::optional<Result<Rows>> outcome;
    for (;;) {
        auto result = next_result();
        if (!result) return fail(result.error());
        if (*result == nullptr) break;
        if (succeeded(result->get())) {
            if (!outcome || *outcome) outcome = Rows(std::move(*result));
            continue;
        }
        const auto sqlstate = field(result->get(), PG_DIAG_SQLSTATE);
        if (!is_alive() || ends_connection(sqlstate)) return fail(lost());
        if (!outcome || *outcome) outcome = fail(describe(sqlstate, field(result->get(), PG_DIAG_MESSAGE_PRIMARY)));
    }
    if (!outcome) return fail(lost());
    return std::move(*outcome);
}

/// The next result of the statement being run, nothing at its end.
Result<Rows::Owned> Connection::next_result() {
    PGconn* connection = connection_.get();
    for (;;) {
        const int unsent = PQflush(connection);
        if (unsent < 0) return fail(lost());
        if (PQisBusy(connection) == 0) return Rows::Owned(PQgetResult(connection));
        if (!wait_for(connection, unsent == 0 ? POLLIN : POLLIN | POLLOUT, timeout_ + kGrace)) {
            connection_.reset();
            return fail(Code::timeout, fmt::format("PostgreSQL did not answer within {}", timeout_ + kGrace),
                        std::string(kWhenUnreachable));
        }
        if (PQconsumeInput(connection) == 0) return fail(lost());
    }
}

Error Connection::lost() {
    const std::string reason(connection_ ? first_line(PQerrorMessage(connection_.get())) : "it is closed");
    connection_.reset();
    return make_error(Code::unavailable, fmt::format("the connection to PostgreSQL was lost: {}", reason),
                      kWhenUnreachable);
}

}  // namespace quaestor::store::postgres
