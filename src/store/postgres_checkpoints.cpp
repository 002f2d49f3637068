#include "store/postgres_checkpoints.hpp"

#include "store/checks.hpp"
#include "store/materialise.hpp"
#include "store/postgres_values.hpp"
#include "store/prune_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace quaestor::store::postgres {

namespace {

using graph::Checkpoint;
using graph::CheckpointInfo;
using graph::CheckpointQuery;
using graph::Patch;
using graph::PendingWrite;
using graph::PruneQuery;
using graph::SavedCheckpoint;

constexpr Statement kPut{"put", R"sql(
INSERT INTO quaestor.checkpoints
    (thread_id, id, parent_id, is_snapshot, change, position, metadata, tags, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
ON CONFLICT (thread_id, id) DO UPDATE SET
    parent_id = excluded.parent_id, is_snapshot = excluded.is_snapshot, change = excluded.change,
    position = excluded.position, metadata = excluded.metadata, tags = excluded.tags, created_at = excluded.created_at
)sql"};

constexpr Statement kExists{"exists", "SELECT FROM quaestor.checkpoints WHERE thread_id = $1 AND id = $2"};

constexpr Statement kPutWrite{"put_write", R"sql(
INSERT INTO quaestor.writes (thread_id, checkpoint_id, task, kind, index, value)
SELECT thread_id, id, $3, $4, $5, $6 FROM quaestor.checkpoints WHERE thread_id = $1 AND id = $2
ON CONFLICT (thread_id, checkpoint_id, task, kind, index) DO UPDATE SET value = excluded.value
)sql"};

// The LIMIT inside makes every step one look into the primary key, whatever the planner thinks of the table's size.
constexpr Statement kChain{"chain", R"sql(
WITH RECURSIVE chain AS (
    SELECT 0 AS depth, id, parent_id, is_snapshot, change, position, metadata, created_at
    FROM quaestor.checkpoints
    WHERE thread_id = $1 AND id = coalesce($2, (
        SELECT id FROM quaestor.checkpoints WHERE thread_id = $1 ORDER BY seq DESC LIMIT 1))
  UNION ALL
    SELECT depth + 1, parent.id, parent.parent_id, parent.is_snapshot, parent.change, NULL, NULL, NULL
    FROM chain CROSS JOIN LATERAL (
        SELECT * FROM quaestor.checkpoints WHERE thread_id = $1 AND id = chain.parent_id LIMIT 1) parent
    WHERE NOT chain.is_snapshot AND depth < $3)
SELECT id, parent_id, is_snapshot, change, position, metadata, created_at, CASE depth WHEN 0 THEN (
    SELECT json_agg(json_build_object('task', task, 'kind', kind, 'index', index, 'value', value))
    FROM quaestor.writes WHERE thread_id = $1 AND checkpoint_id = chain.id) END
FROM chain ORDER BY depth
)sql"};

constexpr Statement kPlace{"place", "SELECT seq FROM quaestor.checkpoints WHERE thread_id = $1 AND id = $2"};

constexpr Statement kList{"list", R"sql(
SELECT thread_id, id, parent_id, is_snapshot, position, metadata, created_at
FROM quaestor.checkpoints WHERE tags @> $1 ORDER BY seq DESC LIMIT $2
)sql"};

constexpr Statement kListThread{"list_thread", R"sql(
SELECT thread_id, id, parent_id, is_snapshot, position, metadata, created_at
FROM quaestor.checkpoints WHERE tags @> $1 AND thread_id = $3 AND seq < coalesce($4, 9223372036854775807)
ORDER BY seq DESC LIMIT $2
)sql"};

constexpr Statement kDeleteThread{"delete_thread", "DELETE FROM quaestor.checkpoints WHERE thread_id = $1"};

constexpr Statement kCopyThread{"copy_thread", R"sql(
WITH place AS (
    SELECT EXISTS (SELECT FROM quaestor.checkpoints WHERE thread_id = $2) AS is_taken),
checkpoints AS (
    INSERT INTO quaestor.checkpoints
        (thread_id, id, parent_id, is_snapshot, change, position, metadata, tags, created_at)
    SELECT $2, id, parent_id, is_snapshot, change, position, metadata, tags, created_at
    FROM quaestor.checkpoints, place WHERE thread_id = $1 AND NOT is_taken ORDER BY seq RETURNING id),
writes AS (
    INSERT INTO quaestor.writes (thread_id, checkpoint_id, task, kind, index, value)
    SELECT $2, checkpoint_id, task, kind, index, value FROM quaestor.writes, place WHERE thread_id = $1 AND NOT is_taken)
SELECT EXISTS (SELECT FROM quaestor.checkpoints WHERE thread_id = $1), is_taken, (SELECT count(*) FROM checkpoints)
FROM place
)sql"};

constexpr Statement kLongThreads{"long_threads", R"sql(
SELECT thread_id FROM quaestor.checkpoints GROUP BY thread_id HAVING count(*) > $1
)sql"};

constexpr Statement kCandidates{"candidates", R"sql(
SELECT seq, id, parent_id, created_at FROM quaestor.checkpoints WHERE thread_id = $1 ORDER BY seq
)sql"};

constexpr Statement kDetach{"detach", R"sql(
UPDATE quaestor.checkpoints SET parent_id = '', is_snapshot = true, change = $2 WHERE seq = $1
)sql"};

constexpr Statement kRemove{"remove", "DELETE FROM quaestor.checkpoints WHERE seq = ANY ($1::bigint[])"};

/// A number in the form in which equal ones are written alike: as an integer where it is one.
json::value canonical(const json::value& value) {
    if (!value.is_double()) return value;
    const double number = value.get_double();
    if (std::trunc(number) != number) return value;
    if (number >= -0x1p63 && number < 0x1p63) return static_cast<std::int64_t>(number);
    if (number >= 0 && number < 0x1p64) return static_cast<std::uint64_t>(number);
    return value;
}

/// The part of metadata that a filter can ask for, so that jsonb's containment means what matches() means.
std::string tags_of(const json::object& metadata) {
    json::object tags;
    for (const auto& field : metadata) {
        if (!field.value().is_structured()) tags.emplace(field.key(), canonical(field.value()));
    }
    return to_text(std::move(tags));
}

/// Written in two parts: putting both objects into a third would copy those that live in another memory.
std::string text_of(Patch change) {
    return fmt::format(R"({{"set":{},"append":{}}})", to_text(std::move(change.set)),
                       to_text(std::move(change.append)));
}

Query put_query(Checkpoint checkpoint) {
    auto tags = tags_of(checkpoint.metadata);
    return {.statement = &kPut,
            .values = {std::move(checkpoint.thread_id), std::move(checkpoint.id), std::move(checkpoint.parent_id),
                       checkpoint.is_snapshot ? "t" : "f", text_of(std::move(checkpoint.change)),
                       to_text(checkpoint.position), to_text(std::move(checkpoint.metadata)), std::move(tags),
                       to_value(checkpoint.created_at)}};
}

/// The rows of kChain put together.
class Chain {
public:
    static Result<Chain> read(Connection& connection, const std::string& thread_id,
                              const std::optional<std::string>& id) {
        auto rows = connection.run(kChain, {thread_id, id, to_value(kChainMax)});
        if (!rows) return fail(rows.error());
        return Chain(std::move(*rows), thread_id);
    }

    [[nodiscard]] bool empty() const { return rows_.size() == 0; }

    [[nodiscard]] Result<json::object> state() const {
        std::vector<Patch> changes(rows_.size());
        std::vector<ChainLink> links;
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            auto change = read_column<Patch>(rows_.text(row, 3));
            if (!change) return fail(change.error());
            changes[row] = std::move(*change);
            links.push_back({.id = rows_.text(row, 0),
                             .parent_id = rows_.text(row, 1),
                             .is_snapshot = rows_.boolean(row, 2),
                             .change = &changes[row]});
        }
        return materialise(thread_id_, links);
    }

    [[nodiscard]] Result<SavedCheckpoint> checkpoint() const {
        auto state = this->state();
        if (!state) return fail(state.error());
        auto position = read_column<json::value>(rows_.text(0, 4));
        if (!position) return fail(position.error());
        auto metadata = read_column<json::object>(rows_.text(0, 5));
        if (!metadata) return fail(metadata.error());
        auto writes = read_writes();
        if (!writes) return fail(writes.error());
        return SavedCheckpoint{.thread_id = thread_id_,
                               .id = std::string(rows_.text(0, 0)),
                               .parent_id = std::string(rows_.text(0, 1)),
                               .state = std::move(*state),
                               .position = std::move(*position),
                               .metadata = std::move(*metadata),
                               .created_at = to_time(rows_.integer(0, 6)),
                               .writes = std::move(*writes)};
    }

private:
    Chain(Rows rows, std::string thread_id) : rows_(std::move(rows)), thread_id_(std::move(thread_id)) {}

    [[nodiscard]] Result<std::vector<PendingWrite>> read_writes() const {
        if (rows_.is_null(0, 7)) return std::vector<PendingWrite>{};
        auto writes = read_column<std::vector<PendingWrite>>(rows_.text(0, 7));
        if (writes) {
            std::ranges::sort(
                *writes, {}, [](const PendingWrite& write) { return std::tuple(write.task, write.kind, write.index); });
        }
        return writes;
    }

    Rows rows_;
    std::string thread_id_;
};

Result<CheckpointInfo> read_info(const Rows& rows, std::size_t row) {
    auto position = read_column<json::value>(rows.text(row, 4));
    if (!position) return fail(position.error());
    auto metadata = read_column<json::object>(rows.text(row, 5));
    if (!metadata) return fail(metadata.error());
    return CheckpointInfo{.thread_id = std::string(rows.text(row, 0)),
                          .id = std::string(rows.text(row, 1)),
                          .parent_id = std::string(rows.text(row, 2)),
                          .is_snapshot = rows.boolean(row, 3),
                          .position = std::move(*position),
                          .metadata = std::move(*metadata),
                          .created_at = to_time(rows.integer(row, 6))};
}

Result<Rows> find_matching(Connection& connection, const CheckpointQuery& query) {
    Values values{tags_of(query.metadata), to_value(query.limit)};
    if (!query.thread_id) return connection.run(kList, values);
    values.emplace_back(*query.thread_id);
    values.emplace_back(std::nullopt);
    if (query.before) {
        const auto place = connection.run(kPlace, {*query.thread_id, *query.before});
        if (!place) return fail(place.error());
        if (place->size() == 0) return no_such_checkpoint(*query.thread_id, *query.before);
        values.back() = std::string(place->text(0, 0));
    }
    return connection.run(kListThread, values);
}

Result<std::vector<CheckpointInfo>> list_matching(Connection& connection, const CheckpointQuery& query) {
    const auto rows = find_matching(connection, query);
    if (!rows) return fail(rows.error());
    std::vector<CheckpointInfo> infos;
    for (std::size_t row = 0; row < rows->size(); ++row) {
        auto info = read_info(*rows, row);
        if (!info) return fail(info.error());
        infos.push_back(std::move(*info));
    }
    return infos;
}

/// Other processes may write, and prune, the same thread meanwhile: what they add is not in the plan, and what they
/// removed is not removed again.
Result<std::size_t> prune_thread(Connection& connection, const std::string& thread_id, const PruneQuery& query) {
    const auto rows = connection.run(kCandidates, {thread_id});
    if (!rows) return fail(rows.error());
    std::vector<PruneCandidate> candidates;
    for (std::size_t row = 0; row < rows->size(); ++row) {
        candidates.push_back(
            {.id = rows->text(row, 1), .parent_id = rows->text(row, 2), .created_at = to_time(rows->integer(row, 3))});
    }
    const PrunePlan plan = plan_prune(candidates, query);
    if (plan.remove.empty()) return 0;

    std::vector<Query> queries;
    for (const std::size_t place : plan.detach) {
        const auto chain = Chain::read(connection, thread_id, std::string(candidates[place].id));
        if (!chain) return fail(chain.error());
        if (chain->empty()) continue;
        auto state = chain->state();
        if (!state) return fail(state.error());
        queries.push_back(
            {.statement = &kDetach,
             .values = {std::string(rows->text(place, 0)), text_of({.set = std::move(*state), .append = {}})}});
    }
    std::vector<std::int64_t> removed;
    for (const std::size_t place : plan.remove) removed.push_back(rows->integer(place, 0));
    queries.push_back({.statement = &kRemove, .values = {fmt::format("{{{}}}", fmt::join(removed, ","))}});
    const auto done = connection.run_together(queries);
    if (!done) return fail(done.error().error);
    return done->back().affected();
}

Result<std::vector<std::string>> threads_to_prune(Connection& connection, const PruneQuery& query) {
    if (query.thread_id) return std::vector{*query.thread_id};
    const auto rows = connection.run(kLongThreads, {to_value(query.keep_last)});
    if (!rows) return fail(rows.error());
    std::vector<std::string> threads;
    for (std::size_t row = 0; row < rows->size(); ++row) threads.emplace_back(rows->text(row, 0));
    return threads;
}

}  // namespace

Task<Result<>> Checkpoints::put(Checkpoint checkpoint) {
    if (auto valid = check(checkpoint); !valid) co_return valid;
    co_return co_await database_.write(
        [checkpoint = std::move(checkpoint)]() mutable { return std::vector{put_query(std::move(checkpoint))}; });
}

Task<Result<>> Checkpoints::put_all(std::vector<Checkpoint> checkpoints) {
    for (const auto& checkpoint : checkpoints) {
        if (auto valid = check(checkpoint); !valid) co_return valid;
    }
    co_return co_await database_.write([checkpoints = std::move(checkpoints)]() mutable {
        std::vector<Query> made;
        made.reserve(checkpoints.size());
        for (auto& checkpoint : checkpoints) made.push_back(put_query(std::move(checkpoint)));
        return made;
    });
}

Task<Result<>> Checkpoints::put_writes(std::string thread_id, std::string checkpoint_id,
                                       std::vector<PendingWrite> writes) {
    if (auto valid = check_id("thread_id", thread_id); !valid) co_return valid;
    if (auto valid = check_id("checkpoint id", checkpoint_id); !valid) co_return valid;
    if (auto valid = check(writes); !valid) co_return valid;
    auto queries = [thread_id, checkpoint_id, writes = std::move(writes)] {
        std::vector<Query> made{{.statement = &kExists, .values = {thread_id, checkpoint_id}}};
        for (const auto& write : writes) {
            made.push_back({.statement = &kPutWrite,
                            .values = {thread_id, checkpoint_id, std::to_string(write.task), name_of(write.kind),
                                       std::to_string(write.index), to_text(write.value)}});
        }
        return made;
    };
    co_return co_await database_.write(std::move(queries), [=](std::span<const Rows> rows) -> Result<> {
        if (rows.front().size() == 0) return no_such_checkpoint(thread_id, checkpoint_id);
        return {};
    });
}

Task<Result<std::optional<SavedCheckpoint>>> Checkpoints::get(std::string thread_id, std::optional<std::string> id) {
    if (auto valid = check_id("thread_id", thread_id); !valid) co_return fail(valid.error());
    if (auto valid = id ? check_id("checkpoint id", *id) : Result<>{}; !valid) co_return fail(valid.error());
    co_return co_await database_.read([=](Connection& connection) -> Result<std::optional<SavedCheckpoint>> {
        const auto chain = Chain::read(connection, thread_id, id);
        if (!chain) return fail(chain.error());
        if (chain->empty()) return std::nullopt;
        return chain->checkpoint();
    });
}

Task<Result<std::vector<CheckpointInfo>>> Checkpoints::list(CheckpointQuery query) {
    if (auto valid = check(query); !valid) co_return fail(valid.error());
    co_return co_await database_.read(
        [query = std::move(query)](Connection& connection) { return list_matching(connection, query); });
}

Task<Result<std::size_t>> Checkpoints::delete_thread(std::string thread_id) {
    if (auto valid = check_id("thread_id", thread_id); !valid) co_return fail(valid.error());
    co_return co_await database_.write(
        [=] { return std::vector{Query{.statement = &kDeleteThread, .values = {thread_id}}}; },
        [](std::span<const Rows> rows) { return Result<std::size_t>(rows.front().affected()); });
}

Task<Result<std::size_t>> Checkpoints::copy_thread(std::string from, std::string to) {
    if (auto valid = check_id("thread_id", from); !valid) co_return fail(valid.error());
    if (auto valid = check_id("thread_id", to); !valid) co_return fail(valid.error());
    co_return co_await database_.write(
        [=] { return std::vector{Query{.statement = &kCopyThread, .values = {from, to}}}; },
        [=](std::span<const Rows> rows) -> Result<std::size_t> {
            const Rows& answer = rows.front();
            if (!answer.boolean(0, 0)) return no_such_thread(from);
            if (answer.boolean(0, 1)) return thread_exists(to);
            return static_cast<std::size_t>(answer.integer(0, 2));
        });
}

Task<Result<std::size_t>> Checkpoints::prune(PruneQuery query) {
    if (auto valid = check(query); !valid) co_return fail(valid.error());
    // `removed` counts on when the connection is lost half-way and the work begins again.
    co_return co_await database_.read(
        [query = std::move(query), removed = std::size_t{0}](Connection& connection) mutable -> Result<std::size_t> {
            const auto threads = threads_to_prune(connection, query);
            if (!threads) return fail(threads.error());
            for (const auto& thread_id : *threads) {
                const auto pruned = prune_thread(connection, thread_id, query);
                if (!pruned) return pruned;
                removed += *pruned;
            }
            return removed;
        });
}

}  // namespace quaestor::store::postgres
