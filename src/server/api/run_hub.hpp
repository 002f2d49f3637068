// Runs that people watch. One run at a time on a thread, so many at once in all; the log of a run that ended is kept
// for a while, then it is told from the store. Owned by the Service. Threads: every member may be called from any
// thread.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "resilience/cancellation.hpp"
#include "server/api/run_log.hpp"
#include "workflows/common/answer.hpp"

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace quaestor::server {

struct HubSettings {
    std::size_t runs = 1'024;       ///< at the same time
    std::size_t logs_kept = 1'000;  ///< of runs that ended
    std::size_t log_bytes_kept = std::size_t{64} << 20;
    std::chrono::milliseconds log_time{300'000};       ///< for which they are kept
    std::chrono::milliseconds abandoned_time{60'000};  ///< after which a run that nobody follows any more is stopped
};

/// What is known of a run before it begins.
struct RunAbout {
    std::string run_id;
    std::string thread_id;
    std::string owner;
    std::string agent;
    std::string question;
};

class LiveRun {
public:
    LiveRun(RunAbout about, Instant began);

    const RunAbout about;
    const Instant began;
    RunLog log;
    CancelSource cancel;

    /// How it ended: an answer, and the error where the run failed.
    struct Ending {
        std::optional<workflows::Answer> answer;
        std::optional<Error> error;
    };
    void end(Ending ending);
    /// Complete once the log is closed.
    [[nodiscard]] Ending ending() const;

    /// Somebody who follows, for as long as it lives.
    class Follower {
    public:
        Follower(std::shared_ptr<LiveRun> run, Clock& clock);
        ~Follower();
        Follower(const Follower&) = delete;
        Follower& operator=(const Follower&) = delete;

    private:
        std::shared_ptr<LiveRun> run_;
        Clock& clock_;
    };
    /// Since when nobody follows; nothing while somebody does, or when nobody ever did.
    [[nodiscard]] std::optional<Instant> left_at() const;

private:
    mutable std::mutex mutex_;
    Ending ending_;
    std::size_t followers_ = 0;
    std::optional<Instant> left_at_;
};

class RunHub {
public:
    RunHub(HubSettings settings, Clock& clock) : settings_(settings), clock_(clock) {}

    /// Code::conflict when the thread has a run already, Code::unavailable when there are too many, or when draining.
    [[nodiscard]] Result<std::shared_ptr<LiveRun>> begin(RunAbout about);
    /// The thread is free again; the log stays for a while.
    void release(const std::shared_ptr<LiveRun>& run);

    /// A run that works, or one that has ended and whose log is still there.
    [[nodiscard]] std::shared_ptr<LiveRun> find(const std::string& run_id) const;
    [[nodiscard]] std::shared_ptr<LiveRun> on_thread(const std::string& thread_id) const;

    [[nodiscard]] std::size_t running() const;
    [[nodiscard]] std::size_t kept() const;
    /// Forgets old logs and stops runs that nobody follows any more. To be called from time to time.
    void sweep();
    /// From now on no run begins.
    void drain();
    [[nodiscard]] bool is_draining() const;
    void cancel_all(CancelReason reason);

private:
    struct Ended {
        std::shared_ptr<LiveRun> run;
        Instant at;
        std::size_t bytes;
    };
    void forget_old();  // needs the mutex

    const HubSettings settings_;
    Clock& clock_;
    mutable std::mutex mutex_;
    std::map<std::string, std::shared_ptr<LiveRun>> by_thread_;
    std::map<std::string, std::shared_ptr<LiveRun>> by_run_;  ///< also those that ended
    std::deque<Ended> ended_;
    std::size_t ended_bytes_ = 0;
    bool is_draining_ = false;
};

}  // namespace quaestor::server
