#include "server/message.hpp"

#include "server/header_names.hpp"

#include <utility>

namespace quaestor::server {

std::optional<std::string_view> Request::header(std::string_view name) const {
    for (const net::HttpHeader& header : headers) {
        if (same_name(header.name, name)) return header.value;
    }
    return std::nullopt;
}

Response json_response(int status, const json::value& body) {
    return {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = to_text(body)};
}

Response error_response(int status, const Error& error, std::string_view request_id) {
    const std::string message = error.describe();
    json::object inside{{"code", to_string(error.code)}, {"message", message}};
    if (!error.advice().empty()) inside.emplace("hint", error.advice());
    if (!request_id.empty()) inside.emplace("request_id", request_id);
    return json_response(status, {{"error", std::move(inside)}, {"detail", message}});
}

int status_of(Code code) {
    switch (code) {
        case Code::invalid_argument:
            return 422;
        case Code::not_found:
            return 404;
        case Code::already_exists:
        case Code::conflict:
            return 409;
        case Code::permission_denied:
            return 403;
        case Code::limit_exceeded:
            return 413;
        case Code::rate_limited:
            return 429;
        case Code::unavailable:
        case Code::cancelled:
            return 503;
        case Code::timeout:
            return 504;
        case Code::unsupported:
            return 501;
        case Code::corrupt:
        case Code::internal:
            return 500;
    }
    std::unreachable();
}

}  // namespace quaestor::server
