// Nouns for the same things: "club" and "team", "client" and "customer".
// Private to native/.
// Threads: pure functions.
#pragma once

#include <string_view>

namespace quaestor::native {

/// Both as stems.
[[nodiscard]] bool are_same_things(std::string_view one, std::string_view other);

}  // namespace quaestor::native
