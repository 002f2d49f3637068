#include "net/response_reader.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace quaestor::net {

namespace {

namespace http = boost::beast::http;
using Failure = boost::beast::error_code;

/// Responses with a status of 1xx that may come before the real one.
constexpr int kInterimMax = 16;

Error explain(const Failure& failure, const std::string& from, const HttpLimits& limits) {
    if (failure == http::error::header_limit || failure == http::error::buffer_overflow) {
        return {Code::limit_exceeded,
                fmt::format("the headers from {} are larger than {} bytes", from, limits.header_bytes),
                "check that the address is right", nullptr};
    }
    if (failure == http::error::body_limit) {
        return {Code::limit_exceeded,
                fmt::format("the response from {} is larger than {} bytes", from, limits.body_bytes), "ask for less",
                nullptr};
    }
    return {Code::corrupt, fmt::format("{} answered with something that is no HTTP: {}", from, failure.message()),
            "check that the address is right, and http or https", nullptr};
}

}  // namespace

struct ResponseReader::Parser : http::response_parser<http::string_body> {
    Parser(const HttpLimits& limits, bool has_no_body) {
        eager(true);
        header_limit(static_cast<std::uint32_t>(std::min<std::size_t>(limits.header_bytes, UINT32_MAX)));
        body_limit(limits.body_bytes);
        skip(has_no_body);
    }

    /// 100 Continue and its kin; 101 is an answer.
    [[nodiscard]] bool is_interim() {
        const unsigned status = get().result_int();
        return is_done() && status / 100 == 1 && status != 101;
    }
};

ResponseReader::ResponseReader(std::string from, const HttpLimits& limits, bool has_no_body)
    : from_(std::move(from)),
      limits_(limits),
      has_no_body_(has_no_body),
      parser_(std::make_unique<Parser>(limits, has_no_body)) {}

ResponseReader::~ResponseReader() = default;

Result<> ResponseReader::feed(std::string_view bytes) {
    heard_ = heard_ || !bytes.empty();
    unread_ += bytes;
    for (;;) {
        if (auto ok = parse(); !ok) return ok;
        if (!parser_->is_interim()) return {};
        if (++interim_ > kInterimMax)
            return fail(Code::corrupt, fmt::format("{} sends one interim response after the other", from_));
        parser_ = std::make_unique<Parser>(limits_, has_no_body_);
    }
}

Result<> ResponseReader::parse() {
    while (!unread_.empty() && !parser_->is_done()) {
        Failure failure;
        const std::size_t used = parser_->put(boost::asio::buffer(unread_), failure);
        unread_.erase(0, used);
        if (failure == http::error::need_more) return {};
        if (failure) return fail(explain(failure, from_, limits_));
    }
    return {};
}

Result<> ResponseReader::finish() {
    Failure failure;
    if (has_head()) parser_->put_eof(failure);
    if (has_head() && !failure) return {};
    return fail(Code::unavailable,
                heard_ ? fmt::format("{} closed the connection in the middle of its response", from_)
                       : fmt::format("{} closed the connection without a response", from_),
                "try again; if it stays so, look at what the server says");
}

bool ResponseReader::has_head() const {
    return parser_->is_header_done();
}

bool ResponseReader::is_done() const {
    return parser_->is_done();
}

bool ResponseReader::can_be_reused() const {
    return is_done() && unread_.empty() && parser_->keep_alive() && parser_->get().result_int() != 101;
}

HttpResponse ResponseReader::head() const {
    HttpResponse response;
    response.status = static_cast<int>(parser_->get().result_int());
    for (const auto& field : parser_->get())
        response.headers.push_back({std::string(field.name_string()), std::string(field.value())});
    return response;
}

std::string ResponseReader::take_body() {
    return has_head() ? std::exchange(parser_->get().body(), {}) : std::string();
}

}  // namespace quaestor::net
