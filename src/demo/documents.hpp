// Where the documents of the demo are: beside the program, in a build tree as in an installed one.
// A pure function of where the program lies.
// Threads: safe everywhere.
#pragma once

#include "base/error.hpp"

#include <filesystem>
#include <string_view>

namespace quaestor::demo {

/// The folder of this name; Code::not_found says where it was looked for.
[[nodiscard]] Result<std::filesystem::path> documents_path(std::string_view name);

}  // namespace quaestor::demo
