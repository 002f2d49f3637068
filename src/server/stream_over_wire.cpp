#include "server/stream_over_wire.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <array>
#include <utility>

namespace quaestor::server {

namespace {

iovec piece_of(std::string_view text) {
    // The system only reads it.
    return {.iov_base = const_cast<char*>(text.data()), .iov_len = text.size()};
}

Error reason_of(Moved moved) {
    if (moved == Moved::late)
        return {Code::timeout, "the client takes nothing", "read the stream, or close it", nullptr};
    return {Code::unavailable, "the client is gone", {}, nullptr};
}

}  // namespace

Task<Result<>> StreamOverWire::write(std::string_view bytes) {
    if (lost_) co_return fail(*lost_);
    // An empty chunk would end the stream.
    if (bytes.empty()) co_return Result<>();
    std::array<char, 2 * sizeof(std::size_t) + 2> size;
    const char* const end = fmt::format_to(size.data(), FMT_COMPILE("{:x}\r\n"), bytes.size());
    std::array pieces{piece_of({size.data(), end}), piece_of(bytes), piece_of("\r\n")};
    std::span<iovec> left = in_chunks_ ? std::span(pieces) : std::span(pieces).subspan(1, 1);
    Moved moved = wire_.try_write(left);
    if (moved == Moved::wants_read || moved == Moved::wants_write) moved = co_await wire_.write(left, patience_);
    if (moved == Moved::some) co_return Result<>();
    lose(reason_of(moved));
    co_return fail(*lost_);
}

void StreamOverWire::lose(Error why) {
    if (lost_) return;
    lost_ = std::move(why);
    source_.cancel(CancelReason::client_gone);
}

}  // namespace quaestor::server
