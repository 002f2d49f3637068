#include "server/api/run_hub.hpp"

#include "base/ids.hpp"

#include <fmt/format.h>

namespace quaestor::server {

namespace {

/// The time part of an id is enough: a run does not begin twice within a millisecond.
std::string make_epoch() {
    constexpr std::size_t kTimeCharacters = 10;
    return make_id().substr(0, kTimeCharacters);
}

}  // namespace

LiveRun::LiveRun(RunAbout known, Instant at) : about(std::move(known)), began(at), log(make_epoch()) {}

void LiveRun::end(Ending ending) {
    const std::lock_guard lock(mutex_);
    ending_ = std::move(ending);
}

LiveRun::Ending LiveRun::ending() const {
    const std::lock_guard lock(mutex_);
    return ending_;
}

std::optional<Instant> LiveRun::left_at() const {
    const std::lock_guard lock(mutex_);
    return left_at_;
}

LiveRun::Follower::Follower(std::shared_ptr<LiveRun> run, Clock& clock) : run_(std::move(run)), clock_(clock) {
    const std::lock_guard lock(run_->mutex_);
    ++run_->followers_;
    run_->left_at_.reset();
}

LiveRun::Follower::~Follower() {
    const std::lock_guard lock(run_->mutex_);
    if (--run_->followers_ == 0) run_->left_at_ = clock_.now();
}

Result<std::shared_ptr<LiveRun>> RunHub::begin(RunAbout about) {
    const std::lock_guard lock(mutex_);
    if (is_draining_) {
        return fail(Code::unavailable, "the server is about to stop and takes no new questions",
                    "ask again in a moment");
    }
    if (const auto busy = by_thread_.find(about.thread_id); busy != by_thread_.end()) {
        return fail(Code::conflict,
                    fmt::format("the conversation {} is still busy with its last question", about.thread_id),
                    fmt::format("wait for it, or stop it: POST /api/runs/{}/cancel", busy->second->about.run_id));
    }
    if (by_thread_.size() >= settings_.runs) {
        return fail(Code::unavailable,
                    fmt::format("{} questions are being answered, and more are not taken", by_thread_.size()),
                    "ask again in a moment");
    }
    auto run = std::make_shared<LiveRun>(std::move(about), clock_.now());
    by_thread_[run->about.thread_id] = run;
    by_run_[run->about.run_id] = run;
    return run;
}

void RunHub::release(const std::shared_ptr<LiveRun>& run) {
    const std::lock_guard lock(mutex_);
    const auto place = by_thread_.find(run->about.thread_id);
    if (place == by_thread_.end() || place->second != run) return;
    by_thread_.erase(place);
    const std::size_t bytes = run->log.bytes();
    ended_.push_back({run, clock_.now(), bytes});
    ended_bytes_ += bytes;
    forget_old();
}

void RunHub::forget_old() {
    const Instant oldest = clock_.now() - settings_.log_time;
    while (!ended_.empty() && (ended_.size() > settings_.logs_kept || ended_bytes_ > settings_.log_bytes_kept ||
                               ended_.front().at < oldest)) {
        const auto& gone = ended_.front();
        ended_bytes_ -= gone.bytes;
        const auto place = by_run_.find(gone.run->about.run_id);
        // A run that was answered and went on has a newer log under its name.
        if (place != by_run_.end() && place->second == gone.run) by_run_.erase(place);
        ended_.pop_front();
    }
}

std::shared_ptr<LiveRun> RunHub::find(const std::string& run_id) const {
    const std::lock_guard lock(mutex_);
    const auto place = by_run_.find(run_id);
    return place == by_run_.end() ? nullptr : place->second;
}

std::shared_ptr<LiveRun> RunHub::on_thread(const std::string& thread_id) const {
    const std::lock_guard lock(mutex_);
    const auto place = by_thread_.find(thread_id);
    return place == by_thread_.end() ? nullptr : place->second;
}

std::size_t RunHub::running() const {
    const std::lock_guard lock(mutex_);
    return by_thread_.size();
}

std::size_t RunHub::kept() const {
    const std::lock_guard lock(mutex_);
    return ended_.size();
}

void RunHub::sweep() {
    std::vector<std::shared_ptr<LiveRun>> abandoned;
    {
        const std::lock_guard lock(mutex_);
        forget_old();
        const Instant now = clock_.now();
        for (const auto& [thread_id, run] : by_thread_) {
            const auto left_at = run->left_at();
            if (left_at && now - *left_at >= settings_.abandoned_time) abandoned.push_back(run);
        }
    }
    for (const auto& run : abandoned) run->cancel.cancel(CancelReason::client_gone);
}

void RunHub::drain() {
    const std::lock_guard lock(mutex_);
    is_draining_ = true;
}

bool RunHub::is_draining() const {
    const std::lock_guard lock(mutex_);
    return is_draining_;
}

void RunHub::cancel_all(CancelReason reason) {
    std::vector<std::shared_ptr<LiveRun>> all;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [thread_id, run] : by_thread_) all.push_back(run);
    }
    for (const auto& run : all) run->cancel.cancel(reason);
}

}  // namespace quaestor::server
