// Lines that a person types on a terminal, with editing and a history that is kept from one conversation to the next.
// Owned by a command while it talks. Private to cli/.
// Threads: for main()'s thread.
#pragma once

#include "base/error.hpp"
#include "resilience/cancellation.hpp"

#include <memory>
#include <optional>
#include <string>

namespace quaestor::cli {

/// Lines that are remembered.
inline constexpr int kHistoryLinesMax = 1'000;

class LineEditor {
public:
    /// What was typed before is in `history_file`, if it is there; it is written at the end.
    explicit LineEditor(std::string history_file);
    ~LineEditor();
    LineEditor(const LineEditor&) = delete;
    LineEditor& operator=(const LineEditor&) = delete;

    /// The next line without its end; nothing after Ctrl-D. The token's error when it is cancelled first.
    [[nodiscard]] Result<std::optional<std::string>> next(const CancelToken& cancel);

private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace quaestor::cli
