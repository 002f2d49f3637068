// The engine: runs a compiled plan step by step. It knows tasks, routes, checkpoints and events, but not the state's
// type, which it reaches through a StateBox; so it is compiled once for all graphs. One Engine per run, owned by the
// call that runs it. Threads: lives on the run's executor.
#pragma once

#include "graph/checkpoint_writer.hpp"
#include "graph/plan.hpp"
#include "graph/run.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace quaestor::graph {

class Context;
struct JoinedCancel;

/// The typed half of a run: the state and the updates of the current superstep, one slot per task.
class StateBox {
public:
    virtual ~StateBox() = default;

    /// Empties the slots and makes room for so many tasks.
    virtual void prepare(std::size_t tasks) = 0;
    /// Runs a node and keeps its update in the slot. The result is success or cached; look at failure() afterwards.
    virtual Task<NodeStatus> run_node(const Scheduled& what, std::size_t slot, Context& context) = 0;
    /// Why the node failed; null when it did not.
    [[nodiscard]] virtual const Error* failure(std::size_t slot) const = 0;
    [[nodiscard]] virtual json::value update(std::size_t slot) const = 0;
    [[nodiscard]] virtual Result<> restore_update(std::size_t slot, const json::value& update) = 0;
    /// Applies all slots to the state, in order; what that changed, if there is memory for it.
    [[nodiscard]] virtual Result<Patch> merge(const ValueMemory* patch_memory) = 0;

    /// Asks the branch's function for the names of the nodes to go to.
    virtual void choose(std::size_t branch, std::vector<std::string>& targets) = 0;
    /// Asks the fan-out's function for its items.
    virtual void split(std::size_t fan_out, std::vector<std::shared_ptr<const Item>>& items) = 0;
    [[nodiscard]] virtual Result<std::shared_ptr<const Item>> restore_item(NodeIndex worker,
                                                                           const json::value& item) = 0;

    [[nodiscard]] virtual json::object snapshot(const json::storage_ptr& storage) const = 0;
    [[nodiscard]] virtual Result<> load(const json::object& state) = 0;
};

/// A task of the current superstep.
struct ActiveTask {
    enum class Phase { waiting, done, interrupted, failed, cancelled };

    Scheduled what;
    std::size_t slot = 0;
    Phase phase = Phase::waiting;
    int attempt = 0;
    bool is_saved = false;                ///< its result is among the checkpoint's pending writes
    std::vector<json::value> answers;     ///< to the questions it asked so far
    std::unique_ptr<Interrupt> question;  ///< open, when interrupted
    std::unique_ptr<Error> error;         ///< when failed or cancelled
};

class Engine {
public:
    Engine(const Plan& plan, StateBox& state, RunOptions options);
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    /// Runs from START. Slot 0 of the box holds the input as an update; it meets the thread's state, if there is one.
    Task<> start();
    /// Goes on from the thread's newest checkpoint.
    Task<> resume(Answers answers);
    /// How start() or resume() ended.
    [[nodiscard]] RunOutcome outcome() const;

    /// Stands a new checkpoint on an old one, changed by slot 0 of the box, as the thread's newest; returns its id.
    /// Where the run goes on is decided anew when anything changed.
    Task<Result<std::string>> fork(std::string checkpoint_id, bool has_change);

private:
    friend class Context;

    Task<> open();
    Task<Result<>> begin();
    Task<Result<>> begin_again(Answers answers);
    Task<Result<SavedCheckpoint>> restore(std::optional<std::string> checkpoint_id);
    [[nodiscard]] Result<> stand_on(const SavedCheckpoint& saved);
    [[nodiscard]] Result<> restore_tasks(const SavedCheckpoint& saved);
    void reopen_question(ActiveTask& task);
    [[nodiscard]] std::string question_id(const ActiveTask& task) const;
    [[nodiscard]] Result<std::vector<PendingWrite>> take_answers(Answers answers);

    Task<> go_on();
    [[nodiscard]] bool may_go_on();
    [[nodiscard]] bool complete_step();
    Task<bool> complete_and_save_step();
    [[nodiscard]] bool everything_done() const;
    [[nodiscard]] Result<Patch> merge(const ValueMemory* patch_memory);
    [[nodiscard]] Result<> advance();
    [[nodiscard]] Result<> schedule_next();
    void begin_superstep(std::vector<Scheduled> next);

    Task<> run_tasks();
    Task<> run_task(ActiveTask& task);
    Task<bool> pause_before_retry(ActiveTask& task);
    Task<> run_bounded(ActiveTask& task, Context& context, NodeStatus& status);
    void settle(ActiveTask& task, NodeStatus& status);

    [[nodiscard]] bool saves() const { return options_.checkpoints != nullptr; }
    [[nodiscard]] bool saves_steps() const { return saves() && options_.durability != Durability::exit; }
    [[nodiscard]] bool saves_at_exit() const { return saves() && options_.durability == Durability::exit; }
    Task<Result<>> save(std::string_view source, ValueMemory memory, Patch patch);
    [[nodiscard]] Checkpoint make_checkpoint(std::string_view source, ValueMemory memory, Patch patch);
    Task<> save_writes(ActiveTask& task);
    [[nodiscard]] json::object metadata(std::string_view source, const json::storage_ptr& storage) const;
    [[nodiscard]] json::value next_tasks(const json::storage_ptr& storage) const;
    [[nodiscard]] std::vector<PendingWrite> writes_of(const ActiveTask& task) const;

    void stop(Error error);
    void stop_on_exception();
    Task<> end();
    Task<> save_the_end();
    void judge_tasks();
    [[nodiscard]] Error describe_failure(const ActiveTask& task) const;

    [[nodiscard]] bool is_heard() const { return options_.events != nullptr; }
    Task<> tell(EventKind kind, json::value data);
    Task<> tell(EventKind kind, const ActiveTask& task, json::value data);
    Task<> tell_node_end(const ActiveTask& task, NodeStatus status, Instant began);
    Task<> tell_the_end();
    [[nodiscard]] Event event(EventKind kind) const;
    [[nodiscard]] Event event(EventKind kind, const ActiveTask& task) const;

    [[nodiscard]] const Shape::Node& node_of(const ActiveTask& task) const { return plan_.shape.nodes[task.what.node]; }
    [[nodiscard]] const std::string& name_of(const ActiveTask& task) const { return node_of(task).name; }
    /// Supersteps of the thread, this call's and earlier ones'.
    [[nodiscard]] std::int64_t step() const { return step_offset_ + steps_; }

    const Plan& plan_;
    StateBox& state_;
    RunOptions options_;
    CancelToken cancel_;  ///< the caller's token, joined with the listener's leaving
    std::unique_ptr<JoinedCancel> joined_cancel_;
    IdMaker ids_;
    asio::any_io_executor executor_;
    std::unique_ptr<CheckpointWriter> writer_;  ///< there when the run saves

    Position position_;
    std::vector<ActiveTask> tasks_;  ///< the current superstep's; empty at the end, and while undecided
    bool is_undecided_ = true;       ///< what follows the position has not been decided, or could not be
    std::int64_t steps_ = 0;
    std::int64_t step_offset_ = 0;
    std::int64_t completed_ = 0;  ///< supersteps that the state holds
    bool has_unsaved_ = false;    ///< state or position have moved since the last save()
    std::string origin_id_;       ///< the checkpoint this call began at
    std::string checkpoint_id_;   ///< the one this superstep stands on
    int since_snapshot_ = 0;

    RunStatus status_ = RunStatus::finished;
    std::unique_ptr<Error> error_;
};

}  // namespace quaestor::graph
