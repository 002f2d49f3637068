#include "net/url.hpp"

#include <boost/algorithm/string/predicate.hpp>
#include <boost/url/src.hpp>  // Debian has no compiled Boost.URL; this one file compiles it
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace quaestor::net {

namespace {

namespace urls = boost::urls;

/// Longest URL that is looked at; servers refuse much shorter ones.
constexpr std::size_t kUrlBytesMax = std::size_t{64} << 10;
/// How the name of a parameter ends that holds a secret: key, api_key, access_token, X-Amz-Signature.
constexpr std::array<std::string_view, 8> kSecretEndings{"key",        "token", "secret", "password",
                                                         "credential", "auth",  "sig",    "signature"};
constexpr std::string_view kMask = "***";

std::unexpected<Error> no_url(std::string_view why) {
    return fail(Code::invalid_argument, fmt::format("the URL cannot be used: {}", why),
                "write it as http://host/path or https://host/path; characters beyond ASCII are percent-encoded in the "
                "path, and in "
                "the host as xn--");
}

/// Empty stands for the scheme's.
bool is_port(std::string_view text) {
    std::uint16_t number = 1;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
    return text.empty() || (end.ec == std::errc() && number != 0);
}

/// Decoded bytes go into lookups, headers and messages, where others than these would be taken for something else.
bool is_host_name(std::string_view text) {
    return std::ranges::all_of(text, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '.' ||
               c == '_';
    });
}

Result<urls::url_view> parsed(std::string_view text) {
    if (text.size() > kUrlBytesMax) return no_url(fmt::format("it is longer than {} bytes", kUrlBytesMax));
    const auto url = urls::parse_uri({text.data(), text.size()});
    // Boost 1.81 takes what is no port for a path: http://host:port has the path "port".
    if (!url || (!url->encoded_path().empty() && !url->encoded_path().starts_with('/')))
        return no_url("it is not well-formed");
    const bool is_http = url->scheme_id() == urls::scheme::http || url->scheme_id() == urls::scheme::https;
    if (!is_http) return no_url("it begins neither with http:// nor with https://");
    if (url->encoded_host().empty()) return no_url("it names no host");
    if (!is_port(url->port())) return no_url("its port is no number from 1 to 65535");
    if (url->host_type() == urls::host_type::name && !is_host_name(url->host_name()))
        return no_url("its host has characters that no name has");
    return *url;
}

std::string host_of(const urls::url_view& url) {
    if (url.host_type() == urls::host_type::name) return url.host_name();
    return std::string(url.encoded_host_address());
}

bool is_secret(std::string_view name) {
    return std::ranges::any_of(kSecretEndings,
                               [name](std::string_view ending) { return boost::algorithm::iends_with(name, ending); });
}

}  // namespace

std::string Url::place() const {
    const bool is_ipv6 = host.contains(':');
    return is_ipv6 ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

std::string Url::authority() const {
    const std::string whole = place();
    const std::string_view implied = is_tls ? ":443" : ":80";
    return whole.ends_with(implied) ? whole.substr(0, whole.size() - implied.size()) : whole;
}

Result<Url> parse_url(std::string_view text) {
    const auto url = parsed(text);
    if (!url) return fail(url.error());
    Url result;
    result.is_tls = url->scheme_id() == urls::scheme::https;
    result.host = host_of(*url);
    result.port = !url->port().empty() ? std::string(url->port()) : result.is_tls ? "443" : "80";
    result.user = url->user();
    result.password = url->password();
    result.target = fmt::format("{}{}", url->encoded_path().empty() ? "/" : "", std::string_view(url->encoded_path()));
    if (url->has_query()) result.target += fmt::format("?{}", std::string_view(url->encoded_query()));
    return result;
}

Result<std::string> without_secrets(std::string_view text) {
    const auto url = parsed(text);
    if (!url) return fail(url.error());
    urls::url shown(*url);
    shown.remove_userinfo();
    shown.remove_fragment();
    if (!shown.has_query()) return std::string(shown.buffer());
    std::string query;
    for (const auto& parameter : url->encoded_params()) {
        const bool is_hidden = parameter.has_value && is_secret(parameter.key.decode());
        const std::string_view value = is_hidden ? kMask : std::string_view(parameter.value);
        query += fmt::format("{}{}{}{}", query.empty() ? "" : "&", std::string_view(parameter.key),
                             parameter.has_value ? "=" : "", value);
    }
    shown.set_encoded_query(query);
    return std::string(shown.buffer());
}

}  // namespace quaestor::net
