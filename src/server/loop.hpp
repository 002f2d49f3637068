// Private to server/: one event loop with its thread, its connections and the tasks that it was given.
// Owns the thread; the connections own themselves while they run, and are listed here.
// Threads: the members named so may be called from any thread, the others from the loop's own.
#pragma once

#include "base/clock.hpp"
#include "base/task.hpp"

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/intrusive/list.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <future>
#include <span>
#include <string>
#include <thread>

namespace quaestor::server {

/// Something that runs on a loop and can be told things.
class Guest : public boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
public:
    virtual ~Guest() = default;
    /// Time has passed.
    virtual void on_tick(Instant now) = 0;
    /// End when it suits.
    virtual void on_drain() = 0;
    /// End soon: streams are told.
    virtual void on_last_call() = 0;
    /// End now.
    void stop() { stop_.emit(asio::cancellation_type::terminal); }
    /// For the task that the guest is.
    [[nodiscard]] asio::cancellation_slot slot() { return stop_.slot(); }

private:
    asio::cancellation_signal stop_;
};

/// Written by one loop, read by anybody.
struct LoopCounts {
    std::atomic<std::uint64_t> requests = 0;
    std::atomic<std::uint64_t> malformed = 0;
    std::atomic<std::uint64_t> bytes_sent = 0;
};

class Loop {
public:
    /// Deadlines are looked at every `tick`.
    explicit Loop(Duration tick);
    ~Loop();

    // From any thread.
    void start();
    void tell_all(void (Guest::*what)());
    /// Tells all to stop, now.
    void finish();
    /// Waits for the thread, which ends when nobody is left. At `deadline` those who stayed are left as they are.
    void join(Instant deadline);
    void spawn(Task<> task);
    [[nodiscard]] asio::io_context& context() { return context_; }
    /// How many connections it has been given: told as soon as one is meant for it, for others are on their way too.
    void count_connection(std::ptrdiff_t change) { connections_.fetch_add(change, std::memory_order_relaxed); }
    [[nodiscard]] std::ptrdiff_t connections() const { return connections_.load(std::memory_order_relaxed); }
    LoopCounts counts;

    void enter(Guest& guest) { guests_.push_back(guest); }
    /// Now, as responses say it.
    [[nodiscard]] const std::string& date();
    /// For bytes on their way, between two waits.
    [[nodiscard]] std::span<char> space() { return space_; }

private:
    void keep_time();
    void run();

    static constexpr std::size_t kSpaceBytes = std::size_t{64} << 10;

    asio::io_context context_{1};
    asio::executor_work_guard<asio::io_context::executor_type> work_{context_.get_executor()};
    Duration tick_;
    asio::steady_timer timer_{context_};
    bool is_finishing_ = false;
    std::thread thread_;
    std::promise<void> ended_;
    std::atomic<std::ptrdiff_t> connections_ = 0;
    boost::intrusive::list<Guest, boost::intrusive::constant_time_size<false>> guests_;
    std::int64_t date_second_ = 0;
    std::string date_;
    std::array<char, kSpaceBytes> space_{};
};

}  // namespace quaestor::server
