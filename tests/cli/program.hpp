// Runs the built program as a person would: in a process of its own, with its own folder, environment and streams.
// Whoever calls waits until the process has ended; one that takes too long is killed.
// Threads: one call at a time.
#pragma once

#include "base/error.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace quaestor::cli {

struct ProgramCall {
    std::vector<std::string> arguments;  ///< without the program's own name
    std::filesystem::path folder;        ///< to start in; also its home, so that it keeps its data in `folder`/quaestor
    std::map<std::string, std::string> environment;  ///< besides the few variables that every call gets
    int signal = 0;                                  ///< sent once, when standard error shows `signal_at`
    std::string signal_at;
    std::string input_file;   ///< what standard input reads; empty: nothing
    std::string output_file;  ///< where standard output goes; empty: to ProgramEnd
    std::string error_file;
};

struct ProgramEnd {
    int exit_code = 0;  ///< 128 + the signal's number where one ended it, as a shell says it
    std::string output;
    std::string errors;
};

[[nodiscard]] Result<ProgramEnd> run_program(const ProgramCall& call);

/// Splits a line as a shell does, with '…' and "…" around words that hold spaces; nothing else is special.
[[nodiscard]] std::vector<std::string> split_words(std::string_view line);

}  // namespace quaestor::cli
