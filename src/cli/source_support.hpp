// What the commands that ask databases share: opening a source as configured, reading a statement, and exit codes.
// Private to cli/.
// Threads: for main()'s thread.
#pragma once

#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "data/source.hpp"

#include <memory>
#include <optional>
#include <string>

namespace quaestor::cli {

/// Limits, cache and cancellation as configured. `progress` outlives the source; it is shown while files are read in.
[[nodiscard]] data::SourceSettings source_settings(const Invocation& invocation, ProgressBar& progress);

/// Opens what a person named.
[[nodiscard]] Result<std::unique_ptr<data::Source>> open_named_source(const std::string& uri,
                                                                      data::SourceSettings settings);

/// The file given, or the one beside the source that is named after it.
[[nodiscard]] std::optional<std::string> find_annotations(const std::string& source,
                                                          const std::optional<std::string>& given);

/// Waits until standard input has something, or has ended; false when it was cancelled first.
[[nodiscard]] bool wait_for_input(const CancelToken& cancel);

/// The statement that was given or, for "-", the one on standard input, until `cancel`.
[[nodiscard]] Result<std::string> read_statement(const std::string& given, const CancelToken& cancel);

/// The error of a database that could not be opened, with the code that its exit code follows from.
[[nodiscard]] Error opening_error(Error error);

/// For an error that a statement met: 1 when the statement is refused or cannot be answered, 3 when the database
/// failed.
[[nodiscard]] ExitCode exit_code_for_statement(const Error& error);

}  // namespace quaestor::cli
