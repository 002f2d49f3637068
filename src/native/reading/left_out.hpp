// What a question says and a form does not ask for, without which no answer is right: a time, a share, a growth,
// "each". Private to native/. Threads: pure functions.
#pragma once

#include "native/reading/linking.hpp"

#include <string>
#include <vector>

namespace quaestor::native {

/// "last year", "in 2024": times that were said, where the form asks for no time at all.
[[nodiscard]] std::vector<std::string> times_left(const Query& form, const LinkedQuestion& question,
                                                  const Knowledge& knowledge);
/// Whether the question asks for a share that the form neither computes nor takes from a column.
[[nodiscard]] bool leaves_out_share(const Query& form, const LinkedQuestion& question, const Schema& schema);
/// "Growth", where the form takes no difference and does not go along a time.
[[nodiscard]] bool leaves_out_growth(const Query& form, const LinkedQuestion& question, const Schema& schema);
/// "The most in each region", where the form stops at the first row of all.
[[nodiscard]] bool leaves_out_each(const Query& form, const LinkedQuestion& question);
/// One of them.
[[nodiscard]] bool leaves_out_something(const Query& form, const LinkedQuestion& question, const Knowledge& knowledge);

}  // namespace quaestor::native
