// Shares of rows that the trained parser reads as counts, or as shares of the wrong part. Private to native/.
// Threads: pure functions.
#pragma once

#include "native/reading/parser.hpp"

#include <vector>

namespace quaestor::native {

/// Puts shares into readings of the trained parser that count instead ("the highest percentage of returned orders" as
/// the most returned orders), and lets the time of a share be said of the whole ("cancellation rate in 2024" as the
/// part of the cancelled that is of 2024). They keep their scores: it is what they mean.
void correct_shares(std::vector<Proposal>& trained, const LinkedQuestion& question, const Knowledge& knowledge);

}  // namespace quaestor::native
