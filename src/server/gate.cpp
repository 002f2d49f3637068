#include "server/gate.hpp"

namespace quaestor::server {

namespace {

/// Connections beyond a limit that are kept for the moment it takes to tell them.
constexpr std::size_t kRefusalsAtOnce = 256;

}  // namespace

Gate::Verdict Gate::enter(const asio::ip::address& address) {
    const std::lock_guard lock(mutex_);
    ++accepted_;
    const auto known = inside_.find(address);
    const std::size_t of_address = known == inside_.end() ? 0 : known->second;
    const bool is_welcome = open_ < limits_.connections && of_address < limits_.connections_per_address;
    if (!is_welcome) ++refused_;
    if (!is_welcome && (open_ >= limits_.connections + kRefusalsAtOnce ||
                        of_address >= limits_.connections_per_address + kRefusalsAtOnce))
        return Verdict::shut_out;
    ++open_;
    ++inside_[address];
    return is_welcome ? Verdict::welcome : Verdict::refused;
}

void Gate::leave(const asio::ip::address& address) {
    const std::lock_guard lock(mutex_);
    const auto known = inside_.find(address);
    if (--known->second == 0) inside_.erase(known);
    if (--open_ == 0) emptied_.notify_all();
}

bool Gate::wait_until_empty(Instant deadline) {
    std::unique_lock lock(mutex_);
    return emptied_.wait_until(lock, deadline, [this] { return open_ == 0; });
}

std::uint64_t Gate::accepted() const {
    const std::lock_guard lock(mutex_);
    return accepted_;
}

std::uint64_t Gate::open() const {
    const std::lock_guard lock(mutex_);
    return open_;
}

std::uint64_t Gate::refused() const {
    const std::lock_guard lock(mutex_);
    return refused_;
}

}  // namespace quaestor::server
