#include "cli/catalog_view.hpp"

#include "base/text.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <ranges>

namespace quaestor::cli {

namespace {

using data::Catalog;
using data::CatalogColumn;
using data::CatalogTable;
using data::ForeignKey;
using data::Origin;

constexpr std::size_t kBoundColumns = 24;
constexpr std::size_t kSampleColumns = 24;
constexpr std::string_view kInferred = " (inferred)";

/// Words that at least one engine does not take for a name.
constexpr auto kReserved = std::to_array<std::string_view>(
    {"all",        "analyze", "and",    "any",     "array",   "as",     "asc",   "between", "by",
     "case",       "cast",    "check",  "collate", "column",  "create", "cross", "default", "desc",
     "distinct",   "do",      "else",   "end",     "except",  "exists", "false", "fetch",   "for",
     "foreign",    "from",    "full",   "grant",   "group",   "having", "in",    "index",   "inner",
     "intersect",  "into",    "is",     "join",    "lateral", "left",   "like",  "limit",   "natural",
     "not",        "null",    "offset", "on",      "or",      "order",  "outer", "primary", "qualify",
     "references", "right",   "select", "set",     "some",    "table",  "then",  "to",      "transaction",
     "true",       "union",   "unique", "user",    "using",   "values", "when",  "where",   "window",
     "with"});

std::string table_name(const Catalog& catalog, const std::string& schema, const std::string& name) {
    const std::string written = written_name(catalog.dialect, name);
    return schema == catalog.default_schema ? written : written_name(catalog.dialect, schema) + "." + written;
}

std::string rows_of(const CatalogTable& table) {
    if (!table.rows) return {};
    return (table.rows_are_exact ? "" : "≈ ") + grouped(*table.rows);
}

std::string columns_of(const Catalog& catalog, const std::vector<std::string>& names) {
    std::vector<std::string> written;
    written.reserve(names.size());
    for (const auto& name : names) written.push_back(written_name(catalog.dialect, name));
    return fmt::format("{}", fmt::join(written, ", "));
}

std::string key_of(const Catalog& catalog, const CatalogTable& table) {
    if (table.primary_key.empty()) return {};
    return columns_of(catalog, table.primary_key) +
           std::string(table.primary_key_origin == Origin::inferred ? kInferred : "");
}

/// "customers.id", "lines.(order, line)"
std::string end_of_link(const Catalog& catalog, const std::string& schema, const std::string& table,
                        const std::vector<std::string>& columns) {
    const std::string names = columns_of(catalog, columns);
    return table_name(catalog, schema, table) + "." + (columns.size() == 1 ? names : "(" + names + ")");
}

std::string link_line(const Catalog& catalog, const CatalogTable& table, const ForeignKey& key) {
    return visible(fmt::format("  {} → {}", end_of_link(catalog, table.schema, table.name, key.columns),
                               end_of_link(catalog, key.schema, key.table, key.target_columns))) +
           styled(key.origin == Origin::inferred ? kInferred : "", Style::dim) + "\n";
}

/// The links that `wanted` takes, under a title that says what is meant by inferred.
template <class Wanted>
std::string draw_links(const Catalog& catalog, Wanted wanted) {
    std::string lines;
    bool has_inferred = false;
    for (const auto& table : catalog.tables) {
        for (const auto& key : table.foreign_keys) {
            if (!wanted(table, key)) continue;
            lines += link_line(catalog, table, key);
            has_inferred |= key.origin == Origin::inferred;
        }
    }
    if (lines.empty()) return {};
    return fmt::format("\n{}{}\n{}", styled("How tables hang together", Style::bold),
                       has_inferred ? " (inferred: not declared, but names and values say so)" : "", lines);
}

std::string draw_glossary(const Catalog& catalog) {
    if (catalog.glossary.empty()) return {};
    std::string drawn = fmt::format("\n{}\n", styled("What words mean here", Style::bold));
    for (const auto& [word, meaning] : catalog.glossary) {
        drawn += fmt::format("  {}: {}\n", visible(word), visible(meaning));
    }
    return drawn;
}

Table without_empty_columns(const Table& table) {
    Table kept;
    kept.wraps = table.wraps;
    kept.rows.resize(table.rows.size());
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (std::ranges::all_of(table.rows, [i](const auto& row) { return row[i].text.empty(); })) continue;
        kept.columns.push_back(table.columns[i]);
        for (std::size_t row = 0; row < table.rows.size(); ++row) kept.rows[row].push_back(table.rows[row][i]);
    }
    return kept;
}

std::string marks_of(const Catalog& catalog, const CatalogTable& table, const CatalogColumn& column) {
    std::vector<std::string> marks;
    const auto is_in = [&](const std::vector<std::string>& names) {
        return std::ranges::find(names, column.name) != names.end();
    };
    const bool is_key = is_in(table.primary_key);
    if (is_key) marks.push_back("key" + std::string(table.primary_key_origin == Origin::inferred ? kInferred : ""));
    for (const auto& key : table.foreign_keys) {
        const auto place = std::ranges::find(key.columns, column.name);
        if (place == key.columns.end()) continue;
        const auto& target = key.target_columns[static_cast<std::size_t>(place - key.columns.begin())];
        marks.push_back(fmt::format("→ {}.{}{}", table_name(catalog, key.schema, key.table),
                                    written_name(catalog.dialect, target),
                                    key.origin == Origin::inferred ? kInferred : ""));
    }
    if (!column.nullable && !is_key) marks.emplace_back("not null");
    return fmt::format("{}", fmt::join(marks, ", "));
}

std::string range_of(const CatalogColumn& column) {
    if (!column.min || !column.max) return {};
    const auto bound = [](const std::string& value) { return text::shorten(visible(value), kBoundColumns); };
    return *column.min == *column.max ? bound(*column.min)
                                      : fmt::format("{} … {}", bound(*column.min), bound(*column.max));
}

/// None where most values are there once and the range says enough: keys, amounts, times.
std::string samples_of(const CatalogTable& table, const CatalogColumn& column) {
    const bool is_mostly_unique = table.rows && column.distinct && *column.distinct >= *table.rows / 2;
    if (is_mostly_unique && column.min && *column.min != *column.max) return {};
    std::vector<std::string> samples;
    samples.reserve(column.samples.size());
    for (const auto& sample : column.samples) samples.push_back(text::shorten(visible(sample), kSampleColumns));
    return fmt::format("{}", fmt::join(samples, ", "));
}

std::string optional_count(const std::optional<std::int64_t>& count) {
    return count ? grouped(*count) : "";
}

Table column_table(const Catalog& catalog, const CatalogTable& table) {
    Table drawn{.columns = {{"column"},
                            {"type"},
                            {"is"},
                            {"range"},
                            {"distinct", true},
                            {"nulls", true},
                            {"examples"},
                            {"description"}},
                .rows = {},
                .wraps = true};
    for (const auto& column : table.columns) {
        drawn.rows.push_back({written_name(catalog.dialect, column.name), column.type, marks_of(catalog, table, column),
                              range_of(column), optional_count(column.distinct), optional_count(column.nulls),
                              samples_of(table, column), column.description});
    }
    return without_empty_columns(drawn);
}

/// "shop.duckdb — DuckDB, 6 tables, 1 view, 270 rows"
std::string title_of(const Catalog& catalog) {
    const auto views = std::ranges::count(catalog.tables, CatalogTable::Kind::view, &CatalogTable::kind);
    const auto tables = static_cast<std::int64_t>(catalog.tables.size()) - views;
    std::string title = fmt::format("{} — {}, {}", styled(visible(catalog.source), Style::bold),
                                    title_of(catalog.dialect), tables == 0 ? "no tables" : counted(tables, "table"));
    if (views > 0) title += ", " + counted(views, "view");
    std::int64_t rows = 0;
    for (const auto& table : catalog.tables) {
        if (table.kind == CatalogTable::Kind::table) rows += table.rows.value_or(0);
    }
    if (catalog.is_complete && tables > 0) title += ", " + counted(rows, "row");
    return title;
}

}  // namespace

std::string written_name(data::Dialect dialect, std::string_view name) {
    const bool folds_case = dialect == data::Dialect::postgres;
    const auto is_letter = [&](char c) {
        return (c >= 'a' && c <= 'z') || c == '_' || (!folds_case && c >= 'A' && c <= 'Z');
    };
    const bool is_plain = !name.empty() && is_letter(name.front()) &&
                          std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
    const bool is_reserved = std::ranges::find(kReserved, text::fold(name)) != kReserved.end();
    return is_plain && !is_reserved ? std::string(name) : data::quote_name(name);
}

std::string draw(const Catalog& catalog, std::size_t width) {
    Table tables{
        .columns = {{"table"}, {"rows", true}, {"columns", true}, {"key"}, {"description"}}, .rows = {}, .wraps = true};
    for (const auto& table : catalog.tables) {
        const bool is_view = table.kind == CatalogTable::Kind::view;
        tables.rows.push_back({table_name(catalog, table.schema, table.name) + (is_view ? " (view)" : ""),
                               rows_of(table), std::to_string(table.columns.size()), key_of(catalog, table),
                               table.description});
    }
    std::string drawn = title_of(catalog) + "\n";
    if (!tables.rows.empty()) drawn += "\n" + draw_to_fit(without_empty_columns(tables), width, "table");
    return drawn + draw_links(catalog, [](const auto&, const auto&) { return true; }) + draw_glossary(catalog);
}

std::string draw(const Catalog& catalog, const CatalogTable& table, std::size_t width) {
    std::string drawn = styled(visible(table_name(catalog, table.schema, table.name)), Style::bold);
    if (table.kind == CatalogTable::Kind::view) drawn += " (view)";
    if (table.rows) drawn += fmt::format(" — {}{}", table.rows_are_exact ? "" : "about ", counted(*table.rows, "row"));
    drawn += "\n";
    if (!table.description.empty()) drawn += visible(table.description) + "\n";
    drawn += "\n" + draw_to_fit(column_table(catalog, table), width, "column");
    return drawn + draw_links(catalog, [&](const CatalogTable& from, const ForeignKey& key) {
               return &from == &table || (key.schema == table.schema && key.table == table.name);
           });
}

}  // namespace quaestor::cli
