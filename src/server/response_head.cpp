#include "server/response_head.hpp"

#include "base/log.hpp"
#include "server/header_names.hpp"

#include <boost/beast/http/status.hpp>
#include <fmt/chrono.h>
#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <iterator>

namespace quaestor::server {

namespace {

constexpr std::array<std::string_view, 6> kOwnHeaders{"Content-Length", "Transfer-Encoding", "Connection",
                                                      "Date",           "X-Request-Id",      "Keep-Alive"};

/// What goes out must stay one header: a line break would begin another.
bool is_one_line(std::string_view text) {
    return std::ranges::all_of(text, [](unsigned char c) { return c == '\t' || (c >= ' ' && c != 0x7f); });
}

bool may_go_out(const net::HttpHeader& header) {
    if (std::ranges::any_of(kOwnHeaders, [&](std::string_view own) { return same_name(own, header.name); }))
        return false;
    const bool is_well_formed = !header.name.empty() && is_one_line(header.name) && is_one_line(header.value) &&
                                header.name.find_first_of(": \t") == std::string::npos;
    if (!is_well_formed) log::error("a header of a response is malformed and left out", {{"name", header.name}});
    return is_well_formed;
}

void append_end(std::string& text, const BodyEnd& end) {
    if (const auto* length = std::get_if<BodyLength>(&end)) {
        fmt::format_to(std::back_inserter(text), FMT_COMPILE("Content-Length: {}\r\n"), length->bytes);
    } else if (std::holds_alternative<BodyInChunks>(end)) {
        text += "Transfer-Encoding: chunked\r\n";
    }
}

}  // namespace

std::string text_of(const ResponseHead& head) {
    namespace http = boost::beast::http;
    const auto reason = http::obsolete_reason(http::int_to_status(static_cast<unsigned>(head.status)));
    std::string text;
    text.reserve(512);
    fmt::format_to(std::back_inserter(text), FMT_COMPILE("HTTP/1.1 {} {}\r\nDate: {}\r\nX-Request-Id: {}\r\n"),
                   head.status, std::string_view(reason.data(), reason.size()), head.date, head.request_id);
    for (const net::HttpHeader& header : head.headers) {
        if (may_go_out(header)) text.append(header.name).append(": ").append(header.value).append("\r\n");
    }
    append_end(text, head.end);
    if (!head.keeps_alive) {
        text += "Connection: close\r\n";
    } else if (head.is_old) {
        text += "Connection: keep-alive\r\n";
    }
    return text += "\r\n";
}

std::string http_date(std::int64_t seconds) {
    // Not strftime's names: those speak the language of the machine.
    static constexpr std::array kDays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static constexpr std::array kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const std::tm time = fmt::gmtime(static_cast<std::time_t>(seconds));
    return fmt::format("{}, {:02} {} {} {:02}:{:02}:{:02} GMT", kDays[static_cast<std::size_t>(time.tm_wday)],
                       time.tm_mday, kMonths[static_cast<std::size_t>(time.tm_mon)], time.tm_year + 1900, time.tm_hour,
                       time.tm_min, time.tm_sec);
}

}  // namespace quaestor::server
