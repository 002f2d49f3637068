// What the commands that read questions share: the models that were made for it.
// Private to cli/.
// Threads: safe everywhere; blocking.
#pragma once

#include "native/reading/reader.hpp"

namespace quaestor::cli {

/// The released models; Code::unavailable where this machine has none.
[[nodiscard]] Result<native::QuestionReader::Parts> open_reader_parts();

}  // namespace quaestor::cli
