// What is known of a source before a question comes: its tables as the parsers see them, the distinct values of its
// text columns, and the words people use for both. Learnt once for a source; then immutable.
// Threads: share freely.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "data/source.hpp"
#include "native/schema.hpp"
#include "native/value_index.hpp"
#include "resilience/cancellation.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

/// Words that mean a table, a column, or other words.
struct Synonym {
    std::vector<std::string> stems;  ///< of the words, in order
    TableId table = -1;
    ColumnId column = 0;
    std::string stands_for;  ///< when neither: what a parser reads instead, "sum of amount of paid orders"
};

/// A table, or a column with its table, as stems of its words.
struct NamedThing {
    TableId table = -1;
    ColumnId column = 0;
    std::vector<std::string> stems;
    bool is_time = false;
};

/// How long values are looked at; what is not seen by then is not known, and questions go on without it.
inline constexpr std::chrono::seconds kLearningTimeMax{20};
/// The part of it that the catalogue may take; then what is declared has to do.
inline constexpr std::chrono::seconds kCatalogTimeMax{10};

class Knowledge {
public:
    /// `whole_columns`: those that `values` has every value of.
    Knowledge(std::shared_ptr<const data::Catalog> catalog, ValueIndex values,
              std::vector<ColumnId> whole_columns = {});

    [[nodiscard]] const data::Catalog& catalog() const { return *catalog_; }
    /// Words of a column come from its name, or from its description where that is short and the name says little.
    [[nodiscard]] const Schema& schema() const { return schema_; }
    [[nodiscard]] const ValueIndex& values() const { return values_; }
    /// Whether a value that values() does not have is not in the column.
    [[nodiscard]] bool knows_every_value(ColumnId column) const;
    /// From the glossary and from descriptions.
    [[nodiscard]] const std::vector<Synonym>& synonyms() const { return synonyms_; }
    /// Tables by number, then columns without `*`.
    [[nodiscard]] const std::vector<NamedThing>& named_things() const { return named_things_; }
    [[nodiscard]] data::Dialect dialect() const { return catalog_->dialect; }
    /// What the catalogue knows of a column or table.
    [[nodiscard]] const data::CatalogColumn& described(ColumnId column) const;
    [[nodiscard]] const data::CatalogTable& described_table(TableId table) const;

private:
    std::shared_ptr<const data::Catalog> catalog_;
    Schema schema_;
    ValueIndex values_;
    std::vector<ColumnId> whole_columns_;  ///< sorted
    std::vector<Synonym> synonyms_;
    std::vector<NamedThing> named_things_;
};

/// Reads the catalogue and the distinct values of the text columns, several at a time, each with a bound.
Task<Result<std::shared_ptr<const Knowledge>>> learn(data::Source& source, CancelToken cancel = {});

}  // namespace quaestor::native
