#include "native/characters.hpp"
#include "native/reading/knowledge.hpp"
#include "resilience/with_deadline.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace quaestor::native {

namespace {

using SharedKnowledge = std::shared_ptr<const Knowledge>;

/// Columns whose values are looked at at the same time, and how long one may take.
constexpr std::size_t kLookersMax = 2;
constexpr std::chrono::milliseconds kColumnTimeMax{3'000};

/// Whether questions may name values of a column: texts, and what has no kind of its own, as enums.
bool holds_names(const data::CatalogColumn& column) {
    using data::ValueKind;
    if (column.kind != ValueKind::text && column.kind != ValueKind::other) return false;
    return column.distinct.value_or(0) <= static_cast<std::int64_t>(kValuesPerColumnMax);
}

/// A column, where it is, and what was found in it.
struct LookedAt {
    ColumnId column = 0;
    std::string sql;
    std::vector<std::string> values;
    bool is_whole = false;
};

std::vector<LookedAt> columns_to_look_at(const data::Catalog& catalog) {
    std::vector<LookedAt> columns;
    ColumnId id = 0;
    for (const data::CatalogTable& table : catalog.tables) {
        for (const data::CatalogColumn& column : table.columns) {
            ++id;
            if (!holds_names(column)) continue;
            const std::string name = data::quote_name(column.name);
            columns.push_back({.column = id,
                               .sql = fmt::format("SELECT DISTINCT {0} FROM {1} WHERE {0} IS NOT NULL LIMIT {2}", name,
                                                  data::quote_name(table.schema, table.name), kValuesPerColumnMax + 1),
                               .values = {}});
        }
    }
    return columns;
}

/// Looks at columns until none is left or its time is over. What cannot be looked at stays unknown.
class ValueLearner {
public:
    ValueLearner(data::Source& source, std::vector<LookedAt> columns, Deadline deadline, CancelToken cancel)
        : source_(source), columns_(std::move(columns)), deadline_(deadline), cancel_(std::move(cancel)) {}

    Task<> look() {
        while (next_ < columns_.size() && !cancel_.cancelled() && !deadline_.expired(system_clock())) {
            LookedAt& column = columns_[next_++];
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_.left(system_clock()));
            const data::QueryLimits limits{.rows = kValuesPerColumnMax + 1, .timeout = std::min(kColumnTimeMax, left)};
            if (const auto found = co_await source_.query(column.sql, limits, cancel_)) take(column, *found);
        }
    }

    [[nodiscard]] const std::vector<LookedAt>& columns() const { return columns_; }

private:
    static void take(LookedAt& column, const data::ResultSet& found) {
        if (found.columns.size() != 1 || found.row_count > kValuesPerColumnMax) return;
        column.is_whole = !found.truncated;
        for (std::size_t row = 0; row < found.row_count; ++row) {
            column.values.push_back(found.columns[0].text(row));
            column.is_whole = column.is_whole && count_points(column.values.back()) <= kValueCharactersMax;
        }
    }

    data::Source& source_;
    std::vector<LookedAt> columns_;
    Deadline deadline_;
    CancelToken cancel_;
    std::size_t next_ = 0;
};

Task<> look_side_by_side(ValueLearner& learner) {
    const auto executor = co_await asio::this_coro::executor;
    const auto look = [&] { return asio::co_spawn(executor, learner.look(), asio::deferred); };
    std::vector<decltype(look())> lookers;
    for (std::size_t count = 0; count < kLookersMax; ++count) lookers.push_back(look());
    auto [order, thrown] = co_await asio::experimental::make_parallel_group(std::move(lookers))
                               .async_wait(asio::experimental::wait_for_all(), asio::use_awaitable);
    for (const auto& error : thrown) {
        if (error) std::rethrow_exception(error);
    }
}

}  // namespace

Task<Result<SharedKnowledge>> learn(data::Source& source, CancelToken cancel) {
    const Deadline deadline = Deadline::after(system_clock(), kLearningTimeMax);
    const auto catalog = co_await with_deadline(system_clock(), deadline, cancel, "looking at the tables",
                                                source.catalog_within(kCatalogTimeMax));
    if (!catalog) co_return fail(catalog.error());
    if (!*catalog) co_return fail(catalog->error());

    ValueLearner learner(source, columns_to_look_at(***catalog), deadline, cancel);
    co_await look_side_by_side(learner);
    if (cancel.cancelled()) co_return fail(cancel.error());
    ValueIndex values;
    std::vector<ColumnId> whole_columns;
    for (const LookedAt& column : learner.columns()) {
        for (const std::string& value : column.values) values.add(column.column, value);
        if (column.is_whole) whole_columns.push_back(column.column);
    }
    co_return std::make_shared<const Knowledge>(**catalog, std::move(values), std::move(whole_columns));
}

}  // namespace quaestor::native
