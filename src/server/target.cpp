#include "server/target.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace quaestor::server {

namespace {

std::optional<unsigned> hex_digit(char c) {
    if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
    if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A' + 10);
    return std::nullopt;
}

std::optional<std::string> unescape(std::string_view text) {
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            plain += text[i];
            continue;
        }
        if (i + 2 >= text.size()) return std::nullopt;
        const auto high = hex_digit(text[i + 1]);
        const auto low = hex_digit(text[i + 2]);
        if (!high || !low) return std::nullopt;
        plain += static_cast<char>(*high * 16 + *low);
        i += 2;
    }
    return plain;
}

bool has_control(std::string_view text) {
    return std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

std::string_view next_piece(std::string_view& rest, char separator) {
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view piece = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return piece;
}

std::unexpected<Error> bad_target(std::string what) {
    return fail(Code::invalid_argument, "the address of the request " + std::move(what),
                "check how the address was put together");
}

Result<std::string> read_path(std::string_view text) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        auto part = unescape(next_piece(text, '/'));
        if (!part) return bad_target("has a % that no two hexadecimal digits follow");
        // An escaped slash would make one part look like two to whoever splits the path again.
        if (has_control(*part) || part->contains('/')) return bad_target("has an escaped slash or control character");
        if (!text::is_utf8(*part)) return bad_target("is not UTF-8");
        if (*part == "..") {
            if (parts.empty()) return bad_target("leads above the root");
            parts.pop_back();
        } else if (!part->empty() && *part != ".") {
            parts.push_back(std::move(*part));
        }
    }
    std::string path;
    for (const std::string& part : parts) path += '/' + part;
    return path.empty() ? "/" : path;
}

Result<std::map<std::string, std::string>> read_query(std::string text) {
    std::ranges::replace(text, '+', ' ');
    std::map<std::string, std::string> query;
    for (std::string_view rest = text; !rest.empty();) {
        std::string_view value = next_piece(rest, '&');
        const std::string_view name = next_piece(value, '=');
        if (name.empty() && value.empty()) continue;
        auto plain_name = unescape(name);
        auto plain_value = unescape(value);
        if (!plain_name || !plain_value)
            return bad_target("has a % in its query that no two hexadecimal digits follow");
        if (!text::is_utf8(*plain_name) || !text::is_utf8(*plain_value)) return bad_target("is not UTF-8");
        query.insert_or_assign(std::move(*plain_name), std::move(*plain_value));
    }
    return query;
}

/// Proxies may send the whole URL.
std::string_view without_origin(std::string_view text) {
    for (const std::string_view scheme : {"http://", "https://"}) {
        if (!text.starts_with(scheme)) continue;
        text.remove_prefix(scheme.size());
        text.remove_prefix(std::min(text.find_first_of("/?"), text.size()));
        return text.empty() ? "/" : text;
    }
    return text;
}

}  // namespace

Result<Target> parse_target(std::string_view text) {
    if (text == "*") return Target{.path = "*", .query = {}};
    text = without_origin(text);
    if (!text.starts_with('/') && !text.starts_with('?')) return bad_target("does not begin with a slash");
    text = text.substr(0, text.find('#'));
    std::string_view rest = text;
    auto path = read_path(next_piece(rest, '?'));
    if (!path) return fail(std::move(path.error()));
    auto query = read_query(std::string(rest));
    if (!query) return fail(std::move(query.error()));
    return Target{.path = std::move(*path), .query = std::move(*query)};
}

}  // namespace quaestor::server
