#include "native/schema.hpp"

#include "native/lower.hpp"
#include "native/words.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace quaestor::native {

namespace {

/// "2023-05-01", with or without a time behind it.
bool is_iso_date(std::string_view text) {
    constexpr std::string_view kShape = "dddd-dd-dd";
    return text.size() >= kShape.size() &&
           std::ranges::equal(text.substr(0, kShape.size()), kShape, [](char c, char shape) {
               return shape == 'd' ? std::isdigit(static_cast<unsigned char>(c)) != 0 : c == shape;
           });
}

bool holds_iso_dates(const data::CatalogColumn& column) {
    using data::ValueKind;
    if (column.kind == ValueKind::date || column.kind == ValueKind::timestamp) return true;
    return column.kind == ValueKind::text && !column.samples.empty() &&
           std::ranges::all_of(column.samples, is_iso_date);
}

bool is_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// "12", "7.5"; not "007", which is a name.
bool is_number_text(std::string_view text) {
    const std::size_t point = std::min(text.find('.'), text.size());
    const bool is_padded = point > 1 && text.front() == '0';
    return is_digits(text.substr(0, point)) && !is_padded &&
           (point == text.size() || is_digits(text.substr(point + 1)));
}

/// "6-8", "6-11".
bool is_feet_and_inches(std::string_view text) {
    const std::size_t dash = text.find('-');
    return dash == 1 && is_digits(text.substr(0, dash)) && is_digits(text.substr(dash + 1)) && text.size() <= 4 &&
           (text.size() == 3 || text[2] == '1' || text[2] == '0');
}

/// Numbers under such names tell things apart and measure nothing.
bool is_label(std::string_view lower_name) {
    return std::ranges::any_of(std::initializer_list<std::string_view>{"id", "code", "zip", "post", "phone", "fax",
                                                                       "isbn", "sku", "ssn", "account", "serial"},
                               [&](std::string_view word) { return lower_name.contains(word); });
}

TextAmount amount_of(const data::CatalogColumn& column) {
    if (column.kind != data::ValueKind::text || column.samples.empty()) return TextAmount::none;
    if (std::ranges::all_of(column.samples, is_feet_and_inches) && lower(column.name).contains("height")) {
        return TextAmount::feet_inches;
    }
    const bool is_number = std::ranges::all_of(column.samples, is_number_text) && !is_label(lower(column.name));
    return is_number ? TextAmount::number : TextAmount::none;
}

ColumnKind kind_of(const data::CatalogColumn& column) {
    using data::ValueKind;
    const bool is_year = lower(column.type).find("year") != std::string::npos;
    switch (column.kind) {
        case ValueKind::boolean:
            return ColumnKind::boolean;
        case ValueKind::integer:
        case ValueKind::number:
        case ValueKind::decimal:
            return is_year ? ColumnKind::time : ColumnKind::number;
        case ValueKind::date:
        case ValueKind::time:
        case ValueKind::timestamp:
            return ColumnKind::time;
        case ValueKind::text:
        case ValueKind::other:
            return is_year ? ColumnKind::time : ColumnKind::text;
        case ValueKind::interval:
        case ValueKind::blob:
        case ValueKind::list:
        case ValueKind::structure:
            return ColumnKind::other;
    }
    return ColumnKind::other;
}

bool same_name(std::string_view left, std::string_view right) {
    return lower(left) == lower(right);
}

/// Names that say nothing of what they identify.
bool is_vague(std::string_view lower_name) {
    return lower_name == "id" || lower_name == "name";
}

std::pair<TableId, TableId> unordered(TableId left, TableId right) {
    return {std::min(left, right), std::max(left, right)};
}

/// Where the columns of a catalogue went: by schema, table and column in lower case.
using Places = std::map<std::tuple<std::string, std::string, std::string>, ColumnId>;

void add_keys(const data::CatalogTable& table, const Places& places, std::vector<ForeignKey>& keys) {
    const auto place = [&places](std::string_view schema, std::string_view name, std::string_view column) {
        const auto found = places.find({lower(schema), lower(name), lower(column)});
        return found == places.end() ? ColumnId{0} : found->second;
    };
    for (const data::ForeignKey& key : table.foreign_keys) {
        const std::size_t size = std::min(key.columns.size(), key.target_columns.size());
        for (std::size_t at = 0; at < size; ++at) {
            const ColumnId from = place(table.schema, table.name, key.columns[at]);
            const ColumnId to =
                place(key.schema.empty() ? table.schema : key.schema, key.table, key.target_columns[at]);
            if (from != 0 && to != 0) keys.push_back({from, to});
        }
    }
}

}  // namespace

Schema::Schema(const data::Catalog& catalog) : columns_{{.name = "*", .words = "*"}} {
    Places places;
    for (const data::CatalogTable& table : catalog.tables) {
        const TableId id = static_cast<TableId>(tables_.size());
        const bool is_default = table.schema == catalog.default_schema;
        tables_.push_back({is_default ? "" : table.schema, table.name, name_words(table.name)});
        for (const data::CatalogColumn& column : table.columns) {
            places[{lower(table.schema), lower(table.name), lower(column.name)}] =
                static_cast<ColumnId>(columns_.size());
            const bool is_primary = std::ranges::any_of(
                table.primary_key, [&column](const std::string& name) { return same_name(name, column.name); });
            columns_.push_back({.table = id,
                                .name = column.name,
                                .words = name_words(column.name),
                                .kind = kind_of(column),
                                .is_primary = is_primary,
                                .is_iso_date = holds_iso_dates(column),
                                .amount = amount_of(column)});
        }
    }
    for (const data::CatalogTable& table : catalog.tables) add_keys(table, places, keys_);
    std::ranges::sort(keys_, {}, [](const ForeignKey& key) { return std::pair(key.from, key.to); });
    add_implied_keys();
    make_neighbours();
}

Schema::Schema(std::vector<SchemaTable> tables, std::vector<SchemaColumn> columns, std::vector<ForeignKey> keys)
    : tables_(std::move(tables)), columns_(std::move(columns)), keys_(std::move(keys)) {
    add_implied_keys();
    make_neighbours();
}

const std::vector<ColumnId>& Schema::columns_of(TableId table) const {
    return columns_of_[static_cast<std::size_t>(table)];
}

const std::vector<Schema::Neighbour>& Schema::neighbours(TableId table) const {
    return neighbours_[static_cast<std::size_t>(table)];
}

void Schema::add_implied_keys() {
    std::set<std::pair<TableId, TableId>> joined;
    for (const ForeignKey& key : keys_) joined.insert(unordered(table_of(key.from), table_of(key.to)));
    std::map<TableId, int> primary_columns;
    std::map<std::string, std::vector<ColumnId>> by_name;
    for (std::size_t at = 1; at < columns_.size(); ++at) {
        if (columns_[at].is_primary) ++primary_columns[columns_[at].table];
        by_name[lower(columns_[at].name)].push_back(static_cast<ColumnId>(at));
    }
    for (std::size_t at = 1; at < columns_.size(); ++at) {
        const SchemaColumn& target = columns_[at];
        const std::string name = lower(target.name);
        if (!target.is_primary || primary_columns[target.table] != 1 || is_vague(name)) continue;
        for (const ColumnId column : by_name[name]) {
            if (table_of(column) == target.table) continue;
            if (!joined.insert(unordered(table_of(column), target.table)).second) continue;
            keys_.push_back({column, static_cast<ColumnId>(at)});
        }
    }
}

void Schema::make_neighbours() {
    columns_of_.resize(tables_.size());
    for (std::size_t at = 1; at < columns_.size(); ++at) {
        columns_of_[static_cast<std::size_t>(columns_[at].table)].push_back(static_cast<ColumnId>(at));
    }
    neighbours_.resize(tables_.size());
    std::set<std::pair<TableId, TableId>> seen;
    for (const ForeignKey& first : keys_) {
        const auto tables = unordered(table_of(first.from), table_of(first.to));
        if (tables.first == tables.second || !seen.insert(tables).second) continue;
        const auto plain = std::ranges::find_if(keys_, [&](const ForeignKey& key) {
            return unordered(table_of(key.from), table_of(key.to)) == tables && is_plain(key);
        });
        const ForeignKey& key = plain == keys_.end() ? first : *plain;
        const TableId from = table_of(key.from);
        const TableId to = table_of(key.to);
        neighbours_[static_cast<std::size_t>(from)].push_back({to, key.from, key.to});
        neighbours_[static_cast<std::size_t>(to)].push_back({from, key.to, key.from});
    }
}

bool Schema::is_plain(const ForeignKey& key) const {
    const SchemaColumn& target = columns_[static_cast<std::size_t>(key.to)];
    auto known = stems(tables_[static_cast<std::size_t>(target.table)].words);
    std::ranges::copy(stems(target.words), std::back_inserter(known));
    return std::ranges::all_of(stems(columns_[static_cast<std::size_t>(key.from)].words), [&](const std::string& word) {
        return word == "id" || std::ranges::find(known, word) != known.end();
    });
}

}  // namespace quaestor::native
