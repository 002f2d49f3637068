#include "server/connection.hpp"

#include "base/ids.hpp"
#include "base/log.hpp"
#include "server/stream_over_wire.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>
#include <fmt/format.h>

#include <array>
#include <exception>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace quaestor::server {

namespace {

/// How long the other side has to read the last reply of a connection before the socket is closed.
constexpr std::chrono::seconds kGoodbyeTime{2};

/// What is kept of requests that a client sends while it is being streamed to.
constexpr std::size_t kReadAheadBytesMax = std::size_t{64} << 10;

Instant now() {
    return std::chrono::steady_clock::now();
}

iovec part_of(std::string_view text) {
    // The system only reads it.
    return {.iov_base = const_cast<char*>(text.data()), .iov_len = text.size()};
}

/// An open file that closes itself.
class OpenFile {
public:
    explicit OpenFile(const std::filesystem::path& path) : handle_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
        struct stat facts{};
        if (handle_ < 0 || ::fstat(handle_, &facts) != 0 || !S_ISREG(facts.st_mode)) return;
        size_ = static_cast<std::uint64_t>(facts.st_size);
    }
    ~OpenFile() {
        if (handle_ >= 0) ::close(handle_);
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    [[nodiscard]] int handle() const { return handle_; }
    [[nodiscard]] std::optional<std::uint64_t> size() const { return size_; }

private:
    int handle_;
    std::optional<std::uint64_t> size_;
};

bool has_no_body(int status) {
    return status == 204 || status == 304 || status / 100 == 1;
}

Error too_slow() {
    return {Code::timeout, "the request took too long to arrive", "send it faster, or in smaller parts", nullptr};
}

Error broken_off() {
    return {Code::invalid_argument, "the connection was closed in the middle of the request", {}, nullptr};
}

}  // namespace

Connection::Connection(House& house, Loop& loop, asio::ip::tcp::socket socket, const asio::ip::address& peer)
    : house_(house),
      loop_(loop),
      wire_(std::move(socket), house.tls.get(), loop.space()),
      peer_(peer),
      peer_text_(peer.to_string()) {
    loop_.count_connection(1);
}

Connection::~Connection() {
    loop_.count_connection(-1);
    house_.gate.leave(peer_);
}

void Connection::start() {
    run(serve());
}

void Connection::start_to_refuse() {
    run(refuse_entry());
}

void Connection::run(Task<> task) {
    loop_.enter(*this);
    auto end = [self = shared_from_this()](const std::exception_ptr&) {
        self->loop_.counts.bytes_sent.fetch_add(self->wire_.take_bytes_sent(), std::memory_order_relaxed);
        self->unlink();
    };
    asio::co_spawn(loop_.context(), std::move(task), asio::bind_cancellation_slot(slot(), std::move(end)));
}

void Connection::on_drain() {
    if (is_idle_) wire_.interrupt();
}

void Connection::on_last_call() {
    if (stream_ != nullptr) stream_->ask_to_end();
}

Task<> Connection::serve() {
    if (co_await wire_.shake_hands(now() + house_.settings.header_timeout) != Moved::some) co_return;
    while (co_await serve_one()) {
    }
    if (ends_in_peace_) co_await wire_.say_goodbye(now() + kGoodbyeTime);
}

Task<> Connection::refuse_entry() {
    if (co_await wire_.shake_hands(now() + kGoodbyeTime) != Moved::some) co_return;
    exchange_ = {.request_id = make_id()};
    Response response = error_response(503, {Code::unavailable, "too many connections", "try again later", nullptr},
                                       exchange_.request_id);
    response.headers.push_back({"Retry-After", "1"});
    co_await send(response);
    co_await wire_.say_goodbye(now() + kGoodbyeTime);
}

Task<bool> Connection::serve_one() {
    auto reply = co_await next_reply();
    if (!reply) co_return false;
    exchange_.keeps_alive = exchange_.keeps_alive && !house_.is_draining;
    bool goes_on = false;
    if (const auto* response = std::get_if<Response>(&*reply)) {
        goes_on = co_await send(*response);
    } else if (const auto* file = std::get_if<FileResponse>(&*reply)) {
        goes_on = co_await send(*file);
    } else {
        goes_on = co_await send(std::get<StreamResponse>(*reply));
    }
    loop_.counts.bytes_sent.fetch_add(wire_.take_bytes_sent(), std::memory_order_relaxed);
    co_return goes_on;
}

Task<std::optional<Reply>> Connection::next_reply() {
    auto incoming = co_await read_request();
    if (!incoming) co_return std::nullopt;
    loop_.counts.requests.fetch_add(1, std::memory_order_relaxed);
    exchange_ = {incoming->request.request_id, incoming->is_head, incoming->is_old, incoming->keeps_alive};
    co_return co_await answer(std::move(incoming->request));
}

Task<std::optional<Incoming>> Connection::read_request() {
    RequestReader reader({house_.settings.header_bytes, house_.settings.body_bytes});
    auto incoming = co_await read_request(reader);
    if (!incoming) co_return std::nullopt;
    Request& request = incoming->request;
    request.peer = peer_text_;
    const auto given = request.header("X-Request-Id");
    request.request_id = given && is_valid_id(*given) ? std::string(*given) : make_id();
    co_return incoming;
}

std::expected<void, Refusal> Connection::feed(RequestReader& reader, std::string_view bytes) {
    if (unread_.empty()) {
        auto used = reader.feed(bytes);
        if (!used) return std::unexpected(std::move(used.error()));
        unread_ = bytes.substr(*used);
    } else {
        unread_ += bytes;
        auto used = reader.feed(unread_);
        if (!used) return std::unexpected(std::move(used.error()));
        unread_.erase(0, *used);
    }
    if (unread_.empty()) unread_ = std::string();
    return {};
}

Task<bool> Connection::take_bytes(RequestReader& reader, bool has_begun, Instant deadline) {
    std::string_view bytes;
    is_idle_ = !has_begun;
    const Moved moved = co_await wire_.read(bytes, deadline);
    is_idle_ = false;
    if (moved == Moved::some) {
        auto fed = feed(reader, bytes);
        if (!fed) co_await refuse(std::move(fed.error()));
        co_return fed.has_value();
    }
    ends_in_peace_ = moved == Moved::late || moved == Moved::interrupted;
    if (moved == Moved::late && has_begun) {
        co_await refuse({408, too_slow()});
    } else if (moved == Moved::ended && has_begun) {
        co_await refuse({400, broken_off()});
    }
    co_return false;
}

Task<std::optional<Incoming>> Connection::read_request(RequestReader& reader) {
    const HttpServerSettings& settings = house_.settings;
    if (!unread_.empty()) {
        if (auto fed = feed(reader, {}); !fed) {
            co_await refuse(std::move(fed.error()));
            co_return std::nullopt;
        }
    } else if (house_.is_draining || !co_await take_bytes(reader, false, now() + settings.idle_timeout)) {
        co_return std::nullopt;
    }
    bool has_head = false;
    Instant deadline = now() + settings.header_timeout;
    while (!reader.is_done()) {
        if (reader.has_head() && !std::exchange(has_head, true)) deadline = now() + settings.body_timeout;
        if (reader.take_expectation() && !co_await write("HTTP/1.1 100 Continue\r\n\r\n")) co_return std::nullopt;
        if (!co_await take_bytes(reader, true, deadline)) co_return std::nullopt;
    }
    co_return reader.take();
}

Task<> Connection::refuse(Refusal refusal) {
    loop_.counts.malformed.fetch_add(1, std::memory_order_relaxed);
    exchange_ = {.request_id = make_id()};
    co_await send(error_response(refusal.status, refusal.error, exchange_.request_id));
}

Task<Reply> Connection::answer(Request request) {
    try {
        co_return co_await house_.handler(std::move(request));
    } catch (...) {
        log_failure(std::current_exception());
    }
    co_return error_response(500,
                             {Code::internal, "something went wrong on this side",
                              "try again; if it stays so, look for the request id in the log", nullptr},
                             exchange_.request_id);
}

void Connection::log_failure(const std::exception_ptr& thrown) const {
    std::string why = "something unknown was thrown";
    try {
        std::rethrow_exception(thrown);
    } catch (const boost::system::system_error& error) {
        // That is how tasks end when the server stops.
        if (error.code() == asio::error::operation_aborted && house_.is_draining) return;
        why = error.what();
    } catch (const std::exception& error) {
        why = error.what();
    } catch (...) {
    }
    log::error("an endpoint failed", {{"request_id", exchange_.request_id}, {"why", why}});
}

std::string Connection::head_text(int status, std::span<const net::HttpHeader> headers, BodyEnd end) {
    return text_of(ResponseHead{.status = status,
                                .headers = headers,
                                .request_id = exchange_.request_id,
                                .date = loop_.date(),
                                .end = end,
                                .is_old = exchange_.is_old,
                                .keeps_alive = exchange_.keeps_alive});
}

Task<bool> Connection::write(std::string_view first, std::string_view second) {
    std::array pieces{part_of(first), part_of(second)};
    const Moved moved = co_await wire_.write(pieces, house_.settings.write_timeout);
    if (moved != Moved::some) ends_in_peace_ = false;
    co_return moved == Moved::some;
}

Task<bool> Connection::send(const Response& response) {
    const bool is_bodiless = has_no_body(response.status);
    const BodyEnd end = is_bodiless ? BodyEnd(NoBody{}) : BodyEnd(BodyLength{response.body.size()});
    const std::string head = head_text(response.status, response.headers, end);
    const std::string_view body = exchange_.is_head || is_bodiless ? std::string_view() : response.body;
    co_return co_await write(head, body) && exchange_.keeps_alive;
}

Task<bool> Connection::send(const FileResponse& response) {
    const OpenFile file(response.file);
    if (!file.size()) {
        const Error problem{Code::not_found, "the file is not there any more", "try again later", nullptr};
        co_return co_await send(error_response(404, problem, exchange_.request_id));
    }
    if (!co_await write(head_text(response.status, response.headers, BodyLength{*file.size()}))) co_return false;
    if (exchange_.is_head) co_return exchange_.keeps_alive;
    const Moved moved = co_await wire_.send_file(file.handle(), *file.size(), house_.settings.write_timeout);
    if (moved != Moved::some) ends_in_peace_ = false;
    co_return moved == Moved::some&& exchange_.keeps_alive;
}

Task<bool> Connection::send(StreamResponse& response) {
    if (exchange_.is_old) exchange_.keeps_alive = false;
    const BodyEnd end = exchange_.is_old ? BodyEnd(BodyUntilClose{}) : BodyEnd(BodyInChunks{});
    if (!co_await write(head_text(200, response.headers, end))) co_return false;
    response.headers = {};
    if (exchange_.is_head) co_return exchange_.keeps_alive;
    if (!co_await run_stream(response)) {
        // Closed without the last chunk, so that the client knows that something is missing.
        ends_in_peace_ = false;
        co_return false;
    }
    if (!exchange_.is_old && !co_await write("0\r\n\r\n")) co_return false;
    co_return exchange_.keeps_alive && !house_.is_draining;
}

Task<bool> Connection::run_stream(const StreamResponse& response) {
    StreamOverWire stream(wire_, house_.settings.write_timeout, !exchange_.is_old);
    stream_ = &stream;
    watch();
    bool is_whole = true;
    try {
        co_await response.body(stream);
    } catch (...) {
        is_whole = false;
        log_failure(std::current_exception());
    }
    stream_ = nullptr;
    ++watches_;
    wire_.interrupt();
    co_return is_whole && !stream.is_lost();
}

void Connection::watch() {
    wire_.socket().async_wait(asio::socket_base::wait_read,
                              [self = shared_from_this(), watch = watches_](const boost::system::error_code& stopped) {
                                  if (!stopped && self->stream_ != nullptr && watch == self->watches_) self->notice();
                              });
}

void Connection::notice() {
    std::string_view bytes;
    Moved moved = wire_.try_read(bytes);
    for (; moved == Moved::some; moved = wire_.try_read(bytes)) {
        unread_ += bytes;
        // From here on a client that leaves is noticed when it is written to.
        if (unread_.size() > kReadAheadBytesMax) return;
    }
    // A browser that closes a page looks the same as one that will only read: a stream is for who stays.
    if (moved == Moved::ended || moved == Moved::failed) {
        stream_->lose({Code::unavailable, "the client is gone", {}, nullptr});
    } else {
        watch();
    }
}

}  // namespace quaestor::server
