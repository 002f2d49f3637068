#include "server/request_reader.hpp"

#include "server/target.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace quaestor::server {

namespace {

namespace http = boost::beast::http;
using Failure = boost::beast::error_code;

constexpr std::array kMethods{http::verb::get,   http::verb::head,    http::verb::post,   http::verb::put,
                              http::verb::patch, http::verb::delete_, http::verb::options};

std::unexpected<Refusal> refuse(int status, Code code, std::string message, std::string hint = {}) {
    return std::unexpected(Refusal{status, Error{code, std::move(message), std::move(hint), nullptr}});
}

std::unexpected<Refusal> target_too_long() {
    return refuse(414, Code::limit_exceeded,
                  fmt::format("the address of the request is longer than {} bytes", kTargetBytesMax),
                  "send long values in the body");
}

/// The parser calls every version bad that it does not speak, and every line that has none.
bool is_other_version(std::string_view line) {
    line = line.substr(0, line.find('\r'));
    const auto at = line.rfind(" HTTP/");
    const std::string_view version = at == std::string_view::npos ? "" : line.substr(at + 6);
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    return version.size() == 3 && is_digit(version[0]) && version[1] == '.' && is_digit(version[2]) &&
           version != "1.0" && version != "1.1";
}

/// `line` is what the parser was given.
std::unexpected<Refusal> explain(const Failure& failure, std::string_view line, bool has_target,
                                 const RequestLimits& limits) {
    if (failure == http::error::header_limit) {
        if (!has_target) return target_too_long();
        return refuse(431, Code::limit_exceeded,
                      fmt::format("the headers of the request are larger than {} bytes", limits.header_bytes),
                      "send fewer or shorter headers and cookies");
    }
    if (failure == http::error::body_limit) {
        return refuse(413, Code::limit_exceeded,
                      fmt::format("the body of the request is larger than {} bytes", limits.body_bytes), "send less");
    }
    if (failure == http::error::bad_version && is_other_version(line))
        return refuse(505, Code::unsupported, "only HTTP/1.1 and HTTP/1.0 are spoken here", "use HTTP/1.1");
    return refuse(400, Code::invalid_argument,
                  fmt::format("the request is not well-formed HTTP: {}", failure.message()));
}

}  // namespace

struct RequestReader::Parser : http::request_parser<http::string_body> {
    explicit Parser(const RequestLimits& limits) {
        eager(true);
        header_limit(static_cast<std::uint32_t>(std::min<std::size_t>(limits.header_bytes, UINT32_MAX)));
        body_limit(limits.body_bytes);
    }
};

RequestReader::RequestReader(const RequestLimits& limits)
    : limits_(limits), parser_(std::make_unique<Parser>(limits)) {}

RequestReader::~RequestReader() = default;

bool RequestReader::is_done() const {
    return parser_->is_done();
}

std::expected<std::size_t, Refusal> RequestReader::feed(std::string_view bytes) {
    std::size_t used = 0;
    // Some clients send an empty line behind a body.
    if (!parser_->got_some()) used = std::min(bytes.find_first_not_of("\r\n"), bytes.size());
    while (used < bytes.size() && !parser_->is_done()) {
        Failure failure;
        // The head stops the parser, so that the trailers of a chunked body cannot pass for headers.
        parser_->eager(has_head_);
        const std::size_t begin = used;
        used += parser_->put(boost::asio::buffer(bytes.substr(used)), failure);
        if (failure && failure != http::error::need_more)
            return explain(failure, bytes.substr(begin), !parser_->get().target().empty(), limits_);
        if (parser_->is_header_done() && !has_head_) {
            if (auto ok = read_head(); !ok) return std::unexpected(std::move(ok.error()));
            continue;
        }
        if (failure) break;
    }
    // A chunk's extensions and trailers count as headers do.
    if (has_head_ && !is_done() && bytes.size() - used > limits_.header_bytes)
        return explain(http::error::header_limit, {}, true, limits_);
    return used;
}

std::expected<void, Refusal> RequestReader::read_head() {
    const auto& head = parser_->get();
    has_head_ = true;
    if (std::ranges::find(kMethods, head.method()) == kMethods.end())
        return refuse(501, Code::unsupported, "the method of the request is not known here", "use GET or POST");
    if (head.target().size() > kTargetBytesMax) return target_too_long();
    if (const auto hosts = head.count(http::field::host); hosts > 1 || (hosts == 0 && head.version() == 11))
        return refuse(400, Code::invalid_argument, "the request must have one Host header");
    if (const auto coding = head[http::field::transfer_encoding]; !coding.empty()) {
        // A body whose end two programs see in different places is how requests are smuggled.
        if (head.version() == 10 || !parser_->chunked())
            return refuse(400, Code::invalid_argument, "the end of the request's body cannot be told");
        if (head.count(http::field::transfer_encoding) > 1 || !boost::beast::iequals(coding, "chunked"))
            return refuse(501, Code::unsupported, "the only Transfer-Encoding known here is chunked");
    }
    if (const auto expected = head[http::field::expect]; !expected.empty()) {
        if (!boost::beast::iequals(expected, "100-continue"))
            return refuse(417, Code::unsupported, "the only Expect known here is 100-continue");
        expects_word_ = head.version() == 11;
    }
    auto target = parse_target(head.target());
    if (!target) return std::unexpected(Refusal{400, std::move(target.error())});
    incoming_.is_head = head.method() == http::verb::head;
    incoming_.is_old = head.version() == 10;
    incoming_.keeps_alive = parser_->keep_alive();
    incoming_.request.method = incoming_.is_head ? "GET" : std::string(head.method_string());
    incoming_.request.path = std::move(target->path);
    incoming_.request.query = std::move(target->query);
    for (const auto& field : head)
        incoming_.request.headers.push_back({std::string(field.name_string()), std::string(field.value())});
    return {};
}

bool RequestReader::take_expectation() {
    return !is_done() && std::exchange(expects_word_, false);
}

Incoming RequestReader::take() {
    incoming_.request.body = std::move(parser_->get().body());
    return std::move(incoming_);
}

}  // namespace quaestor::server
