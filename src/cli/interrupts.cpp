#include "cli/interrupts.hpp"

#include "cli/terminal.hpp"

#include <csignal>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace quaestor::cli {

struct Interrupts::Shared {
    std::mutex mutex;
    CancelSource source;     ///< under the mutex
    bool is_to_end = false;  ///< under the mutex

    void take(int signal) {
        const std::lock_guard lock(mutex);
        is_to_end = is_to_end || signal == SIGTERM;
        if (!source.cancel(CancelReason::user_request)) std::_Exit(static_cast<int>(ExitCode::interrupted));
    }
};

Interrupts::Interrupts() : shared_(std::make_shared<Shared>()) {
    sigset_t signals{};
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    std::thread([shared = shared_, signals] {
        for (int received = 0; sigwait(&signals, &received) == 0;) shared->take(received);
    }).detach();
}

CancelToken Interrupts::token() const {
    const std::lock_guard lock(shared_->mutex);
    return shared_->source.token();
}

bool Interrupts::renew() {
    const std::lock_guard lock(shared_->mutex);
    if (shared_->is_to_end) return false;
    if (shared_->source.token().cancelled()) shared_->source = CancelSource();
    return true;
}

}  // namespace quaestor::cli
