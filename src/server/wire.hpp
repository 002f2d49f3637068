// Private to server/: one accepted connection as bytes, plain or TLS. Tries first and waits only when it must; while it
// waits it holds no buffer. Owns its socket. Being cancelled ends every task here with operation_aborted.
// Threads: those of one loop.
#pragma once

#include "base/clock.hpp"
#include "base/task.hpp"
#include "server/tls.hpp"

#include <boost/asio/ip/tcp.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <sys/uio.h>
#include <utility>

namespace quaestor::server {

/// How an attempt on the socket ended.
enum class Moved {
    some,         ///< bytes moved, or all of them
    wants_read,   ///< not now: when the socket becomes readable
    wants_write,  ///< not now: when the socket becomes writable
    ended,        ///< the other side has said its last byte
    failed,       ///< the connection is broken
    late,         ///< the time was over
    interrupted,  ///< interrupt() was called
};

class Wire {
public:
    /// `space` belongs to the loop: it is filled and emptied between two waits, never across one.
    Wire(asio::ip::tcp::socket socket, SSL_CTX* tls, std::span<char> space);

    Task<Moved> shake_hands(Instant deadline);
    /// Some bytes, which stay valid until the caller awaits anything.
    Task<Moved> read(std::string_view& bytes, Instant deadline);
    /// All of the pieces, which are used up; `patience` begins anew whenever the other side takes something.
    Task<Moved> write(std::span<iovec> pieces, Duration patience);
    Task<Moved> send_file(int file, std::uint64_t size, Duration patience);
    /// Says that nothing more will come, and takes what the other side still sends, so that it can read the last reply.
    Task<> say_goodbye(Instant deadline);

    // The same without waiting.
    Moved try_read(std::string_view& bytes);
    /// Moved::some when all of the pieces went out; `pieces` is then empty, otherwise what is left.
    Moved try_write(std::span<iovec>& pieces);

    /// Ends a wait whose deadline has passed.
    void expire(Instant now);
    /// Ends every wait.
    void interrupt();
    [[nodiscard]] asio::ip::tcp::socket& socket() { return socket_; }
    [[nodiscard]] std::uint64_t take_bytes_sent() { return std::exchange(bytes_sent_, 0); }

private:
    Task<Moved> wait(Moved wanted, Instant deadline);
    /// Those of other connections: OpenSSL keeps them by thread, and would tell them as ours.
    void forget_problems();
    Moved outcome(std::ptrdiff_t count, Moved wish);
    std::ptrdiff_t put(std::span<iovec> pieces);
    std::ptrdiff_t put_file(int file, std::int64_t& offset, std::uint64_t left);

    asio::ip::tcp::socket socket_;
    TlsSession tls_;
    std::span<char> space_;
    Instant deadline_ = Instant::max();
    bool is_late_ = false;
    std::uint64_t bytes_sent_ = 0;
};

}  // namespace quaestor::server
