#include "retrieval/watch.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <unistd.h>

namespace quaestor::retrieval {

namespace {

namespace fs = std::filesystem;

constexpr int kQuietMs = 300;
constexpr int kForever = -1;
constexpr std::uint32_t kChanges =
    IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF;

std::unexpected<Error> watch_error(const fs::path& path) {
    const int error = errno;
    return fail(
        error == ENOENT ? Code::not_found : Code::unavailable,
        fmt::format("cannot watch {}: {}", path.string(), std::strerror(error)),
        error == ENOSPC ? "raise fs.inotify.max_user_watches, or watch fewer folders" : "look whether it is there");
}

}  // namespace

Result<FolderWatch> FolderWatch::open(std::vector<fs::path> paths) {
    FolderWatch watch(std::move(paths), FileHandle(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)),
                      FileHandle(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)));
    if (!watch.events_ || !watch.wake_) return watch_error("files");
    if (auto watched = watch.watch_all(); !watched) return fail(watched.error());
    return watch;
}

/// Watching what is watched already changes nothing.
Result<> FolderWatch::watch_all() {
    std::size_t folders = 0;
    const auto add = [&](const fs::path& path) -> Result<> {
        if (++folders > kWatchedFoldersMax) {
            return fail(Code::limit_exceeded,
                        fmt::format("there are more than {} folders to watch", kWatchedFoldersMax), "watch fewer");
        }
        if (inotify_add_watch(events_.get(), path.c_str(), kChanges) < 0) return watch_error(path);
        return {};
    };
    for (const fs::path& path : paths_) {
        if (auto added = add(path); !added) return added;
        std::error_code error;
        if (!fs::is_directory(path, error)) continue;
        for (fs::recursive_directory_iterator at(path, fs::directory_options::skip_permission_denied, error), end;
             !error && at != end; at.increment(error)) {
            if (!at->is_directory(error)) continue;
            // One that has gone again meanwhile is no reason to stop.
            if (auto added = add(at->path()); !added && added.error().code != Code::not_found) return added;
        }
    }
    return {};
}

/// Waits for an event, a cancellation or the time; true when something changed.
Result<bool> FolderWatch::has_changed(int wait_ms) {
    std::array<pollfd, 2> waiting{pollfd{events_.get(), POLLIN, 0}, pollfd{wake_.get(), POLLIN, 0}};
    if (poll(waiting.data(), waiting.size(), wait_ms) < 0 && errno != EINTR) return watch_error("files");
    std::array<char, 64 * 1024> events;  // what they say in detail is not needed: the folders are read again
    bool is_changed = false;
    while (read(events_.get(), events.data(), events.size()) > 0) is_changed = true;
    return is_changed;
}

Result<> FolderWatch::wait(const CancelToken& cancel) {
    const auto registration = cancel.on_cancel([this] {
        const std::uint64_t one = 1;
        [[maybe_unused]] const auto written = write(wake_.get(), &one, sizeof(one));
    });
    bool is_changed = false;
    while (!cancel.cancelled()) {
        const auto again = has_changed(is_changed ? kQuietMs : kForever);
        if (!again) return fail(again.error());
        if (is_changed && !*again) return watch_all();
        is_changed = is_changed || *again;
    }
    return fail(cancel.error());
}

}  // namespace quaestor::retrieval
