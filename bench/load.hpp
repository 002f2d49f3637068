// A load for HTTP servers on this machine: connections that ask again as soon as they have their answer, or that hold
// a stream open. One thread, so that the server has the rest of the machine.
// Threads: for main()'s thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace quaestor::bench {

struct LoadPlan {
    std::uint16_t port = 0;
    std::string path;
    int connections = 1;
    double seconds = 1;
};

struct LoadResult {
    std::uint64_t requests = 0;  ///< complete ones
    std::uint64_t events = 0;    ///< of server-sent event streams
    double seconds = 0;
};

/// Ends the program when the server answers anything but 200, or breaks off a response.
[[nodiscard]] LoadResult put_load_on(const LoadPlan& plan);

/// Streams that have had their first event and wait for more; closed with the object.
class HeldStreams {
public:
    explicit HeldStreams(const LoadPlan& plan);
    ~HeldStreams();
    HeldStreams(const HeldStreams&) = delete;
    HeldStreams& operator=(const HeldStreams&) = delete;

private:
    std::vector<int> sockets_;
};

}  // namespace quaestor::bench
