#include "data/catalog.hpp"

#include <algorithm>

namespace quaestor::data {

namespace {

bool same_name(std::string_view left, std::string_view right) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return std::ranges::equal(left, right, {}, lower, lower);
}

}  // namespace

const CatalogColumn* CatalogTable::find_column(std::string_view column) const {
    const auto found = std::ranges::find_if(columns, [&](const auto& there) { return same_name(there.name, column); });
    return found == columns.end() ? nullptr : &*found;
}

const CatalogTable* Catalog::find_table(std::string_view name) const {
    const auto in_schema = [&](std::string_view schema, std::string_view table) {
        return std::ranges::find_if(
            tables, [&](const auto& there) { return same_name(there.schema, schema) && same_name(there.name, table); });
    };
    auto found = in_schema(default_schema, name);
    // A dot may also be part of a name, so each is tried.
    for (auto dot = name.find('.'); found == tables.end() && dot != std::string_view::npos;
         dot = name.find('.', dot + 1)) {
        found = in_schema(name.substr(0, dot), name.substr(dot + 1));
    }
    return found == tables.end() ? nullptr : &*found;
}

TableNames names_of(const Catalog& catalog) {
    TableNames names(catalog.default_schema, catalog.database);
    for (const auto& table : catalog.tables) names.add(table.schema, table.name);
    return names;
}

}  // namespace quaestor::data
