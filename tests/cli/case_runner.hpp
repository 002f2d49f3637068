// Plays a case: a text file with commands and what they are to print. The format is described in cases/README.md.
// Each case has a folder of its own, which is removed afterwards.
// Threads: one case at a time.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace quaestor::cli {

/// The case files in `folder`, sorted by name.
[[nodiscard]] std::vector<std::filesystem::path> find_cases(const std::filesystem::path& folder);

/// What went differently from how it is written; empty when nothing did.
[[nodiscard]] std::string play_case(const std::filesystem::path& file);

/// Writes what the commands printed into the file, where that was not as written.
void rewrite_case(const std::filesystem::path& file);

}  // namespace quaestor::cli
