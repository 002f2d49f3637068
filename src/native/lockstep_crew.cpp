#include "native/lockstep_crew.hpp"

namespace quaestor::native {

namespace {

/// About 50 microseconds: longer than the pauses between the loops of one decoded token.
constexpr int kSpins = 2000;
constexpr std::uint64_t kNoItemLeft = 0xFFFF'FFFF;

void pause_briefly() {
#if defined(__aarch64__)
    asm volatile("isb" ::: "memory");
#elif defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

}  // namespace

LockstepCrew::LockstepCrew(std::size_t threads) {
    for (std::size_t at = 1; at < threads; ++at) threads_.emplace_back([this] { stay(); });
}

LockstepCrew::~LockstepCrew() {
    leaving_ = true;
    round_.fetch_add(1);
    round_.notify_all();
}

void LockstepCrew::run(std::size_t count, Call call, void* work) {
    if (threads_.empty() || count < 2) {
        for (std::size_t at = 0; at < count; ++at) call(work, at);
        return;
    }
    const std::uint32_t round = round_.load(std::memory_order_relaxed) + 1;
    // No item can be taken while the loop is described.
    ticket_.store((std::uint64_t{round} << 32) | kNoItemLeft);
    call_.store(call);
    work_.store(work);
    done_.store(0);
    count_.store(static_cast<std::uint32_t>(count));
    ticket_.store(std::uint64_t{round} << 32);
    round_.store(round);
    round_.notify_all();
    help();
    while (done_.load(std::memory_order_acquire) != count) pause_briefly();
}

void LockstepCrew::help() {
    std::uint64_t ticket = ticket_.load();
    while (true) {
        const Call call = call_.load();
        void* const work = work_.load();
        const std::uint64_t item = ticket & kNoItemLeft;
        if (item >= count_.load()) return;
        if (!ticket_.compare_exchange_weak(ticket, ticket + 1)) continue;
        call(work, static_cast<std::size_t>(item));
        done_.fetch_add(1, std::memory_order_release);
        ticket = ticket_.load();
    }
}

void LockstepCrew::stay() {
    std::uint32_t seen = 0;
    while (!leaving_) {
        for (int spin = 0; spin < kSpins && round_.load() == seen; ++spin) pause_briefly();
        round_.wait(seen);
        seen = round_.load();
        help();
    }
}

}  // namespace quaestor::native
