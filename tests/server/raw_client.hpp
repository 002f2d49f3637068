// A client that sends what a test says, well-formed or not, and reads what comes back.
// Owns its socket. Every wait has an end that no working server comes near.
// Threads: one at a time.
#pragma once

#include <arpa/inet.h>
#include <array>
#include <cstddef>
#include <netinet/in.h>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

namespace quaestor::server {

class RawClient {
public:
    /// `url` as HttpServer::url() tells it.
    explicit RawClient(const std::string& url, int receive_buffer = 0) : handle_(::socket(AF_INET, SOCK_STREAM, 0)) {
        if (receive_buffer > 0) ::setsockopt(handle_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1))));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        is_connected_ = ::connect(handle_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    }
    ~RawClient() { ::close(handle_); }
    RawClient(const RawClient&) = delete;
    RawClient& operator=(const RawClient&) = delete;

    [[nodiscard]] bool is_connected() const { return is_connected_; }

    /// What the server does not take any more is lost.
    void send(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t count = ::send(handle_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (count <= 0) return;
            bytes.remove_prefix(static_cast<std::size_t>(count));
        }
    }
    void end_sending() { ::shutdown(handle_, SHUT_WR); }
    /// Leaves with RST.
    void break_off() {
        const linger at_once{.l_onoff = 1, .l_linger = 0};
        ::setsockopt(handle_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        ::close(handle_);
        handle_ = -1;
    }

    [[nodiscard]] bool has_something(int milliseconds) const {
        pollfd watched{.fd = handle_, .events = POLLIN, .revents = 0};
        return ::poll(&watched, 1, milliseconds) > 0;
    }
    /// Up to and with `mark`.
    std::string read_until(std::string_view mark) {
        while (!unread_.contains(mark) && read_some()) {
        }
        const std::size_t end = unread_.find(mark);
        std::string text = unread_.substr(0, end == std::string::npos ? end : end + mark.size());
        unread_.erase(0, text.size());
        return text;
    }
    /// Until the server closes the connection.
    std::string read_all() {
        while (read_some()) {
        }
        return std::exchange(unread_, {});
    }

private:
    static constexpr int kPatienceMs = 20'000;

    bool read_some() {
        if (!has_something(kPatienceMs)) throw std::runtime_error("the server says nothing");
        std::array<char, 65'536> space;
        const ssize_t count = ::recv(handle_, space.data(), space.size(), 0);
        if (count <= 0) return false;
        unread_.append(space.data(), static_cast<std::size_t>(count));
        return true;
    }

    int handle_;
    bool is_connected_ = false;
    std::string unread_;
};

}  // namespace quaestor::server
