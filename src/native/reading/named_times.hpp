// Times that are relative to today, named: "last year" → "in 2025". Parsers and people then see the same days.
// Private to native/.
// Threads: pure function.
#pragma once

#include "native/reading/linking.hpp"

#include <optional>
#include <string>
#include <vector>

namespace quaestor::native {

struct NamedTimes {
    std::string question;
    std::vector<std::string> assumptions;  ///< "\"last year\" is taken to mean 2025"
};

/// Nothing where no such time is said, or where it is what something else is compared with ("more than last year").
/// Seasons are left as they are: which one is the last depends on the data.
[[nodiscard]] std::optional<NamedTimes> with_named_times(const LinkedQuestion& question);

}  // namespace quaestor::native
