#include "load.hpp"

#include "bench_kit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string_view>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace quaestor::bench {

namespace {

constexpr double kMicrosecondsPerSecond = 1e6;
constexpr std::string_view kOk = "HTTP/1.1 200 ";

/// Reads one response after the other, however their bytes are cut.
class ResponseCounter {
public:
    /// True when the response is complete with these bytes; the client sends no request ahead, so none are left over.
    bool feed(std::string_view bytes);
    /// Nothing of the next response has come.
    [[nodiscard]] bool is_fresh() const { return in_head_ && is_first_line_ && line_.empty(); }
    [[nodiscard]] std::uint64_t take_events() { return std::exchange(events_, 0); }

private:
    enum class Place { line, body, chunk };

    bool end_line();
    bool end_head();
    void count_events(std::string_view bytes);

    Place place_ = Place::line;
    std::string line_;
    bool in_head_ = true;
    bool is_first_line_ = true;
    bool is_chunked_ = false;
    bool in_trailer_ = false;
    bool at_line_start_ = false;
    std::size_t left_ = 0;
    std::uint64_t events_ = 0;
};

std::size_t number_in(std::string_view text, int base) {
    std::size_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number, base);
    return number;
}

void ResponseCounter::count_events(std::string_view bytes) {
    for (const char c : bytes) {
        events_ += c == '\n' && at_line_start_;
        at_line_start_ = c == '\n';
    }
}

bool ResponseCounter::end_head() {
    in_head_ = false;
    is_first_line_ = true;
    at_line_start_ = false;
    if (is_chunked_) return false;
    place_ = Place::body;
    return left_ == 0;
}

/// True when the response ends with the line.
bool ResponseCounter::end_line() {
    const std::string line = std::exchange(line_, {});
    if (in_head_) {
        if (line.empty()) return end_head();
        if (std::exchange(is_first_line_, false) && !line.starts_with(kOk)) give_up("the server says " + line);
        std::string lower(line);
        std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
        if (lower.starts_with("content-length: ")) left_ = number_in(std::string_view(lower).substr(16), 10);
        if (lower.starts_with("transfer-encoding: chunked")) is_chunked_ = true;
        return false;
    }
    if (in_trailer_) return line.empty();
    // The line break behind a chunk looks like an empty line.
    if (line.empty()) return false;
    left_ = number_in(line, 16);
    in_trailer_ = left_ == 0;
    if (!in_trailer_) place_ = Place::chunk;
    return false;
}

bool ResponseCounter::feed(std::string_view bytes) {
    while (!bytes.empty()) {
        if (place_ == Place::line) {
            const std::size_t end = bytes.find('\n');
            line_ += bytes.substr(0, end);
            if (end == std::string_view::npos) return false;
            bytes.remove_prefix(end + 1);
            if (line_.ends_with('\r')) line_.pop_back();
            if (!end_line()) continue;
        } else {
            const std::string_view part = bytes.substr(0, left_);
            if (place_ == Place::chunk) count_events(part);
            left_ -= part.size();
            bytes.remove_prefix(part.size());
            if (left_ > 0) return false;
            const bool was_chunk = std::exchange(place_, Place::line) == Place::chunk;
            if (was_chunk) continue;
        }
        const std::uint64_t events = events_;
        *this = {};
        events_ = events;
        return true;
    }
    return false;
}

int connect_to(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int handle = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int on = 1;
    ::setsockopt(handle, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (handle < 0 || ::connect(handle, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        give_up(fmt::format("cannot connect to the server: {}", std::strerror(errno)));
    return handle;
}

void ask(int handle, const std::string& request) {
    if (::send(handle, request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size()))
        give_up("the server does not take a request");
}

std::string request_for(const std::string& path) {
    return fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
}

void allow_many_files() {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

struct Client {
    int handle = -1;
    ResponseCounter counter;
};

}  // namespace

LoadResult put_load_on(const LoadPlan& plan) {
    const std::string request = request_for(plan.path);
    const int poll = ::epoll_create1(EPOLL_CLOEXEC);
    std::vector<Client> clients(static_cast<std::size_t>(plan.connections));
    const auto join = [&](Client& client) {
        client.handle = connect_to(plan.port);
        epoll_event event{.events = EPOLLIN, .data = {.ptr = &client}};
        ::epoll_ctl(poll, EPOLL_CTL_ADD, client.handle, &event);
        ask(client.handle, request);
    };
    for (Client& client : clients) join(client);
    LoadResult result;
    const double begin = now_us();
    const double end = begin + plan.seconds * kMicrosecondsPerSecond;
    std::array<epoll_event, 256> events{};
    std::array<char, 65'536> space;
    while (now_us() < end) {
        const int ready = ::epoll_wait(poll, events.data(), static_cast<int>(events.size()), 100);
        for (int i = 0; i < ready; ++i) {
            Client& client = *static_cast<Client*>(events[static_cast<std::size_t>(i)].data.ptr);
            const ssize_t count = ::recv(client.handle, space.data(), space.size(), MSG_DONTWAIT);
            if (count <= 0 && client.counter.is_fresh()) {
                // Servers may drop a kept connection when it has been quiet, as on a busy machine it can be.
                ::close(client.handle);
                join(client);
                continue;
            }
            if (count <= 0) give_up("the server closed a connection in the middle of a response");
            const bool is_complete = client.counter.feed({space.data(), static_cast<std::size_t>(count)});
            result.events += client.counter.take_events();
            if (!is_complete) continue;
            ++result.requests;
            ask(client.handle, request);
        }
    }
    result.seconds = (now_us() - begin) / kMicrosecondsPerSecond;
    for (const Client& client : clients) ::close(client.handle);
    ::close(poll);
    return result;
}

HeldStreams::HeldStreams(const LoadPlan& plan) {
    allow_many_files();
    const std::string request = request_for(plan.path);
    for (int i = 0; i < plan.connections; ++i) {
        sockets_.push_back(connect_to(plan.port));
        ask(sockets_.back(), request);
    }
    for (const int handle : sockets_) {
        std::string got;
        std::array<char, 4'096> space;
        while (!got.contains("data: ")) {
            const ssize_t count = ::recv(handle, space.data(), space.size(), 0);
            if (count <= 0) give_up("the server closed an idle stream");
            got.append(space.data(), static_cast<std::size_t>(count));
        }
    }
}

HeldStreams::~HeldStreams() {
    for (const int handle : sockets_) ::close(handle);
}

}  // namespace quaestor::bench
