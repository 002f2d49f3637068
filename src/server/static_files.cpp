#include "server/static_files.hpp"

#include "server/header_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace quaestor::server {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::pair<std::string_view, std::string_view>, 20> kContentTypes{{
    {".css", "text/css; charset=utf-8"},
    {".csv", "text/csv; charset=utf-8"},
    {".gif", "image/gif"},
    {".html", "text/html; charset=utf-8"},
    {".ico", "image/x-icon"},
    {".jpg", "image/jpeg"},
    {".js", "text/javascript; charset=utf-8"},
    {".json", "application/json"},
    {".map", "application/json"},
    {".md", "text/markdown; charset=utf-8"},
    {".mjs", "text/javascript; charset=utf-8"},
    {".png", "image/png"},
    {".svg", "image/svg+xml"},
    {".ttf", "font/ttf"},
    {".txt", "text/plain; charset=utf-8"},
    {".wasm", "application/wasm"},
    {".webmanifest", "application/manifest+json"},
    {".webp", "image/webp"},
    {".woff", "font/woff"},
    {".woff2", "font/woff2"},
}};

/// Everything comes from this server. Attributes of style are allowed, for maths is set with them; sheets are not.
constexpr std::string_view kContentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

constexpr std::string_view kForEver = "public, max-age=31536000, immutable";
constexpr std::string_view kAskAgain = "no-cache";
/// A bundler's hash at the end of a name: index-B7f_x9Qz.js.
constexpr std::size_t kHashLength = 8;
constexpr std::array<std::string_view, 3> kNeverPages{"/api/", "/assets/", "/v1/"};
constexpr std::array<std::string_view, 3> kPages{"/chat", "/runs", "/settings"};

std::string_view content_type(const fs::path& file) {
    std::string extension = file.extension();
    std::ranges::transform(extension, extension.begin(), lower_ascii);
    const auto known = std::ranges::find(kContentTypes, extension, &decltype(kContentTypes)::value_type::first);
    return known == kContentTypes.end() ? "application/octet-stream" : known->second;
}

bool has_hash(std::string_view path) {
    if (!path.starts_with("/assets/")) return false;
    const std::string_view name = path.substr(path.rfind('/') + 1);
    const std::string_view stem = name.substr(0, name.find('.'));
    if (stem.size() <= kHashLength || stem[stem.size() - kHashLength - 1] != '-') return false;
    return std::ranges::all_of(stem.substr(stem.size() - kHashLength),
                               [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
}

std::string_view trimmed(std::string_view text) {
    const auto begin = std::min(text.find_first_not_of(" \t"), text.size());
    const auto end = text.find_last_not_of(" \t");
    return end == std::string_view::npos ? std::string_view() : text.substr(begin, end - begin + 1);
}

std::string_view next_of_list(std::string_view& rest, char separator = ',') {
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view item = trimmed(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return item;
}

/// "gzip" or "*" without a weight of 0.
bool takes_gzip(std::string_view accepted) {
    bool by_any = false;
    while (!accepted.empty()) {
        std::string_view item = next_of_list(accepted);
        const std::string_view name = next_of_list(item, ';');
        const std::string_view weight = trimmed(item);
        const bool is_wanted =
            !weight.starts_with("q=0") || weight.find_first_of("123456789") != std::string_view::npos;
        if (same_name(name, "gzip")) return is_wanted;
        if (name == "*") by_any = is_wanted;
    }
    return by_any;
}

bool is_among(std::string_view tags, std::string_view tag) {
    while (!tags.empty()) {
        std::string_view item = next_of_list(tags);
        if (item.starts_with("W/")) item.remove_prefix(2);
        if (item == tag || item == "*") return true;
    }
    return false;
}

/// Changes whenever the file does: a build writes it anew.
std::string tag_of(const fs::path& file, std::string_view suffix) {
    std::error_code ignored;
    const auto size = fs::file_size(file, ignored);
    const auto time = fs::last_write_time(file, ignored).time_since_epoch().count();
    return fmt::format("\"{:x}-{:x}{}\"", time, size, suffix);
}

/// Whether a path is one of the client's own, which links may lead to from anywhere.
bool is_page(std::string_view path) {
    return std::ranges::any_of(kPages, [&](std::string_view page) {
        return path.starts_with(page) && (path.size() == page.size() || path[page.size()] == '/');
    });
}

class StaticFiles {
public:
    explicit StaticFiles(fs::path folder) : folder_(std::move(folder)) {}

    [[nodiscard]] Reply answer(const Request& request) const {
        if (request.method != "GET") return wrong_method(request);
        if (auto file = find(request.path)) return send(*file, request, has_hash(request.path));
        const auto index = wants_page(request) ? find("/index.html") : std::nullopt;
        if (index) return send(*index, request, false);
        return error_response(404, what_is_missing(request), request.request_id);
    }

private:
    /// The file itself, when it lies in the folder: links that lead out of it are as good as none.
    [[nodiscard]] std::optional<fs::path> find(std::string_view path) const {
        std::error_code problem;
        const fs::path wanted = folder_ / (path == "/" ? "index.html" : fs::path(path).relative_path());
        fs::path file = fs::canonical(wanted, problem);
        if (problem || !fs::is_regular_file(file, problem) || problem) return std::nullopt;
        const auto [end, ignored] = std::ranges::mismatch(folder_, file);
        return end == folder_.end() ? std::optional(std::move(file)) : std::nullopt;
    }

    static Error what_is_missing(const Request& request) {
        if (!wants_page(request))
            return {Code::not_found, fmt::format("there is nothing at {}", request.path), {}, nullptr};
        return {Code::not_found, "the web client is not here", "build it, and start again with its folder", nullptr};
    }
    static Reply wrong_method(const Request& request) {
        const Error problem{Code::unsupported, fmt::format("{} does not take {}", request.path, request.method),
                            "use GET", nullptr};
        Response response = error_response(405, problem, request.request_id);
        response.headers.push_back({"Allow", "GET, HEAD"});
        return response;
    }

    static bool wants_page(const Request& request) {
        if (std::ranges::any_of(kNeverPages, [&](std::string_view start) { return request.path.starts_with(start); }))
            return false;
        return is_page(request.path) || request.header("Accept").value_or("").contains("text/html");
    }

    /// The compressed file beside it, unless that is older.
    [[nodiscard]] std::optional<fs::path> compressed(const fs::path& file) const {
        std::error_code problem;
        const auto found = find("/" + fs::relative(file, folder_, problem).string() + ".gz");
        if (problem || !found) return std::nullopt;
        const bool is_current = fs::last_write_time(*found, problem) >= fs::last_write_time(file, problem);
        return is_current && !problem ? found : std::nullopt;
    }

    [[nodiscard]] Reply send(const fs::path& file, const Request& request, bool for_ever) const {
        const auto smaller = compressed(file);
        const bool is_smaller = smaller && takes_gzip(request.header("Accept-Encoding").value_or(""));
        const std::string tag = tag_of(file, is_smaller ? "-gz" : "");
        std::vector<net::HttpHeader> headers{{"Cache-Control", std::string(for_ever ? kForEver : kAskAgain)},
                                             {"ETag", tag},
                                             {"Content-Security-Policy", std::string(kContentSecurityPolicy)},
                                             {"Cross-Origin-Opener-Policy", "same-origin"},
                                             {"Cross-Origin-Resource-Policy", "same-origin"},
                                             {"Permissions-Policy", "camera=(), geolocation=(), microphone=()"},
                                             {"Referrer-Policy", "no-referrer"},
                                             {"X-Content-Type-Options", "nosniff"},
                                             {"X-Frame-Options", "DENY"}};
        if (smaller) headers.push_back({"Vary", "Accept-Encoding"});
        if (is_among(request.header("If-None-Match").value_or(""), tag))
            return Response{.status = 304, .headers = std::move(headers), .body = {}};
        headers.push_back({"Content-Type", std::string(content_type(file))});
        if (is_smaller) headers.push_back({"Content-Encoding", "gzip"});
        return FileResponse{.headers = std::move(headers), .file = is_smaller ? *smaller : file};
    }

    fs::path folder_;  ///< canonical
};

}  // namespace

Endpoint serve_static(const fs::path& folder) {
    std::error_code ignored;
    return [files = StaticFiles(fs::weakly_canonical(folder, ignored))](Request request) -> Task<Reply> {
        co_return files.answer(request);
    };
}

}  // namespace quaestor::server
