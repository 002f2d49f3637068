// A few threads that share out loops of microseconds to milliseconds. Between loops they spin for a moment, then sleep;
// a loop never waits for one that is asleep: whoever calls does what nobody else has taken.
// Threads: each() from one thread at a time; the object owns its threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <type_traits>
#include <vector>

namespace quaestor::native {

class LockstepCrew {
public:
    /// `threads` counts the calling one.
    explicit LockstepCrew(std::size_t threads);
    LockstepCrew(const LockstepCrew&) = delete;
    LockstepCrew& operator=(const LockstepCrew&) = delete;
    ~LockstepCrew();

    /// Calls work(0) … work(count - 1), each once and in no order, and returns when all have returned.
    template <class Work>
    void each(std::size_t count, Work&& work) {
        using Plain = std::remove_reference_t<Work>;
        run(count, [](void* what, std::size_t at) { (*static_cast<Plain*>(what))(at); }, &work);
    }

private:
    using Call = void (*)(void* work, std::size_t at);

    void run(std::size_t count, Call call, void* work);
    /// Does what is left of a round.
    void help();
    void stay();

    // The round in the upper half and the next item in the lower: taking an item fails when the round is over, so
    // whoever holds an item has read the loop that it belongs to.
    std::atomic<std::uint64_t> ticket_{0};
    std::atomic<std::uint32_t> count_{0};
    std::atomic<Call> call_{nullptr};
    std::atomic<void*> work_{nullptr};
    std::atomic<std::uint32_t> done_{0};
    std::atomic<std::uint32_t> round_{0};  ///< what sleepers wait on
    std::atomic<bool> leaving_{false};
    std::vector<std::jthread> threads_;
};

}  // namespace quaestor::native
