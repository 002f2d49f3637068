// Private to the test kit: one connection of a test server as bytes, plain or TLS, and a tunnel between two
// connections. A wire owns its socket; it gives up when the server's `stop` handle becomes readable. Threads: one at a
// time.
#pragma once

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

namespace quaestor::test {

inline constexpr std::size_t kReadSize = 64 * 1024;

/// One connection as bytes, plain or TLS, that gives up when the server stops.
class Wire {
public:
    Wire(int handle, int stop, SSL_CTX* tls) : handle_(handle), stop_(stop), tls_(nullptr, SSL_free) {
        const int on = 1;
        setsockopt(handle_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        if (tls == nullptr) return;
        tls_.reset(SSL_new(tls));
        SSL_set_fd(tls_.get(), handle_);
    }
    ~Wire() { ::close(handle_); }
    Wire(const Wire&) = delete;
    Wire& operator=(const Wire&) = delete;

    [[nodiscard]] int handle() const { return handle_; }
    [[nodiscard]] bool left_by_client() const { return left_by_client_; }

    bool accept() {
        if (!tls_) return true;
        return retry(POLLIN, [this] { return SSL_accept(tls_.get()); }) == 1;
    }

    [[nodiscard]] std::string server_name() const {
        const char* const name = tls_ ? SSL_get_servername(tls_.get(), TLSEXT_NAMETYPE_host_name) : nullptr;
        return name == nullptr ? std::string() : std::string(name);
    }

    /// Some bytes, or none when the connection has ended.
    std::string read() {
        std::string bytes(kReadSize, '\0');
        const int count = retry(POLLIN, [&] {
            return tls_ ? SSL_read(tls_.get(), bytes.data(), static_cast<int>(bytes.size()))
                        : static_cast<int>(recv(handle_, bytes.data(), bytes.size(), 0));
        });
        if (count <= 0) left_by_client_ = !stopped_;
        bytes.resize(static_cast<std::size_t>(std::max(count, 0)));
        return bytes;
    }

    bool write(std::string_view bytes) {
        while (!bytes.empty()) {
            const int count = retry(POLLOUT, [&] {
                const auto size = std::min<std::size_t>(bytes.size(), kReadSize);
                return tls_ ? SSL_write(tls_.get(), bytes.data(), static_cast<int>(size))
                            : static_cast<int>(send(handle_, bytes.data(), size, MSG_NOSIGNAL));
            });
            if (count <= 0) {
                left_by_client_ = !stopped_;
                return false;
            }
            bytes.remove_prefix(static_cast<std::size_t>(count));
        }
        return true;
    }

    /// Until `other` is readable; false when the client left, or the server stops, before that.
    bool wait_for(int other) {
        const short events = wait(POLLRDHUP, other);
        left_by_client_ = events != 0;
        return !stopped_ && events == 0;
    }

    void stall() { wait_for(-1); }

    /// Tells the TLS client that this end is no accident.
    void say_goodbye() {
        if (tls_) SSL_shutdown(tls_.get());
    }

    void reset() {
        const linger at_once{.l_onoff = 1, .l_linger = 0};
        setsockopt(handle_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    }

private:
    /// What happened on the connection; nothing when `other` became readable or the server stops.
    short wait(short events, int other = -1) {
        std::array<pollfd, 3> watched{{{.fd = handle_, .events = events, .revents = 0},
                                       {.fd = stop_, .events = POLLIN, .revents = 0},
                                       {.fd = other, .events = POLLIN, .revents = 0}}};
        while (poll(watched.data(), watched.size(), -1) < 0 && errno == EINTR) {
        }
        stopped_ = watched[1].revents != 0;
        return stopped_ ? short{0} : watched[0].revents;
    }

    /// Tries until it has moved bytes (their count), or cannot any more (0). `events` is what a plain socket waits for.
    template <class Attempt>
    int retry(short events, Attempt attempt) {
        for (;;) {
            errno = 0;
            const int count = attempt();
            if (count > 0) return count;
            const int problem = tls_ ? SSL_get_error(tls_.get(), count) : SSL_ERROR_NONE;
            if (problem == SSL_ERROR_WANT_READ) events = POLLIN;
            if (problem == SSL_ERROR_WANT_WRITE) events = POLLOUT;
            const bool would_block =
                tls_ ? problem == SSL_ERROR_WANT_READ || problem == SSL_ERROR_WANT_WRITE : count < 0 && errno == EAGAIN;
            if (!would_block) return 0;
            wait(events);
            if (stopped_) return 0;
        }
    }

    int handle_;
    int stop_;
    std::unique_ptr<SSL, decltype(&SSL_free)> tls_;
    bool stopped_ = false;
    bool left_by_client_ = false;
};

}  // namespace quaestor::test
