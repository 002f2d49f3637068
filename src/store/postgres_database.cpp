#include "store/postgres_database.hpp"

#include <iterator>

namespace quaestor::store::postgres {

Readers::Readers(Address address, std::size_t connections) : address_(std::move(address)), workers_(connections) {}

Result<Connection> Readers::take() {
    {
        const std::lock_guard lock(mutex_);
        if (!idle_.empty()) {
            Connection connection = std::move(idle_.back());
            idle_.pop_back();
            return connection;
        }
    }
    return Connection::open(address_);
}

void Readers::put_back(Connection connection) {
    std::vector<Connection> closed;  // outside the lock
    const std::lock_guard lock(mutex_);
    if (connection.is_alive()) {
        idle_.push_back(std::move(connection));
    } else {
        closed.swap(idle_);  // what ended one has probably ended all
    }
}

/// The queries of a group in one row.
struct Writer::Batch {
    std::vector<Query> queries;
    std::vector<std::size_t> ends;  ///< of each change's queries

    explicit Batch(std::vector<Change>& group) {
        for (auto& change : group) {
            std::ranges::move(change.queries(), std::back_inserter(queries));
            ends.push_back(queries.size());
        }
    }

    [[nodiscard]] std::size_t begin_of(std::size_t change) const { return change == 0 ? 0 : ends[change - 1]; }

    /// The part of `row`, which has an item for each query, that belongs to a change.
    template <class Item>
    [[nodiscard]] std::span<const Item> part(const std::vector<Item>& row, std::size_t change) const {
        return std::span(row).subspan(begin_of(change), ends[change] - begin_of(change));
    }
};

Writer::Writer(Address address, Connection connection)
    : address_(std::move(address)), connection_(std::move(connection)) {}

std::vector<Result<>> Writer::commit(std::vector<Change>& group) {
    const Batch batch(group);
    const auto stored = store(batch.queries);
    std::vector<Result<>> results(group.size());
    if (stored) {
        for (std::size_t i = 0; i < group.size(); ++i) group[i].finish(batch.part(*stored, i));
        return results;
    }
    if (stored.error().query) return commit_one_by_one(group, batch, stored.error());
    std::ranges::fill(results, fail(stored.error().error));
    return results;
}

/// After a group that failed because of one of its queries. That change is not tried again, unless it only lost a race.
std::vector<Result<>> Writer::commit_one_by_one(std::vector<Change>& group, const Batch& batch,
                                                const TransactionFailure& failure) {
    std::vector<Result<>> results;
    for (std::size_t i = 0; i < group.size(); ++i) {
        const bool is_culprit = *failure.query >= batch.begin_of(i) && *failure.query < batch.ends[i];
        if (is_culprit && failure.error.code != Code::conflict) {
            results.push_back(fail(failure.error));
            continue;
        }
        const auto stored = store(batch.part(batch.queries, i));
        if (stored) {
            group[i].finish(*stored);
            results.emplace_back();
            continue;
        }
        const auto& [error, query] = stored.error();
        results.push_back(fail(error));
        // A server that is gone or too slow would make everybody wait for it in turn.
        if (!query || error.code == Code::timeout) results.resize(group.size(), fail(error));
        if (results.size() == group.size()) break;
    }
    return results;
}

TransactionResult Writer::store(std::span<const Query> queries) {
    for (bool is_last_try = false;; is_last_try = true) {
        if (!connection_.is_alive()) {
            auto opened = Connection::open(address_);
            if (!opened) return std::unexpected(TransactionFailure{.error = opened.error(), .query = {}});
            connection_ = std::move(*opened);
        }
        auto result = connection_.run_together(queries);
        if (result || connection_.is_alive() || is_last_try || result.error().error.code == Code::timeout)
            return result;
    }
}

Database::Database(const Address& address, Connection connection, std::size_t readers)
    : readers_(address, std::clamp<std::size_t>(readers, 1, kReadersMax)),
      session_(address, std::move(connection)),
      writer_([this](auto& group) { return session_.commit(group); }) {}

}  // namespace quaestor::store::postgres
