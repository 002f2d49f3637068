#include "data/engine.hpp"

#include "base/text.hpp"
#include "data/postgres/connection.hpp"
#include "data/postgres/pool.hpp"
#include "data/postgres/schema.hpp"
#include "data/postgres/values.hpp"
#include "data/sql_text.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <libpq-fe.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <utility>

namespace quaestor::data {

namespace {

using postgres::Answer;
using postgres::Connection;
using postgres::Patience;
using std::chrono::milliseconds;

/// How much longer than the server itself we wait for it to end a statement.
constexpr milliseconds kGrace{1'000};
constexpr milliseconds kTimeoutMin{1};
constexpr milliseconds kTimeoutMax{86'400'000};
/// Longest wait for a table that somebody else changes.
constexpr milliseconds kLockTimeout{10'000};
/// When the server ends a transaction of ours in which nothing happens: should this program hang.
constexpr milliseconds kIdleTimeout{60'000};
/// What the server says at its time limit, and when somebody stops a query there.
constexpr std::string_view kQueryCancelled = "57014";
constexpr milliseconds kOpenTimeout{10'000};
constexpr milliseconds kBindTimeout{10'000};
constexpr milliseconds kFingerprintTimeout{10'000};
constexpr milliseconds kSchemaTimeout{60'000};
/// Rows beyond the limit that are read over rather than giving the connection up.
constexpr int kExtraRowsMax = 100;
/// Bytes of one result, whatever the limits say.
constexpr std::size_t kBytesMax = std::size_t{1} << 40;
/// Bytes by which a row of 1,664 columns, the most there can be, is longer on the wire than its values.
constexpr std::size_t kWireOverheadMax = 8'192;

std::string begin_script(milliseconds timeout) {
    return fmt::format(
        "BEGIN READ ONLY; SET LOCAL statement_timeout = {}; SET LOCAL lock_timeout = {}; "
        "SET LOCAL idle_in_transaction_session_timeout = {}",
        timeout.count(), std::min(timeout, kLockTimeout).count(), (timeout + kIdleTimeout).count());
}

/// Rows while they arrive, and how much room is left for them.
class Collector {
public:
    Collector(const PGresult* description, const postgres::Types& types, const QueryLimits& limits)
        : types_(types), limits_(limits) {
        for (int i = 0; i < PQnfields(description); ++i) {
            const postgres::TypeId id = PQftype(description, i);
            const auto found = types.find(id);
            const auto kind = found == types.end() ? ValueKind::other : found->second.kind;
            const auto name = found == types.end() ? "" : postgres::name_of(found->second, id, PQfmod(description, i));
            ids_.push_back(id);
            set_.columns.emplace_back(PQfname(description, i), kind, name);
        }
    }

    [[nodiscard]] std::size_t bytes_left() const { return std::min(limits_.bytes, kBytesMax) - bytes_; }

    /// False when there is no room for the row, which is then left out.
    Result<bool> add(const PGresult* row) {
        std::size_t size = 0;
        for (int i = 0; i < PQnfields(row); ++i) size += static_cast<std::size_t>(PQgetlength(row, 0, i));
        if (set_.row_count == limits_.rows || size > bytes_left()) return false;
        if (static_cast<std::size_t>(PQnfields(row)) != set_.columns.size()) {
            return fail(Code::corrupt, "PostgreSQL sent a row with another number of columns than it had announced",
                        "the connection may be damaged; try again");
        }
        for (std::size_t i = 0; i < set_.columns.size(); ++i) {
            if (auto added = add_cell(set_.columns[i], i, row); !added) return fail(added.error());
        }
        bytes_ += size;
        ++set_.row_count;
        return true;
    }

    void mark_truncated() { set_.truncated = true; }
    ResultSet release() { return std::move(set_); }

private:
    Result<> add_cell(ResultColumn& column, std::size_t place, const PGresult* row) const {
        const int field = static_cast<int>(place);
        if (PQgetisnull(row, 0, field) != 0) {
            column.add_null();
            return {};
        }
        const std::string_view text(PQgetvalue(row, 0, field), static_cast<std::size_t>(PQgetlength(row, 0, field)));
        return postgres::add_value(column, ids_[place], types_, text);
    }

    const postgres::Types& types_;
    const QueryLimits& limits_;
    std::vector<postgres::TypeId> ids_;
    ResultSet set_;
    std::size_t bytes_ = 0;
};

/// The columns of the prepared statement and their types. Asking for types takes the statement's place, so that it is
/// prepared again.
struct Description {
    postgres::Rows columns;
    postgres::Types types;
};

Answer<Description> describe(Connection& connection, const std::string& sql, const Patience& patience) {
    if (auto prepared = connection.prepare(sql, patience); !prepared) return std::unexpected(prepared.error());
    auto columns = connection.describe(patience);
    if (!columns) return std::unexpected(columns.error());
    std::vector<postgres::TypeId> ids;
    ids.reserve(static_cast<std::size_t>(PQnfields(columns->raw())));
    for (int i = 0; i < PQnfields(columns->raw()); ++i) ids.push_back(PQftype(columns->raw(), i));
    auto types = postgres::learn_types(ids, connection, patience);
    if (!types) return std::unexpected(types.error());
    if (!postgres::are_builtin(ids)) {
        if (auto prepared = connection.prepare(sql, patience); !prepared) return std::unexpected(prepared.error());
    }
    return Description{.columns = std::move(*columns), .types = std::move(*types)};
}

/// Reads over what is left of a result; gives the connection up when that is much.
void skip_rest(Connection& connection, const Patience& patience) {
    for (int i = 0; i < kExtraRowsMax; ++i) {
        const auto row = connection.next_row(patience, QueryLimits().bytes);
        if (!row || !row->result) return;
    }
    connection.give_up();
}

Answer<ResultSet> collect(Connection& connection, const std::string& sql, const QueryLimits& limits,
                          const Patience& patience) {
    const auto described = describe(connection, sql, patience);
    if (!described) return std::unexpected(described.error());
    Collector collector(described->columns.raw(), described->types, limits);
    if (auto started = connection.start(); !started) return std::unexpected(started.error());
    for (;;) {
        const auto row = connection.next_row(patience, collector.bytes_left() + kWireOverheadMax);
        if (!row) return std::unexpected(row.error());
        if (row->is_too_large) collector.mark_truncated();
        if (!row->result) return collector.release();
        const auto added = collector.add(row->result.get());
        if (!added) {
            connection.give_up();
            return postgres::own_failure(added.error());
        }
        if (*added) continue;
        collector.mark_truncated();
        skip_rest(connection, patience);
        return collector.release();
    }
}

/// The name that stands at `at`, without what is in front of its last dot.
std::string name_at(std::string_view sql, std::size_t at) {
    std::string name;
    bool behind_dot = true;
    for (const SqlToken& token : tokens_of(sql.substr(at), Dialect::postgres)) {
        const bool is_name = token.kind == SqlToken::Kind::word || token.kind == SqlToken::Kind::quoted_name;
        if (behind_dot ? !is_name : token.text != ".") break;
        if (behind_dot) name = token.text;
        behind_dot = !behind_dot;
    }
    return name.starts_with('"') && name.size() > 1 ? name.substr(1, name.size() - 2) : name;
}

class PostgresEngine final : public Engine {
public:
    explicit PostgresEngine(Secret url) : pool_(std::move(url)) {}

    Result<> connect() {
        const Patience patience(kOpenTimeout);
        auto lease = pool_.take(patience);
        if (!lease) return fail(lease.error());
        return {};
    }

    [[nodiscard]] Dialect dialect() const override { return Dialect::postgres; }
    [[nodiscard]] Reading read(std::string_view sql) override { return read_postgres(sql); }

    [[nodiscard]] Result<Catalog> read_schema(const CancelToken& stop) override {
        auto catalog =
            in_transaction<Catalog>(kSchemaTimeout, stop, [](Connection& connection, const Patience& patience) {
                return postgres::read_catalog(connection, patience);
            });
        if (!catalog) return fail(catalog.error().error);
        return std::move(*catalog);
    }

    [[nodiscard]] Result<std::string> fingerprint() override {
        auto print =
            in_transaction<std::string>(kFingerprintTimeout, {}, [](Connection& connection, const Patience& patience) {
                return postgres::read_fingerprint(connection, patience);
            });
        if (!print) return fail(print.error().error);
        return std::move(*print);
    }

    [[nodiscard]] Result<std::optional<Problem>> bind(const std::string& sql, const CancelToken& stop) override {
        const auto bound = in_transaction<bool>(kBindTimeout, stop,
                                                [&](Connection& connection, const Patience& patience) -> Answer<bool> {
                                                    if (auto prepared = connection.prepare(sql, patience); !prepared) {
                                                        return std::unexpected(prepared.error());
                                                    }
                                                    return true;
                                                });
        if (bound) return std::nullopt;
        auto problem = postgres::problem_of(bound.error(), sql);
        if (!problem) return fail(bound.error().error);
        if (problem->code == Problem::Code::unknown_column && problem->suggestion.empty() && problem->at) {
            problem->suggestion = suggest_column(sql, *problem->at, stop);
        }
        return problem;
    }

    [[nodiscard]] Result<ResultSet> run(const std::string& sql, const QueryLimits& limits,
                                        const CancelToken& stop) override {
        const auto begin = std::chrono::steady_clock::now();
        auto result = in_transaction<ResultSet>(std::clamp(limits.timeout, kTimeoutMin, kTimeoutMax), stop,
                                                [&](Connection& connection, const Patience& patience) {
                                                    return collect(connection, sql, limits, patience);
                                                });
        if (!result) return fail(result.error().error);
        result->execution_time = std::chrono::steady_clock::now() - begin;
        return std::move(*result);
    }

private:
    /// Does `work` in a transaction that cannot write and ends it, whatever became of it.
    template <class T>
    Answer<T> in_transaction(milliseconds timeout, const CancelToken& stop,
                             const std::function<Answer<T>(Connection&, const Patience&)>& work) {
        if (stop.cancelled()) return postgres::own_failure(stop.error());
        const auto start = std::chrono::steady_clock::now();
        const Patience patience(timeout + kGrace, stop);
        auto lease = pool_.take(patience);
        if (!lease) return postgres::own_failure(lease.error());
        if (auto begun = begin(*lease, timeout, patience); !begun) return std::unexpected(begun.error());
        auto answer = work(*lease->operator->(), patience);
        const Patience for_the_end(kGrace);
        if (auto ended = (*lease)->run_script("ROLLBACK", for_the_end); !ended) (*lease)->give_up();
        const bool is_late = std::chrono::steady_clock::now() - start >= timeout;
        if (!answer && is_late && answer.error().sqlstate == kQueryCancelled) {
            return postgres::own_failure({.code = Code::timeout,
                                          .message = fmt::format("the query took longer than {}", timeout),
                                          .hint = "ask for less at once, or allow more time",
                                          .cause = {}});
        }
        return answer;
    }

    /// A connection that has waited in the pool may have ended without a sign; then another is opened.
    static Answer<void> begin(postgres::Pool::Lease& lease, milliseconds timeout, const Patience& patience) {
        auto begun = lease->run_script(begin_script(timeout), patience);
        const bool was_lost = !begun && begun.error().error.code == Code::unavailable;
        if (!was_lost || lease.is_fresh()) return begun;
        if (auto renewed = lease.renew(patience); !renewed) return postgres::own_failure(renewed.error());
        return lease->run_script(begin_script(timeout), patience);
    }

    /// What to write instead of the unknown column at `at`; empty when nothing is near.
    std::string suggest_column(const std::string& sql, std::size_t at, const CancelToken& stop) {
        std::vector<std::string> relations;
        for (const Mention& relation : read_postgres(sql).relations) {
            relations.push_back(quote_name(relation.schema, relation.name));
        }
        const auto columns = in_transaction<std::vector<std::string>>(
            kBindTimeout, stop, [&](Connection& connection, const Patience& patience) {
                return postgres::read_columns(relations, connection, patience);
            });
        const auto meant = columns ? text::nearest(name_at(sql, at), *columns) : std::nullopt;
        return meant ? fmt::format("did you mean \"{}\"?", *meant) : std::string();
    }

    postgres::Pool pool_;
};

}  // namespace

Result<std::unique_ptr<Engine>> open_postgres(const std::string& url) {
    auto address = postgres::read_url(url);
    if (!address) return fail(address.error());
    auto engine = std::make_unique<PostgresEngine>(std::move(*address));
    if (auto connected = engine->connect(); !connected) return fail(connected.error());
    return engine;
}

}  // namespace quaestor::data
