#include "native/reading/schema_part.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <set>

namespace quaestor::native {

namespace {

std::size_t index_of(int id) {
    return static_cast<std::size_t>(id);
}

/// How much each table has to do with the question: for each word the best link counts, once for each table.
std::vector<double> table_scores(const LinkedQuestion& question, const Schema& schema) {
    std::map<std::pair<std::size_t, TableId>, double> by_word;
    for (const Link& link : question.links) {
        const TableId table = link.table >= 0 ? link.table : link.column > 0 ? schema.table_of(link.column) : -1;
        if (table < 0) continue;
        // A table that is named is what is asked about; columns of that name may be anywhere.
        const double weight = link.kind == LinkKind::table ? 2 : 1;
        for (std::size_t word = link.first; word <= link.last; ++word) {
            double& best = by_word[{word, table}];
            best = std::max(best, weight * link.score);
        }
    }
    std::vector<double> scores(schema.tables().size());
    for (const auto& [place, score] : by_word) scores[index_of(place.second)] += score;
    return scores;
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

/// Chooses tables, best first, while there is room for their columns.
class TableChoice {
public:
    explicit TableChoice(const Schema& schema) : schema_(schema) {}

    void add(TableId table) {
        if (chosen_.contains(table)) return;
        std::vector<TableId> more = chosen_.empty() ? std::vector<TableId>() : between(chosen_, table, schema_);
        more.push_back(table);
        std::size_t columns = columns_;
        for (const TableId each : more) columns += schema_.columns_of(each).size();
        if (columns > kPartColumnsMax && !chosen_.empty()) return;
        columns_ = columns;
        chosen_.insert(more.begin(), more.end());
    }
    [[nodiscard]] const std::set<TableId>& tables() const { return chosen_; }

private:
    const Schema& schema_;
    std::set<TableId> chosen_;
    std::size_t columns_ = 0;
};

std::set<TableId> tables_about(const LinkedQuestion& question, const Schema& schema) {
    const auto scores = table_scores(question, schema);
    std::vector<TableId> order;
    for (std::size_t at = 0; at < scores.size(); ++at) {
        if (scores[at] > 0) order.push_back(static_cast<TableId>(at));
    }
    std::ranges::sort(order, [&](TableId left, TableId right) {
        const double difference = scores[index_of(left)] - scores[index_of(right)];
        return difference != 0 ? difference > 0 : left < right;
    });
    TableChoice choice(schema);
    for (const TableId table : order) choice.add(table);
    const std::set<TableId> said = choice.tables();
    for (const TableId table : said) {
        for (const auto& neighbour : schema.neighbours(table)) choice.add(neighbour.table);
    }
    return choice.tables();
}

SchemaPart part_with(const std::set<TableId>& tables, const Schema& whole) {
    std::vector<SchemaTable> kept_tables;
    std::vector<SchemaColumn> kept_columns{whole.columns().front()};
    std::vector<TableId> table_ids;
    std::vector<ColumnId> column_ids{0};
    std::map<ColumnId, ColumnId> number;
    for (const TableId table : tables) {
        for (const ColumnId column : whole.columns_of(table)) {
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
    std::set<TableId> tables;
    if (schema.columns().size() > kPartColumnsMax) tables = tables_about(question, schema);
    if (tables.empty()) {
        for (std::size_t at = 0; at < schema.tables().size(); ++at) tables.insert(static_cast<TableId>(at));
    }
    return part_with(tables, schema);
}

}  // namespace quaestor::native
