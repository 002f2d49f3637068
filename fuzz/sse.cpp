// Any bytes: reading them as a stream of events must not crash, must keep its bound, and must give the same events
// however the stream is cut. The first byte chooses how it is cut.
#include "net/sse.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace quaestor;

constexpr std::size_t kEventBytesMax = 64;

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

/// Everything that the reader says about a stream that comes in pieces of `size` bytes.
std::string told(std::string_view stream, std::size_t size) {
    net::SseReader reader(kEventBytesMax);
    std::string text;
    const auto take = [&](const net::SseEvent& event) {
        require(event.name.size() + event.data.size() <= kEventBytesMax + 7, "an event is larger than its bound");
        text += event.name + '\x01' + event.data + '\x01' + event.id + '\x02';
    };
    for (; !stream.empty(); stream.remove_prefix(std::min(size, stream.size())))
        if (!reader.feed(stream.substr(0, size), take)) return text + "too large";
    reader.finish(take);
    return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view stream(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::string whole = told(stream, size);
    require(told(stream, 1) == whole, "one byte at a time gives other events");
    require(told(stream, 1 + data[0]) == whole, "a cut gives other events");
    return 0;
}
