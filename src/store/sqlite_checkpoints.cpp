#include "store/sqlite_checkpoints.hpp"

#include "store/checks.hpp"
#include "store/materialise.hpp"
#include "store/prune_plan.hpp"
#include "store/sqlite_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

namespace quaestor::store::sqlite {

using graph::Checkpoint;
using graph::CheckpointInfo;
using graph::CheckpointQuery;
using graph::Patch;
using graph::PendingWrite;
using graph::PruneQuery;
using graph::SavedCheckpoint;

namespace {

std::string title_of(std::string_view thread_id, std::string_view id) {
    return fmt::format("checkpoint {} of thread {}", id, thread_id);
}

Result<Patch> read_change(std::string_view what, std::string_view text) {
    auto value = read_json_object(what, text);
    if (!value) return fail(value.error());
    Patch change;
    for (auto [key, part] : {std::pair("set", &change.set), std::pair("append", &change.append)}) {
        json::value* stored = value->if_contains(key);
        if (stored == nullptr) continue;
        if (!stored->is_object())
            return fail(Code::corrupt, fmt::format("the change of {} makes no sense", what), kDamaged);
        *part = std::move(stored->get_object());
    }
    return change;
}

/// A link of a chain with the texts and the change that it points to.
struct StoredLink {
    std::string id;
    std::string parent_id;
    bool is_snapshot = false;
    Patch change;

    [[nodiscard]] ChainLink view() const {
        return {.id = id, .parent_id = parent_id, .is_snapshot = is_snapshot, .change = &change};
    }
};

/// Reads the checkpoint `id` and what it stands on, as far as materialise() needs it.
Result<std::vector<StoredLink>> read_chain(Database& database, const std::string& thread_id, std::string id) {
    std::vector<StoredLink> chain;
    while (chain.size() <= kChainMax) {
        Query query(database, "SELECT parent_id, is_snapshot, change FROM checkpoints WHERE thread_id = ?1 AND id = ?2",
                    thread_id, id);
        const auto found = query.next();
        if (!found) return fail(found.error());
        if (!*found) break;
        auto change = read_change(title_of(thread_id, id), query.text(2));
        if (!change) return fail(change.error());
        chain.push_back({.id = std::move(id),
                         .parent_id = std::string(query.text(0)),
                         .is_snapshot = query.integer(1) != 0,
                         .change = std::move(*change)});
        if (!needs_parent(chain.back().view())) break;
        id = chain.back().parent_id;
    }
    return chain;
}

Result<json::object> read_state(Database& database, const std::string& thread_id, const std::string& id) {
    const auto chain = read_chain(database, thread_id, id);
    if (!chain) return fail(chain.error());
    if (chain->empty()) {
        // It was there a moment ago, in the same transaction, found by another index.
        return fail(Code::corrupt, fmt::format("{} is not where it ought to be", title_of(thread_id, id)), kDamaged);
    }
    std::vector<ChainLink> links;
    links.reserve(chain->size());
    for (const StoredLink& link : *chain) links.push_back(link.view());
    return materialise(thread_id, links);
}

Result<std::vector<PendingWrite>> read_writes(Database& database, std::int64_t checkpoint, std::string_view what) {
    std::vector<PendingWrite> writes;
    Query query(database, "SELECT task, kind, place, value FROM writes WHERE checkpoint = ?1", checkpoint);
    const auto read = query.for_each([&]() -> Result<> {
        const auto kind = read_name<PendingWrite::Kind>(what, query.text(1));
        if (!kind) return fail(kind.error());
        auto value = read_json(what, query.text(3));
        if (!value) return fail(value.error());
        writes.push_back(
            {.task = query.integer(0), .kind = *kind, .index = query.integer(2), .value = std::move(*value)});
        return {};
    });
    if (!read) return fail(read.error());
    std::ranges::sort(writes, {},
                      [](const PendingWrite& write) { return std::tuple(write.task, write.kind, write.index); });
    return writes;
}

/// The checkpoint's place in the order of storing, if it is there.
Result<std::optional<std::int64_t>> find(Database& database, const std::string& thread_id, const std::string& id) {
    Query query(database, "SELECT seq FROM checkpoints WHERE thread_id = ?1 AND id = ?2", thread_id, id);
    const auto found = query.next();
    if (!found) return fail(found.error());
    return *found ? std::optional(query.integer(0)) : std::nullopt;
}

Result<bool> has_checkpoints(Database& database, const std::string& thread_id) {
    return Query(database, "SELECT 1 FROM checkpoints WHERE thread_id = ?1 LIMIT 1", thread_id).next();
}

/// A row of `SELECT thread_id, id, parent_id, is_snapshot, position, created_at`, beside its metadata.
Result<CheckpointInfo> read_info(const Query& row, json::object metadata) {
    auto position = read_json(title_of(row.text(0), row.text(1)), row.text(4));
    if (!position) return fail(position.error());
    return CheckpointInfo{.thread_id = std::string(row.text(0)),
                          .id = std::string(row.text(1)),
                          .parent_id = std::string(row.text(2)),
                          .is_snapshot = row.integer(3) != 0,
                          .position = std::move(*position),
                          .metadata = std::move(metadata),
                          .created_at = row.time(5)};
}

/// What pruning needs of a checkpoint.
struct Outline {
    std::int64_t seq = 0;
    std::string id;
    std::string parent_id;
    WallTime created_at;
};

/// All of a thread, oldest first.
Result<std::vector<Outline>> read_outlines(Database& database, const std::string& thread_id) {
    std::vector<Outline> outlines;
    Query query(database, "SELECT seq, id, parent_id, created_at FROM checkpoints WHERE thread_id = ?1 ORDER BY seq",
                thread_id);
    const auto read = query.for_each([&]() -> Result<> {
        outlines.push_back({.seq = query.integer(0),
                            .id = std::string(query.text(1)),
                            .parent_id = std::string(query.text(2)),
                            .created_at = query.time(3)});
        return {};
    });
    if (!read) return fail(read.error());
    return outlines;
}

Result<std::vector<std::string>> all_threads(Database& database) {
    std::vector<std::string> threads;
    Query query(database, "SELECT DISTINCT thread_id FROM checkpoints");
    const auto read = query.for_each([&]() -> Result<> {
        threads.emplace_back(query.text(0));
        return {};
    });
    if (!read) return fail(read.error());
    return threads;
}

/// Makes a checkpoint a snapshot that needs nothing before it.
Result<> detach(Database& database, const std::string& thread_id, const Outline& checkpoint) {
    auto state = read_state(database, thread_id, checkpoint.id);
    if (!state) return fail(state.error());
    const json::value change{{"set", std::move(*state)}};
    return Query(database, "UPDATE checkpoints SET parent_id = '', is_snapshot = 1, change = ?2 WHERE seq = ?1",
                 checkpoint.seq, to_text(change))
        .run();
}

Result<std::size_t> prune_thread(Database& database, const std::string& thread_id, const PruneQuery& query) {
    const auto outlines = read_outlines(database, thread_id);
    if (!outlines) return fail(outlines.error());
    std::vector<PruneCandidate> candidates;
    for (const Outline& outline : *outlines) {
        candidates.push_back({.id = outline.id, .parent_id = outline.parent_id, .created_at = outline.created_at});
    }
    const PrunePlan plan = plan_prune(candidates, query);
    for (const std::size_t place : plan.detach) {
        if (auto done = detach(database, thread_id, (*outlines)[place]); !done) return fail(done.error());
    }
    for (const std::size_t place : plan.remove) {
        Query remove(database, "DELETE FROM checkpoints WHERE seq = ?1", (*outlines)[place].seq);
        if (auto done = remove.run(); !done) return fail(done.error());
    }
    return plan.remove.size();
}

}  // namespace

CheckpointRow::CheckpointRow(Checkpoint given)
    : checkpoint(std::move(given)),
      set(std::move(checkpoint.change.set)),
      append(std::move(checkpoint.change.append)),
      metadata(std::move(checkpoint.metadata)) {}

Result<> put_checkpoint(Database& database, const CheckpointRow& row) {
    const Checkpoint& checkpoint = row.checkpoint;
    const auto change = fmt::format(R"({{"set":{},"append":{}}})", to_text(row.set), to_text(row.append));
    return Query(database, R"sql(
        INSERT INTO checkpoints (thread_id, id, parent_id, is_snapshot, change, position, metadata, created_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
        ON CONFLICT (thread_id, id) DO UPDATE SET
            parent_id = excluded.parent_id, is_snapshot = excluded.is_snapshot, change = excluded.change,
            position = excluded.position, metadata = excluded.metadata, created_at = excluded.created_at)sql",
                 checkpoint.thread_id, checkpoint.id, checkpoint.parent_id, checkpoint.is_snapshot, change,
                 to_text(checkpoint.position), to_text(row.metadata), checkpoint.created_at)
        .run();
}

Result<> put_writes(Database& database, const std::string& thread_id, const std::string& checkpoint_id,
                    const std::vector<PendingWrite>& writes) {
    const auto checkpoint = find(database, thread_id, checkpoint_id);
    if (!checkpoint) return fail(checkpoint.error());
    if (!*checkpoint) return no_such_checkpoint(thread_id, checkpoint_id);
    for (const PendingWrite& write : writes) {
        Query query(database, R"sql(
            INSERT INTO writes (checkpoint, task, kind, place, value) VALUES (?1, ?2, ?3, ?4, ?5)
            ON CONFLICT (checkpoint, task, kind, place) DO UPDATE SET value = excluded.value)sql",
                    **checkpoint, write.task, name_of(write.kind), write.index, to_text(write.value));
        if (auto done = query.run(); !done) return done;
    }
    return {};
}

Result<std::optional<SavedCheckpoint>> get_checkpoint(Database& database, const std::string& thread_id,
                                                      const std::optional<std::string>& id) {
    Query query(database,
                id ? R"sql(
        SELECT thread_id, id, parent_id, is_snapshot, position, created_at, metadata, seq
        FROM checkpoints WHERE thread_id = ?1 AND id = ?2)sql"
                   : R"sql(
        SELECT thread_id, id, parent_id, is_snapshot, position, created_at, metadata, seq
        FROM checkpoints WHERE thread_id = ?1 AND ?2 IS NULL ORDER BY seq DESC LIMIT 1)sql",
                thread_id, id);
    const auto found = query.next();
    if (!found) return fail(found.error());
    if (!*found) return std::nullopt;

    const std::string name = title_of(thread_id, query.text(1));
    auto metadata = read_json_object(name, query.text(6));
    if (!metadata) return fail(metadata.error());
    auto info = read_info(query, std::move(*metadata));
    if (!info) return fail(info.error());
    auto writes = read_writes(database, query.integer(7), name);
    if (!writes) return fail(writes.error());
    auto state = read_state(database, thread_id, info->id);
    if (!state) return fail(state.error());
    return SavedCheckpoint{.thread_id = std::move(info->thread_id),
                           .id = std::move(info->id),
                           .parent_id = std::move(info->parent_id),
                           .state = std::move(*state),
                           .position = std::move(info->position),
                           .metadata = std::move(info->metadata),
                           .created_at = info->created_at,
                           .writes = std::move(*writes)};
}

Result<std::vector<CheckpointInfo>> list_checkpoints(Database& database, const CheckpointQuery& query) {
    std::int64_t end = std::numeric_limits<std::int64_t>::max();
    if (query.before) {
        const auto found = find(database, *query.thread_id, *query.before);
        if (!found) return fail(found.error());
        if (!*found) return no_such_checkpoint(*query.thread_id, *query.before);
        end = **found;
    }
    std::vector<CheckpointInfo> infos;
    Query rows(database,
               query.thread_id ? R"sql(
        SELECT thread_id, id, parent_id, is_snapshot, position, created_at, metadata FROM checkpoints
        WHERE thread_id = ?1 AND seq < ?2 ORDER BY seq DESC)sql"
                               : R"sql(
        SELECT thread_id, id, parent_id, is_snapshot, position, created_at, metadata FROM checkpoints
        WHERE ?1 IS NULL AND seq < ?2 ORDER BY seq DESC)sql",
               query.thread_id, end);
    // The filter is applied here and not by SQL: SQLite would compare large whole numbers as inexact doubles.
    while (infos.size() < query.limit) {
        const auto more = rows.next();
        if (!more) return fail(more.error());
        if (!*more) break;
        auto metadata = read_json_object(title_of(rows.text(0), rows.text(1)), rows.text(6));
        if (!metadata) return fail(metadata.error());
        if (!matches(*metadata, query.metadata)) continue;
        auto info = read_info(rows, std::move(*metadata));
        if (!info) return fail(info.error());
        infos.push_back(std::move(*info));
    }
    return infos;
}

Result<std::size_t> delete_thread(Database& database, const std::string& thread_id) {
    Query query(database, "DELETE FROM checkpoints WHERE thread_id = ?1", thread_id);
    if (auto done = query.run(); !done) return fail(done.error());
    return database.changes();
}

Result<std::size_t> copy_thread(Database& database, const std::string& from, const std::string& to) {
    const auto from_exists = has_checkpoints(database, from);
    if (!from_exists) return fail(from_exists.error());
    if (!*from_exists) return no_such_thread(from);
    const auto to_exists = has_checkpoints(database, to);
    if (!to_exists) return fail(to_exists.error());
    if (*to_exists) return thread_exists(to);

    Query checkpoints(database, R"sql(
        INSERT INTO checkpoints (thread_id, id, parent_id, is_snapshot, change, position, metadata, created_at)
        SELECT ?2, id, parent_id, is_snapshot, change, position, metadata, created_at
        FROM checkpoints WHERE thread_id = ?1 ORDER BY seq)sql",
                      from, to);
    if (auto done = checkpoints.run(); !done) return fail(done.error());
    const std::size_t count = database.changes();
    Query writes(database, R"sql(
        INSERT INTO writes (checkpoint, task, kind, place, value)
        SELECT copy.seq, writes.task, writes.kind, writes.place, writes.value
        FROM checkpoints original
        JOIN writes ON writes.checkpoint = original.seq
        JOIN checkpoints copy ON copy.thread_id = ?2 AND copy.id = original.id
        WHERE original.thread_id = ?1)sql",
                 from, to);
    if (auto done = writes.run(); !done) return fail(done.error());
    return count;
}

Result<std::size_t> prune(Database& database, const PruneQuery& query) {
    std::vector<std::string> threads;
    if (query.thread_id) {
        threads.push_back(*query.thread_id);
    } else {
        auto all = all_threads(database);
        if (!all) return fail(all.error());
        threads = std::move(*all);
    }
    std::size_t removed = 0;
    for (const std::string& thread_id : threads) {
        const auto pruned = prune_thread(database, thread_id, query);
        if (!pruned) return pruned;
        removed += *pruned;
    }
    return removed;
}

}  // namespace quaestor::store::sqlite
