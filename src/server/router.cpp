#include "server/router.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace quaestor::server {

namespace {

/// Takes the part before the next slash from the front of `path`.
std::string_view take_part(std::string_view& path) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    return part;
}

bool is_placeholder(std::string_view part) {
    return part.size() > 2 && part.front() == '{' && part.back() == '}';
}

/// "{document*}" stands for the rest of the path, slashes and all.
bool is_rest(std::string_view part) {
    return is_placeholder(part) && part.ends_with("*}");
}

std::string_view without_slash(std::string_view path) {
    if (path.starts_with('/')) path.remove_prefix(1);
    return path;
}

bool fits(std::string_view pattern, std::string_view path) {
    pattern = without_slash(pattern);
    path = without_slash(path);
    while (!pattern.empty() && !path.empty()) {
        const std::string_view wanted = take_part(pattern);
        if (is_rest(wanted)) return true;
        const std::string_view part = take_part(path);
        if (is_placeholder(wanted) ? part.empty() : wanted != part) return false;
    }
    return pattern.empty() && path.empty();
}

std::vector<std::string> parts_of(std::string_view pattern, std::string_view path) {
    std::vector<std::string> parts;
    pattern = without_slash(pattern);
    path = without_slash(path);
    while (!pattern.empty()) {
        const std::string_view wanted = take_part(pattern);
        const std::string_view part = is_rest(wanted) ? std::exchange(path, {}) : take_part(path);
        if (is_placeholder(wanted)) parts.emplace_back(part);
    }
    return parts;
}

/// "/runs/latest" is meant before "/runs/{id}".
bool is_more_exact(const Route& left, const Route& right) {
    const auto placeholders = [](const Route& route) { return std::ranges::count(route.pattern, '{'); };
    return placeholders(left) < placeholders(right);
}

}  // namespace

void Router::add(Route route) {
    routes_.push_back(std::move(route));
}

Result<Router::Match> Router::find(std::string_view method, std::string_view path,
                                   std::vector<std::string>* allowed) const {
    const Route* best = nullptr;
    std::vector<std::string> others;
    for (const Route& route : routes_) {
        if (!fits(route.pattern, path)) continue;
        if (route.method != method) {
            others.push_back(route.method);
        } else if (best == nullptr || is_more_exact(route, *best)) {
            best = &route;
        }
    }
    if (best != nullptr) return Match{.route = best, .parts = parts_of(best->pattern, path)};
    if (others.empty()) return fail(Code::not_found, fmt::format("there is nothing at {}", path), "see /openapi.json");
    std::ranges::sort(others);
    others.erase(std::ranges::unique(others).begin(), others.end());
    auto problem = fail(Code::unsupported, fmt::format("{} does not take {}", path, method),
                        fmt::format("use {}", fmt::join(others, " or ")));
    if (allowed != nullptr) *allowed = std::move(others);
    return problem;
}

}  // namespace quaestor::server
