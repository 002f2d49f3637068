// The contract of Store as tests that every backend runs: a backend's test file instantiates StoreConformance.
// Each test gets an empty home of its own; reopen() closes the store and opens it again where it is durable.
// Threads: tests of concurrency start their own threads and join them.
#pragma once

#include "store/store.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace quaestor::store {

/// A place where a store can live: a folder, a database, or nothing at all.
class StoreHome {
public:
    virtual ~StoreHome() = default;
    /// Opens the store that lives here; called again only after the last one is closed.
    virtual std::unique_ptr<Store> open() = 0;
};

struct TestBackend {
    std::string name;
    bool durable = true;
    std::function<std::unique_ptr<StoreHome>()> make_home;
};

inline void PrintTo(const TestBackend& backend, std::ostream* out) {
    *out << backend.name;
}

/// The value, or an exception that ends the test with the error's words.
template <class T>
T unwrap(Result<T> result) {
    if (!result) throw std::runtime_error(result.error().describe());
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// Runs a task to its end and unwraps its result.
template <class T>
T wait(Task<Result<T>> task) {
    return unwrap(run_to_end(std::move(task)));
}

/// Runs a task that must fail, and returns the code of its error.
template <class T>
Code failure_of(Task<Result<T>> task) {
    const auto result = run_to_end(std::move(task));
    if (result) throw std::runtime_error("it succeeded, and should not have");
    EXPECT_FALSE(result.error().message.empty());
    return result.error().code;
}

/// A checkpoint, written down as a test needs it: `Draft("t", "c2").after("c1").set("a", 1)`.
class Draft {
public:
    Draft(std::string thread_id, std::string id);
    Draft& after(std::string parent_id);
    Draft& snapshot();
    Draft& set(std::string_view field, json::value value);
    Draft& append(std::string_view field, json::array items);
    Draft& position(json::value value);
    Draft& metadata(json::object value);
    Draft& at(WallTime time);
    operator graph::Checkpoint() const { return graph::copy_of(checkpoint_); }

private:
    graph::Checkpoint checkpoint_;
};

/// `several(Draft("t", "c1"), Draft("t", "c2"))`: checkpoints cannot be copied, and so not be listed in braces.
template <class... Drafts>
std::vector<graph::Checkpoint> several(const Drafts&... drafts) {
    std::vector<graph::Checkpoint> checkpoints;
    (checkpoints.push_back(drafts), ...);
    return checkpoints;
}

/// 2026-01-01T00:00:00Z and so many seconds.
[[nodiscard]] WallTime second(int count);

class StoreConformance : public testing::TestWithParam<TestBackend> {
protected:
    StoreConformance() : home_(GetParam().make_home()), store_(home_->open()) {}

    void reopen();

    [[nodiscard]] Store& store() { return *store_; }
    [[nodiscard]] graph::CheckpointStore& checkpoints() { return store_->checkpoints(); }
    [[nodiscard]] ConversationStore& conversations() { return store_->conversations(); }
    [[nodiscard]] TraceStore& traces() { return store_->traces(); }

    void put(graph::Checkpoint checkpoint) { wait(checkpoints().put(std::move(checkpoint))); }
    /// Stores them in this order, all in flight at once.
    void put_in_flight(std::vector<graph::Checkpoint> checkpoints);
    /// Stores `count` checkpoints c1, c2, … of a thread: the first a snapshot {"n": 1}, the others each setting n.
    void put_chain(const std::string& thread_id, int count);
    /// A checkpoint that must be there: the newest without an id.
    [[nodiscard]] graph::SavedCheckpoint get(const std::string& thread_id, std::optional<std::string> id = {});
    [[nodiscard]] json::value state(const std::string& thread_id, std::optional<std::string> id = {});
    [[nodiscard]] bool exists(const std::string& thread_id, std::optional<std::string> id = {});
    /// The ids of a listing.
    [[nodiscard]] std::vector<std::string> ids(graph::CheckpointQuery query);
    [[nodiscard]] std::vector<std::string> ids_of_thread(const std::string& thread_id);

private:
    std::unique_ptr<StoreHome> home_;
    std::unique_ptr<Store> store_;
};

/// `INSTANTIATE_TEST_SUITE_P(Memory, StoreConformance, testing::Values(backend), backend_name);`
[[nodiscard]] std::string backend_name(const testing::TestParamInfo<TestBackend>& info);

}  // namespace quaestor::store
