// One question after another, each to the agent that is meant: chosen by name, by source, by the thread it belongs to,
// or by the router. Owned by a command. Private to cli/.
// Threads: for main()'s thread.
#pragma once

#include "cli/agents.hpp"

#include <memory>
#include <string>

namespace quaestor::cli {

class Asker {
public:
    /// Opens the store; agents are opened when they are asked. `invocation` outlives it.
    [[nodiscard]] static Result<std::unique_ptr<Asker>> open(const Invocation& invocation, AgentChoice choice,
                                                             TapeOptions tape);

    /// Opens the agent that will be asked, if there is no choice left; else none, and the router chooses by question.
    [[nodiscard]] Result<OpenAgent*> open_only_agent();

    /// Asks, with the steps shown while it works. `thread_id` is empty for a new thread. Errors as workflows::ask().
    [[nodiscard]] Result<workflows::Answer> ask(const std::string& question, const std::string& thread_id,
                                                const CancelToken& cancel);

    /// Who answered last; none before the first question.
    [[nodiscard]] OpenAgent* last_agent() const { return last_agent_; }
    [[nodiscard]] store::Store& store() { return *store_; }

private:
    Asker(const Invocation& invocation, AgentChoice choice, TapeOptions tape, std::unique_ptr<store::Store> store);
    [[nodiscard]] Result<OpenAgent*> agent_for(const std::string& question, const std::string& thread_id);

    const Invocation& invocation_;
    AgentChoice choice_;
    std::unique_ptr<store::Store> store_;
    Agents agents_;
    OpenAgent* last_agent_ = nullptr;
};

/// The words that go on with an answer's thread: "quaestor ask --source shop.db --thread 01…".
[[nodiscard]] std::string command_to_go_on(const OpenAgent& agent, const std::string& thread_id);

}  // namespace quaestor::cli
