// Private to server/: one connection from its first byte to its last: requests one after the other, each answered.
// Owns its socket; lives as long as its task runs. While it waits or streams, it holds neither parser nor buffers.
// Threads: those of one loop.
#pragma once

#include "server/gate.hpp"
#include "server/http_server.hpp"
#include "server/loop.hpp"
#include "server/request_reader.hpp"
#include "server/response_head.hpp"
#include "server/tls.hpp"
#include "server/wire.hpp"

#include <atomic>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace quaestor::server {

/// What all connections of a server share.
struct House {
    HttpServerSettings settings;
    Endpoint handler;
    Gate gate;
    TlsContext tls;
    std::atomic<bool> is_draining = false;
};

class StreamOverWire;

class Connection final : public Guest, public std::enable_shared_from_this<Connection> {
public:
    /// The gate has let it in; the connection leaves there when it ends.
    Connection(House& house, Loop& loop, asio::ip::tcp::socket socket, const asio::ip::address& peer);
    ~Connection() override;

    void start();
    /// Says that there are too many connections, and ends.
    void start_to_refuse();

    void on_tick(Instant now) override { wire_.expire(now); }
    void on_drain() override;
    void on_last_call() override;

private:
    /// What of a request is needed until its reply is out. Kept here and not in tasks, which would each have a copy.
    struct Exchange {
        std::string request_id;
        bool is_head = false;
        bool is_old = false;
        bool keeps_alive = false;
    };

    void run(Task<> task);
    Task<> serve();
    Task<> refuse_entry();
    Task<bool> serve_one();
    /// The reply to the next request; nothing when the connection is over.
    Task<std::optional<Reply>> next_reply();
    /// Nothing when the connection is over; a request that is refused has been answered then.
    Task<std::optional<Incoming>> read_request();
    Task<std::optional<Incoming>> read_request(RequestReader& reader);
    /// False when nothing more will come, or what came was refused.
    Task<bool> take_bytes(RequestReader& reader, bool has_begun, Instant deadline);
    [[nodiscard]] std::expected<void, Refusal> feed(RequestReader& reader, std::string_view bytes);
    Task<> refuse(Refusal refusal);
    Task<Reply> answer(Request request);
    void log_failure(const std::exception_ptr& thrown) const;

    // Each tells whether the connection can go on.
    Task<bool> send(const Response& response);
    Task<bool> send(const FileResponse& response);
    Task<bool> send(StreamResponse& response);
    /// False when the stream is not whole.
    Task<bool> run_stream(const StreamResponse& response);

    [[nodiscard]] std::string head_text(int status, std::span<const net::HttpHeader> headers, BodyEnd end);
    Task<bool> write(std::string_view first, std::string_view second = {});
    void watch();
    void notice();

    House& house_;
    Loop& loop_;
    Wire wire_;
    asio::ip::address peer_;
    std::string peer_text_;
    Exchange exchange_;
    std::string unread_;                ///< bytes that came behind a request
    StreamOverWire* stream_ = nullptr;  ///< while one runs
    std::uint32_t watches_ = 0;         ///< tells a late notice from the current one
    bool is_idle_ = false;              ///< between two requests
    bool ends_in_peace_ = true;         ///< false: there is nobody to say goodbye to
};

}  // namespace quaestor::server
