// What people see: tables drawn to the terminal's width, colour only where it is wanted, errors on one line.
// Machine output goes to standard output, everything else to standard error.
// Threads: for main()'s thread.
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
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

/// `text` on one line that does nothing to a terminal: control characters become pictures of themselves (␛, ␊), and
/// what is no text or turns its direction becomes U+FFFD.
[[nodiscard]] std::string visible(std::string_view text);

/// "1,234,567"
[[nodiscard]] std::string grouped(std::int64_t number);

/// "1 row", "12,000 rows"
[[nodiscard]] std::string counted(std::int64_t number, std::string_view thing);

struct Table {
    struct Column {
        std::string title;
        bool right_aligned = false;
    };
    struct Cell {
        Cell(std::string content, Style look = Style::plain) : text(std::move(content)), style(look) {}
        Cell(const char* content) : text(content) {}

        std::string text;
        Style style = Style::plain;
    };
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;
    bool wraps = false;  ///< what does not fit goes on in the next line, at a space, instead of being cut
};

/// The table as lines, no wider than `width`: the widest columns are shortened first. Cells are made visible().
[[nodiscard]] std::string draw(const Table& table, std::size_t width);

/// The same where each column keeps enough to be read; else a block of lines for each row, one line a column.
/// `row_name` stands above each block: "row" makes it "row 1".
[[nodiscard]] std::string draw_to_fit(const Table& table, std::size_t width, std::string_view row_name);

/// A line for people, on standard error. Where nobody can read it, it is lost and nothing else is.
void say(std::string_view line);

/// "quaestor: what happened, because of what. What to do." on standard error.
void print_error(const Error& error);

/// One JSON document on standard output, indented on a terminal.
void print_json(const json::value& value);

/// Text for people on standard output. That it could not be written shows when main() looks at the stream.
void print_text(std::string_view text);

/// Text for other programs on standard output, unchanged; where a person looks at it instead, its lines are made
/// visible().
void print_data(std::string_view text);

}  // namespace quaestor::cli
