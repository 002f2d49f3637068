// What a number that is asked for is counted in: people, money, time, a share, a weight, a length, a temperature. A
// sentence with a number of another kind does not answer. Pure functions. Threads: safe everywhere.
#pragma once

#include <string_view>

namespace quaestor::native {

enum class Unit { any, people, trillions, billions, money, time, share, weight, length, temperature };

/// "How long", "what does it cost"; any where the question does not say.
[[nodiscard]] Unit unit_of(std::string_view question);
/// A word that only says in what is counted: "how many trillions".
[[nodiscard]] bool only_names_unit(std::string_view word);
/// Whether a sentence has something that is counted so; true for any.
[[nodiscard]] bool has_unit(Unit unit, std::string_view sentence);

}  // namespace quaestor::native
