#include "net/http.hpp"

#include <boost/algorithm/string/predicate.hpp>

#include <algorithm>

namespace quaestor::net {

std::optional<std::string_view> HttpResponse::header(std::string_view name) const {
    const auto found = std::ranges::find_if(
        headers, [name](const HttpHeader& header) { return boost::algorithm::iequals(header.name, name); });
    return found == headers.end() ? std::nullopt : std::optional<std::string_view>(found->value);
}

}  // namespace quaestor::net
