// A PostgreSQL database as the store uses it: one connection writes the changes of everybody, a few others read.
// Owned by the PostgreSQL store. A connection that is lost is replaced, so a server may go and come back meanwhile.
// Threads: read() and write() from any executor; they never block the caller's thread.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "base/worker_pool.hpp"
#include "store/group_writer.hpp"
#include "store/postgres_connection.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace quaestor::store::postgres {

/// Most connections that read at the same time.
inline constexpr std::size_t kReadersMax = 64;

/// Connections for reading, each used by one thread at a time and kept for the next.
class Readers {
public:
    Readers(Address address, std::size_t connections);

    /// Runs `work(connection)`, which returns a Result, on a worker thread. When the connection is lost meanwhile,
    /// `work` runs a second time with a new one.
    template <class Work>
    Task<std::invoke_result_t<Work&, Connection&>> run(Work work) {
        co_return co_await workers_.run([this, work = std::move(work)]() mutable { return run_here(work); });
    }

private:
    template <class Work>
    std::invoke_result_t<Work&, Connection&> run_here(Work& work) {
        for (bool is_last_try = false;; is_last_try = true) {
            auto connection = take();
            if (!connection) return fail(connection.error());
            auto result = work(*connection);
            const bool was_lost = !connection->is_alive();
            put_back(std::move(*connection));
            if (result || !was_lost || is_last_try || result.error().code == Code::timeout) return result;
        }
    }

    Result<Connection> take();
    void put_back(Connection connection);

    const Address address_;
    std::mutex mutex_;
    std::vector<Connection> idle_;  ///< under the mutex
    WorkerPool workers_;
};

/// One write: the queries that do it, made in the writer's thread, and what to do with their rows once they are stored.
struct Change {
    std::move_only_function<std::vector<Query>()> queries;
    std::move_only_function<void(std::span<const Rows>)> finish;
};

/// Stores groups of changes, each in one transaction and one round trip. Used by one thread.
class Writer {
public:
    Writer(Address address, Connection connection);
    /// A change that is wrong fails alone. When the connection is lost the group is stored once more over a new one, as
    /// nobody knows whether it was stored: storing a change twice is the same as storing it once.
    std::vector<Result<>> commit(std::vector<Change>& group);

private:
    struct Batch;
    TransactionResult store(std::span<const Query> queries);
    std::vector<Result<>> commit_one_by_one(std::vector<Change>& group, const Batch& batch,
                                            const TransactionFailure& failure);

    const Address address_;
    Connection connection_;
};

class Database {
public:
    Database(const Address& address, Connection connection, std::size_t readers);

    template <class Work>
    auto read(Work work) {
        return readers_.run(std::move(work));
    }

    /// Stores what `queries()` returns; resumes when it is durable.
    template <class Queries>
    Task<Result<>> write(Queries queries) {
        return write(std::move(queries), [](std::span<const Rows>) { return Result<>{}; });
    }

    /// The same, and resumes with `finish(rows)`, a Result.
    template <class Queries, class Finish>
    Task<std::invoke_result_t<Finish&, std::span<const Rows>>> write(Queries queries, Finish finish) {
        using Answer = std::invoke_result_t<Finish&, std::span<const Rows>>;
        const auto answer = std::make_shared<Answer>();
        const auto stored = co_await writer_.submit(
            {.queries = std::move(queries),
             .finish = [answer, finish = std::move(finish)](auto rows) mutable { *answer = finish(rows); }});
        if (!stored) co_return fail(stored.error());
        co_return std::move(*answer);
    }

private:
    Readers readers_;
    Writer session_;
    GroupWriter<Change> writer_;  ///< last: its thread uses the session
};

}  // namespace quaestor::store::postgres
