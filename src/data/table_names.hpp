// The names of the tables that a statement may read, found as the engine would find them: without regard to case, and
// without a schema in the default one. Built once from a catalogue or a list, then shared.
// Threads: immutable once built.
#pragma once

#include "data/reading.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace quaestor::data {

class TableNames {
public:
    /// `default_schema`: where a name without a schema is looked for first; then in the others, when only one has it.
    /// `database`: what may be written in front of a schema.
    explicit TableNames(std::string default_schema = {}, std::string database = {})
        : default_schema_(std::move(default_schema)), database_(std::move(database)) {}

    /// Reads "a.b,c": schema a with table b, and table c.
    [[nodiscard]] static TableNames parse(std::string_view list);

    /// Takes every name for a table, for a look at a statement without a database. Files and the tables of the engines
    /// themselves are still none.
    [[nodiscard]] static TableNames any();

    void add(std::string schema, std::string name);

    /// The table's full name, "schema.name", or only its name when it has no schema; nothing when there is no such
    /// table.
    [[nodiscard]] std::optional<std::string> find(const Mention& mention) const;

    /// The name that was probably meant, as one would write it; nothing when none is near.
    [[nodiscard]] std::optional<std::string> nearest(const Mention& mention) const;

    [[nodiscard]] std::size_t size() const { return tables_.size(); }

private:
    struct Entry {
        std::string schema;
        std::string name;
    };
    [[nodiscard]] const Entry* find_entry(std::string_view schema, std::string_view name) const;

    std::string default_schema_;
    std::string database_;
    bool takes_any_ = false;
    std::vector<Entry> tables_;
    std::unordered_map<std::string, std::vector<std::size_t>> by_name_;  ///< folded name → tables
};

}  // namespace quaestor::data
