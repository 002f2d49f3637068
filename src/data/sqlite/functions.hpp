// Functions of SQLite's whose time grows with the product of their arguments, written anew so that it grows with the
// sum: SQLite cannot be stopped within a function, and a statement can make long texts out of nothing.
// Threads: the functions belong to their connection.
#pragma once

struct sqlite3;

namespace quaestor::data::sqlite {

/// Puts instr(), replace(), trim(), ltrim() and rtrim() in the place of SQLite's own.
void replace_slow_functions(sqlite3* handle);

}  // namespace quaestor::data::sqlite
