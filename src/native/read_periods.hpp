// Days from one up to another, as SQL has them, read as the period that was meant: "2021", "2023-05", or between days.
// Private to native/.
// Threads: pure function.
#pragma once

#include "native/logical_form.hpp"

namespace quaestor::native {

/// `(d >= '2021-01-01' AND d < '2022-01-01')` → d is in 2021; anything else as it is.
[[nodiscard]] Condition with_periods(Condition condition, const Schema& schema);

}  // namespace quaestor::native
