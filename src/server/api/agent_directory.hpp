// Who can be asked: the server's port to the agents of the program that runs it, and to the documents they cite.
// Implemented where agents are made (cli/). A directory that was replaced lives until its last run has ended.
// Threads: every member may be called from any thread.
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/task.hpp"
#include "resilience/ttl_cache.hpp"
#include "workflows/common/agent.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace quaestor::server {

/// An agent as /api/agents shows it.
struct AgentListing {
    workflows::AgentInfo info;
    bool synthetic = false;  ///< its data is made up
    bool available = true;
    std::string reason;     ///< why it is not available
    json::object coverage;  ///< {tables, rows} of a database, {documents, from, to} of a corpus; empty when not known
};

class AgentDirectory {
public:
    virtual ~AgentDirectory() = default;

    [[nodiscard]] virtual std::vector<AgentListing> list() const = 0;

    /// Code::not_found suggests the nearest name; Code::unavailable for one that could not be opened.
    [[nodiscard]] virtual Result<const workflows::Agent*> open(std::string_view name) const = 0;

    /// The agent whose data fits the question best, and a sentence on why; empty when there is one alone.
    struct Routed {
        const workflows::Agent* agent = nullptr;
        std::string reason;
    };
    virtual Task<Result<Routed>> route(std::string question) const = 0;

    /// What /api/models shows: {models: […], native: true where questions are answered without one}.
    virtual Task<json::object> models() const = 0;

    /// Caches by name, for /api/debug/caches and /metrics.
    [[nodiscard]] virtual std::map<std::string, CacheStats> caches() const = 0;
    /// Circuit breakers by what they guard: closed, open or half_open.
    virtual Task<std::map<std::string, std::string>> breakers() const = 0;
};

/// Documents that answers cite, to be opened at the cited place.
class DocumentShelf {
public:
    virtual ~DocumentShelf() = default;
    /// {corpus, document, title, date, text, sections: […]}. Code::not_found for an unknown corpus or document.
    virtual Task<Result<json::object>> read(std::string corpus, std::string document) const = 0;
};

}  // namespace quaestor::server
