#include "graph/checkpoint_writer.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <iterator>

namespace quaestor::graph {

namespace {

constexpr std::size_t kPileUsual = 16;

}  // namespace

CheckpointWriter::CheckpointWriter(asio::any_io_executor executor, CheckpointStore& store, bool waits_for_each)
    : executor_(executor),
      store_(store),
      waits_for_each_(waits_for_each),
      changed_(std::move(executor), asio::steady_timer::time_point::max()) {}

Task<Result<>> CheckpointWriter::put(Checkpoint checkpoint) {
    if (waits_for_each_) {
        std::string id = checkpoint.id;
        auto stored = co_await store_.put(std::move(checkpoint));
        if (stored) last_stored_ = std::move(id);
        co_return stored;
    }
    if (pile_.size() >= kWritesWaitingMax) co_await wait_for_room();
    if (first_error_) co_return fail(*first_error_);
    if (pile_.checkpoints.empty()) pile_.checkpoints.reserve(kPileUsual);
    pile_.checkpoints.push_back(std::move(checkpoint));
    begin_writing();
    co_return Result<>{};
}

Task<Result<>> CheckpointWriter::put_writes(std::string thread_id, std::string checkpoint_id,
                                            std::vector<PendingWrite> writes) {
    if (waits_for_each_) {
        co_return co_await store_.put_writes(std::move(thread_id), std::move(checkpoint_id), std::move(writes));
    }
    if (pile_.size() >= kWritesWaitingMax) co_await wait_for_room();
    if (first_error_) co_return fail(*first_error_);
    if (!pile_.writes.empty() && pile_.writes.back().checkpoint_id == checkpoint_id) {
        std::ranges::move(writes, std::back_inserter(pile_.writes.back().writes));
    } else {
        pile_.writes.push_back({std::move(thread_id), std::move(checkpoint_id), std::move(writes)});
    }
    begin_writing();
    co_return Result<>{};
}

Task<> CheckpointWriter::wait_for_room() {
    while (pile_.size() >= kWritesWaitingMax && !first_error_) {
        co_await changed_.async_wait(asio::as_tuple(asio::use_awaitable));
    }
}

/// While a pile waits, a coroutine writes; what came after its last look begins another.
void CheckpointWriter::begin_writing() {
    if (is_writing_) return;
    is_writing_ = true;
    asio::co_spawn(executor_, write_piles(), [this](std::exception_ptr thrown) {
        if (thrown && !first_error_) first_error_ = {Code::internal, "the checkpoint store threw an exception"};
        is_writing_ = false;
        if (pile_.size() > 0 && !first_error_) begin_writing();
        changed_.cancel();
    });
}

/// Begins after the run has had its turn, so that steps which take no time are stored together.
Task<> CheckpointWriter::write_piles() {
    co_await asio::post(executor_, asio::use_awaitable);
    while (pile_.size() > 0 && !first_error_) {
        auto stored = co_await write(std::exchange(pile_, {}));
        if (!stored) first_error_ = std::move(stored.error());
        changed_.cancel();
    }
}

Task<Result<>> CheckpointWriter::write(Pile pile) {
    if (!pile.checkpoints.empty()) {
        std::string last = pile.checkpoints.back().id;
        if (auto stored = co_await store_.put_all(std::move(pile.checkpoints)); !stored) co_return stored;
        last_stored_ = std::move(last);
    }
    for (auto& writes : pile.writes) {
        auto stored = co_await store_.put_writes(std::move(writes.thread_id), std::move(writes.checkpoint_id),
                                                 std::move(writes.writes));
        if (!stored) co_return stored;
    }
    co_return Result<>{};
}

Task<Result<>> CheckpointWriter::drain() {
    while (is_writing_) co_await changed_.async_wait(asio::as_tuple(asio::use_awaitable));
    if (first_error_) co_return fail(*first_error_);
    co_return Result<>{};
}

}  // namespace quaestor::graph
