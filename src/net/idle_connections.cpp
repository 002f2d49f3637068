#include "net/idle_connections.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

namespace quaestor::net {

namespace {

asio::execution_context& context_of(const asio::any_io_executor& executor) {
    return asio::query(executor, asio::execution::context);
}

/// Lives in an event loop and ends with it: a socket must not outlive the loop that it was made on.
class EndOfLoop final : public asio::execution_context::service {
public:
    using key_type = EndOfLoop;
    static inline asio::execution_context::id id;

    explicit EndOfLoop(asio::execution_context& context) : service(context) {}

    void tell(std::weak_ptr<IdleConnections> whom) {
        const std::lock_guard lock(mutex_);
        std::erase_if(listeners_, [](const auto& listener) { return listener.expired(); });
        const auto is_same = [&](const auto& listener) {
            return !listener.owner_before(whom) && !whom.owner_before(listener);
        };
        if (std::ranges::none_of(listeners_, is_same)) listeners_.push_back(std::move(whom));
    }

private:
    void shutdown() noexcept override {
        for (const auto& listener : listeners_)
            if (const auto idle = listener.lock()) idle->close_all_of(context());
    }

    std::mutex mutex_;
    std::vector<std::weak_ptr<IdleConnections>> listeners_;
};

}  // namespace

std::unique_ptr<Connection> IdleConnections::take(const asio::any_io_executor& executor, const std::string& route) {
    const std::lock_guard lock(mutex_);
    close_old();
    // The one that was used last is the least likely to have been closed.
    for (auto idle = idle_.rbegin(); idle != idle_.rend();) {
        if (idle->executor != executor || idle->route != route) {
            ++idle;
            continue;
        }
        auto connection = std::move(idle->connection);
        idle = std::make_reverse_iterator(idle_.erase(std::next(idle).base()));
        if (connection->is_quiet()) return connection;
    }
    return nullptr;
}

void IdleConnections::keep(const asio::any_io_executor& executor, const std::string& route,
                           std::unique_ptr<Connection> connection) {
    asio::use_service<EndOfLoop>(context_of(executor)).tell(weak_from_this());
    const std::lock_guard lock(mutex_);
    close_old();
    idle_.push_back({executor, route, std::move(connection), clock_.now()});
    const auto is_on_route = [&](const Idle& idle) { return idle.route == route; };
    if (static_cast<std::size_t>(std::ranges::count_if(idle_, is_on_route)) > most_)
        idle_.erase(std::ranges::find_if(idle_, is_on_route));
}

void IdleConnections::close_all() {
    const std::lock_guard lock(mutex_);
    idle_.clear();
}

void IdleConnections::close_all_of(const asio::execution_context& context) {
    const std::lock_guard lock(mutex_);
    idle_.remove_if([&](const Idle& idle) { return &context_of(idle.executor) == &context; });
}

void IdleConnections::close_old() {
    const Instant now = clock_.now();
    idle_.remove_if([&](const Idle& idle) { return now - idle.since >= longest_; });
}

}  // namespace quaestor::net
