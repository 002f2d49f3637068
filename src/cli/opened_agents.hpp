// The agents of a server: all opened when it starts, each with its own reason where that did not work. Private to cli/.
// Owns them, their sources and models.
// Threads: open() from main()'s thread; everything else from any thread.
#pragma once

#include "cli/agents.hpp"
#include "resilience/ttl_cache.hpp"
#include "server/api/agent_directory.hpp"

#include <chrono>
#include <memory>
#include <vector>

namespace quaestor::cli {

class OpenedAgents final : public server::AgentDirectory, public server::DocumentShelf {
public:
    /// Opens whatever is configured. An agent that cannot be opened is listed with the reason. `invocation` outlives
    /// it.
    [[nodiscard]] static Result<std::shared_ptr<const OpenedAgents>> open(const Invocation& invocation);

    [[nodiscard]] std::vector<server::AgentListing> list() const override;
    [[nodiscard]] Result<const workflows::Agent*> open(std::string_view name) const override;
    Task<Result<Routed>> route(std::string question) const override;
    Task<json::object> models() const override;
    [[nodiscard]] std::map<std::string, CacheStats> caches() const override;
    Task<std::map<std::string, std::string>> breakers() const override;
    Task<Result<json::object>> read(std::string corpus, std::string document) const override;

private:
    explicit OpenedAgents(const Invocation& invocation) : agents_(invocation, {}) {}

    struct Entry {
        server::AgentListing listing;
        OpenAgent* opened = nullptr;  ///< none: not available
    };

    Task<Result<Routed>> best_for(const std::string& question) const;

    static constexpr CacheSettings kRoutesKept{.capacity = 1'000, .lifetime = std::chrono::hours(1)};

    Agents agents_;
    llm::Models* models_ = nullptr;
    std::vector<Entry> entries_;
    /// Looking at a question with the eyes of every agent takes as long as answering it.
    mutable TtlCache<std::string, Routed> routes_{kRoutesKept, system_clock()};
};

}  // namespace quaestor::cli
