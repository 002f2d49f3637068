#include "kit/tcp_proxy.hpp"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace quaestor::test {

namespace {

constexpr int kBacklog = 16;
constexpr std::size_t kPieceMax = 64 * 1024;

sockaddr_in loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    return address;
}

bool send_all(int to, const std::string& piece) {
    for (std::size_t sent = 0; sent < piece.size();) {
        const ssize_t count = send(to, piece.data() + sent, piece.size() - sent, MSG_NOSIGNAL);
        if (count <= 0) return false;
        sent += static_cast<std::size_t>(count);
    }
    return true;
}

}  // namespace

Result<std::unique_ptr<TcpProxy>> TcpProxy::create(int target_port) {
    const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (bind(listener, generic, size) != 0 || listen(listener, kBacklog) != 0 ||
        getsockname(listener, generic, &size) != 0) {
        close(listener);
        return fail(Code::unavailable, fmt::format("no port for the proxy: {}", std::strerror(errno)));
    }
    return std::unique_ptr<TcpProxy>(new TcpProxy(listener, ntohs(address.sin_port), target_port));
}

TcpProxy::TcpProxy(int listener, int port, int target_port)
    : listener_(listener),
      port_(port),
      target_port_(target_port),
      bell_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      thread_([this] { forward_all(); }) {}

TcpProxy::~TcpProxy() {
    {
        const std::lock_guard lock(mutex_);
        is_ending_ = true;
    }
    eventfd_write(bell_, 1);
    thread_.join();
    for (Pair& pair : pairs_) close_pair(pair);
    close(listener_);
    close(bell_);
}

void TcpProxy::pass() {
    set({});
}

void TcpProxy::delay(std::chrono::milliseconds time) {
    set({.delay = time});
}

void TcpProxy::cut_after(std::size_t bytes) {
    set({.cut_after = bytes});
}

void TcpProxy::corrupt_after(std::size_t bytes) {
    set({.corrupt_after = bytes});
}

void TcpProxy::fall_silent() {
    set({.is_silent = true});
}

void TcpProxy::set(Fault fault) {
    const std::lock_guard lock(mutex_);
    fault_ = fault;
    eventfd_write(bell_, 1);
}

void TcpProxy::forward_all() {
    for (;;) {
        bool is_silent = false;
        {
            const std::lock_guard lock(mutex_);
            if (is_ending_) return;
            is_silent = fault_.is_silent;
        }
        std::vector<pollfd> watched{{.fd = bell_, .events = POLLIN, .revents = 0},
                                    {.fd = listener_, .events = POLLIN, .revents = 0}};
        if (!is_silent) {
            for (const Pair& pair : pairs_) {
                watched.push_back({.fd = pair.client, .events = POLLIN, .revents = 0});
                watched.push_back({.fd = pair.server, .events = POLLIN, .revents = 0});
            }
        }
        poll(watched.data(), watched.size(), -1);
        eventfd_t rung = 0;
        eventfd_read(bell_, &rung);
        if (rung != 0) continue;  // look at what was set before anything else is forwarded
        for (std::size_t i = 2; i < watched.size(); i += 2) {
            Pair& pair = pairs_[(i - 2) / 2];
            const bool goes_on = (watched[i].revents == 0 || forward(pair.client, pair.server, false)) &&
                                 (watched[i + 1].revents == 0 || forward(pair.server, pair.client, true));
            if (!goes_on) close_pair(pair);
        }
        std::erase_if(pairs_, [](const Pair& pair) { return pair.client < 0; });
        if (watched[1].revents != 0) accept_client();
    }
}

void TcpProxy::accept_client() {
    Pair pair{.client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC),
              .server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    const sockaddr_in target = loopback(target_port_);
    const auto* generic = reinterpret_cast<const sockaddr*>(&target);
    if (pair.client >= 0 && connect(pair.server, generic, sizeof target) == 0) {
        pairs_.push_back(pair);
    } else {
        close_pair(pair);
    }
}

bool TcpProxy::forward(int from, int to, bool is_from_server) {
    std::string piece(kPieceMax, '\0');
    const ssize_t count = recv(from, piece.data(), piece.size(), 0);
    if (count <= 0) return false;
    piece.resize(static_cast<std::size_t>(count));
    const bool goes_on = !is_from_server || harm(piece);
    return send_all(to, piece) && goes_on;
}

/// Does to a piece from the server what was set; false when the connection ends behind it.
bool TcpProxy::harm(std::string& piece) {
    std::unique_lock lock(mutex_);
    if (fault_.delay.count() > 0) {
        const auto time = fault_.delay;
        lock.unlock();
        pollfd rung{.fd = bell_, .events = POLLIN, .revents = 0};
        poll(&rung, 1, static_cast<int>(time.count()));
        return true;
    }
    for (std::size_t i = fault_.corrupt_after; i < piece.size(); ++i) piece[i] = static_cast<char>(~piece[i]);
    if (fault_.corrupt_after != kNever) fault_.corrupt_after -= std::min(fault_.corrupt_after, piece.size());
    if (fault_.cut_after == kNever) return true;
    const bool goes_on = piece.size() < fault_.cut_after;
    piece.resize(std::min(piece.size(), fault_.cut_after));
    fault_.cut_after -= piece.size();
    return goes_on;
}

void TcpProxy::close_pair(Pair& pair) {
    for (int* end : {&pair.client, &pair.server}) {
        if (*end >= 0) close(*end);
        *end = -1;
    }
}

}  // namespace quaestor::test
