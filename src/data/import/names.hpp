// Names for what is imported: of tables after files, and of columns, each once.
// Private to the import.
// Threads: pure functions; a UniqueNames is used by one.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace quaestor::data {

/// Gives each name once, as DuckDB compares them: without regard to the case of ASCII letters.
class UniqueNames {
public:
    /// `name`, or with _2, _3, … behind it when it was given before.
    [[nodiscard]] std::string add(std::string_view name);

private:
    std::unordered_set<std::string> taken_;  ///< in lower case
};

/// `text` as a name that needs no thought: "Sales 2024 (final)" becomes sales_2024_final. Letters of all scripts stay.
[[nodiscard]] std::string plain_name(std::string_view text);

/// The file's name without its folder and the endings that tell its kind.
[[nodiscard]] std::string_view stem_of(std::string_view path);

/// Names for columns as a header gives them; empty and repeated ones are mended.
[[nodiscard]] std::vector<std::string> column_names(const std::vector<std::string>& header);

}  // namespace quaestor::data
