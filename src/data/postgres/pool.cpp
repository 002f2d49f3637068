#include "data/postgres/pool.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace quaestor::data::postgres {

namespace {

/// Longest time for making one connection, also when the query may take longer.
constexpr std::chrono::milliseconds kConnectTimeout{10'000};

Result<std::unique_ptr<Connection>> connect(const Secret& url, const Patience& patience) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(patience.until() - std::chrono::steady_clock::now());
    return Connection::open(url, Patience(std::min(left, kConnectTimeout), patience.stop()));
}

}  // namespace

Pool::Lease::Lease(Lease&& other) noexcept
    : pool_(std::exchange(other.pool_, nullptr)),
      connection_(std::move(other.connection_)),
      is_fresh_(other.is_fresh_) {}

Pool::Lease::~Lease() {
    if (pool_ != nullptr) pool_->give_back(std::move(connection_));
}

Result<> Pool::Lease::renew(const Patience& patience) {
    auto connection = connect(pool_->url_, patience);
    if (!connection) return fail(connection.error());
    connection_ = std::move(*connection);
    is_fresh_ = true;
    return {};
}

Result<Pool::Lease> Pool::take(const Patience& patience) {
    auto idle = wait_for_place(patience);
    if (!idle) return fail(idle.error());
    Lease lease(*this, std::move(*idle), /*is_fresh=*/false);
    if (lease.operator->() != nullptr && lease->is_usable()) return lease;
    if (auto connected = lease.renew(patience); !connected) return fail(connected.error());
    return lease;
}

/// A place and an idle connection, or nothing in it when there is none.
Result<std::unique_ptr<Connection>> Pool::wait_for_place(const Patience& patience) {
    const auto wake = patience.stop().on_cancel([this] {
        const std::lock_guard lock(mutex_);
        place_is_free_.notify_all();
    });
    std::unique_lock lock(mutex_);
    const auto may_go_on = [&] { return in_use_ < kConnectionsMax || patience.stop().cancelled(); };
    const bool in_time = place_is_free_.wait_until(lock, patience.until(), may_go_on);
    if (patience.stop().cancelled()) return fail(patience.error());
    if (!in_time) {
        return fail(Code::timeout, fmt::format("all {} connections to PostgreSQL are busy", kConnectionsMax),
                    "try again when the running queries have ended");
    }
    ++in_use_;
    if (idle_.empty()) return nullptr;
    auto connection = std::move(idle_.back());
    idle_.pop_back();
    return connection;
}

void Pool::give_back(std::unique_ptr<Connection> connection) {
    const bool is_usable = connection && connection->is_usable();
    const std::lock_guard lock(mutex_);
    --in_use_;
    if (is_usable) idle_.push_back(std::move(connection));
    place_is_free_.notify_one();
}

}  // namespace quaestor::data::postgres
