// Private to the test kit: bytes forwarded between two connections, as a proxy does after CONNECT.
// Owns the connection that it makes.
// Threads: one at a time; it returns when `stop` becomes readable.
#pragma once

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace quaestor::test {

inline sockaddr_in loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    return address;
}

inline constexpr std::size_t kForwardSize = 64 * 1024;

/// Copies bytes from one socket to the other; false when one has ended.
inline bool forward(int from, int to) {
    std::array<char, kForwardSize> bytes{};
    const ssize_t count = recv(from, bytes.data(), bytes.size(), 0);
    for (ssize_t sent = 0; sent < count;) {
        const ssize_t more = send(to, bytes.data() + sent, static_cast<std::size_t>(count - sent), MSG_NOSIGNAL);
        if (more < 0 && errno == EAGAIN) {
            pollfd writable{.fd = to, .events = POLLOUT, .revents = 0};
            poll(&writable, 1, -1);
        } else if (more <= 0) {
            return false;
        } else {
            sent += more;
        }
    }
    return count > 0;
}

/// Forwards both ways until an end closes or the server stops.
inline void tunnel(int client, int port, int stop) {
    const int target = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(port);
    bool goes_on = connect(target, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    while (goes_on) {
        std::array<pollfd, 3> watched{{{.fd = client, .events = POLLIN, .revents = 0},
                                       {.fd = target, .events = POLLIN, .revents = 0},
                                       {.fd = stop, .events = POLLIN, .revents = 0}}};
        poll(watched.data(), watched.size(), -1);
        goes_on = watched[2].revents == 0 && (watched[0].revents == 0 || forward(client, target)) &&
                  (watched[1].revents == 0 || forward(target, client));
    }
    ::close(target);
}

}  // namespace quaestor::test
