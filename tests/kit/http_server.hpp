// A scripted HTTP/1.1 server on 127.0.0.1 for tests, plain or with TLS: for each request the test says what the server
// does, well-behaved or not. Whoever makes it owns it; the destructor closes all connections and waits for its threads.
// Threads: all members may be called from any thread. The handler is called from threads of the server, one at a time.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace quaestor::test {

/// A request as it arrived, with its whole body.
struct ReceivedRequest {
    std::string method;
    std::string target;  ///< as it was sent: a path, a whole URL (to a proxy), or host:port (CONNECT)
    std::vector<std::pair<std::string, std::string>> headers;  ///< names in lower case
    std::string body;
    std::string server_name;     ///< the name that the TLS client asked for (SNI)
    std::size_t connection = 0;  ///< which connection it came on, from 1

    /// The first header of that name, written in lower case; empty when there is none.
    [[nodiscard]] std::string header(std::string_view name) const;
};

/// Given once by a test, awaited by replies.
class Signal {
public:
    Signal();
    ~Signal();
    Signal(const Signal&) = delete;
    Signal& operator=(const Signal&) = delete;

    void give();
    /// Becomes readable, and stays so, when the signal is given.
    [[nodiscard]] int handle() const { return handle_; }

private:
    int handle_;
};

/// What the server does about one request, in the order of the calls. The status line and the headers go out with the
/// first bytes of the body (or at the end, when there is none), so a wait_for() or stall() in front holds them back
/// too. `return Reply(200).header("content-type", "text/event-stream").piece("data: 1\n\n").stall();`
class Reply {
public:
    explicit Reply(int status = 200) : status_(status) {}
    [[nodiscard]] static Reply json(std::string body, int status = 200);
    /// Exactly these bytes, HTTP or not, and then the connection is closed.
    [[nodiscard]] static Reply raw(std::string bytes);
    /// For CONNECT: 200, and from then on bytes are forwarded to and from that port of 127.0.0.1.
    [[nodiscard]] static Reply tunnel_to(int port);

    Reply& header(std::string name, std::string value);
    Reply& http_1_0();
    /// The body has neither a length nor chunks; it ends with the connection.
    Reply& until_close();

    /// The body at once, with its Content-Length.
    Reply& body(std::string text);
    /// The same with a Content-Length that need not be true. For HEAD: a length and an empty text.
    Reply& body_with_length(std::size_t promised, std::string text);
    /// A chunk, sent on its own. An empty one sends the headers only.
    Reply& piece(std::string text);
    /// `text` in chunks of `size` bytes, cut wherever that falls.
    Reply& pieces(std::string_view text, std::size_t size);

    /// Goes on when the signal is given.
    Reply& wait_for(std::shared_ptr<Signal> signal);
    /// Sends nothing more until the client leaves.
    Reply& stall();
    /// Sends this chunk again and again until the client leaves.
    Reply& endless(std::string piece);
    /// Ends the connection with RST.
    Reply& reset();
    /// Ends the connection here, whatever was promised; after a complete body: as a server that drops idle connections.
    Reply& close();

private:
    friend class Conversation;

    struct Send {
        std::string text;
    };
    struct WaitFor {
        std::shared_ptr<Signal> signal;
    };
    struct Endless {
        std::string piece;
    };
    struct Tunnel {
        int port;
    };
    enum class End { stall, reset, close };
    using Step = std::variant<Send, WaitFor, Endless, Tunnel, End>;
    enum class Framing { none, length, chunks, until_close, raw };

    Reply& add(Step step);
    [[nodiscard]] std::string head() const;
    [[nodiscard]] std::string framed(const std::string& text) const;

    int status_;
    std::string version_ = "HTTP/1.1";
    std::vector<std::pair<std::string, std::string>> headers_;
    Framing framing_ = Framing::none;
    std::size_t promised_ = 0;
    std::vector<Step> steps_;
};

class HttpServer {
public:
    using Handler = std::function<Reply(const ReceivedRequest&)>;
    /// A self-signed certificate is made for the server; clients trust it through ca_file().
    struct Tls {
        std::string host = "localhost";  ///< whom the certificate is for: a name or an address
        bool is_expired = false;
    };

    explicit HttpServer(Handler handler);
    HttpServer(Tls tls, Handler handler);
    ~HttpServer();
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    [[nodiscard]] int port() const;
    /// http://127.0.0.1:PORT/path, or https://localhost:PORT/path.
    [[nodiscard]] std::string url(std::string_view path = "/") const;
    /// A PEM file with the server's certificate.
    [[nodiscard]] std::string ca_file() const;

    [[nodiscard]] std::size_t connections() const;
    [[nodiscard]] std::vector<ReceivedRequest> requests() const;

    // These wait for what must happen; false when it has not after a time that no working client takes.
    [[nodiscard]] bool wait_for_connections(std::size_t count) const;
    [[nodiscard]] bool wait_for_requests(std::size_t count) const;
    /// Until so many connections were closed by the client.
    [[nodiscard]] bool wait_until_closed(std::size_t count = 1) const;

private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace quaestor::test
