#include "net/request_text.hpp"

#include <boost/algorithm/string/predicate.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace quaestor::net {

namespace {

constexpr std::array<std::string_view, 7> kOwnHeaders{
    "Host", "Content-Length", "Transfer-Encoding", "Connection", "Upgrade", "Proxy-Authorization", "Proxy-Connection"};

/// What a name of HTTP may have beside letters and digits.
constexpr std::string_view kPunctuation = "!#$%&'*+-.^_`|~";

bool is_token(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || kPunctuation.contains(c);
    });
}

bool is_value(std::string_view text) {
    return std::ranges::all_of(text, [](unsigned char c) { return c == '\t' || (c >= ' ' && c != 0x7f); });
}

bool has_name(const HttpHeader& header, std::string_view name) {
    return boost::algorithm::iequals(header.name, name);
}

Result<> check(const HttpHeader& header) {
    if (!is_token(header.name))
        return fail(Code::invalid_argument, "the name of a header has characters that it must not");
    if (!is_value(header.value)) {
        return fail(Code::invalid_argument,
                    fmt::format("the value of the header {} has a line break or a control character", header.name),
                    "check for a stray line end, as a key read from a file may have");
    }
    if (std::ranges::any_of(kOwnHeaders, [&](std::string_view own) { return has_name(header, own); }))
        return fail(Code::invalid_argument,
                    fmt::format("the header {} is written by the HTTP client itself", header.name));
    return {};
}

bool wants_length(const HttpRequest& request) {
    return !request.body.empty() || request.method == "POST" || request.method == "PUT" || request.method == "PATCH";
}

}  // namespace

Result<std::string> request_text(const HttpRequest& request, const Url& url, const std::optional<Proxy>& proxy,
                                 std::string_view user_agent) {
    if (!is_token(request.method) || request.method == "CONNECT")
        return fail(Code::invalid_argument, "the method of the request is none that can be sent");
    for (const HttpHeader& header : request.headers) {
        if (auto ok = check(header); !ok) return fail(std::move(ok.error()));
    }
    const bool is_through_proxy = proxy && !url.is_tls;
    const std::string origin = is_through_proxy ? fmt::format("http://{}", url.authority()) : std::string();
    std::string text =
        fmt::format("{} {}{} HTTP/1.1\r\nHost: {}\r\n", request.method, origin, url.target, url.authority());
    const auto has_agent = [](const HttpHeader& header) { return has_name(header, "User-Agent"); };
    if (std::ranges::none_of(request.headers, has_agent)) text += fmt::format("User-Agent: {}\r\n", user_agent);
    if (is_through_proxy && !proxy->authorization.empty())
        text += fmt::format("Proxy-Authorization: {}\r\n", proxy->authorization);
    for (const HttpHeader& header : request.headers) text += fmt::format("{}: {}\r\n", header.name, header.value);
    if (wants_length(request)) text += fmt::format("Content-Length: {}\r\n", request.body.size());
    return text + "\r\n" + request.body;
}

std::string connect_text(const Url& url, const Proxy& proxy, std::string_view user_agent) {
    std::string text = fmt::format("CONNECT {0} HTTP/1.1\r\nHost: {0}\r\nUser-Agent: {1}\r\n", url.place(), user_agent);
    if (!proxy.authorization.empty()) text += fmt::format("Proxy-Authorization: {}\r\n", proxy.authorization);
    return text + "\r\n";
}

}  // namespace quaestor::net
