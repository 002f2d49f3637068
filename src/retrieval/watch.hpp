// Notices when files change, through the kernel (inotify).
// Whoever opens a watch owns it; what changes from then on is noticed.
// Threads: one thread at a time; a cancellation wakes it from any.
#pragma once

#include "base/error.hpp"
#include "resilience/cancellation.hpp"
#include "retrieval/files.hpp"

#include <filesystem>
#include <vector>

namespace quaestor::retrieval {

/// Folders that one watch looks at, with all inside them.
inline constexpr std::size_t kWatchedFoldersMax = 8'192;

class FolderWatch {
public:
    /// Code::not_found, Code::limit_exceeded, Code::unavailable.
    [[nodiscard]] static Result<FolderWatch> open(std::vector<std::filesystem::path> paths);

    /// Returns once something has changed, now or since the last call, and then been quiet for a moment: a copy of
    /// many files is one change. Blocking; Code::cancelled.
    [[nodiscard]] Result<> wait(const CancelToken& cancel);

private:
    FolderWatch(std::vector<std::filesystem::path> paths, FileHandle events, FileHandle wake)
        : paths_(std::move(paths)), events_(std::move(events)), wake_(std::move(wake)) {}
    [[nodiscard]] Result<> watch_all();
    [[nodiscard]] Result<bool> has_changed(int wait_ms);

    std::vector<std::filesystem::path> paths_;
    FileHandle events_;
    FileHandle wake_;
};

}  // namespace quaestor::retrieval
