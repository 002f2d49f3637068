#include "base/sqlstate.hpp"

#include <algorithm>

namespace quaestor {

std::optional<PostgresRefusal> find_refusal(std::string_view text) {
    constexpr std::string_view kAfterSeverity = ":  ";
    constexpr std::size_t kStateSize = 5;
    const auto is_state_character = [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); };
    for (auto at = text.find(kAfterSeverity); at != text.npos; at = text.find(kAfterSeverity, at + 1)) {
        const auto rest = text.substr(at + kAfterSeverity.size());
        const auto state = rest.substr(0, kStateSize);
        if (!std::ranges::all_of(state, is_state_character) || !rest.substr(state.size()).starts_with(": ")) continue;
        const auto message = rest.substr(kStateSize + 2);
        return PostgresRefusal{.sqlstate = state, .message = message.substr(0, message.find('\n'))};
    }
    return std::nullopt;
}

}  // namespace quaestor
