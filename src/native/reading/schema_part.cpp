#include "native/reading/schema_part.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <set>

namespace quaestor::native {

namespace {

/// A column that a word may mean by less is only one of many.
constexpr double kNeededScore = 0.5;

std::size_t index_of(int id) {
    return static_cast<std::size_t>(id);
}

/// How much each table and column has to do with the question.
struct Relevance {
    std::vector<double> tables;
    std::vector<double> columns;
};

/// For each word the best link counts, once for each table and column.
Relevance relevance_in(const LinkedQuestion& question, const Schema& schema) {
    std::map<std::pair<std::size_t, TableId>, double> of_tables;
    std::map<std::pair<std::size_t, ColumnId>, double> of_columns;
    for (const Link& link : question.links) {
        const TableId table = link.table >= 0 ? link.table : link.column > 0 ? schema.table_of(link.column) : -1;
        if (table < 0) continue;
        // A table that is named is what is asked about; columns of that name may be anywhere.
        const double weight = link.kind == LinkKind::table ? 2 : 1;
        for (std::size_t word = link.first; word <= link.last; ++word) {
            double& best = of_tables[{word, table}];
            best = std::max(best, weight * link.score);
            if (link.column <= 0) continue;
            double& best_column = of_columns[{word, link.column}];
            best_column = std::max(best_column, link.score);
        }
    }
    Relevance relevance{.tables = std::vector<double>(schema.tables().size()),
                        .columns = std::vector<double>(schema.columns().size())};
    for (const auto& [place, score] : of_tables) relevance.tables[index_of(place.second)] += score;
    for (const auto& [place, score] : of_columns) relevance.columns[index_of(place.second)] += score;
    return relevance;
}

/// What rows are called by.
bool is_label(const SchemaColumn& column) {
    return column.kind == ColumnKind::text && (column.words.ends_with("name") || column.words.ends_with("title"));
}

/// The tables on a shortest way over keys from `chosen` to `table`, both ends left out.
std::vector<TableId> between(const std::set<TableId>& chosen, TableId table, const Schema& schema) {
    std::map<TableId, TableId> came_from{{table, -1}};
    std::queue<TableId> next({table});
    while (!next.empty()) {
        const TableId at = next.front();
        next.pop();
        if (chosen.contains(at)) {
            std::vector<TableId> way;
            for (TableId step = came_from[at]; step >= 0 && step != table; step = came_from[step]) way.push_back(step);
            return way;
        }
        for (const auto& neighbour : schema.neighbours(at)) {
            if (came_from.try_emplace(neighbour.table, at).second) next.push(neighbour.table);
        }
    }
    return {};
}

/// Chooses tables, best first, while there is room for what they are not understood without; then more of their
/// columns.
class PartChoice {
public:
    PartChoice(const Schema& schema, Relevance relevance) : schema_(schema), relevance_(std::move(relevance)) {}

    /// Tables that are linked, and those between them.
    void add_linked_tables() {
        for (const TableId table : by_relevance()) add(table);
    }
    void add_neighbours() {
        const std::set<TableId> said = tables_;
        for (const TableId table : said) {
            for (const auto& neighbour : schema_.neighbours(table)) add(neighbour.table);
        }
    }
    /// The columns that are left, those of the best table first.
    void fill() {
        for (const ForeignKey& key : schema_.keys()) {
            if (!has_table_of(key.from) || !has_table_of(key.to)) continue;
            columns_.insert({key.from, key.to});
        }
        for (const TableId table : by_relevance()) {
            if (!tables_.contains(table)) continue;
            for (const ColumnId column : schema_.columns_of(table)) {
                if (columns_.size() < kPartColumnsMax) columns_.insert(column);
            }
        }
    }
    [[nodiscard]] const std::set<TableId>& tables() const { return tables_; }
    [[nodiscard]] const std::set<ColumnId>& columns() const { return columns_; }

private:
    [[nodiscard]] bool has_table_of(ColumnId column) const { return tables_.contains(schema_.table_of(column)); }

    /// Tables that have something to do with the question, best first.
    [[nodiscard]] std::vector<TableId> by_relevance() const {
        std::vector<TableId> order;
        for (std::size_t at = 0; at < relevance_.tables.size(); ++at) {
            if (relevance_.tables[at] > 0) order.push_back(static_cast<TableId>(at));
        }
        std::ranges::sort(order, [this](TableId left, TableId right) {
            const double difference = relevance_.tables[index_of(left)] - relevance_.tables[index_of(right)];
            return difference != 0 ? difference > 0 : left < right;
        });
        return order;
    }

    /// Its key, what its rows are called, and what is linked.
    [[nodiscard]] std::vector<ColumnId> needed_columns(TableId table) const {
        std::vector<ColumnId> needed;
        for (const ColumnId id : schema_.columns_of(table)) {
            const SchemaColumn& column = schema_.columns()[index_of(id)];
            const bool is_linked = relevance_.columns[index_of(id)] >= kNeededScore;
            if (column.is_primary || is_label(column) || is_linked) needed.push_back(id);
        }
        return needed;
    }

    void add(TableId table) {
        if (tables_.contains(table)) return;
        std::vector<TableId> more = tables_.empty() ? std::vector<TableId>() : between(tables_, table, schema_);
        more.push_back(table);
        std::set<ColumnId> columns = columns_;
        for (const TableId each : more) {
            for (const ColumnId column : needed_columns(each)) columns.insert(column);
        }
        // Each way between two tables needs a key.
        if (columns.size() + tables_.size() + more.size() > kPartColumnsMax && !tables_.empty()) return;
        columns_ = std::move(columns);
        tables_.insert(more.begin(), more.end());
    }

    const Schema& schema_;
    const Relevance relevance_;
    std::set<TableId> tables_;
    std::set<ColumnId> columns_;
};

SchemaPart part_with(const std::set<TableId>& tables, const std::set<ColumnId>& columns, const Schema& whole) {
    std::vector<SchemaTable> kept_tables;
    std::vector<SchemaColumn> kept_columns{whole.columns().front()};
    std::vector<TableId> table_ids;
    std::vector<ColumnId> column_ids{0};
    std::map<ColumnId, ColumnId> number;
    for (const TableId table : tables) {
        for (const ColumnId column : whole.columns_of(table)) {
            if (!columns.contains(column)) continue;
            number[column] = static_cast<ColumnId>(kept_columns.size());
            kept_columns.push_back(whole.columns()[index_of(column)]);
            kept_columns.back().table = static_cast<TableId>(kept_tables.size());
            column_ids.push_back(column);
        }
        kept_tables.push_back(whole.tables()[index_of(table)]);
        table_ids.push_back(table);
    }
    std::vector<ForeignKey> keys;
    for (const ForeignKey& key : whole.keys()) {
        if (number.contains(key.from) && number.contains(key.to)) keys.push_back({number[key.from], number[key.to]});
    }
    return {Schema(std::move(kept_tables), std::move(kept_columns), std::move(keys)), std::move(table_ids),
            std::move(column_ids)};
}

}  // namespace

std::vector<ValueHit> SchemaPart::hits(const std::vector<ValueHit>& all) const {
    std::vector<ValueHit> kept;
    for (const ValueHit& hit : all) {
        const auto place = std::ranges::find(columns, hit.column);
        if (place == columns.end()) continue;
        kept.push_back(hit);
        kept.back().column = static_cast<ColumnId>(place - columns.begin());
    }
    return kept;
}

std::vector<FormToken> SchemaPart::in_whole(std::vector<FormToken> tokens) const {
    for (FormToken& token : tokens) {
        if (token.kind == FormToken::Kind::column) token.value = columns[index_of(token.value)];
        if (token.kind == FormToken::Kind::table) token.value = tables[index_of(token.value)];
    }
    return tokens;
}

SchemaPart part_about(const LinkedQuestion& question, const Schema& schema) {
    if (schema.columns().size() > kPartColumnsMax) {
        PartChoice choice(schema, relevance_in(question, schema));
        choice.add_linked_tables();
        choice.fill();
        choice.add_neighbours();
        choice.fill();
        if (!choice.tables().empty()) return part_with(choice.tables(), choice.columns(), schema);
    }
    std::set<TableId> tables;
    std::set<ColumnId> columns;
    for (std::size_t at = 0; at < schema.tables().size(); ++at) tables.insert(static_cast<TableId>(at));
    for (std::size_t at = 1; at < schema.columns().size(); ++at) columns.insert(static_cast<ColumnId>(at));
    return part_with(tables, columns, schema);
}

}  // namespace quaestor::native
