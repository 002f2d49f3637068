// What is said about a command line that could not be understood.
// Private to main().
// Threads: pure functions.
#pragma once

#include "base/error.hpp"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace quaestor::cli {

/// A sentence for the mistake, with what was probably meant.
[[nodiscard]] Error usage_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace quaestor::cli
