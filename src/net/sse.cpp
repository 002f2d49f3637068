#include "net/sse.hpp"

#include <fmt/format.h>

#include <utility>

namespace quaestor::net {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

Result<> SseReader::feed(std::string_view piece, const std::function<void(SseEvent)>& take) {
    while (!piece.empty()) {
        if (std::exchange(after_return_, false) && piece.front() == '\n') {
            piece.remove_prefix(1);
            continue;
        }
        const std::size_t end = piece.find_first_of("\r\n");
        line_ += piece.substr(0, end);
        if (line_.size() + event_.data.size() + event_.name.size() > event_bytes_max_) {
            return fail(Code::limit_exceeded,
                        fmt::format("an event of the stream is larger than {} bytes", event_bytes_max_));
        }
        if (end == std::string_view::npos) return {};
        after_return_ = piece[end] == '\r';
        piece.remove_prefix(end + 1);
        end_line(take);
    }
    return {};
}

void SseReader::finish(const std::function<void(SseEvent)>& take) {
    if (!line_.empty()) end_line(take);
    end_event(take);
}

void SseReader::end_line(const std::function<void(SseEvent)>& take) {
    std::string_view line = line_;
    if (std::exchange(is_first_line_, false) && line.starts_with(kByteOrderMark))
        line.remove_prefix(kByteOrderMark.size());
    if (line.empty()) return end_event(take);

    const std::string_view field = line.substr(0, line.find(':'));
    std::string_view value = line.substr(std::min(field.size() + 1, line.size()));
    if (value.starts_with(' ')) value.remove_prefix(1);
    if (field == "data") {
        if (std::exchange(has_data_, true)) event_.data += '\n';
        event_.data += value;
    } else if (field == "event") {
        event_.name = value;
    } else if (field == "id" && !value.contains('\0')) {
        event_.id = value;
    }
    line_.clear();
}

void SseReader::end_event(const std::function<void(SseEvent)>& take) {
    line_.clear();
    SseEvent event{std::exchange(event_.name, {}), std::exchange(event_.data, {}), event_.id};
    if (event.name.empty()) event.name = "message";
    if (std::exchange(has_data_, false)) take(std::move(event));
}

}  // namespace quaestor::net
