// Private to net/: one connection to a server, plain or with TLS, as bytes.
// Owns its socket; the destructor closes it, whatever is under way.
// Threads: one executor.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "net/lookup.hpp"

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace quaestor::net {

/// A context that verifies the other side, with the certificates of `ca_file` or, when that is empty, of the machine.
[[nodiscard]] Result<asio::ssl::context> verifying_context(const std::string& ca_file);

// Being cancelled ends every task here with operation_aborted.
class Connection {
public:
    explicit Connection(const asio::any_io_executor& executor) : socket_(executor) {}

    /// The first of `endpoints` that answers. `place` is for the message.
    Task<Result<>> connect(Endpoints endpoints, std::string place);

    /// TLS from here on, with somebody who can prove to be `host`; Code::permission_denied when he cannot.
    Task<Result<>> start_tls(asio::ssl::context& context, std::string host);

    /// The error is `eof` only when the other side has ended the connection in order.
    Task<boost::system::error_code> read(std::span<char> space, std::size_t& count);
    Task<boost::system::error_code> write(std::string_view bytes);

    /// True when the other side has neither closed it nor said anything, so that it can be used again.
    [[nodiscard]] bool is_quiet();

private:
    asio::ip::tcp::socket socket_;
    std::optional<asio::ssl::stream<asio::ip::tcp::socket&>> tls_;
};

}  // namespace quaestor::net
