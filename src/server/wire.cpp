#include "server/wire.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/error.hpp>
#include <boost/system/system_error.hpp>

#include <algorithm>
#include <cerrno>
#include <openssl/err.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>

namespace quaestor::server {

namespace {

/// Most of a file that goes out before others of the loop have their turn.
constexpr std::uint64_t kFilePieceBytes = std::uint64_t{256} << 10;

/// One record of TLS takes as much; a longer text would only be copied in vain.
constexpr std::size_t kTlsRecordBytes = 16'384;

/// What is taken and thrown away from a client that goes on sending after the last reply.
constexpr std::size_t kGoodbyeBytesMax = std::size_t{4} << 20;

void drop_front(std::span<iovec>& pieces, std::size_t count) {
    while (!pieces.empty() && count >= pieces.front().iov_len) {
        count -= pieces.front().iov_len;
        pieces = pieces.subspan(1);
    }
    if (pieces.empty()) return;
    pieces.front().iov_base = static_cast<char*>(pieces.front().iov_base) + count;
    pieces.front().iov_len -= count;
}

/// The beginning of the pieces as one text: TLS would make a record, with a header of its own, of each.
std::string_view gather(std::span<const iovec> pieces, std::span<char> space) {
    std::size_t size = 0;
    for (const iovec& piece : pieces) {
        const std::size_t count = std::min(piece.iov_len, space.size() - size);
        std::copy_n(static_cast<const char*>(piece.iov_base), count, space.data() + size);
        size += count;
    }
    return {space.data(), size};
}

}  // namespace

Wire::Wire(asio::ip::tcp::socket socket, SSL_CTX* tls, std::span<char> space)
    : socket_(std::move(socket)),
      tls_(tls == nullptr ? nullptr : make_tls_session(tls, socket_.native_handle())),
      space_(space) {}

void Wire::forget_problems() {
    if (tls_) ERR_clear_error();
}

Moved Wire::outcome(std::ptrdiff_t count, Moved wish) {
    if (count > 0) return Moved::some;
    if (!tls_) {
        if (count == 0) return Moved::ended;
        if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return Moved::failed;
        return wish;
    }
    switch (SSL_get_error(tls_.get(), static_cast<int>(count))) {
        case SSL_ERROR_WANT_READ:
            return Moved::wants_read;
        case SSL_ERROR_WANT_WRITE:
            return Moved::wants_write;
        case SSL_ERROR_ZERO_RETURN:
            return Moved::ended;
        default:
            return Moved::failed;
    }
}

Task<Moved> Wire::wait(Moved wanted, Instant deadline) {
    boost::system::error_code failure;
    is_late_ = false;
    deadline_ = deadline;
    const auto what = wanted == Moved::wants_read ? asio::socket_base::wait_read : asio::socket_base::wait_write;
    try {
        // Deferred: awaited without a frame of its own, of which ten thousand idle connections would have one each.
        co_await socket_.async_wait(what, asio::deferred);
    } catch (const boost::system::system_error& error) {
        failure = error.code();
    }
    deadline_ = Instant::max();
    if (!failure) co_return Moved::some;
    if (is_late_) co_return Moved::late;
    co_return failure == asio::error::operation_aborted ? Moved::interrupted : Moved::failed;
}

Task<Moved> Wire::shake_hands(Instant deadline) {
    if (!tls_) co_return Moved::some;
    for (;;) {
        forget_problems();
        const Moved moved = outcome(SSL_accept(tls_.get()), Moved::wants_read);
        if (moved != Moved::wants_read && moved != Moved::wants_write) co_return moved;
        if (const Moved waited = co_await wait(moved, deadline); waited != Moved::some) co_return waited;
    }
}

Moved Wire::try_read(std::string_view& bytes) {
    forget_problems();
    const std::ptrdiff_t count = tls_ ? SSL_read(tls_.get(), space_.data(), static_cast<int>(space_.size()))
                                      : ::recv(socket_.native_handle(), space_.data(), space_.size(), 0);
    if (count > 0) bytes = {space_.data(), static_cast<std::size_t>(count)};
    return outcome(count, Moved::wants_read);
}

Task<Moved> Wire::read(std::string_view& bytes, Instant deadline) {
    // A plain socket has seldom something between two requests: asking it first would be in vain.
    Moved moved = tls_ ? try_read(bytes) : Moved::wants_read;
    while (moved == Moved::wants_read || moved == Moved::wants_write) {
        if (const Moved waited = co_await wait(moved, deadline); waited != Moved::some) co_return waited;
        moved = try_read(bytes);
    }
    co_return moved;
}

std::ptrdiff_t Wire::put(std::span<iovec> pieces) {
    if (tls_) {
        const std::string_view text = gather(pieces, space_.first(std::min(space_.size(), kTlsRecordBytes)));
        return SSL_write(tls_.get(), text.data(), static_cast<int>(text.size()));
    }
    const msghdr message{.msg_name = nullptr,
                         .msg_namelen = 0,
                         .msg_iov = pieces.data(),
                         .msg_iovlen = pieces.size(),
                         .msg_control = nullptr,
                         .msg_controllen = 0,
                         .msg_flags = 0};
    return ::sendmsg(socket_.native_handle(), &message, MSG_NOSIGNAL);
}

Moved Wire::try_write(std::span<iovec>& pieces) {
    drop_front(pieces, 0);
    while (!pieces.empty()) {
        forget_problems();
        const std::ptrdiff_t count = put(pieces);
        if (const Moved moved = outcome(count, Moved::wants_write); moved != Moved::some) return moved;
        bytes_sent_ += static_cast<std::uint64_t>(count);
        drop_front(pieces, static_cast<std::size_t>(count));
    }
    return Moved::some;
}

Task<Moved> Wire::write(std::span<iovec> pieces, Duration patience) {
    for (;;) {
        const Moved moved = try_write(pieces);
        if (moved != Moved::wants_read && moved != Moved::wants_write) co_return moved;
        const Instant deadline = std::chrono::steady_clock::now() + patience;
        if (const Moved waited = co_await wait(moved, deadline); waited != Moved::some) co_return waited;
    }
}

std::ptrdiff_t Wire::put_file(int file, std::int64_t& offset, std::uint64_t left) {
    if (!tls_) return ::sendfile(socket_.native_handle(), file, &offset, std::min(left, kFilePieceBytes));
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(left, space_.size()));
    const std::ptrdiff_t read = ::pread(file, space_.data(), wanted, offset);
    if (read <= 0) return read;
    const int count = SSL_write(tls_.get(), space_.data(), static_cast<int>(read));
    offset += std::max(count, 0);
    return count;
}

Task<Moved> Wire::send_file(int file, std::uint64_t size, Duration patience) {
    std::int64_t offset = 0;
    for (std::uint64_t left = size; left > 0;) {
        forget_problems();
        const std::ptrdiff_t count = put_file(file, offset, left);
        Moved moved = outcome(count, Moved::wants_write);
        if (moved == Moved::some) {
            bytes_sent_ += static_cast<std::uint64_t>(count);
            left -= static_cast<std::uint64_t>(count);
            if (left == 0) break;
            moved = Moved::wants_write;
        }
        if (moved != Moved::wants_read && moved != Moved::wants_write) co_return moved;
        const Instant deadline = std::chrono::steady_clock::now() + patience;
        if (const Moved waited = co_await wait(moved, deadline); waited != Moved::some) co_return waited;
    }
    co_return Moved::some;
}

Task<> Wire::say_goodbye(Instant deadline) {
    forget_problems();
    if (tls_) SSL_shutdown(tls_.get());
    if (::shutdown(socket_.native_handle(), SHUT_WR) != 0) co_return;
    std::size_t taken = 0;
    while (taken < kGoodbyeBytesMax) {
        if (co_await wait(Moved::wants_read, deadline) != Moved::some) co_return;
        // Past TLS: nobody is interested in what it says.
        const std::ptrdiff_t count = ::recv(socket_.native_handle(), space_.data(), space_.size(), 0);
        if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) co_return;
        taken += static_cast<std::size_t>(std::max<std::ptrdiff_t>(count, 0));
    }
}

void Wire::expire(Instant now) {
    if (now < deadline_) return;
    is_late_ = true;
    interrupt();
}

void Wire::interrupt() {
    deadline_ = Instant::max();
    boost::system::error_code ignored;
    socket_.cancel(ignored);
}

}  // namespace quaestor::server
