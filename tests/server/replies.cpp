#include "server/replies.hpp"

#include "base/json.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace quaestor::server {

namespace {

std::string_view take_line(std::string_view& rest) {
    const std::size_t end = std::min(rest.find("\r\n"), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 2, rest.size()));
    return line;
}

std::size_t as_number(std::string_view text, int base) {
    std::size_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number, base);
    return number;
}

void read_chunks(ReceivedReply& reply, std::string_view& rest) {
    while (!rest.empty()) {
        const std::size_t size = as_number(take_line(rest), 16);
        if (size == 0) {
            reply.is_whole = take_line(rest).empty();
            return;
        }
        reply.body += rest.substr(0, size);
        rest.remove_prefix(std::min(size, rest.size()));
        take_line(rest);
    }
}

ReceivedReply read_reply(std::string_view& rest, bool is_bare) {
    ReceivedReply reply;
    const std::string_view first = take_line(rest);
    reply.status = first.starts_with("HTTP/1.1 ") ? static_cast<int>(as_number(first.substr(9), 10)) : -1;
    std::string_view length;
    for (std::string_view line = take_line(rest); !line.empty(); line = take_line(rest)) {
        if (line.starts_with("Content-Length: ")) length = line.substr(16);
        reply.headers.emplace_back(line);
    }
    if (is_bare || reply.status / 100 == 1 || reply.status == 204 || reply.status == 304) {
        reply.is_whole = true;
    } else if (reply.has("Transfer-Encoding: chunked")) {
        read_chunks(reply, rest);
    } else {
        const std::size_t size = length.empty() ? rest.size() : as_number(length, 10);
        reply.body = rest.substr(0, size);
        reply.is_whole = reply.body.size() == size;
        rest.remove_prefix(reply.body.size());
    }
    return reply;
}

}  // namespace

bool ReceivedReply::has(std::string_view header) const {
    return std::ranges::any_of(headers, [&](const std::string& line) {
        return line.starts_with(header) && (line.size() == header.size() || line[header.size()] == ':');
    });
}

std::string ReceivedReply::summary() const {
    std::string text = std::to_string(status);
    const auto parsed = parse_json(body);
    if (parsed && parsed->is_object() && parsed->as_object().contains("error")) {
        const auto& error = parsed->as_object().at("error").as_object();
        text += " " + std::string(error.at("code").as_string()) + ": " + std::string(error.at("message").as_string());
    } else if (!body.empty()) {
        text += " " + body;
    }
    return is_whole ? text : text + " (cut off)";
}

std::vector<ReceivedReply> read_replies(std::string_view bytes, bool is_bare) {
    std::vector<ReceivedReply> replies;
    while (!bytes.empty()) replies.push_back(read_reply(bytes, is_bare));
    return replies;
}

}  // namespace quaestor::server
