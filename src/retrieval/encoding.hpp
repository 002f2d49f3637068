// Bytes of unknown encoding as UTF-8.
// Pure functions, bounded by the size of their input.
// Threads: safe everywhere.
#pragma once

#include "base/error.hpp"

#include <string>
#include <string_view>

namespace quaestor::retrieval {

/// UTF-8 with \n line ends and without control characters. A byte order mark decides; else what is valid UTF-8 is
/// UTF-8; else `declared` (a charset that the document names); else the likeliest by its bytes. Code::corrupt when the
/// bytes are no text.
[[nodiscard]] Result<std::string> to_utf8(std::string_view bytes, std::string_view declared = {});

/// `text`, which is UTF-8, with one kind of line end and of space, and nothing that is not seen.
[[nodiscard]] std::string plain_text(std::string_view text);

}  // namespace quaestor::retrieval
