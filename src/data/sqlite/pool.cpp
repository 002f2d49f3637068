#include "data/sqlite/pool.hpp"

#include <algorithm>
#include <utility>

namespace quaestor::data::sqlite {

Result<Pool::Lease> Pool::take() {
    const auto state = look_at(path_);
    if (!state) return fail(state.error());
    std::vector<std::unique_ptr<Connection>> outdated;  // closed when the lock is free again
    {
        const std::lock_guard lock(mutex_);
        std::ranges::partition(idle_, [&](const auto& connection) { return connection->state() == *state; });
        while (!idle_.empty() && idle_.back()->state() != *state) {
            outdated.push_back(std::move(idle_.back()));
            idle_.pop_back();
        }
        if (!idle_.empty()) {
            Lease lease(idle_.back().release(), GiveBack{this});
            idle_.pop_back();
            return lease;
        }
    }
    auto opened = Connection::open(path_, *state, memory_limit_);
    if (!opened) return fail(opened.error());
    return Lease(opened->release(), GiveBack{this});
}

void Pool::give_back(std::unique_ptr<Connection> connection) {
    const std::lock_guard lock(mutex_);
    if (idle_.size() < kIdleConnectionsMax) idle_.push_back(std::move(connection));
}

}  // namespace quaestor::data::sqlite
