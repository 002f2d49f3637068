// What candidates are beside each other: how the trained parser ranks them, who else has the same rows, which fact
// reading leads. Private to native/. Threads: pure function.
#pragma once

#include "native/reading/choosing_view.hpp"

#include <vector>

namespace quaestor::native {

/// Scores below it count as it.
inline constexpr double kScoreFloor = -10;
inline constexpr double kFactFloor = -1.5;

/// Sets what each view says of all candidates.
void compare(std::vector<CandidateView>& views);

}  // namespace quaestor::native
