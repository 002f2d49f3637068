// What a question says and the trained parser left out, put into its readings: values that a column has, flags that go
// by their name ("discontinued products"), a time ("last year"), the other half of a person's name. The reading without
// them stays beside it; which one is meant is decided by choosing.hpp. Private to native/. Threads: pure function.
#pragma once

#include "native/reading/parser.hpp"

#include <span>
#include <vector>

namespace quaestor::native {

/// Of the best readings those in which something was left out, made whole, with the scores that they had without it.
[[nodiscard]] std::vector<Proposal> amended(std::span<const Proposal> trained, const LinkedQuestion& question,
                                            const Knowledge& knowledge);

}  // namespace quaestor::native
