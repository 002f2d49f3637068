#include "native/reading/knowledge.hpp"

#include "native/characters.hpp"
#include "native/reading/link_finders.hpp"
#include "native/reading/short_names.hpp"
#include "native/reading/synonyms.hpp"
#include "native/reading/value_aliases.hpp"
#include "native/words.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace quaestor::native {

namespace {

/// Words of a description that can stand for a name.
constexpr std::size_t kNameWordsMax = 4;
/// A word of fewer letters may be any abbreviation.
constexpr std::size_t kTellingLettersMin = 4;

/// "2023-05-01", with or without a time behind it.
bool begins_with_day(std::string_view text) {
    constexpr std::string_view kShape = "dddd-dd-dd";
    return text.size() >= kShape.size() &&
           std::ranges::equal(text.substr(0, kShape.size()), kShape,
                              [](char c, char shape) { return shape == 'd' ? is_digit(c) : c == shape; });
}

bool holds_only_days(std::span<const KnownValue> values) {
    return !values.empty() &&
           std::ranges::all_of(values, [](const KnownValue& value) { return begins_with_day(value.spelling); });
}

/// Whether a name is no word that people say: "fg3a", "x1", "pts".
bool says_little(std::string_view name_as_words) {
    return std::ranges::none_of(plain_words(name_as_words), [](const std::string& word) {
        return word.size() >= kTellingLettersMin && word.find_first_of("aeiouy") != std::string::npos &&
               std::ranges::none_of(word, is_digit);
    });
}

/// The columns' words and kinds with what people and values say about them.
Schema described_schema(const data::Catalog& catalog, const ValueIndex& values) {
    const Schema declared(catalog);
    std::vector<SchemaTable> tables = declared.tables();
    const ShortNames names(tables);
    for (SchemaTable& table : tables) table.words = names.written_out(table.words);
    std::vector<SchemaColumn> columns = declared.columns();
    std::size_t at = 1;
    for (const data::CatalogTable& table : catalog.tables) {
        for (const data::CatalogColumn& described : table.columns) {
            SchemaColumn& column = columns[at];
            const auto words = plain_words(described.description);
            if (!words.empty() && words.size() <= kNameWordsMax && says_little(column.words)) {
                column.words = fmt::format("{}", fmt::join(words, " "));
            } else {
                column.words = names.written_out(column.words);
            }
            column.is_iso_date = column.is_iso_date || (column.kind == ColumnKind::text &&
                                                        holds_only_days(values.values_of(static_cast<ColumnId>(at))));
            ++at;
        }
    }
    return {std::move(tables), std::move(columns), declared.keys()};
}

std::vector<std::string> name_stems(std::string_view words) {
    std::vector<std::string> out;
    for (const std::string& word : plain_words(words)) out.push_back(link_stem(word));
    return out;
}

std::vector<NamedThing> things_in(const Schema& schema) {
    std::vector<NamedThing> things;
    for (std::size_t at = 0; at < schema.tables().size(); ++at) {
        things.push_back({static_cast<TableId>(at), 0, name_stems(schema.tables()[at].words), false});
    }
    for (std::size_t at = 1; at < schema.columns().size(); ++at) {
        const SchemaColumn& column = schema.columns()[at];
        const bool is_time = column.kind == ColumnKind::time || column.is_iso_date;
        things.push_back({column.table, static_cast<ColumnId>(at), name_stems(column.words), is_time});
    }
    return things;
}

}  // namespace

Knowledge::Knowledge(std::shared_ptr<const data::Catalog> catalog, ValueIndex values,
                     std::vector<ColumnId> whole_columns)
    : catalog_(std::move(catalog)),
      schema_(described_schema(*catalog_, values)),
      values_(std::move(values)),
      whole_columns_(std::move(whole_columns)),
      synonyms_(synonyms_in(*catalog_, schema_)),
      named_things_(things_in(schema_)) {
    std::ranges::sort(whole_columns_);
    add_aliases(values_, schema_);
}

bool Knowledge::knows_every_value(ColumnId column) const {
    return std::ranges::binary_search(whole_columns_, column);
}

// The schema has the catalogue's tables and columns in their order.
const data::CatalogTable& Knowledge::described_table(TableId table) const {
    return catalog_->tables[static_cast<std::size_t>(table)];
}

const data::CatalogColumn& Knowledge::described(ColumnId column) const {
    const TableId table = schema_.table_of(column);
    const ColumnId first = schema_.columns_of(table).front();
    return described_table(table).columns[static_cast<std::size_t>(column - first)];
}

}  // namespace quaestor::native
