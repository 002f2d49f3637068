#include "server/loop.hpp"

#include "base/log.hpp"
#include "server/response_head.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/post.hpp>

#include <csignal>
#include <ctime>
#include <exception>
#include <memory>
#include <utility>

namespace quaestor::server {

namespace {

/// A task that outlives the request that began it.
class Errand final : public Guest {
public:
    void on_tick(Instant) override {}
    void on_drain() override {}
    void on_last_call() override {}
};

void log_end(const std::exception_ptr& thrown) {
    if (!thrown) return;
    try {
        std::rethrow_exception(thrown);
    } catch (const boost::system::system_error& error) {
        if (error.code() != asio::error::operation_aborted)
            log::error("a task of the server failed", {{"why", error.what()}});
    } catch (const std::exception& error) {
        log::error("a task of the server failed", {{"why", error.what()}});
    }
}

/// Writing to a connection that is gone must fail, not end the program; TLS and sendfile cannot ask for it by call.
void block_broken_pipe_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace

Loop::Loop(Duration tick) : tick_(tick) {}

Loop::~Loop() {
    finish();
    join(Instant::min());
}

void Loop::start() {
    thread_ = std::thread([this] { run(); });
}

void Loop::run() {
    block_broken_pipe_signals();
    keep_time();
    context_.run();
    ended_.set_value();
}

void Loop::keep_time() {
    timer_.expires_after(tick_);
    timer_.async_wait([this](const boost::system::error_code& stopped) {
        if (stopped || is_finishing_) return;
        const Instant now = std::chrono::steady_clock::now();
        for (auto next = guests_.begin(); next != guests_.end();) (next++)->on_tick(now);
        keep_time();
    });
}

void Loop::tell_all(void (Guest::*what)()) {
    asio::post(context_, [this, what] {
        for (auto next = guests_.begin(); next != guests_.end();) ((*next++).*what)();
    });
}

void Loop::finish() {
    tell_all(&Guest::stop);
    asio::post(context_, [this] {
        // A tick that is on its way already cannot be cancelled, and must not begin another.
        is_finishing_ = true;
        timer_.cancel();
        work_.reset();
    });
}

void Loop::join(Instant deadline) {
    if (!thread_.joinable()) return;
    if (ended_.get_future().wait_until(deadline) != std::future_status::ready) context_.stop();
    thread_.join();
}

void Loop::spawn(Task<> task) {
    asio::post(context_, [this, task = std::move(task)]() mutable {
        auto errand = std::make_shared<Errand>();
        enter(*errand);
        auto end = [errand](const std::exception_ptr& thrown) {
            errand->unlink();
            log_end(thrown);
        };
        asio::co_spawn(context_, std::move(task), asio::bind_cancellation_slot(errand->slot(), std::move(end)));
    });
}

const std::string& Loop::date() {
    const auto now = static_cast<std::int64_t>(std::time(nullptr));
    if (now != date_second_) {
        date_second_ = now;
        date_ = http_date(now);
    }
    return date_;
}

}  // namespace quaestor::server
