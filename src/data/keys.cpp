#include "data/ascii.hpp"
#include "data/statistics.hpp"
#include "data/timed_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

namespace quaestor::data {

namespace {

/// Queries that are spent on confirming guesses, over the whole database.
constexpr int kChecksMax = 400;
/// Different values of a column that are looked up in the table it may point to.
constexpr int kValuesChecked = 1'000;
/// Of the rows of a column that is called after a table's key, this share must be found there: old rows may point to
/// what is not kept any more.
constexpr double kFoundMin = 0.8;
/// What stands before _id where rows point to other rows of their own table.
constexpr auto kNamesOfSuperiors =
    std::to_array<std::string_view>({"boss", "manager", "parent", "reports_to", "root", "supervisor"});
/// Tables that "person_id" may point to, where none is called so.
constexpr auto kTablesOfPersons = std::to_array<std::string_view>(
    {"people", "player", "member", "employee", "patient", "student", "customer", "user"});
constexpr QueryLimits kCheckLimits{.rows = 1, .bytes = 1 << 20, .timeout = std::chrono::seconds(5)};

/// "categories" → "category", "addresses" → "address", "orders" → "order".
std::string singular(std::string_view name) {
    std::string word(name);
    if (word.ends_with("ies")) return word.substr(0, word.size() - 3) + "y";
    if (word.ends_with("sses") || word.ends_with("xes") || word.ends_with("ches"))
        return word.substr(0, word.size() - 2);
    if (word.ends_with('s') && !word.ends_with("ss")) word.pop_back();
    return word;
}

/// What a column's name says that it identifies: "customer_id", "customerId", "customer_code" → "customer".
std::string stem_of(std::string_view column) {
    const std::string name = lower_ascii(column);
    for (const std::string_view ending : {"_id", "_code", "_key", "_no", "_number", "id"}) {
        if (name.ends_with(ending) && name.size() > ending.size()) return name.substr(0, name.size() - ending.size());
    }
    // "team_id_home": the role comes last.
    const std::size_t inside = name.find("_id_");
    return inside == std::string::npos ? std::string() : name.substr(0, inside);
}

bool may_be_key(const CatalogColumn& column) {
    return column.kind == ValueKind::integer || column.kind == ValueKind::text || column.kind == ValueKind::other;
}

class KeyFinder {
public:
    KeyFinder(Engine& engine, Catalog& catalog, const CancelToken& stop)
        : engine_(engine), catalog_(catalog), stop_(stop) {}

    void find() {
        for (auto& table : catalog_.tables) find_primary_key(table);
        for (const auto& table : catalog_.tables) add_names(table);
        for (auto& table : catalog_.tables) {
            for (const auto& column : table.columns) find_foreign_key(table, column);
        }
    }

private:
    /// The one number that a query returns; nothing when it failed or none may be spent any more.
    std::optional<double> ask(const std::string& sql) {
        if (stop_.cancelled() || checks_++ >= kChecksMax) return std::nullopt;
        const auto result = run_in_time(engine_, sql, kCheckLimits, stop_);
        if (!result || result->row_count != 1) return std::nullopt;
        return result->columns[0].number(0);
    }

    void find_primary_key(CatalogTable& table) {
        if (!table.primary_key.empty() || table.kind == CatalogTable::Kind::view || table.rows.value_or(0) == 0) return;
        const std::string thing = singular(lower_ascii(table.name));
        for (const auto& column : table.columns) {
            const std::string name = lower_ascii(column.name);
            const bool is_named_so = name == "id" || stem_of(name) == thing || name == thing || name == "code";
            if (!is_named_so || !may_be_key(column) || column.nulls.value_or(1) != 0) continue;
            // The number of different values may be an estimate, so only a far smaller one rules it out.
            if (column.distinct && *column.distinct < *table.rows * 9 / 10) continue;
            const auto duplicates = ask(fmt::format("SELECT count(*) - count(DISTINCT {}) FROM {}",
                                                    quote_name(column.name), quote_name(table.schema, table.name)));
            if (!duplicates || *duplicates != 0) continue;
            table.primary_key = {column.name};
            table.primary_key_origin = Origin::inferred;
            return;
        }
    }

    /// The names by which columns of other tables may point to this one: "customer" and "customers", and its key's
    /// name where that is a telling one.
    void add_names(const CatalogTable& table) {
        if (table.primary_key.size() != 1) return;
        const std::string name = lower_ascii(table.name);
        const std::string key = lower_ascii(table.primary_key[0]);
        targets_[singular(name)].push_back(&table);
        if (singular(name) != name) targets_[name].push_back(&table);
        if (key != "id" && key != "code") targets_by_key_[key].push_back(&table);
    }

    void find_foreign_key(CatalogTable& table, const CatalogColumn& column) {
        if (!may_be_key(column) || column.distinct.value_or(1) == 0 || is_key_already(table, column.name)) return;
        for (const auto* target : candidates(table, column.name)) {
            const auto* key = target->find_column(target->primary_key[0]);
            const bool is_itself = target == &table && key == &column;
            if (is_itself || key == nullptr || !are_comparable(*key, column)) continue;
            if (!holds_all_values(table, column, *target, *key) && !holds_most_rows(table, column, *target, *key)) {
                continue;
            }
            table.foreign_keys.push_back({.columns = {column.name},
                                          .schema = target->schema,
                                          .table = target->name,
                                          .target_columns = {key->name},
                                          .origin = Origin::inferred});
            return;
        }
    }

    /// By the table's name ("customer_id" → customers), by the end of it ("billing_customer_id"), because the key has
    /// the same telling name, because it holds people ("person_id"), or, as "parent_id", the table itself.
    [[nodiscard]] std::vector<const CatalogTable*> candidates(const CatalogTable& table,
                                                              const std::string& column) const {
        std::vector<const CatalogTable*> found;
        const auto add = [&](const Targets& targets, const std::string& name) {
            const auto named = targets.find(name);
            if (named != targets.end()) found.insert(found.end(), named->second.begin(), named->second.end());
        };
        const std::string stem = stem_of(column);
        const std::string name = stem.empty() ? lower_ascii(column) : stem;
        add(targets_, name);
        if (stem.empty()) std::erase(found, &table);  // visits.visit says nothing of another visit
        for (auto at = stem.find('_'); at != std::string::npos; at = stem.find('_', at + 1)) {
            add(targets_, stem.substr(at + 1));
        }
        if (!stem.empty()) add(targets_by_key_, lower_ascii(column));
        if (stem == "person" && found.empty()) {
            for (const std::string_view people : kTablesOfPersons) add(targets_, std::string(people));
        }
        const bool is_above = std::ranges::find(kNamesOfSuperiors, std::string_view(stem)) != kNamesOfSuperiors.end();
        if (is_above && table.primary_key.size() == 1) found.push_back(&table);
        return found;
    }

    static bool is_key_already(const CatalogTable& table, const std::string& column) {
        return std::ranges::any_of(table.foreign_keys, [&](const ForeignKey& key) {
            return std::ranges::find(key.columns, column) != key.columns.end();
        });
    }

    bool holds_all_values(const CatalogTable& table, const CatalogColumn& column, const CatalogTable& target,
                          const CatalogColumn& key) {
        const auto missing =
            ask(fmt::format("SELECT count(*) FROM (SELECT DISTINCT {0} AS value FROM {1} WHERE {0} IS NOT NULL LIMIT "
                            "{2}) AS some_values "
                            "WHERE NOT EXISTS (SELECT 1 FROM {3} AS target WHERE target.{4} = some_values.value)",
                            quote_name(column.name), quote_name(table.schema, table.name), kValuesChecked,
                            quote_name(target.schema, target.name), quote_name(key.name)));
        return missing && *missing == 0;
    }

    /// SQLite finds the number 7 under the text '7'.
    [[nodiscard]] bool are_comparable(const CatalogColumn& left, const CatalogColumn& right) const {
        return left.kind == right.kind || catalog_.dialect == Dialect::sqlite;
    }

    bool holds_most_rows(const CatalogTable& table, const CatalogColumn& column, const CatalogTable& target,
                         const CatalogColumn& key) {
        const auto found =
            ask(fmt::format("SELECT 1.0 * sum(CASE WHEN EXISTS (SELECT 1 FROM {3} AS target WHERE target.{4} = "
                            "some_values.value) THEN used ELSE 0 END) / sum(used) FROM (SELECT {0} AS value, count(*) "
                            "AS used FROM {1} WHERE {0} IS NOT NULL GROUP BY {0} ORDER BY count(*) DESC LIMIT {2}) AS "
                            "some_values",
                            quote_name(column.name), quote_name(table.schema, table.name), kValuesChecked,
                            quote_name(target.schema, target.name), quote_name(key.name)));
        return found && *found >= kFoundMin;
    }

    Engine& engine_;
    Catalog& catalog_;
    const CancelToken& stop_;
    using Targets = std::unordered_map<std::string, std::vector<const CatalogTable*>>;
    Targets targets_;
    Targets targets_by_key_;
    int checks_ = 0;
};

}  // namespace

Result<> infer_keys(Engine& engine, Catalog& catalog, const CancelToken& stop) {
    KeyFinder(engine, catalog, stop).find();
    if (stop.cancelled()) return fail(stop.error());
    return {};
}

}  // namespace quaestor::data
