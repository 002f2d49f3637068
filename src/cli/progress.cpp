#include "cli/progress.hpp"

#include "base/text.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sys/ioctl.h>
#include <unistd.h>

namespace quaestor::cli {

namespace {

constexpr std::size_t kBarWidth = 24;
constexpr std::chrono::milliseconds kRedrawAfter{80};
constexpr std::string_view kBeginOfLine = "\r\x1b[2K";  // to its beginning, and wipe it

std::size_t error_width() {
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return terminal_width();
}

void write_to_errors(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

}  // namespace

std::string progress_line(std::string_view what, double done, std::size_t width) {
    const double part = std::isfinite(done) ? std::clamp(done, 0.0, 1.0) : 0.0;
    const auto filled = static_cast<std::size_t>(part * static_cast<double>(kBarWidth));
    std::string line;
    for (std::size_t i = 0; i < kBarWidth; ++i) line += i < filled ? "█" : "░";
    line += fmt::format(" {:3.0f} %  {}", std::floor(part * 100), visible(what));
    return text::shorten(line, width);
}

ProgressBar::ProgressBar(bool quiet) : is_shown_(!quiet && isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
    clear();
}

void ProgressBar::clear() {
    const std::lock_guard lock(mutex_);
    if (is_drawn_) write_to_errors(kBeginOfLine);
    is_drawn_ = false;
}

void ProgressBar::show(std::string_view what, double done) {
    if (!is_shown_) return;
    const std::lock_guard lock(mutex_);
    const Instant now = system_clock().now();
    if (is_drawn_ && now - drawn_at_ < kRedrawAfter) return;
    write_to_errors(std::string(kBeginOfLine) + progress_line(what, done, error_width() - 1));
    drawn_at_ = now;
    is_drawn_ = true;
}

}  // namespace quaestor::cli
