// Our own questions: databases as SQL text, and what people ask about them, with the answers (README.md beside this).
// Plain values.
// Threads: pure functions; make_database() writes a file.
#pragma once

#include "base/error.hpp"
#include "data/result_set.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

struct BankQuestion {
    std::string text;
    std::string construct;             ///< "count", "top"; "unanswerable" for what must not be answered
    std::string detail;                ///< the hardness; for what must not be answered, why not
    std::vector<std::string> answers;  ///< SQL; each of them is right
    bool may_be_empty = false;

    [[nodiscard]] bool is_answerable() const { return !answers.empty(); }
};

struct BankDatabase {
    std::string name;
    std::string script;
    bool is_duckdb = false;
    bool is_held_out = false;
    std::vector<BankQuestion> questions;
};

/// Every NAME.questions of a folder with its NAME.sql, by name. The error says the file and the line.
[[nodiscard]] Result<std::vector<BankDatabase>> read_bank(const std::filesystem::path& folder);

/// The questions of one file; `where` is for the error.
[[nodiscard]] Result<BankDatabase> read_questions(std::string_view text, const std::string& where);

/// "SELECT {a|b} FROM t" stands for two statements.
[[nodiscard]] std::vector<std::string> expand_choices(std::string_view sql);

/// Makes the database in `folder`; its path.
[[nodiscard]] Result<std::string> make_database(const BankDatabase& database, const std::filesystem::path& folder);

/// Whether the statement puts the rows of its result in order.
[[nodiscard]] bool orders_rows(std::string_view sql);

/// Whether a result is what the answer says: the same rows; where the answer is ordered, in an order that goes the same
/// way.
[[nodiscard]] bool is_right(const data::ResultSet& result, const data::ResultSet& answer, bool is_ordered);

}  // namespace quaestor::native
