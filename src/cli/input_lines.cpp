#include "cli/input_lines.hpp"

#include "cli/source_support.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace quaestor::cli {

Result<std::optional<std::string>> InputLines::next() {
    while (!read_.contains('\n') && !has_ended_) {
        const auto more = read_more();
        if (!more) return fail(more.error());
        has_ended_ = !*more;
        const std::size_t end = std::min(read_.find('\n'), read_.size());
        if (end > kLineBytesMax) read_.erase(kLineBytesMax, end - kLineBytesMax);
    }
    if (read_.empty()) return std::nullopt;
    const std::size_t end = std::min(read_.find('\n'), read_.size());
    std::string line = read_.substr(0, end);
    read_.erase(0, end + 1);
    return line;
}

Result<bool> InputLines::read_more() {
    if (!wait_for_input(cancel_)) return fail(cancel_.error());
    std::array<char, 4096> buffer{};
    const ssize_t count = read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count < 0 && errno != EINTR) {
        return fail(Code::invalid_argument, fmt::format("cannot read standard input: {}", std::strerror(errno)),
                    "give the question as an argument");
    }
    if (count > 0) read_.append(buffer.data(), static_cast<std::size_t>(count));
    return count != 0;
}

}  // namespace quaestor::cli
