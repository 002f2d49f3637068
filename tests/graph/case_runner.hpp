// Plays case files: does their commands one after the other and compares what happened with what is written there.
// The format is described in cases/README.md.
// Threads: one case is played on one thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace quaestor::graph {

/// Every case file, by name.
[[nodiscard]] std::vector<std::filesystem::path> find_cases(const std::filesystem::path& folder);

/// Plays a case. Nothing when all went as written; else what differs, ready to print.
[[nodiscard]] std::string play_case(const std::filesystem::path& file);

/// Writes into the file what happens when it is played.
void rewrite_case(const std::filesystem::path& file);

}  // namespace quaestor::graph
