// Runs a query of our own with its time limit, where no Source watches the clock.
// Private to data/.
// Threads: blocking; each call has a thread beside it that waits for the end of the time.
#pragma once

#include "data/engine.hpp"

namespace quaestor::data {

/// Code::timeout when limits.timeout is over before the query has ended; the token's error when it is cancelled.
[[nodiscard]] Result<ResultSet> run_in_time(Engine& engine, const std::string& sql, const QueryLimits& limits,
                                            const CancelToken& stop);

}  // namespace quaestor::data
