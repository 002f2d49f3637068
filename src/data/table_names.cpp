#include "data/table_names.hpp"

#include "base/text.hpp"
#include "data/ascii.hpp"

#include <algorithm>
#include <array>
#include <ranges>

namespace quaestor::data {

namespace {

std::string full_name(std::string_view schema, std::string_view name) {
    return schema.empty() ? std::string(name) : std::string(schema) + "." + std::string(name);
}

/// A table given without a schema lies where every engine looks first.
bool is_default_schema(std::string_view schema) {
    return schema.empty() || schema == "main" || schema == "public";
}

/// What an engine keeps for itself, or would read from a file.
bool is_no_table_of_a_person(const Mention& mention) {
    constexpr auto kSystemSchemas = std::to_array<std::string_view>({"pg_catalog", "pg_toast", "information_schema"});
    constexpr auto kSystemPrefixes = std::to_array<std::string_view>({"pg_", "sqlite_", "duckdb_", "pragma_"});
    const std::string name = lower_ascii(mention.name);
    return std::ranges::find(kSystemSchemas, lower_ascii(mention.schema)) != kSystemSchemas.end() ||
           std::ranges::any_of(kSystemPrefixes, [&](auto prefix) { return name.starts_with(prefix); }) ||
           name.find_first_of("./\\:*?") != std::string::npos;
}

}  // namespace

TableNames TableNames::any() {
    TableNames names;
    names.takes_any_ = true;
    return names;
}

TableNames TableNames::parse(std::string_view list) {
    TableNames names;
    for (const auto part : list | std::views::split(',')) {
        const std::string_view entry = text::trim(std::string_view(part));
        const std::size_t dot = entry.find('.');
        if (entry.empty()) continue;
        if (dot == std::string_view::npos) {
            names.add({}, std::string(entry));
        } else {
            names.add(std::string(entry.substr(0, dot)), std::string(entry.substr(dot + 1)));
        }
    }
    return names;
}

void TableNames::add(std::string schema, std::string name) {
    by_name_[lower_ascii(name)].push_back(tables_.size());
    tables_.push_back({std::move(schema), std::move(name)});
}

const TableNames::Entry* TableNames::find_entry(std::string_view schema, std::string_view name) const {
    const auto found = by_name_.find(lower_ascii(name));
    if (found == by_name_.end()) return nullptr;
    const std::string wanted = lower_ascii(schema);
    for (const std::size_t place : found->second) {
        const std::string there = lower_ascii(tables_[place].schema);
        if (wanted.empty() ? there == lower_ascii(default_schema_) : there == wanted) return &tables_[place];
        if (there.empty() && is_default_schema(wanted)) return &tables_[place];
    }
    const bool is_the_only_one = wanted.empty() && found->second.size() == 1;
    return is_the_only_one ? &tables_[found->second.front()] : nullptr;
}

std::optional<std::string> TableNames::find(const Mention& mention) const {
    if (takes_any_) {
        if (is_no_table_of_a_person(mention)) return std::nullopt;
        return full_name(mention.schema, mention.name);
    }
    if (!mention.database.empty() && lower_ascii(mention.database) != lower_ascii(database_)) return std::nullopt;
    const Entry* entry = find_entry(mention.schema, mention.name);
    // DuckDB reads a.b also as table b of database a.
    if (entry == nullptr && !database_.empty() && lower_ascii(mention.schema) == lower_ascii(database_)) {
        entry = find_entry(default_schema_, mention.name);
    }
    if (entry == nullptr) return std::nullopt;
    return full_name(entry->schema, entry->name);
}

std::optional<std::string> TableNames::nearest(const Mention& mention) const {
    std::vector<std::string> candidates;
    for (const Entry& table : tables_) {
        candidates.push_back(table.name);
        if (!table.schema.empty()) candidates.push_back(full_name(table.schema, table.name));
    }
    auto meant = text::nearest(full_name(mention.schema, mention.name), candidates);
    if (!meant) meant = text::nearest(mention.name, candidates);
    const bool is_enough =
        meant && mention.schema.empty() && find({.database = {}, .schema = {}, .name = *meant, .at = {}});
    if (!meant || is_enough) return meant;
    // Only its name was near: say where it is.
    const auto same = std::ranges::find_if(tables_, [&](const Entry& table) { return table.name == *meant; });
    return same == tables_.end() ? meant : full_name(same->schema, same->name);
}

}  // namespace quaestor::data
