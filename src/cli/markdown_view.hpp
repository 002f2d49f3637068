// Markdown as a terminal shows it: the part that answers use, which is paragraphs, headings, lists, tables, code and
// bold words. Whatever else is in the text, it does nothing to the terminal. Private to cli/.
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace quaestor::cli {

/// Lines broken at spaces to fit `width`, tables drawn to it; ends with a line's end unless there is nothing.
[[nodiscard]] std::string draw_markdown(std::string_view markdown, std::size_t width);

/// A paragraph of plain text: `first` before its first line, blanks of the same width before the others.
[[nodiscard]] std::string draw_paragraph(std::string_view text, std::string_view first, std::size_t width);

}  // namespace quaestor::cli
