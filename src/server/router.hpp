// Which endpoint answers a request: by method and path, with {placeholders}. Made once, then only read.
// The descriptions beside the routes become openapi.json, so the two cannot differ. Threads: immutable once built.
#pragma once

#include "server/message.hpp"

#include <string>
#include <vector>

namespace quaestor::server {

enum class Access { open, user, admin };  ///< who may call it when auth is on

struct Parameter {
    std::string name;
    std::string in;  ///< "path", "query", "header"
    std::string about;
    bool required = false;
};

/// What openapi.json says of a route.
struct RouteAbout {
    std::string summary;
    std::vector<Parameter> parameters;
    json::object request_schema;         ///< empty: no body
    std::map<int, std::string> replies;  ///< status and when it comes
    json::object reply_schema;           ///< of the 2xx reply; empty: no JSON
};

struct Route {
    std::string method;
    std::string pattern;  ///< "/api/threads/{id}/messages"; a last "{name*}" takes the rest of the path
    Access access = Access::user;
    Endpoint endpoint;
    RouteAbout about;
};

class Router {
public:
    void add(Route route);
    [[nodiscard]] const std::vector<Route>& routes() const { return routes_; }

    /// The route and the parts of the path. Code::not_found; Code::unsupported when only the method is wrong, with the
    /// methods there are in `allowed`.
    struct Match {
        const Route* route = nullptr;
        std::vector<std::string> parts;
    };
    [[nodiscard]] Result<Match> find(std::string_view method, std::string_view path,
                                     std::vector<std::string>* allowed = nullptr) const;

private:
    std::vector<Route> routes_;
};

}  // namespace quaestor::server
