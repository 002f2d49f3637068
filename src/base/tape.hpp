// A tape of everything that was asked of the outside: each call and its answer as one JSON line. A run recorded on it
// is replayed bit for bit without the outside. Secrets never reach it: callers leave headers and keys out of the
// request. One tape belongs to one run of the program. Threads: all members may be called from any thread.
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"

#include <deque>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace quaestor {

class Tape {
public:
    /// A tape that is being written: {"kind","request","answer"} a line, flushed at once. The file must not exist.
    [[nodiscard]] static Result<std::shared_ptr<Tape>> record(const std::string& path);
    /// A tape that is being played. Code::corrupt with the line when it is none.
    [[nodiscard]] static Result<std::shared_ptr<Tape>> replay(const std::string& path);

    [[nodiscard]] bool is_replay() const { return is_replay_; }

    /// Keeps a call. `kind` says what was asked ("chat", "embed", "http", "sql"). An error is part of what is recorded:
    /// a tape that cannot be written fails the call that wanted to be on it.
    [[nodiscard]] Result<> keep(std::string_view kind, const json::value& request, const json::value& answer);

    /// The answer to a call: the first recorded for exactly this request that was not given yet, so that a question
    /// asked twice gets both its answers in order. Code::not_found when there is none (left).
    [[nodiscard]] Result<json::value> take(std::string_view kind, const json::value& request);

    /// Calls that were recorded and not asked for again; zero at the end of a faithful replay.
    [[nodiscard]] std::size_t left() const;

private:
    Tape() = default;

    bool is_replay_ = false;
    mutable std::mutex mutex_;
    std::ofstream file_;
    std::string path_;
    std::map<std::string, std::deque<json::value>, std::less<>> answers_;  ///< by kind and request
};

}  // namespace quaestor
