// Lines with wildcards, as the cases write what a command is to print; cases/README.md lists the wildcards.
// Pure functions.
// Threads: safe everywhere.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace quaestor::cli {

/// What <id:NAME> stood for, by name.
using Names = std::map<std::string, std::string>;

/// True when `line` is as `pattern` says; fills `names`.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view line, Names& names);

/// The same for whole outputs, where the line "..." stands for any number of lines.
[[nodiscard]] bool matches(std::span<const std::string> patterns, std::span<const std::string> lines, Names& names);

/// `text` with every <NAME> replaced by what it stands for.
[[nodiscard]] std::string fill_in(std::string_view text, const Names& names);

/// A pattern for `line`: with wildcards for what is different each time.
[[nodiscard]] std::string generalise(std::string_view line);

}  // namespace quaestor::cli
