// JSON written straight into a string, for results that are too many to be made into values first.
// Private to data/.
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace quaestor::data {

/// In quotes; bytes that are not UTF-8 become U+FFFD.
void write_json_string(std::string_view value, std::string& out);

/// As a number where a double holds it exactly, else as a string, so that no reader changes it.
void write_json_integer(std::int64_t value, std::string& out);

/// Shortest form; NaN and infinities as strings.
void write_json_number(double value, std::string& out);

/// A number that is given as text: as a number where every reader gives back the same digits, else as a string.
void write_json_digits(std::string_view value, std::string& out);

/// The shortest text that reads back as `value`.
void write_number(double value, std::string& out);

}  // namespace quaestor::data
