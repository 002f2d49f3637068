#include "server/api/following.hpp"

#include "server/api/event.hpp"

namespace quaestor::server {

namespace {

/// Sends a run's events from `after` on, with keep-alives, until it has ended or the client is gone.
Task<> follow(Desk& desk, std::shared_ptr<LiveRun> run, std::uint64_t after, StreamWriter& writer) {
    const LiveRun::Follower follower(run, desk.clock);
    while (!writer.gone().cancelled()) {
        const auto piece = co_await run->log.next(after, desk.settings.keep_alive, writer.gone());
        const bool is_quiet = piece.bytes.empty();
        if (!(is_quiet && piece.ended)) {
            if (auto sent = co_await writer.write(is_quiet ? kKeepAlive : piece.bytes); !sent) co_return;
        }
        if (piece.ended) co_return;
        after = piece.last;
    }
}

}  // namespace

StreamResponse stream_of(Desk& desk, std::shared_ptr<LiveRun> run, std::uint64_t after) {
    return {.headers = {{"Content-Type", "text/event-stream"},
                        {"Cache-Control", "no-cache"},
                        {"X-Accel-Buffering", "no"},
                        {"X-Run-Id", run->about.run_id}},
            .body = [&desk, run, after](StreamWriter& writer) { return follow(desk, run, after, writer); }};
}

Task<LiveRun::Ending> end_of_run(Desk& desk, std::shared_ptr<LiveRun> run) {
    const LiveRun::Follower follower(run, desk.clock);
    std::uint64_t after = 0;
    for (;;) {
        const auto piece = co_await run->log.next(after, desk.settings.keep_alive, {});
        if (piece.ended) co_return run->ending();
        after = piece.last;
    }
}

}  // namespace quaestor::server
