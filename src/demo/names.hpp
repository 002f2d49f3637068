// Names of people who do not exist: given names from around the world, family names made up for this league.
// Private to demo/.
// Threads: pure.
#pragma once

#include <span>
#include <string_view>

namespace quaestor::demo {

[[nodiscard]] std::span<const std::string_view> given_names();
[[nodiscard]] std::span<const std::string_view> family_names();

struct Origin {
    std::string_view country;
    int weight;  ///< how many of a hundred come from there
};
[[nodiscard]] std::span<const Origin> origins();

/// Colleges as invented as the players.
[[nodiscard]] std::span<const std::string_view> colleges();

/// "left ankle sprain" and the like.
[[nodiscard]] std::span<const std::string_view> ailments();

}  // namespace quaestor::demo
