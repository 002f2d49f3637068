// The connections of one PostgreSQL source: a bounded number, opened when they are needed and kept for the next query.
// The pool outlives its leases. Private to data/.
// Threads: all members may be called from several threads at once; a lease belongs to one thread.
#pragma once

#include "base/log.hpp"
#include "data/postgres/connection.hpp"

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace quaestor::data::postgres {

/// Connections that one source has at the same time.
inline constexpr std::size_t kConnectionsMax = 8;

class Pool {
public:
    explicit Pool(Secret url) : url_(std::move(url)) {}

    /// A connection for a while; given back, if it is still usable, when the lease ends.
    class Lease {
    public:
        Lease(Pool& pool, std::unique_ptr<Connection> connection, bool is_fresh)
            : pool_(&pool), connection_(std::move(connection)), is_fresh_(is_fresh) {}
        Lease(Lease&& other) noexcept;
        Lease& operator=(Lease&&) = delete;
        ~Lease();

        Connection* operator->() { return connection_.get(); }
        /// False when it waited in the pool, where the server may have ended it.
        [[nodiscard]] bool is_fresh() const { return is_fresh_; }
        /// Opens another connection in place of this one.
        Result<> renew(const Patience& patience);

    private:
        Pool* pool_;
        std::unique_ptr<Connection> connection_;
        bool is_fresh_;
    };

    /// Waits for a free place, then connects if no connection is idle.
    [[nodiscard]] Result<Lease> take(const Patience& patience);

private:
    Result<std::unique_ptr<Connection>> wait_for_place(const Patience& patience);
    void give_back(std::unique_ptr<Connection> connection);

    Secret url_;
    std::mutex mutex_;
    std::condition_variable place_is_free_;
    std::size_t in_use_ = 0;
    std::vector<std::unique_ptr<Connection>> idle_;
};

}  // namespace quaestor::data::postgres
