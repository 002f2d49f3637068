#include "net/proxy.hpp"

#include "net/base64.hpp"

#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/predicate.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

namespace quaestor::net {

namespace {

namespace ip = boost::asio::ip;

constexpr std::string_view kBlank = " \t";

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(kBlank);
    return begin == std::string_view::npos ? std::string_view()
                                           : text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

template <class Make>
auto network(Make make, std::string_view text) {
    boost::system::error_code failure;
    const auto result = make(std::string(text), failure);
    return failure ? std::nullopt : std::optional(result);
}

/// "10.0.0.0/8" holds 10.1.2.3.
bool network_holds(std::string_view entry, const ip::address& address) {
    const auto as_v4 = [](const std::string& text, auto& failure) { return ip::make_network_v4(text, failure); };
    const auto as_v6 = [](const std::string& text, auto& failure) { return ip::make_network_v6(text, failure); };
    if (address.is_v4()) {
        const auto range = network(as_v4, entry);
        return range && ip::network_v4(address.to_v4(), range->prefix_length()).canonical() == range->canonical();
    }
    const auto range = network(as_v6, entry);
    return range && ip::network_v6(address.to_v6(), range->prefix_length()).canonical() == range->canonical();
}

/// A name stands for itself and everything below it, ".domain" only for what is below.
bool domain_holds(std::string_view entry, std::string_view host) {
    if (boost::algorithm::iequals(entry, host)) return true;
    const std::string suffix = entry.starts_with('.') ? std::string(entry) : fmt::format(".{}", entry);
    return host.size() > suffix.size() && boost::algorithm::iends_with(host, suffix);
}

/// "host", "host:port", "1.2.3.4:port", "[::1]:port": the port must be the URL's where one is given.
std::optional<std::string_view> host_of_entry(std::string_view entry, const Url& url) {
    const bool is_bare_ipv6 = std::ranges::count(entry, ':') > 1 && !entry.starts_with('[');
    const auto colon = entry.rfind(':');
    const bool has_port = !is_bare_ipv6 && colon != std::string_view::npos && !entry.ends_with(']');
    if (has_port && entry.substr(colon + 1) != url.port) return std::nullopt;
    std::string_view host = has_port ? entry.substr(0, colon) : entry;
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    return host;
}

bool exempts(std::string_view entry, const Url& url) {
    if (entry == "*") return true;
    boost::system::error_code no_address;
    const auto address = ip::make_address(url.host, no_address);
    if (!no_address && entry.contains('/')) return network_holds(entry, address);
    const auto host = host_of_entry(entry, url);
    if (!host || host->empty()) return false;
    if (no_address) return domain_holds(*host, url.host);
    boost::system::error_code no_other;
    const auto other = ip::make_address(std::string(*host), no_other);
    return !no_other && other == address;
}

bool needs_no_proxy(const Url& url, std::string_view list) {
    while (!list.empty()) {
        const std::string_view entry = list.substr(0, list.find(','));
        list.remove_prefix(std::min(entry.size() + 1, list.size()));
        const std::string_view name = trimmed(entry);
        if (!name.empty() && exempts(name, url)) return true;
    }
    return false;
}

/// The name as it is, then in capitals; an empty value counts as none.
std::string value_of(const std::map<std::string, std::string>& environment, const std::string& name) {
    const bool is_from_request = name == "http_proxy" && environment.contains("REQUEST_METHOD");
    for (const std::string& spelling : {name, boost::algorithm::to_upper_copy(name)}) {
        if (is_from_request && spelling != name) continue;
        const auto found = environment.find(spelling);
        if (found != environment.end() && !trimmed(found->second).empty()) return std::string(trimmed(found->second));
    }
    return {};
}

}  // namespace

HttpClientSettings settings_from(const std::map<std::string, std::string>& environment) {
    HttpClientSettings settings;
    const std::string for_all = value_of(environment, "all_proxy");
    const auto or_for_all = [&](const std::string& value) { return value.empty() ? for_all : value; };
    settings.http_proxy = or_for_all(value_of(environment, "http_proxy"));
    settings.https_proxy = or_for_all(value_of(environment, "https_proxy"));
    settings.no_proxy = value_of(environment, "no_proxy");
    return settings;
}

HttpClientSettings settings_from_environment() {
    constexpr std::array kNames{"http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY",   "all_proxy",
                                "ALL_PROXY",  "no_proxy",   "NO_PROXY",    "REQUEST_METHOD"};
    std::map<std::string, std::string> environment;
    for (const char* name : kNames) {
        if (const char* const value = std::getenv(name)) environment.emplace(name, value);
    }
    return settings_from(environment);
}

Result<std::optional<Proxy>> proxy_for(const Url& url, const HttpClientSettings& settings) {
    const std::string& configured = url.is_tls ? settings.https_proxy : settings.http_proxy;
    if (configured.empty() || needs_no_proxy(url, settings.no_proxy)) return std::nullopt;
    const std::string_view name = url.is_tls ? "https_proxy" : "http_proxy";
    auto proxy = parse_url(configured.contains("://") ? configured : fmt::format("http://{}", configured));
    if (!proxy || proxy->is_tls) {
        return fail(Code::invalid_argument, fmt::format("the proxy in {} cannot be used", name),
                    "write it as http://host:port or http://user:password@host:port; proxies reached by TLS or SOCKS "
                    "are not supported");
    }
    std::string authorization;
    if (!proxy->user.empty())
        authorization = fmt::format("Basic {}", base64(fmt::format("{}:{}", proxy->user, proxy->password)));
    return Proxy{std::move(*proxy), std::move(authorization)};
}

}  // namespace quaestor::net
