#include "kit/http_server.hpp"

#include "kit/self_signed.hpp"
#include "kit/tunnel.hpp"
#include "kit/wire.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdexcept>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace quaestor::test {

namespace {

constexpr int kBacklog = 64;
constexpr std::chrono::seconds kPatience{30};

std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

}  // namespace

std::string ReceivedRequest::header(std::string_view name) const {
    const auto found = std::ranges::find_if(headers, [name](const auto& entry) { return entry.first == name; });
    return found == headers.end() ? std::string() : found->second;
}

Signal::Signal() : handle_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

Signal::~Signal() {
    ::close(handle_);
}

void Signal::give() {
    eventfd_write(handle_, 1);
}

Reply Reply::json(std::string body, int status) {
    return Reply(status).header("Content-Type", "application/json").body(std::move(body));
}

Reply Reply::raw(std::string bytes) {
    Reply reply;
    reply.framing_ = Framing::raw;
    return reply.add(Send{std::move(bytes)}).add(End::close);
}

Reply Reply::tunnel_to(int port) {
    return Reply(200).add(Tunnel{port});
}

Reply& Reply::header(std::string name, std::string value) {
    headers_.emplace_back(std::move(name), std::move(value));
    return *this;
}

Reply& Reply::http_1_0() {
    version_ = "HTTP/1.0";
    return *this;
}

Reply& Reply::until_close() {
    framing_ = Framing::until_close;
    return *this;
}

Reply& Reply::body(std::string text) {
    if (framing_ == Framing::until_close) return add(Send{std::move(text)});
    const std::size_t size = text.size();
    return body_with_length(size, std::move(text));
}

Reply& Reply::body_with_length(std::size_t promised, std::string text) {
    framing_ = Framing::length;
    promised_ = promised;
    return add(Send{std::move(text)});
}

Reply& Reply::piece(std::string text) {
    if (framing_ == Framing::none) framing_ = Framing::chunks;
    return add(Send{std::move(text)});
}

Reply& Reply::pieces(std::string_view text, std::size_t size) {
    for (; !text.empty(); text.remove_prefix(std::min(size, text.size()))) piece(std::string(text.substr(0, size)));
    return *this;
}

Reply& Reply::wait_for(std::shared_ptr<Signal> signal) {
    return add(WaitFor{std::move(signal)});
}

Reply& Reply::stall() {
    return add(End::stall);
}

Reply& Reply::endless(std::string piece) {
    if (framing_ == Framing::none) framing_ = Framing::chunks;
    return add(Endless{std::move(piece)});
}

Reply& Reply::reset() {
    return add(End::reset);
}

Reply& Reply::close() {
    return add(End::close);
}

Reply& Reply::add(Step step) {
    steps_.push_back(std::move(step));
    return *this;
}

std::string Reply::head() const {
    if (framing_ == Framing::raw) return {};
    std::string text = fmt::format("{} {} Scripted\r\n", version_, status_);
    for (const auto& [name, value] : headers_) text += fmt::format("{}: {}\r\n", name, value);
    const bool has_no_body = status_ < 200 || status_ == 204 || status_ == 304;
    if (framing_ == Framing::length) text += fmt::format("Content-Length: {}\r\n", promised_);
    if (framing_ == Framing::none && !has_no_body) text += "Content-Length: 0\r\n";
    if (framing_ == Framing::chunks) text += "Transfer-Encoding: chunked\r\n";
    return text + "\r\n";
}

std::string Reply::framed(const std::string& text) const {
    if (framing_ != Framing::chunks || text.empty()) return text;
    return fmt::format("{:x}\r\n{}\r\n", text.size(), text);
}

struct HttpServer::Inside {
    explicit Inside(Handler answer) : handler(std::move(answer)) {}

    void listen_on_free_port();
    void accept_all();
    void serve(int handle, std::size_t number);
    Reply answer_to(const ReceivedRequest& request);
    template <class Condition>
    bool wait_until(Condition condition) const;

    Handler handler;
    std::unique_ptr<SelfSigned> tls;
    int listener = -1;
    int port = 0;
    int stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);

    mutable std::mutex mutex;
    mutable std::condition_variable changed;
    std::size_t connections = 0;
    std::size_t closed_by_client = 0;
    std::vector<ReceivedRequest> requests;

    std::mutex handler_mutex;
    std::vector<std::thread> conversations;
    std::thread acceptor;
};

/// One connection from its first request to its end.
class Conversation {
public:
    Conversation(Wire& wire, int stop) : wire_(wire), stop_(stop) {}

    /// The next request, or nothing when the connection has ended.
    std::optional<ReceivedRequest> read_request() {
        std::size_t end = 0;
        while ((end = unread_.find("\r\n\r\n")) == std::string::npos)
            if (!read_more()) return std::nullopt;
        ReceivedRequest request = parse_head(std::string_view(unread_).substr(0, end + 2));
        unread_.erase(0, end + 4);
        const std::string length = request.header("content-length");
        const std::size_t size = length.empty() ? 0 : std::stoul(length);
        while (unread_.size() < size)
            if (!read_more()) return std::nullopt;
        request.body = unread_.substr(0, size);
        unread_.erase(0, size);
        return request;
    }

    /// True when the connection can take another request.
    bool play(const Reply& reply) {
        head_ = reply.head();
        for (const Reply::Step& step : reply.steps_) {
            const bool goes_on = std::visit([&](const auto& what) { return perform(reply, what); }, step);
            if (!goes_on) return false;
        }
        const std::string_view last = reply.framing_ == Reply::Framing::chunks ? "0\r\n\r\n" : "";
        if (!write(std::string(last))) return false;
        if (reply.framing_ == Reply::Framing::until_close) wire_.say_goodbye();
        return reply.framing_ != Reply::Framing::until_close;
    }

private:
    bool read_more() {
        const std::string bytes = wire_.read();
        unread_ += bytes;
        return !bytes.empty();
    }

    static ReceivedRequest parse_head(std::string_view head) {
        ReceivedRequest request;
        const auto next_line = [&head] {
            const std::string_view line = head.substr(0, head.find("\r\n"));
            head.remove_prefix(line.size() + 2);
            return line;
        };
        const std::string_view first = next_line();
        const auto space = first.find(' ');
        request.method = first.substr(0, space);
        request.target = first.substr(space + 1, first.rfind(' ') - space - 1);
        while (!head.empty()) {
            const std::string_view line = next_line();
            const auto colon = line.find(':');
            const auto value = line.find_first_not_of(' ', colon + 1);
            request.headers.emplace_back(lower(line.substr(0, colon)),
                                         value == std::string_view::npos ? "" : line.substr(value));
        }
        return request;
    }

    bool write(const std::string& bytes) {
        const std::string all = std::exchange(head_, {}) + bytes;
        return wire_.write(all);
    }

    bool perform(const Reply& reply, const Reply::Send& what) { return write(reply.framed(what.text)); }
    bool perform(const Reply&, const Reply::WaitFor& what) { return wire_.wait_for(what.signal->handle()); }
    bool perform(const Reply& reply, const Reply::Endless& what) {
        while (write(reply.framed(what.piece))) {
        }
        return false;
    }
    bool perform(const Reply&, const Reply::Tunnel& what) {
        head_ = "HTTP/1.1 200 Connected\r\n\r\n";
        if (write({})) tunnel(wire_.handle(), what.port, stop_);
        return false;
    }
    bool perform(const Reply&, Reply::End what) {
        if (what == Reply::End::stall) wire_.stall();
        if (what == Reply::End::reset) wire_.reset();
        return false;
    }

    Wire& wire_;
    int stop_;
    std::string unread_;
    std::string head_;
};

void HttpServer::Inside::listen_on_free_port() {
    std::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes without MSG_NOSIGNAL
    listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (bind(listener, generic, size) != 0 || listen(listener, kBacklog) != 0 ||
        getsockname(listener, generic, &size) != 0)
        throw std::runtime_error(fmt::format("no port for the server: {}", std::strerror(errno)));
    port = ntohs(address.sin_port);
    acceptor = std::thread([this] { accept_all(); });
}

void HttpServer::Inside::accept_all() {
    for (;;) {
        std::array<pollfd, 2> watched{
            {{.fd = listener, .events = POLLIN, .revents = 0}, {.fd = stop, .events = POLLIN, .revents = 0}}};
        poll(watched.data(), watched.size(), -1);
        if (watched[1].revents != 0) return;
        const int handle = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (handle < 0) continue;
        std::size_t number = 0;
        {
            const std::lock_guard lock(mutex);
            number = ++connections;
            changed.notify_all();
        }
        conversations.emplace_back([this, handle, number] { serve(handle, number); });
    }
}

void HttpServer::Inside::serve(int handle, std::size_t number) {
    bool left_by_client = false;
    {
        Wire wire(handle, stop, tls ? tls->context() : nullptr);
        Conversation conversation(wire, stop);
        bool goes_on = wire.accept();
        while (goes_on) {
            auto request = conversation.read_request();
            if (!request) break;
            request->connection = number;
            request->server_name = wire.server_name();
            goes_on = conversation.play(answer_to(*request));
        }
        left_by_client = wire.left_by_client();
    }
    if (!left_by_client) return;
    const std::lock_guard lock(mutex);
    ++closed_by_client;
    changed.notify_all();
}

Reply HttpServer::Inside::answer_to(const ReceivedRequest& request) {
    {
        const std::lock_guard lock(mutex);
        requests.push_back(request);
        changed.notify_all();
    }
    const std::lock_guard lock(handler_mutex);
    return handler(request);
}

template <class Condition>
bool HttpServer::Inside::wait_until(Condition condition) const {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, kPatience, condition);
}

HttpServer::HttpServer(Handler handler) : inside_(std::make_unique<Inside>(std::move(handler))) {
    inside_->listen_on_free_port();
}

HttpServer::HttpServer(Tls tls, Handler handler) : inside_(std::make_unique<Inside>(std::move(handler))) {
    inside_->tls = std::make_unique<SelfSigned>(tls.host, tls.is_expired);
    inside_->listen_on_free_port();
}

HttpServer::~HttpServer() {
    eventfd_write(inside_->stop, 1);
    inside_->acceptor.join();
    for (std::thread& conversation : inside_->conversations) conversation.join();
    ::close(inside_->listener);
    ::close(inside_->stop);
}

int HttpServer::port() const {
    return inside_->port;
}

std::string HttpServer::url(std::string_view path) const {
    return inside_->tls ? fmt::format("https://localhost:{}{}", port(), path)
                        : fmt::format("http://127.0.0.1:{}{}", port(), path);
}

std::string HttpServer::ca_file() const {
    return inside_->tls ? inside_->tls->file() : std::string();
}

std::size_t HttpServer::connections() const {
    const std::lock_guard lock(inside_->mutex);
    return inside_->connections;
}

std::vector<ReceivedRequest> HttpServer::requests() const {
    const std::lock_guard lock(inside_->mutex);
    return inside_->requests;
}

bool HttpServer::wait_for_connections(std::size_t count) const {
    return inside_->wait_until([&] { return inside_->connections >= count; });
}

bool HttpServer::wait_for_requests(std::size_t count) const {
    return inside_->wait_until([&] { return inside_->requests.size() >= count; });
}

bool HttpServer::wait_until_closed(std::size_t count) const {
    return inside_->wait_until([&] { return inside_->closed_by_client >= count; });
}

}  // namespace quaestor::test
