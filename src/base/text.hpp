// Unicode text helpers on ICU. Input is UTF-8 from anywhere; bytes that are not UTF-8 count as U+FFFD.
// Pure functions, bounded by the size of their input.
// Threads: safe everywhere.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::text {

/// True when every byte belongs to well-formed UTF-8.
[[nodiscard]] bool is_utf8(std::string_view text);

/// `text` with malformed bytes replaced by U+FFFD and normalised to NFC.
[[nodiscard]] std::string clean(std::string_view text);

/// For comparing: compatibility-normalised, case-folded, accents removed. "São Paulo" and "SAO PAULO" fold alike.
[[nodiscard]] std::string fold(std::string_view text);

/// The words of `text` in order, by Unicode word boundaries; punctuation and spaces are left out.
[[nodiscard]] std::vector<std::string> words(std::string_view text);

/// The lines of `text` without their ends.
[[nodiscard]] std::vector<std::string> lines(std::string_view text);

/// Without white space (any Unicode kind) at both ends.
[[nodiscard]] std::string_view trim(std::string_view text);

/// At most `columns` columns of a terminal, cut between characters as people see them; "…" marks the cut.
[[nodiscard]] std::string shorten(std::string_view text, std::size_t columns);

/// Columns that `text` takes on a terminal: wide characters count 2, combining ones 0.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// Number of single-character edits (insert, delete, replace, swap neighbours) between the folded texts.
[[nodiscard]] std::size_t edit_distance(std::string_view left, std::string_view right);

/// The candidate nearest to `word`, or nothing when none is near enough to be meant.
[[nodiscard]] std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace quaestor::text
