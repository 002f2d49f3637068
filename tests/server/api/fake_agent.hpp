// An agent that does what its question says, without any data: "wait" waits until the test opens a gate, "which" asks
// back, "fail" fails, "throw" throws, "regenerate" writes its answer twice.
// Owned by the test. Threads: the gate may be opened from any thread.
#pragma once

#include "base/bell.hpp"
#include "graph/graph.hpp"
#include "server/api/agent_directory.hpp"
#include "workflows/common/agent.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace quaestor::server::testing {

/// Who waits goes on when it is opened, or when it is cancelled.
class Gate {
public:
    Task<> wait(CancelToken cancel);
    void open();
    /// How many wait now.
    [[nodiscard]] std::size_t waiting();

private:
    std::mutex mutex_;
    bool is_open_ = false;
    std::vector<Bell*> bells_;
};

struct FakeState {
    std::string question;
    std::string override_schema;
    std::string resolved_question;
    std::string answer;
    std::vector<std::string> selected_tables;
    workflows::AnswerStatus status = workflows::AnswerStatus::failed;
};
BOOST_DESCRIBE_STRUCT(FakeState, (), (question, override_schema, resolved_question, answer, selected_tables, status))

[[nodiscard]] std::unique_ptr<workflows::Agent> make_fake_agent(std::string name, std::shared_ptr<Gate> gate);

/// One or several fake agents; a question goes to the one whose name it holds, else to the first.
class FakeDirectory final : public AgentDirectory {
public:
    explicit FakeDirectory(std::vector<std::string> names = {"nba"});

    [[nodiscard]] std::vector<AgentListing> list() const override;
    [[nodiscard]] Result<const workflows::Agent*> open(std::string_view name) const override;
    Task<Result<Routed>> route(std::string question) const override;
    Task<json::object> models() const override;
    [[nodiscard]] std::map<std::string, CacheStats> caches() const override;
    Task<std::map<std::string, std::string>> breakers() const override;

    const std::shared_ptr<Gate> gate = std::make_shared<Gate>();

private:
    std::vector<std::unique_ptr<workflows::Agent>> agents_;
};

}  // namespace quaestor::server::testing
