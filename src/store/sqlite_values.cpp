#include "store/sqlite_values.hpp"

#include <algorithm>
#include <limits>

namespace quaestor::store::sqlite {

std::int64_t sql_limit(std::size_t limit) {
    constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
    return static_cast<std::int64_t>(std::min(limit, kMost));
}

Result<json::value> read_json(std::string_view what, std::string_view text) {
    auto value = parse_json(text);
    if (value) return value;
    auto unreadable = fail(Code::corrupt, fmt::format("what is stored of {} is no JSON", what), kDamaged);
    return fail(std::move(unreadable.error()).because(value.error()));
}

Result<json::object> read_json_object(std::string_view what, std::string_view text) {
    auto value = read_json(what, text);
    if (!value) return fail(value.error());
    if (value->is_object()) return std::move(value->get_object());
    return fail(Code::corrupt, fmt::format("what is stored of {} is no JSON object", what), kDamaged);
}

}  // namespace quaestor::store::sqlite
