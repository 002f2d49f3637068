#include "store/memory.hpp"

#include "base/text.hpp"
#include "store/checks.hpp"
#include "store/materialise.hpp"
#include "store/memory_conversations.hpp"
#include "store/prune_plan.hpp"

#include <boost/unordered/unordered_flat_map.hpp>

#include <algorithm>
#include <limits>
#include <mutex>
#include <ranges>
#include <span>
#include <tuple>
#include <unordered_map>

namespace quaestor::store {

namespace {

using graph::Checkpoint;
using graph::CheckpointInfo;
using graph::CheckpointQuery;
using graph::PendingWrite;
using graph::PruneQuery;
using graph::SavedCheckpoint;

/// A stored checkpoint is never changed, only replaced: a reader keeps what it found without holding the lock.
using CheckpointPtr = std::shared_ptr<const Checkpoint>;

struct Entry {
    std::uint64_t sequence = 0;  ///< order of storing, over all threads
    CheckpointPtr checkpoint;
    std::vector<PendingWrite> writes;  ///< in order
};

/// The checkpoints of one thread.
class Thread {
public:
    [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }

    [[nodiscard]] Entry* find(std::string_view id) {
        const auto found = places_.find(id);
        return found == places_.end() ? nullptr : &entries_[found->second];
    }

    /// Adds a checkpoint at the end, or replaces the one with its id in its place.
    void put(std::uint64_t sequence, CheckpointPtr checkpoint) {
        const auto [place, is_new] = places_.try_emplace(checkpoint->id, entries_.size());
        if (is_new) {
            entries_.push_back({.sequence = sequence, .checkpoint = std::move(checkpoint), .writes = {}});
        } else {
            replace(entries_[place->second], std::move(checkpoint));
        }
    }

    void add(Entry entry) {
        places_.emplace(entry.checkpoint->id, entries_.size());
        entries_.push_back(std::move(entry));
    }

    void replace(Entry& entry, CheckpointPtr checkpoint) {
        // The key is a view of the old checkpoint's id, so it has to go with it.
        places_.erase(entry.checkpoint->id);
        entry.checkpoint = std::move(checkpoint);
        places_.emplace(entry.checkpoint->id, static_cast<std::size_t>(&entry - entries_.data()));
    }

    /// `places`: ascending.
    void remove(std::span<const std::size_t> places) {
        std::vector<Entry> kept;
        kept.reserve(entries_.size() - places.size());
        auto next_removed = places.begin();
        for (std::size_t place = 0; place < entries_.size(); ++place) {
            if (next_removed != places.end() && *next_removed == place) {
                ++next_removed;
            } else {
                kept.push_back(std::move(entries_[place]));
            }
        }
        entries_.clear();
        places_.clear();
        for (Entry& entry : kept) add(std::move(entry));
    }

    /// From a checkpoint back to where materialise() can begin.
    [[nodiscard]] std::vector<CheckpointPtr> chain(const Entry* from) {
        std::vector<CheckpointPtr> found;
        for (const Entry* entry = from; entry != nullptr && found.size() <= kChainMax;) {
            found.push_back(entry->checkpoint);
            const Checkpoint& checkpoint = *entry->checkpoint;
            entry = checkpoint.is_snapshot ? nullptr : find(checkpoint.parent_id);
        }
        return found;
    }

private:
    std::vector<Entry> entries_;  ///< oldest first
    boost::unordered_flat_map<std::string_view, std::size_t> places_;
};

Result<json::object> state_of(std::span<const CheckpointPtr> chain) {
    std::vector<ChainLink> links;
    links.reserve(chain.size());
    for (const CheckpointPtr& checkpoint : chain) {
        links.push_back({.id = checkpoint->id,
                         .parent_id = checkpoint->parent_id,
                         .is_snapshot = checkpoint->is_snapshot,
                         .change = &checkpoint->change});
    }
    return materialise(chain.front()->thread_id, links);
}

// The values of a checkpoint may lie in one block of memory that only one thread may use. They are read by many, and so
// are copied only by assigning them to an empty value, which has memory of its own; never by constructing one from
// them.

CheckpointInfo info_of(const Checkpoint& checkpoint) {
    CheckpointInfo info{.thread_id = checkpoint.thread_id,
                        .id = checkpoint.id,
                        .parent_id = checkpoint.parent_id,
                        .is_snapshot = checkpoint.is_snapshot,
                        .position = {},
                        .metadata = {},
                        .created_at = checkpoint.created_at};
    info.position = checkpoint.position;
    info.metadata = checkpoint.metadata;
    return info;
}

auto place_of(const PendingWrite& write) {
    return std::tuple(write.task, write.kind, write.index);
}

void merge(std::vector<PendingWrite>& into, std::vector<PendingWrite> writes) {
    for (PendingWrite& write : writes) {
        const auto place = std::ranges::lower_bound(into, place_of(write), {}, place_of);
        if (place != into.end() && place_of(*place) == place_of(write)) {
            *place = std::move(write);
        } else {
            *into.insert(place, PendingWrite()) = std::move(write);
        }
    }
}

class MemoryCheckpoints final : public graph::CheckpointStore {
public:
    Task<Result<>> put(Checkpoint checkpoint) override {
        if (auto valid = check(checkpoint); !valid) co_return valid;
        auto made = std::make_shared<const Checkpoint>(std::move(checkpoint));
        const std::lock_guard lock(mutex_);
        threads_[made->thread_id].put(++last_sequence_, std::move(made));
        co_return Result<>{};
    }

    Task<Result<>> put_all(std::vector<Checkpoint> checkpoints) override {
        for (const Checkpoint& checkpoint : checkpoints) {
            if (auto valid = check(checkpoint); !valid) co_return valid;
        }
        const std::lock_guard lock(mutex_);
        for (Checkpoint& checkpoint : checkpoints) {
            threads_[checkpoint.thread_id].put(++last_sequence_,
                                               std::make_shared<const Checkpoint>(std::move(checkpoint)));
        }
        co_return Result<>{};
    }

    Task<Result<>> put_writes(std::string thread_id, std::string checkpoint_id,
                              std::vector<PendingWrite> writes) override {
        if (auto valid = check_id("thread_id", thread_id); !valid) co_return valid;
        if (auto valid = check_id("checkpoint id", checkpoint_id); !valid) co_return valid;
        if (auto valid = check(writes); !valid) co_return valid;
        const std::lock_guard lock(mutex_);
        Entry* entry = find(thread_id, checkpoint_id);
        if (entry == nullptr) co_return no_such_checkpoint(thread_id, checkpoint_id);
        merge(entry->writes, std::move(writes));
        co_return Result<>{};
    }

    Task<Result<std::optional<SavedCheckpoint>>> get(std::string thread_id, std::optional<std::string> id) override {
        if (auto valid = check_id("thread_id", thread_id); !valid) co_return fail(valid.error());
        if (auto valid = id ? check_id("checkpoint id", *id) : Result<>{}; !valid) co_return fail(valid.error());
        std::vector<CheckpointPtr> chain;
        SavedCheckpoint saved;
        {
            const std::lock_guard lock(mutex_);
            const Entry* entry = id ? find(thread_id, *id) : newest(thread_id);
            if (entry == nullptr) co_return std::nullopt;
            chain = threads_[thread_id].chain(entry);
            saved.writes = entry->writes;
        }
        auto state = state_of(chain);
        if (!state) co_return fail(state.error());
        const Checkpoint& checkpoint = *chain.front();
        saved.thread_id = checkpoint.thread_id;
        saved.id = checkpoint.id;
        saved.parent_id = checkpoint.parent_id;
        saved.state = std::move(*state);
        saved.position = checkpoint.position;
        saved.metadata = checkpoint.metadata;
        saved.created_at = checkpoint.created_at;
        co_return saved;
    }

    Task<Result<std::vector<CheckpointInfo>>> list(CheckpointQuery query) override {
        if (auto valid = check(query); !valid) co_return fail(valid.error());
        auto found = find_matching(query);
        if (!found) co_return fail(found.error());
        std::ranges::sort(*found, std::greater(), &Entry::sequence);
        std::vector<CheckpointInfo> infos;
        for (const Entry& entry : *found | std::views::take(query.limit)) infos.push_back(info_of(*entry.checkpoint));
        co_return infos;
    }

    Task<Result<std::size_t>> delete_thread(std::string thread_id) override {
        if (auto valid = check_id("thread_id", thread_id); !valid) co_return fail(valid.error());
        const std::lock_guard lock(mutex_);
        const auto node = threads_.extract(thread_id);
        co_return node.empty() ? 0 : node.mapped().entries().size();
    }

    Task<Result<std::size_t>> copy_thread(std::string from, std::string to) override {
        if (auto valid = check_id("thread_id", from); !valid) co_return fail(valid.error());
        if (auto valid = check_id("thread_id", to); !valid) co_return fail(valid.error());
        const std::lock_guard lock(mutex_);
        const auto source = threads_.find(from);
        if (source == threads_.end()) co_return no_such_thread(from);
        if (threads_.contains(to)) co_return thread_exists(to);
        Thread copy;
        for (const Entry& entry : source->second.entries()) {
            auto checkpoint = std::make_shared<Checkpoint>(graph::copy_of(*entry.checkpoint));
            checkpoint->thread_id = to;
            copy.add({.sequence = ++last_sequence_, .checkpoint = std::move(checkpoint), .writes = entry.writes});
        }
        const std::size_t count = copy.entries().size();
        threads_.emplace(std::move(to), std::move(copy));
        co_return count;
    }

    Task<Result<std::size_t>> prune(PruneQuery query) override {
        if (auto valid = check(query); !valid) co_return fail(valid.error());
        const std::lock_guard lock(mutex_);
        std::size_t removed = 0;
        for (auto thread = threads_.begin(); thread != threads_.end();) {
            if (!query.thread_id || *query.thread_id == thread->first) {
                auto pruned = prune(thread->second, query);
                if (!pruned) co_return pruned;
                removed += *pruned;
            }
            thread = thread->second.entries().empty() ? threads_.erase(thread) : std::next(thread);
        }
        co_return removed;
    }

    /// Threads and checkpoints.
    [[nodiscard]] std::pair<std::size_t, std::size_t> count() {
        const std::lock_guard lock(mutex_);
        std::size_t checkpoints = 0;
        for (const auto& [id, thread] : threads_) checkpoints += thread.entries().size();
        return {threads_.size(), checkpoints};
    }

private:
    Entry* find(const std::string& thread_id, std::string_view id) {
        const auto thread = threads_.find(thread_id);
        return thread == threads_.end() ? nullptr : thread->second.find(id);
    }

    const Entry* newest(const std::string& thread_id) {
        const auto thread = threads_.find(thread_id);
        return thread == threads_.end() ? nullptr : &thread->second.entries().back();
    }

    /// The newest matches of each thread, up to the limit.
    Result<std::vector<Entry>> find_matching(const CheckpointQuery& query) {
        const std::lock_guard lock(mutex_);
        std::vector<Entry> found;
        if (!query.thread_id) {
            for (const auto& [id, thread] : threads_) collect(thread, kNoSequence, query, found);
            return found;
        }
        auto end = kNoSequence;
        if (query.before) {
            const Entry* entry = find(*query.thread_id, *query.before);
            if (entry == nullptr) return no_such_checkpoint(*query.thread_id, *query.before);
            end = entry->sequence;
        }
        const auto thread = threads_.find(*query.thread_id);
        if (thread != threads_.end()) collect(thread->second, end, query, found);
        return found;
    }

    static void collect(const Thread& thread, std::uint64_t end, const CheckpointQuery& query,
                        std::vector<Entry>& found) {
        std::size_t room = query.limit;
        for (const Entry& entry : std::views::reverse(thread.entries())) {
            if (room == 0) return;
            if (entry.sequence >= end || !matches(entry.checkpoint->metadata, query.metadata)) continue;
            found.push_back({.sequence = entry.sequence, .checkpoint = entry.checkpoint, .writes = {}});
            --room;
        }
    }

    static Result<std::size_t> prune(Thread& thread, const PruneQuery& query) {
        std::vector<PruneCandidate> candidates;
        for (const Entry& entry : thread.entries()) {
            candidates.push_back({.id = entry.checkpoint->id,
                                  .parent_id = entry.checkpoint->parent_id,
                                  .created_at = entry.checkpoint->created_at});
        }
        const PrunePlan plan = plan_prune(candidates, query);
        std::vector<CheckpointPtr> detached;
        for (const std::size_t place : plan.detach) {
            const Entry& entry = thread.entries()[place];
            auto state = state_of(thread.chain(&entry));
            if (!state) return fail(state.error());
            auto checkpoint = std::make_shared<Checkpoint>(graph::copy_of(*entry.checkpoint));
            checkpoint->parent_id.clear();
            checkpoint->is_snapshot = true;
            checkpoint->change = {.set = std::move(*state), .append = {}};
            detached.push_back(std::move(checkpoint));
        }
        for (CheckpointPtr& checkpoint : detached) thread.replace(*thread.find(checkpoint->id), std::move(checkpoint));
        thread.remove(plan.remove);
        return plan.remove.size();
    }

    static constexpr auto kNoSequence = std::numeric_limits<std::uint64_t>::max();

    std::mutex mutex_;
    std::unordered_map<std::string, Thread> threads_;  ///< none of them empty
    std::uint64_t last_sequence_ = 0;
};

class MemoryTraces final : public TraceStore {
public:
    Task<Result<>> save(RunRecord record) override {
        if (auto valid = check(record); !valid) co_return valid;
        const std::lock_guard lock(mutex_);
        Run& run = runs_[record.run_id];
        if (run.sequence == 0) run.sequence = ++last_sequence_;
        run.record = std::move(record);
        co_return Result<>{};
    }

    Task<Result<std::optional<RunRecord>>> get(std::string run_id) override {
        if (auto valid = check_id("run_id", run_id); !valid) co_return fail(valid.error());
        const std::lock_guard lock(mutex_);
        const auto found = runs_.find(run_id);
        if (found == runs_.end()) co_return std::nullopt;
        co_return found->second.record;
    }

    Task<Result<std::vector<RunRecord>>> list(RunQuery query) override {
        const std::lock_guard lock(mutex_);
        std::vector<const Run*> found;
        for (const auto& [id, run] : runs_) {
            if (is_wanted(run.record, query)) found.push_back(&run);
        }
        std::ranges::sort(found, std::greater(),
                          [](const Run* run) { return std::tuple(run->record.started_at, run->sequence); });
        std::vector<RunRecord> records;
        for (const Run* run : found | std::views::take(query.limit)) records.push_back(summary_of(run->record));
        co_return records;
    }

private:
    struct Run {
        std::uint64_t sequence = 0;  ///< order of first saving; decides between runs that started at the same time
        RunRecord record;
    };

    static bool is_wanted(const RunRecord& record, const RunQuery& query) {
        return record.graph == query.graph.value_or(record.graph) &&
               record.status == query.status.value_or(record.status) &&
               record.thread_id == query.thread_id.value_or(record.thread_id);
    }

    static RunRecord summary_of(const RunRecord& record) {
        return {.run_id = record.run_id,
                .thread_id = record.thread_id,
                .graph = record.graph,
                .status = record.status,
                .started_at = record.started_at,
                .ended_at = record.ended_at,
                .input = {},
                .outcome = record.outcome,
                .trace = {}};
    }

    std::mutex mutex_;
    std::unordered_map<std::string, Run> runs_;
    std::uint64_t last_sequence_ = 0;
};

class MemoryStore final : public Store {
public:
    graph::CheckpointStore& checkpoints() override { return checkpoints_; }
    ConversationStore& conversations() override { return conversations_; }
    TraceStore& traces() override { return traces_; }

    Task<Result<StoreHealth>> health() override {
        const auto [threads, checkpoints] = checkpoints_.count();
        co_return StoreHealth{.backend = "memory",
                              .location = "this process",
                              .schema_version = 0,
                              .threads = threads,
                              .checkpoints = checkpoints,
                              .bytes = 0};
    }

private:
    MemoryCheckpoints checkpoints_;
    MemoryConversations conversations_;
    MemoryTraces traces_;
};

}  // namespace

std::unique_ptr<Store> open_memory() {
    return std::make_unique<MemoryStore>();
}

}  // namespace quaestor::store
