// What people see: tables drawn to the terminal's width, colour only where it is wanted, errors on one line.
// Machine output goes to standard output, everything else to standard error.
// Threads: for main()'s thread.
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::cli {

/// What the program tells whoever started it.
enum class ExitCode { done = 0, not_answered = 1, wrong_usage = 2, dependency_failed = 3, interrupted = 130 };

[[nodiscard]] ExitCode exit_code_for(const Error& error);

enum class Style { plain, bold, dim, green, yellow, red };

/// True when standard output is a terminal that shows colour and NO_COLOR is not set.
[[nodiscard]] bool is_terminal();

/// `text` in a style, on a terminal; unchanged elsewhere.
[[nodiscard]] std::string styled(std::string_view text, Style style);

/// Columns of the terminal; 100 where there is none.
[[nodiscard]] std::size_t terminal_width();

struct Table {
    struct Column {
        std::string title;
        bool right_aligned = false;
    };
    std::vector<Column> columns;
    std::vector<std::vector<std::string>> rows;
};

/// The table as lines, no wider than `width`: the widest columns are shortened first.
[[nodiscard]] std::string draw(const Table& table, std::size_t width);

/// A line for people, on standard error. Where nobody can read it, it is lost and nothing else is.
void say(std::string_view line);

/// "quaestor: what happened, because of what. What to do." on standard error.
void print_error(const Error& error);

/// One JSON document on standard output, indented on a terminal.
void print_json(const json::value& value);

}  // namespace quaestor::cli
