#include "graph/engine.hpp"

#include "base/log.hpp"
#include "graph/context.hpp"
#include "graph/suspended.hpp"
#include "resilience/with_deadline.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>

namespace quaestor::graph {

/// One token out of two: the caller's, and the listener's leaving.
struct JoinedCancel {
    CancelSource source;
    std::unique_ptr<CancelToken::Registration> caller;
    std::unique_ptr<CancelToken::Registration> listener;
};

namespace {

std::unique_ptr<JoinedCancel> join_cancels(const CancelToken& caller, const CancelToken& listener) {
    auto joined = std::make_unique<JoinedCancel>();
    const auto forward = [&joined](const CancelToken& token) {
        return token.on_cancel([source = joined->source, token]() mutable { source.cancel(token.reason()); });
    };
    joined->caller = forward(caller);
    joined->listener = forward(listener);
    return joined;
}

/// What a node threw, as an error. Call it inside a catch block.
Error thrown_error() {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return {Code::limit_exceeded, "out of memory", "give the process more memory, or the node less to do"};
    } catch (const std::exception& exception) {
        return {Code::internal, exception.what()};
    } catch (...) {
        return {Code::internal, "an exception of unknown type"};
    }
}

}  // namespace

Engine::Engine(const Plan& plan, StateBox& state, RunOptions options)
    : plan_(plan),
      state_(state),
      options_(std::move(options)),
      cancel_(options_.cancel),
      ids_(*options_.clock, *options_.random) {
    position_.arrived.resize(plan_.shape.joins.size());
    if (options_.run_id.empty()) options_.run_id = ids_.make();
    if (options_.thread_id.empty()) options_.thread_id = options_.run_id;
    if (options_.events != nullptr) {
        joined_cancel_ = join_cancels(options_.cancel, options_.events->gone());
        cancel_ = joined_cancel_->source.token();
    }
}

Engine::~Engine() = default;

// ---- Beginning

Task<> Engine::start() {
    co_await open();
    try {
        if (auto begun = co_await begin(); !begun) stop(std::move(begun.error()));
        co_await go_on();
    } catch (...) {
        stop_on_exception();
    }
    co_await end();
}

Task<> Engine::resume(Answers answers) {
    co_await open();
    try {
        if (auto begun = co_await begin_again(std::move(answers)); !begun) stop(std::move(begun.error()));
        co_await go_on();
    } catch (...) {
        stop_on_exception();
    }
    co_await end();
}

Task<Result<std::string>> Engine::fork(std::string checkpoint_id, bool has_change) {
    co_await open();
    if (const Error* refused = state_.failure(0)) co_return fail(*refused);
    auto saved = co_await restore(std::move(checkpoint_id));
    if (!saved) co_return fail(saved.error());
    if (has_change) {
        if (auto merged = merge(nullptr); !merged) co_return fail(merged.error());
        if (auto scheduled = schedule_next(); !scheduled) co_return fail(scheduled.error());
    } else if (auto restored = restore_tasks(*saved); !restored && !is_undecided_) {
        co_return fail(restored.error());
    }
    since_snapshot_ = kSnapshotInterval;  // a fork stands by itself, so that its origin may be pruned
    if (auto stored = co_await save("fork", {}, {}); !stored) co_return fail(stored.error());
    if (auto drained = co_await writer_->drain(); !drained) co_return fail(drained.error());
    co_return checkpoint_id_;
}

/// A run is stopped through its token; it must not be torn down half-way by whoever awaits it.
Task<> Engine::open() {
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    executor_ = co_await asio::this_coro::executor;
    if (saves()) {
        writer_ = std::make_unique<CheckpointWriter>(executor_, *options_.checkpoints,
                                                     options_.durability == Durability::sync);
    }
}

Task<Result<>> Engine::begin() {
    if (is_heard())
        co_await tell(EventKind::run_start, {{"graph", plan_.shape.name}, {"thread_id", options_.thread_id}});
    if (const Error* refused = state_.failure(0)) co_return fail(*refused);
    if (saves()) {
        auto saved = co_await options_.checkpoints->get(options_.thread_id);
        if (!saved) co_return fail(saved.error());
        if (*saved) {
            if (auto stood = stand_on(**saved); !stood) co_return stood;
        }
    }
    auto memory = saves_steps() ? ValueMemory::make() : ValueMemory();
    auto input = merge(saves_steps() ? &memory : nullptr);
    if (!input) co_return fail(input.error());
    auto scheduled = schedule_next();
    if (saves_steps()) {
        if (auto stored = co_await save("input", std::move(memory), std::move(*input)); !stored) co_return stored;
    }
    co_return scheduled;
}

Task<Result<>> Engine::begin_again(Answers answers) {
    if (is_heard())
        co_await tell(EventKind::run_start, {{"graph", plan_.shape.name}, {"thread_id", options_.thread_id}});
    auto saved = co_await restore({});
    if (!saved) co_return fail(saved.error());
    if (auto restored = restore_tasks(*saved); !restored) co_return restored;
    if (tasks_.empty() && !has_unsaved_) {
        co_return fail(Code::conflict,
                       fmt::format("thread {} has reached its end; nothing is left to resume", options_.thread_id),
                       "start a new run on the thread, or fork one of its checkpoints");
    }
    auto writes = take_answers(std::move(answers));
    if (!writes) co_return fail(writes.error());
    if (has_unsaved_ && saves_steps()) co_return co_await save("loop", {}, {});
    if (writes->empty()) co_return Result<>{};
    co_return co_await options_.checkpoints->put_writes(options_.thread_id, checkpoint_id_, std::move(*writes));
}

/// Loads state and position of a checkpoint; without an id the thread's newest.
Task<Result<SavedCheckpoint>> Engine::restore(std::optional<std::string> checkpoint_id) {
    if (!saves()) {
        co_return fail(Code::invalid_argument, "without a checkpoint store there is nothing to go on from",
                       "give the run a store: RunOptions::checkpoints");
    }
    const bool is_named = checkpoint_id.has_value();
    const std::string which = checkpoint_id ? fmt::format("no checkpoint {}", *checkpoint_id) : "no checkpoints";
    auto saved = co_await options_.checkpoints->get(options_.thread_id, std::move(checkpoint_id));
    if (!saved) co_return fail(saved.error());
    if (!*saved) {
        co_return fail(Code::not_found, fmt::format("thread {} has {}", options_.thread_id, which),
                       is_named ? "list its checkpoints: quaestor runs show RUN" : "list the runs: quaestor runs list");
    }
    if (auto stood = stand_on(**saved); !stood) co_return fail(stood.error());
    auto position = read_position(plan_, (*saved)->position);
    if (!position) co_return fail(position.error());
    position_ = std::move(*position);
    co_return std::move(**saved);
}

Result<> Engine::stand_on(const SavedCheckpoint& saved) {
    if (auto loaded = state_.load(saved.state); !loaded) {
        return fail(Error{Code::corrupt,
                          fmt::format("the state of checkpoint {} does not fit graph {}", saved.id, plan_.shape.name),
                          "it was written by another version of the graph; start a new thread"}
                        .because(loaded.error()));
    }
    checkpoint_id_ = origin_id_ = saved.id;
    if (const auto* step = saved.metadata.if_contains("step")) {
        step_offset_ = completed_ = decode<std::int64_t>(*step).value_or(0);
    }
    if (const auto* depth = saved.metadata.if_contains("depth")) {
        since_snapshot_ = decode<int>(*depth).value_or(kSnapshotInterval);
    }
    return {};
}

/// The tasks after a checkpoint, with what they left behind. What was undecided there is decided now.
Result<> Engine::restore_tasks(const SavedCheckpoint& saved) {
    auto next = read_next(plan_, state_, saved.position);
    if (!next) return fail(next.error());
    if (!*next) {
        auto decided = schedule_next();
        has_unsaved_ = decided.has_value();
        return decided;
    }
    begin_superstep(std::move(**next));
    is_undecided_ = false;
    for (const auto& write : saved.writes) {
        if (write.task < 0 || static_cast<std::size_t>(write.task) >= tasks_.size()) continue;
        ActiveTask& task = tasks_[static_cast<std::size_t>(write.task)];
        if (write.kind == PendingWrite::Kind::update) {
            if (auto restored = state_.restore_update(task.slot, write.value); !restored) return restored;
            task.phase = ActiveTask::Phase::done;
            task.is_saved = true;
        } else if (write.kind == PendingWrite::Kind::interrupt) {
            auto question = decode<Interrupt>(write.value);
            if (!question) return fail(question.error());
            task.question = std::make_unique<Interrupt>(std::move(*question));
        } else if (write.kind == PendingWrite::Kind::resume) {
            const auto* wrapped = write.value.if_object();
            const auto* answer = wrapped ? wrapped->if_contains("answer") : nullptr;
            if (answer && task.answers.size() == static_cast<std::size_t>(write.index)) task.answers.push_back(*answer);
        }
    }
    for (auto& task : tasks_) reopen_question(task);
    return {};
}

/// A question is open until the task holds an answer for it; the id ends with its index.
void Engine::reopen_question(ActiveTask& task) {
    if (task.phase == ActiveTask::Phase::done || !task.question) return;
    if (task.question->id != question_id(task)) {
        task.question.reset();
    } else {
        task.phase = ActiveTask::Phase::interrupted;
    }
}

/// Of the question that follows those that are answered.
std::string Engine::question_id(const ActiveTask& task) const {
    return fmt::format("{}:{}:{}", name_of(task), task.slot, task.answers.size());
}

Result<std::vector<PendingWrite>> Engine::take_answers(Answers answers) {
    std::vector<ActiveTask*> open;
    std::vector<std::string> ids;
    for (auto& task : tasks_) {
        if (task.phase != ActiveTask::Phase::interrupted) continue;
        open.push_back(&task);
        ids.push_back(task.question->id);
    }
    std::vector<PendingWrite> writes;
    for (auto& [id, answer] : answers) {
        const bool is_the_only_one = id == kOnlyQuestion && open.size() == 1;
        const auto found = std::ranges::find_if(open, [&](const ActiveTask* task) {
            return is_the_only_one || (task->question && task->question->id == id);
        });
        if (found == open.end()) {
            return fail(Code::invalid_argument,
                        open.empty()          ? "the run waits for no answer"
                        : id == kOnlyQuestion ? fmt::format("the run waits for {} answers", open.size())
                                              : fmt::format("the run asked no question with the id {}", id),
                        open.empty() ? "resume it without one"
                                     : fmt::format("give answers by id; open: {}", fmt::join(ids, ", ")));
        }
        ActiveTask& task = **found;
        writes.push_back({static_cast<std::int64_t>(task.slot),
                          PendingWrite::Kind::resume,
                          static_cast<std::int64_t>(task.answers.size()),
                          {{"answer", answer}}});
        task.answers.push_back(std::move(answer));
        task.question.reset();
        task.phase = ActiveTask::Phase::waiting;
    }
    return writes;
}

// ---- Going on

Task<> Engine::go_on() {
    while (may_go_on()) {
        ++steps_;
        if (tasks_.size() == 1) {
            co_await run_task(tasks_.front());
        } else {
            co_await run_tasks();
        }
        const bool completed = saves_steps() ? co_await complete_and_save_step() : complete_step();
        if (!completed) co_return;
    }
}

/// False at the end, after an error, and when a limit is reached.
bool Engine::may_go_on() {
    if (tasks_.empty() || error_) return false;
    if (cancel_.cancelled()) {
        stop(cancel_.error());
    } else if (options_.deadline.expired(*options_.clock)) {
        stop({Code::timeout, fmt::format("the run's deadline passed before node {}", name_of(tasks_.front())),
              "give the run more time, or ask for less"});
    } else if (steps_ >= options_.step_limit) {
        stop({Code::limit_exceeded,
              fmt::format("graph {} reached its limit of {} steps before node {}", plan_.shape.name,
                          options_.step_limit, name_of(tasks_.front())),
              "raise step_limit, or check the branch that leads back"});
    }
    return !error_;
}

/// Applies what the tasks changed and schedules what follows. False when some are not done, or that failed.
bool Engine::complete_step() {
    if (!everything_done()) return false;
    if (auto merged = merge(nullptr); !merged) {
        stop(std::move(merged.error()));
    } else if (auto advanced = advance(); !advanced) {
        stop(std::move(advanced.error()));
    }
    return !error_;
}

/// The same, and saves the step; also when what follows it could not be decided.
Task<bool> Engine::complete_and_save_step() {
    if (!everything_done()) co_return false;
    auto memory = ValueMemory::make();
    auto patch = merge(&memory);
    if (!patch) {
        stop(std::move(patch.error()));
        co_return false;
    }
    auto advanced = advance();
    auto stored = co_await save("loop", std::move(memory), std::move(*patch));
    if (!advanced) stop(std::move(advanced.error()));
    if (!stored) stop(std::move(stored.error()));
    co_return !error_;
}

bool Engine::everything_done() const {
    return std::ranges::all_of(tasks_, [](const ActiveTask& task) { return task.phase == ActiveTask::Phase::done; });
}

/// Applies the updates in the slots. A reducer that throws leaves a state that must not be saved.
Result<Patch> Engine::merge(const ValueMemory* patch_memory) {
    try {
        auto patch = state_.merge(patch_memory);
        has_unsaved_ = has_unsaved_ || patch;
        return patch;
    } catch (...) {
        has_unsaved_ = false;
        return fail(Error{Code::internal, "a reducer failed to apply an update", {}}.because(thrown_error()));
    }
}

/// Moves the position past the tasks that ran and schedules what follows.
Result<> Engine::advance() {
    completed_ = step();
    position_.settle_joins(plan_);
    position_.after.clear();
    for (const auto& task : tasks_) {
        auto& after = position_.after;
        if (std::ranges::find(after, task.what.node) == after.end()) after.push_back(task.what.node);
    }
    return schedule_next();
}

/// Decides what follows the position. When that fails the position stays undecided, and is decided on resume().
Result<> Engine::schedule_next() {
    tasks_.clear();
    is_undecided_ = true;
    try {
        auto next = position_.next(plan_, state_);
        if (!next) return fail(next.error());
        begin_superstep(std::move(*next));
        is_undecided_ = false;
        return {};
    } catch (...) {
        return fail(Error{
            Code::internal,
            position_.after.empty()
                ? std::string("choosing the first node failed")
                : fmt::format("choosing the way after node {} failed", plan_.shape.nodes[position_.after.front()].name),
            {}}.because(thrown_error()));
    }
}

void Engine::begin_superstep(std::vector<Scheduled> next) {
    tasks_.clear();
    tasks_.reserve(next.size());
    for (auto& what : next) {
        auto& task = tasks_.emplace_back();
        task.what = std::move(what);
        task.slot = tasks_.size() - 1;
    }
    state_.prepare(tasks_.size());
}

/// Runs the tasks that wait, at most parallel_limit at a time. After a failure no new one is begun, but those under way
/// finish, so that their work is kept.
Task<> Engine::run_tasks() {
    std::size_t next = 0;
    bool has_failed = false;
    const auto worker = [&]() -> Task<> {
        while (next < tasks_.size() && !has_failed) {
            ActiveTask& task = tasks_[next++];
            if (task.phase != ActiveTask::Phase::waiting) continue;
            co_await run_task(task);
            has_failed = has_failed || task.phase == ActiveTask::Phase::failed || cancel_.cancelled();
            if (saves_steps()) co_await save_writes(task);
        }
    };
    auto running = std::min(tasks_.size(), static_cast<std::size_t>(std::max(1, options_.parallel_limit)));
    asio::steady_timer all_done(executor_, asio::steady_timer::time_point::max());
    std::exception_ptr our_mistake;
    for (std::size_t i = running; i > 0; --i) {
        asio::co_spawn(executor_, worker, [&](std::exception_ptr thrown) {
            if (thrown) our_mistake = thrown;
            if (--running == 0) all_done.cancel();
        });
    }
    co_await all_done.async_wait(asio::as_tuple(asio::use_awaitable));
    if (our_mistake) std::rethrow_exception(our_mistake);
}

Task<> Engine::run_task(ActiveTask& task) {
    if (task.phase != ActiveTask::Phase::waiting) co_return;
    const Shape::Node& node = node_of(task);
    do {
        ++task.attempt;
        task.error.reset();
        Deadline deadline = options_.deadline;
        if (node.timeout.count() > 0) deadline = earlier(deadline, Deadline::after(*options_.clock, node.timeout));
        Context context(*this, task, task.attempt, deadline);
        if (is_heard()) co_await tell(EventKind::node_start, task, {});
        const Instant began = is_heard() ? options_.clock->now() : Instant();
        auto status = NodeStatus::success;
        try {
            if (deadline.is_set() || cancel_.can_be_cancelled()) {
                co_await run_bounded(task, context, status);
            } else {
                status = co_await state_.run_node(task.what, task.slot, context);
            }
        } catch (const Suspended& suspended) {
            task.question =
                std::make_unique<Interrupt>(question_id(task), node.name, suspended.question, suspended.problem);
        } catch (...) {
            task.error = std::make_unique<Error>(thrown_error());
        }
        settle(task, status);
        if (is_heard()) co_await tell_node_end(task, status, began);
    } while (task.phase == ActiveTask::Phase::failed && co_await pause_before_retry(task));
}

Task<> Engine::run_bounded(ActiveTask& task, Context& context, NodeStatus& status) {
    auto ended = co_await with_deadline(*options_.clock, context.deadline(), cancel_, "node " + name_of(task),
                                        state_.run_node(task.what, task.slot, context));
    if (ended) {
        status = *ended;
    } else {
        task.error = std::make_unique<Error>(std::move(ended.error()));
    }
}

/// Waits as the node's policy says; false when the node is not to be tried again.
Task<bool> Engine::pause_before_retry(ActiveTask& task) {
    const RetrySettings& retry = node_of(task).retry;
    if (!should_retry(retry, task.attempt, *task.error)) co_return false;
    auto waited = co_await with_deadline(*options_.clock, options_.deadline, cancel_, "the pause before a retry",
                                         options_.clock->sleep_for(delay_after(retry, task.attempt, *options_.random)));
    if (!waited && cancel_.cancelled()) {
        task.phase = ActiveTask::Phase::cancelled;
        *task.error = waited.error().because(*task.error);
    }
    co_return waited.has_value();
}

/// Decides how the attempt ended, from what it left behind.
void Engine::settle(ActiveTask& task, NodeStatus& status) {
    if (task.question) {
        task.phase = ActiveTask::Phase::interrupted;
        status = NodeStatus::interrupted;
        return;
    }
    if (!task.error) {
        if (const Error* failure = state_.failure(task.slot)) task.error = std::make_unique<Error>(*failure);
    }
    if (!task.error) {
        task.phase = ActiveTask::Phase::done;
    } else if (cancel_.cancelled()) {
        task.phase = ActiveTask::Phase::cancelled;
        status = NodeStatus::cancelled;
    } else {
        task.phase = ActiveTask::Phase::failed;
        status = NodeStatus::error;
    }
}

// ---- Saving

Task<Result<>> Engine::save(std::string_view source, ValueMemory memory, Patch patch) {
    auto stored = co_await writer_->put(make_checkpoint(source, std::move(memory), std::move(patch)));
    if (stored && is_heard()) co_await tell(EventKind::checkpoint, {{"id", checkpoint_id_}, {"source", source}});
    co_return stored;
}

Checkpoint Engine::make_checkpoint(std::string_view source, ValueMemory memory, Patch patch) {
    const bool is_snapshot = checkpoint_id_.empty() || since_snapshot_ >= kSnapshotInterval || saves_at_exit();
    since_snapshot_ = is_snapshot ? 0 : since_snapshot_ + 1;
    const auto storage = memory.storage();
    // Made in one go: assigning JSON later would copy it out of its storage.
    Checkpoint checkpoint{.memory = std::move(memory),
                          .thread_id = options_.thread_id,
                          .id = ids_.make(),
                          .parent_id = checkpoint_id_,
                          .is_snapshot = is_snapshot,
                          .change = is_snapshot ? Patch{state_.snapshot(storage), {}} : std::move(patch),
                          .position = to_json(plan_, position_, next_tasks(storage)),
                          .metadata = metadata(source, storage),
                          .created_at = options_.clock->wall()};
    checkpoint_id_ = checkpoint.id;
    return checkpoint;
}

/// The tasks to run next; null while that is undecided.
json::value Engine::next_tasks(const json::storage_ptr& storage) const {
    if (is_undecided_) return json::value(nullptr, storage);
    json::array next(storage);
    next.reserve(tasks_.size());
    for (const auto& task : tasks_) next.push_back(to_json(plan_, task.what, storage));
    return next;
}

json::object Engine::metadata(std::string_view source, const json::storage_ptr& storage) const {
    json::object metadata(options_.metadata, storage);
    metadata.reserve(metadata.size() + 5);
    metadata["graph"] = plan_.shape.name;
    metadata["run_id"] = options_.run_id;
    metadata["source"] = source;
    metadata["step"] = completed_;
    metadata["depth"] = since_snapshot_;
    return metadata;
}

/// Keeps what one task of an unfinished superstep left behind.
Task<> Engine::save_writes(ActiveTask& task) {
    if (task.is_saved || checkpoint_id_.empty()) co_return;  // without a checkpoint there is nothing they belong to
    auto writes = writes_of(task);
    if (writes.empty()) co_return;
    auto stored = co_await writer_->put_writes(options_.thread_id, checkpoint_id_, std::move(writes));
    if (stored) {
        task.is_saved = true;
    } else {
        stop(std::move(stored.error()));
    }
}

std::vector<PendingWrite> Engine::writes_of(const ActiveTask& task) const {
    const auto place = static_cast<std::int64_t>(task.slot);
    std::vector<PendingWrite> writes;
    if (task.phase == ActiveTask::Phase::done) {
        writes.push_back({place, PendingWrite::Kind::update, 0, state_.update(task.slot)});
    } else if (task.phase == ActiveTask::Phase::interrupted) {
        writes.push_back({place, PendingWrite::Kind::interrupt, 0, encode(*task.question)});
        // An answer that was given before and not accepted must not be taken again.
        writes.push_back(
            {place, PendingWrite::Kind::resume, static_cast<std::int64_t>(task.answers.size()), json::object{}});
    } else if (task.phase == ActiveTask::Phase::failed) {
        writes.push_back({place, PendingWrite::Kind::failure, 0, encode(*task.error)});
    }
    return writes;
}

// ---- Ending

/// Remembers the first error; the run goes no further. What was to run next stays scheduled for resume().
void Engine::stop(Error error) {
    if (!error_) error_ = std::make_unique<Error>(std::move(error));
    status_ = cancel_.cancelled() ? RunStatus::cancelled : RunStatus::failed;
}

/// Neither a node nor a function of the state threw, for those are caught: a store, or our own mistake.
void Engine::stop_on_exception() {
    stop(Error{Code::internal, "the run met an exception outside its nodes", {}}.because(thrown_error()));
}

Task<> Engine::end() {
    if (!error_) judge_tasks();
    try {
        if (saves()) co_await save_the_end();
    } catch (...) {
        stop_on_exception();
    }
    if (is_heard()) co_await tell_the_end();
}

/// Tasks that are not done decide how the run ended: stopped, failed or waiting for answers.
void Engine::judge_tasks() {
    for (const auto& task : tasks_) {
        if (task.error) stop(describe_failure(task));
        if (task.question && !error_) status_ = RunStatus::interrupted;
    }
}

Task<> Engine::save_the_end() {
    if (saves_at_exit() && has_unsaved_) {
        if (auto stored = co_await save("exit", {}, {}); !stored) stop(std::move(stored.error()));
    }
    for (auto& task : tasks_) co_await save_writes(task);
    auto drained = co_await writer_->drain();
    if (drained) co_return;
    const bool is_known = error_ && error_->describe() == drained.error().describe();
    if (error_ && !is_known) *error_ = error_->because(drained.error());
    stop(std::move(drained.error()));
}

Error Engine::describe_failure(const ActiveTask& task) const {
    const bool was_stopped = task.phase == ActiveTask::Phase::cancelled;
    std::string message = fmt::format("node {} {}", name_of(task), was_stopped ? "was stopped" : "failed");
    const int attempts = node_of(task).retry.attempts;
    if (attempts > 1) message += fmt::format(" at attempt {} of {}", task.attempt, attempts);
    return Error{task.error->code, std::move(message), std::string(task.error->advice())}.because(*task.error);
}

RunOutcome Engine::outcome() const {
    const bool has_written = writer_ && !writer_->last_stored().empty();
    RunOutcome outcome{.status = status_,
                       .run_id = options_.run_id,
                       .thread_id = options_.thread_id,
                       .checkpoint_id = has_written ? writer_->last_stored() : origin_id_,
                       .steps = steps_};
    for (const auto& task : tasks_) {
        if (task.question) outcome.interrupts.push_back(*task.question);
    }
    if (error_) outcome.error = *error_;
    return outcome;
}

// ---- Telling

Event Engine::event(EventKind kind) const {
    Event event;
    event.kind = kind;
    event.run_id = options_.run_id;
    event.step = step();
    return event;
}

Event Engine::event(EventKind kind, const ActiveTask& task) const {
    Event told = event(kind);
    told.node = name_of(task);
    told.task = static_cast<std::int64_t>(task.slot);
    told.attempt = task.attempt;
    return told;
}

Task<> Engine::tell(EventKind kind, json::value data) {
    Event told = event(kind);
    told.data = std::move(data);
    co_await options_.events->push(std::move(told));
}

Task<> Engine::tell(EventKind kind, const ActiveTask& task, json::value data) {
    Event told = event(kind, task);
    told.data = std::move(data);
    co_await options_.events->push(std::move(told));
}

Task<> Engine::tell_node_end(const ActiveTask& task, NodeStatus status, Instant began) {
    Event told = event(EventKind::node_end, task);
    told.status = status;
    told.latency_ms = std::chrono::duration<double, std::milli>(options_.clock->now() - began).count();
    if (task.phase == ActiveTask::Phase::done) told.data = state_.update(task.slot);
    if (task.error) told.data = encode(*task.error);
    co_await options_.events->push(std::move(told));
}

Task<> Engine::tell_the_end() {
    for (const auto& task : tasks_) {
        if (task.question) co_await tell(EventKind::interrupt, task, encode(*task.question));
    }
    json::object data{{"status", encode(status_)}, {"steps", steps_}};
    if (error_) data.emplace("error", encode(*error_));
    co_await tell(EventKind::run_end, std::move(data));
    options_.events->finish();
}

}  // namespace quaestor::graph
