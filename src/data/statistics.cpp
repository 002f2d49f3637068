#include "data/statistics.hpp"

#include "data/timed_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <span>

namespace quaestor::data {

namespace {

/// Columns that one query looks at; a table of thousands is looked at in several.
constexpr std::size_t kColumnsPerQuery = 100;
/// Rows that samples are taken from.
constexpr std::size_t kSampledRows = 2'000;
constexpr std::size_t kSamples = 5;
constexpr std::size_t kSampleBytesMax = 80;
/// Counting different values exactly is dear; beyond so many rows only these many are looked at, where the engine has
/// no way of estimating.
constexpr std::int64_t kCountedRowsMax = 200'000;
/// So that one huge table does not keep the others waiting.
constexpr QueryLimits kSampleLimits{
    .rows = kSampledRows, .bytes = std::size_t{32} << 20, .timeout = std::chrono::seconds(10)};
/// Tables between two calls of publish.
constexpr std::size_t kTablesPerPublish = 20;

bool is_comparable(ValueKind kind) {
    return kind != ValueKind::blob && kind != ValueKind::list && kind != ValueKind::structure &&
           kind != ValueKind::other;
}

/// The smallest and largest text say little.
bool has_range(ValueKind kind) {
    return is_comparable(kind) && kind != ValueKind::text && kind != ValueKind::boolean;
}

class TableStatistics {
public:
    TableStatistics(Engine& engine, CatalogTable& table, const CancelToken& stop)
        : engine_(engine), table_(table), stop_(stop), from_(quote_name(table.schema, table.name)) {}

    void collect() {
        count_rows();
        for (std::size_t begin = 0; begin < table_.columns.size() && !stop_.cancelled(); begin += kColumnsPerQuery) {
            const std::size_t count = std::min(kColumnsPerQuery, table_.columns.size() - begin);
            const std::span columns = std::span(table_.columns).subspan(begin, count);
            if (!measure(columns)) measure_one_by_one(columns);
            sample(columns);
        }
    }

private:
    Result<ResultSet> run(const std::string& sql) { return run_in_time(engine_, sql, kSampleLimits, stop_); }

    void count_rows() {
        const auto counted = run("SELECT count(*) FROM " + from_);
        if (counted && counted->row_count == 1) {
            if (const auto rows = counted->columns[0].number(0)) table_.rows = static_cast<std::int64_t>(*rows);
        }
    }

    /// Four values a column: how many are there, how many differ, the smallest, the largest.
    bool measure(std::span<CatalogColumn> columns) {
        std::string wanted;
        for (const auto& column : columns) {
            const auto name = quote_name(column.name);
            wanted += fmt::format("{}count({}), {}, {}, {}", wanted.empty() ? "" : ", ", name, distinct(column, name),
                                  has_range(column.kind) ? fmt::format("min({})", name) : "NULL",
                                  has_range(column.kind) ? fmt::format("max({})", name) : "NULL");
        }
        const auto measured = run(fmt::format("SELECT {} FROM {}", wanted, from_));
        if (!measured || measured->row_count != 1) return false;
        for (std::size_t i = 0; i < columns.size(); ++i)
            take(columns[i], std::span(measured->columns).subspan(4 * i, 4));
        return true;
    }

    /// One column of a type that the engine cannot compare must not hide the others.
    void measure_one_by_one(std::span<CatalogColumn> columns) {
        for (auto& column : columns) {
            if (stop_.cancelled()) return;
            measure(std::span(&column, 1));
        }
    }

    [[nodiscard]] std::string distinct(const CatalogColumn& column, const std::string& name) const {
        if (!is_comparable(column.kind)) return "NULL";
        if (table_.rows.value_or(0) <= kCountedRowsMax) return fmt::format("count(DISTINCT {})", name);
        if (engine_.dialect() == Dialect::duckdb) return fmt::format("approx_count_distinct({})", name);
        return fmt::format("(SELECT count(DISTINCT {0}) FROM (SELECT {0} FROM {1} LIMIT {2}) AS some_rows)", name,
                           from_, kCountedRowsMax);
    }

    void take(CatalogColumn& column, std::span<const ResultColumn> values) {
        const auto there = values[0].number(0);
        if (there && table_.rows) column.nulls = *table_.rows - static_cast<std::int64_t>(*there);
        if (const auto count = values[1].number(0)) {
            // An estimate may be larger than what it estimates.
            column.distinct =
                std::min(static_cast<std::int64_t>(*count), static_cast<std::int64_t>(there.value_or(*count)));
        }
        if (!values[2].is_null(0)) column.min = values[2].text(0);
        if (!values[3].is_null(0)) column.max = values[3].text(0);
    }

    void sample(std::span<CatalogColumn> columns) {
        std::string wanted;
        std::vector<CatalogColumn*> sampled;
        for (auto& column : columns) {
            if (!is_comparable(column.kind)) continue;
            sampled.push_back(&column);
            wanted += (wanted.empty() ? "" : ", ") + quote_name(column.name);
        }
        if (sampled.empty()) return;
        const auto rows = run(fmt::format("SELECT {} FROM {} LIMIT {}", wanted, from_, kSampledRows));
        if (!rows) return;
        for (std::size_t i = 0; i < sampled.size(); ++i) {
            sampled[i]->samples = frequent_values(rows->columns[i], rows->row_count);
        }
    }

    /// The most frequent values, those that come first in the table before others.
    static std::vector<std::string> frequent_values(const ResultColumn& column, std::size_t rows) {
        struct Seen {
            std::size_t first_row = 0;
            std::size_t times = 0;
        };
        std::map<std::string, Seen> seen;
        for (std::size_t row = 0; row < rows; ++row) {
            if (column.is_null(row)) continue;
            auto value = column.text(row);
            if (value.size() > kSampleBytesMax) continue;
            const auto place = seen.try_emplace(std::move(value), Seen{row, 0}).first;
            ++place->second.times;
        }
        std::vector<std::pair<std::string, Seen>> values(seen.begin(), seen.end());
        std::ranges::sort(values, [](const auto& left, const auto& right) {
            return std::pair(right.second.times, left.second.first_row) <
                   std::pair(left.second.times, right.second.first_row);
        });
        std::vector<std::string> frequent;
        for (const auto& value : values | std::views::take(kSamples)) frequent.push_back(value.first);
        return frequent;
    }

    Engine& engine_;
    CatalogTable& table_;
    const CancelToken& stop_;
    const std::string from_;
};

}  // namespace

Result<> add_statistics(Engine& engine, Catalog& catalog, const CancelToken& stop,
                        const std::function<void(const Catalog&)>& publish) {
    std::size_t done = 0;
    for (auto& table : catalog.tables) {
        if (stop.cancelled()) return fail(stop.error());
        TableStatistics(engine, table, stop).collect();
        if (++done % kTablesPerPublish == 0) publish(catalog);
    }
    if (stop.cancelled()) return fail(stop.error());
    return {};
}

}  // namespace quaestor::data
