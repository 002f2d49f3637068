#include "store/sqlite.hpp"

#include "base/worker_pool.hpp"
#include "store/checks.hpp"
#include "store/group_writer.hpp"
#include "store/sqlite_checkpoints.hpp"
#include "store/sqlite_records.hpp"
#include "store/sqlite_schema.hpp"

#include <functional>
#include <mutex>
#include <type_traits>

namespace quaestor::store {

namespace sqlite {

namespace {

/// What one caller wants written. It runs in a transaction, and again if another change of its group failed.
using Change = std::move_only_function<Result<>(Database&)>;

std::vector<Result<>> all_fail(std::size_t count, const Error& error) {
    return std::vector<Result<>>(count, fail(error));
}

/// Runs a change so that nothing of it is left when it fails. The outer error: the whole transaction is lost.
Result<Result<>> run_in_savepoint(Database& database, Change& change) {
    if (auto begun = Query(database, "SAVEPOINT change").run(); !begun) return fail(begun.error());
    Result<> done = change(database);
    if (!done) {
        if (!database.in_transaction()) return fail(done.error());
        if (auto undone = Query(database, "ROLLBACK TO change").run(); !undone) return fail(undone.error());
    }
    if (auto released = Query(database, "RELEASE change").run(); !released) return fail(released.error());
    return Result<Result<>>(std::in_place, std::move(done));
}

/// Commits what can be committed: a change that is wrong in itself fails alone.
std::vector<Result<>> commit_apart(Database& database, std::vector<Change>& group) {
    auto transaction = Transaction::begin(database, Transaction::Kind::write);
    if (!transaction) return all_fail(group.size(), transaction.error());
    std::vector<Result<>> results;
    for (Change& change : group) {
        auto done = run_in_savepoint(database, change);
        if (!done) return all_fail(group.size(), done.error());
        results.push_back(std::move(*done));
    }
    if (auto committed = transaction->commit(); !committed) return all_fail(group.size(), committed.error());
    return results;
}

/// Commits all in one transaction. Only a group with a wrong change in it pays for being taken apart.
std::vector<Result<>> commit_group(Database& database, std::vector<Change>& group) {
    {
        auto transaction = Transaction::begin(database, Transaction::Kind::write);
        if (!transaction) return all_fail(group.size(), transaction.error());
        Result<> done;
        for (auto change = group.begin(); done && change != group.end(); ++change) done = (*change)(database);
        if (done) {
            if (auto committed = transaction->commit(); !committed) return all_fail(group.size(), committed.error());
            return std::vector<Result<>>(group.size());
        }
        if (group.size() == 1) return {done};
    }
    return commit_apart(database, group);
}

/// Connections for reading, each used by one worker thread at a time.
class Readers {
public:
    explicit Readers(std::vector<std::unique_ptr<Database>> connections)
        : free_(std::move(connections)), workers_(free_.size()) {}

    /// Runs `read(database)`, a Result, in a transaction, so that all it sees belongs to one moment.
    template <class Read>
    Task<std::invoke_result_t<const Read&, Database&>> run(Read read) {
        co_return co_await workers_.run([this, read = std::move(read)] { return run_here(read); });
    }

private:
    /// A connection, taken from the free ones and given back. There are as many as workers, so one is always free.
    class Loan {
    public:
        explicit Loan(Readers& readers) : readers_(readers) {
            const std::lock_guard lock(readers_.mutex_);
            database_ = std::move(readers_.free_.back());
            readers_.free_.pop_back();
        }
        ~Loan() {
            const std::lock_guard lock(readers_.mutex_);
            readers_.free_.push_back(std::move(database_));
        }
        Loan(const Loan&) = delete;
        Loan& operator=(const Loan&) = delete;
        [[nodiscard]] Database& database() const { return *database_; }

    private:
        Readers& readers_;
        std::unique_ptr<Database> database_;
    };

    template <class Read>
    std::invoke_result_t<const Read&, Database&> run_here(const Read& read) {
        const Loan loan(*this);
        auto transaction = Transaction::begin(loan.database(), Transaction::Kind::read);
        if (!transaction) return fail(transaction.error());
        return read(loan.database());
    }

    std::mutex mutex_;
    std::vector<std::unique_ptr<Database>> free_;
    WorkerPool workers_;  ///< last, so that it ends first
};

/// The connections to one file. Reads and writes are functions of sqlite_checkpoints.hpp and sqlite_records.hpp.
class File {
public:
    File(Database writer, std::vector<std::unique_ptr<Database>> readers)
        : database_(std::move(writer)),
          readers_(std::move(readers)),
          writer_([this](std::vector<Change>& group) { return commit_group(database_, group); }) {}

    template <class Read>
    auto read(Read read) {
        return readers_.run(std::move(read));
    }

    Task<Result<>> write(Change change) { return writer_.submit(std::move(change)); }

    /// Runs `change(database)`, a Result<std::size_t>, and returns its count once that is durable.
    template <class Counted>
    Task<Result<std::size_t>> write_counted(Counted change) {
        // Shared, because the change may outlive this task, which can be cancelled.
        const auto count = std::make_shared<std::size_t>(0);
        auto written = co_await write([change = std::move(change), count](Database& database) -> Result<> {
            const auto done = change(database);
            if (!done) return fail(done.error());
            *count = *done;
            return {};
        });
        if (!written) co_return fail(written.error());
        co_return *count;
    }

private:
    Database database_;  ///< the writer's thread only
    Readers readers_;
    GroupWriter<Change> writer_;  ///< last, so that it ends first
};

class Checkpoints final : public graph::CheckpointStore {
public:
    explicit Checkpoints(File& file) : file_(file) {}

    Task<Result<>> put(graph::Checkpoint checkpoint) override {
        if (auto valid = check(checkpoint); !valid) co_return valid;
        co_return co_await file_.write(
            [row = CheckpointRow(std::move(checkpoint))](Database& database) { return put_checkpoint(database, row); });
    }

    Task<Result<>> put_all(std::vector<graph::Checkpoint> checkpoints) override {
        std::vector<CheckpointRow> rows;
        rows.reserve(checkpoints.size());
        for (auto& checkpoint : checkpoints) {
            if (auto valid = check(checkpoint); !valid) co_return valid;
            rows.emplace_back(std::move(checkpoint));
        }
        co_return co_await file_.write([rows = std::move(rows)](Database& database) -> Result<> {
            for (const auto& row : rows) {
                if (auto stored = put_checkpoint(database, row); !stored) return stored;
            }
            return {};
        });
    }

    Task<Result<>> put_writes(std::string thread_id, std::string checkpoint_id,
                              std::vector<graph::PendingWrite> writes) override {
        if (auto valid = check_id("thread_id", thread_id); !valid) co_return valid;
        if (auto valid = check_id("checkpoint id", checkpoint_id); !valid) co_return valid;
        if (auto valid = check(writes); !valid) co_return valid;
        co_return co_await file_.write([thread_id = std::move(thread_id), checkpoint_id = std::move(checkpoint_id),
                                        writes = std::move(writes)](Database& database) {
            return sqlite::put_writes(database, thread_id, checkpoint_id, writes);
        });
    }

    Task<Result<std::optional<graph::SavedCheckpoint>>> get(std::string thread_id,
                                                            std::optional<std::string> id) override {
        if (auto valid = check_id("thread_id", thread_id); !valid) co_return fail(valid.error());
        if (auto valid = id ? check_id("checkpoint id", *id) : Result<>{}; !valid) co_return fail(valid.error());
        co_return co_await file_.read([thread_id = std::move(thread_id), id = std::move(id)](Database& database) {
            return get_checkpoint(database, thread_id, id);
        });
    }

    Task<Result<std::vector<graph::CheckpointInfo>>> list(graph::CheckpointQuery query) override {
        if (auto valid = check(query); !valid) co_return fail(valid.error());
        co_return co_await file_.read(
            [query = std::move(query)](Database& database) { return list_checkpoints(database, query); });
    }

    Task<Result<std::size_t>> delete_thread(std::string thread_id) override {
        if (auto valid = check_id("thread_id", thread_id); !valid) co_return fail(valid.error());
        co_return co_await file_.write_counted([thread_id = std::move(thread_id)](Database& database) {
            return sqlite::delete_thread(database, thread_id);
        });
    }

    Task<Result<std::size_t>> copy_thread(std::string from, std::string to) override {
        if (auto valid = check_id("thread_id", from); !valid) co_return fail(valid.error());
        if (auto valid = check_id("thread_id", to); !valid) co_return fail(valid.error());
        co_return co_await file_.write_counted([from = std::move(from), to = std::move(to)](Database& database) {
            return sqlite::copy_thread(database, from, to);
        });
    }

    Task<Result<std::size_t>> prune(graph::PruneQuery query) override {
        if (auto valid = check(query); !valid) co_return fail(valid.error());
        co_return co_await file_.write_counted(
            [query = std::move(query)](Database& database) { return sqlite::prune(database, query); });
    }

private:
    File& file_;
};

class Conversations final : public ConversationStore {
public:
    explicit Conversations(File& file) : file_(file) {}

    Task<Result<>> append(std::string thread_id, Message message) override {
        if (auto valid = check_id("thread_id", thread_id); !valid) co_return valid;
        if (auto valid = check(message); !valid) co_return valid;
        co_return co_await file_.write(
            [thread_id = std::move(thread_id), message = std::move(message)](Database& database) {
                return append_message(database, thread_id, message);
            });
    }

    Task<Result<std::vector<Message>>> messages(std::string thread_id, std::size_t limit) override {
        if (auto valid = check_id("thread_id", thread_id); !valid) co_return fail(valid.error());
        co_return co_await file_.read([thread_id = std::move(thread_id), limit](Database& database) {
            return list_messages(database, thread_id, limit);
        });
    }

    Task<Result<>> begin(ConversationInfo info) override {
        if (auto valid = check(info); !valid) co_return valid;
        co_return co_await file_.write(
            [info = std::move(info)](Database& database) { return begin_conversation(database, info); });
    }

    Task<Result<std::optional<ConversationInfo>>> info(std::string thread_id) override {
        if (auto valid = check_id("thread_id", thread_id); !valid) co_return fail(valid.error());
        co_return co_await file_.read(
            [thread_id = std::move(thread_id)](Database& database) { return get_conversation(database, thread_id); });
    }

    Task<Result<std::vector<ConversationInfo>>> list(ConversationQuery query) override {
        co_return co_await file_.read(
            [query = std::move(query)](Database& database) { return list_conversations(database, query); });
    }

    Task<Result<bool>> rename(std::string thread_id, std::string title) override {
        if (auto valid = check_id("thread_id", thread_id); !valid) co_return fail(valid.error());
        if (auto valid = check_text("the title", title); !valid) co_return fail(valid.error());
        auto renamed = co_await file_.write_counted(
            [thread_id = std::move(thread_id), title = std::move(title)](Database& database) {
                return rename_conversation(database, thread_id, title);
            });
        if (!renamed) co_return fail(renamed.error());
        co_return *renamed > 0;
    }

    Task<Result<>> rate(Feedback feedback) override {
        if (auto valid = check(feedback); !valid) co_return valid;
        co_return co_await file_.write(
            [feedback = std::move(feedback)](Database& database) { return keep_feedback(database, feedback); });
    }

    Task<Result<std::vector<Feedback>>> feedback(FeedbackQuery query) override {
        co_return co_await file_.read(
            [query = std::move(query)](Database& database) { return list_feedback(database, query); });
    }

    Task<Result<std::size_t>> remove(std::string thread_id) override {
        if (auto valid = check_id("thread_id", thread_id); !valid) co_return fail(valid.error());
        co_return co_await file_.write_counted([thread_id = std::move(thread_id)](Database& database) {
            return remove_conversation(database, thread_id);
        });
    }

private:
    File& file_;
};

class Traces final : public TraceStore {
public:
    explicit Traces(File& file) : file_(file) {}

    Task<Result<>> save(RunRecord record) override {
        if (auto valid = check(record); !valid) co_return valid;
        co_return co_await file_.write(
            [record = std::move(record)](Database& database) { return save_run(database, record); });
    }

    Task<Result<std::optional<RunRecord>>> get(std::string run_id) override {
        if (auto valid = check_id("run_id", run_id); !valid) co_return fail(valid.error());
        co_return co_await file_.read(
            [run_id = std::move(run_id)](Database& database) { return get_run(database, run_id); });
    }

    Task<Result<std::vector<RunRecord>>> list(RunQuery query) override {
        co_return co_await file_.read(
            [query = std::move(query)](Database& database) { return list_runs(database, query); });
    }

private:
    File& file_;
};

class SqliteStore final : public Store {
public:
    SqliteStore(std::string location, Database writer, std::vector<std::unique_ptr<Database>> readers)
        : location_(std::move(location)), file_(std::move(writer), std::move(readers)) {}

    graph::CheckpointStore& checkpoints() override { return checkpoints_; }
    ConversationStore& conversations() override { return conversations_; }
    TraceStore& traces() override { return traces_; }

    Task<Result<StoreHealth>> health() override {
        if (auto written = co_await file_.write(beat); !written) co_return fail(written.error());
        auto health = co_await file_.read(read_health);
        if (health) health->location = location_;
        co_return health;
    }

private:
    const std::string location_;
    File file_;
    Checkpoints checkpoints_{file_};
    Conversations conversations_{file_};
    Traces traces_{file_};
};

}  // namespace

}  // namespace sqlite

Result<std::unique_ptr<Store>> open_sqlite(const StoreSettings& settings) {
    auto writer = sqlite::open_for_writing(settings);
    if (!writer) return fail(writer.error());
    std::vector<std::unique_ptr<sqlite::Database>> readers;
    while (readers.size() < kSqliteReaders) {
        auto reader = sqlite::open_for_reading(settings);
        if (!reader) return fail(reader.error());
        readers.push_back(std::make_unique<sqlite::Database>(std::move(*reader)));
    }
    return std::make_unique<sqlite::SqliteStore>(settings.path, std::move(*writer), std::move(readers));
}

}  // namespace quaestor::store
