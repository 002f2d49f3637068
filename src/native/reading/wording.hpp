// A logical form in plain English, so that a person can tell two readings apart: "the name of each singer whose country
// is France, the oldest first". And the short names of things that sentences need.
// Threads: pure functions.
#pragma once

#include "native/logical_form.hpp"
#include "native/schema.hpp"
#include "native/sql_writer.hpp"

#include <string>
#include <string_view>

namespace quaestor::native {

/// One phrase without a full stop; values in the database's spelling, in quotation marks when they are text.
[[nodiscard]] std::string in_words(const Query& form, const Schema& schema, const Spoken& spoken);

/// The form on one line, for people who know SQL: `SELECT name WHERE country = "France" ORDER age DESC LIMIT 1`, with
/// columns as table.column.
[[nodiscard]] std::string form_line(const Query& form, const Schema& schema, const Spoken& spoken);

/// "player" → "players", "city" → "cities", "series" → "series".
[[nodiscard]] std::string plural(std::string_view noun);
/// "1 player", "12,034 players".
[[nodiscard]] std::string counted(double count, std::string_view noun);

}  // namespace quaestor::native
