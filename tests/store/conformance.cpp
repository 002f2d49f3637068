#include "conformance.hpp"

#include <fmt/format.h>

namespace quaestor::store {

using graph::Checkpoint;
using graph::CheckpointQuery;
using graph::SavedCheckpoint;

WallTime second(int count) {
    constexpr std::chrono::sys_days kStart = std::chrono::year{2026} / 1 / 1;
    return kStart + std::chrono::seconds(count);
}

Draft::Draft(std::string thread_id, std::string id) {
    checkpoint_.thread_id = std::move(thread_id);
    checkpoint_.id = std::move(id);
    checkpoint_.created_at = second(0);
}

Draft& Draft::after(std::string parent_id) {
    checkpoint_.parent_id = std::move(parent_id);
    return *this;
}

Draft& Draft::snapshot() {
    checkpoint_.is_snapshot = true;
    return *this;
}

Draft& Draft::set(std::string_view field, json::value value) {
    checkpoint_.change.set.insert_or_assign(field, std::move(value));
    return *this;
}

Draft& Draft::append(std::string_view field, json::array items) {
    checkpoint_.change.append.insert_or_assign(field, std::move(items));
    return *this;
}

Draft& Draft::position(json::value value) {
    checkpoint_.position = std::move(value);
    return *this;
}

Draft& Draft::metadata(json::object value) {
    checkpoint_.metadata = std::move(value);
    return *this;
}

Draft& Draft::at(WallTime time) {
    checkpoint_.created_at = time;
    return *this;
}

void StoreConformance::reopen() {
    if (!GetParam().durable) return;
    store_.reset();
    store_ = home_->open();
}

void StoreConformance::put_in_flight(std::vector<Checkpoint> drafts) {
    asio::io_context loop(1);
    for (Checkpoint& draft : drafts) {
        asio::co_spawn(loop, checkpoints().put(std::move(draft)),
                       [](std::exception_ptr thrown, Result<> stored) { EXPECT_TRUE(!thrown && stored); });
    }
    loop.run();
}

void StoreConformance::put_chain(const std::string& thread_id, int count) {
    put(Draft(thread_id, "c1").snapshot().set("n", 1).at(second(1)));
    for (int n = 2; n <= count; ++n) {
        put(Draft(thread_id, fmt::format("c{}", n)).after(fmt::format("c{}", n - 1)).set("n", n).at(second(n)));
    }
}

SavedCheckpoint StoreConformance::get(const std::string& thread_id, std::optional<std::string> id) {
    return wait(checkpoints().get(thread_id, std::move(id))).value();
}

json::value StoreConformance::state(const std::string& thread_id, std::optional<std::string> id) {
    return get(thread_id, std::move(id)).state;
}

bool StoreConformance::exists(const std::string& thread_id, std::optional<std::string> id) {
    return wait(checkpoints().get(thread_id, std::move(id))).has_value();
}

std::vector<std::string> StoreConformance::ids(CheckpointQuery query) {
    std::vector<std::string> found;
    for (auto& info : wait(checkpoints().list(std::move(query)))) found.push_back(std::move(info.id));
    return found;
}

std::vector<std::string> StoreConformance::ids_of_thread(const std::string& thread_id) {
    CheckpointQuery query;
    query.thread_id = thread_id;
    return ids(std::move(query));
}

std::string backend_name(const testing::TestParamInfo<TestBackend>& info) {
    return info.param.name;
}

}  // namespace quaestor::store
