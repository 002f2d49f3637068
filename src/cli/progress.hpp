// A bar for work that a person waits for, drawn over itself on the last line of standard error. Where that is no
// terminal, or the person wants quiet, there is none. Lives as long as the work; gone without a trace afterwards.
// Threads: show() from any thread.
#pragma once

#include "base/clock.hpp"

#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

namespace quaestor::cli {

/// "████████░░░░░░░░  50 %  orders.csv", no wider than `width`.
[[nodiscard]] std::string progress_line(std::string_view what, double done, std::size_t width);

class ProgressBar {
public:
    explicit ProgressBar(bool quiet);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    [[nodiscard]] bool is_shown() const { return is_shown_; }

    /// What is done now, and how much of everything has been, 0 to 1.
    void show(std::string_view what, double done);

    /// Wipes it, so that other lines can be written.
    void clear();

private:
    const bool is_shown_;
    std::mutex mutex_;
    Instant drawn_at_{};     ///< under the mutex
    bool is_drawn_ = false;  ///< under the mutex
};

}  // namespace quaestor::cli
