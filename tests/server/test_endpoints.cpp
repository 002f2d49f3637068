#include "server/test_endpoints.hpp"

#include "base/bell.hpp"

#include <stdexcept>

namespace quaestor::server {

namespace {

Task<> write_three(StreamWriter& out) {
    for (const std::string_view text : {"one ", "", "two ", "three"}) {
        if (!co_await out.write(text)) co_return;
    }
}

Task<> write_and_throw(StreamWriter& out) {
    static_cast<void>(co_await out.write("one "));
    throw std::runtime_error("the endpoint's mistake");
}

std::string line_of(const Request& request) {
    std::string line = request.method + " " + request.path;
    char separator = '?';
    for (const auto& [name, value] : request.query) {
        line += separator + name + "=" + value;
        separator = '&';
    }
    if (const auto echoed = request.header("x-echo")) line += " [" + std::string(*echoed) + "]";
    return request.body.empty() ? line : line + " <" + request.body + ">";
}

}  // namespace

Task<CancelReason> end_of(StreamWriter& out) {
    Bell bell(co_await asio::this_coro::executor);
    const auto told = out.gone().on_cancel([&] { bell.ring(); });
    co_await bell.wait();
    co_return out.gone().reason();
}

Task<Reply> answer_test(Request request) {
    if (request.path == "/stream") co_return StreamResponse{.headers = {}, .body = write_three};
    if (request.path == "/stream/throw") co_return StreamResponse{.headers = {}, .body = write_and_throw};
    if (request.path == "/throw") throw std::runtime_error("the endpoint's mistake");
    if (request.path == "/empty") co_return Response{.status = 204, .headers = {}, .body = "never sent"};
    if (request.path == "/gone") co_return FileResponse{.headers = {}, .file = "/no/such/file"};
    if (request.path == "/split") {
        co_return Response{.headers = {{"X-Good", "1"}, {"X-Bad", "1\r\nX-Evil: 1"}, {"Content-Length", "999"}},
                           .body = "whole"};
    }
    co_return Response{.headers = {{"Content-Type", "text/plain"}}, .body = line_of(request)};
}

}  // namespace quaestor::server
