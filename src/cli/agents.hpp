// The agents that a command may ask, opened when they are first needed: the source, what is learnt of it, the models.
// Owned by a command; what it gave out lives as long as it does. Private to cli/.
// Threads: for main()'s thread.
#pragma once

#include "cli/agent_config.hpp"
#include "cli/language_support.hpp"
#include "cli/progress.hpp"
#include "native/reading/reader.hpp"
#include "retrieval/corpus.hpp"
#include "workflows/common/agent.hpp"
#include "workflows/reflective/analyst.hpp"

#include <future>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace quaestor::cli {

/// An agent that can be asked.
struct OpenAgent {
    AgentSpec spec;
    std::shared_ptr<workflows::reflective::Analyst> analyst;  ///< none where documents are asked
    std::unique_ptr<workflows::Agent> agent;
    std::shared_ptr<const retrieval::Corpus> corpus{};  ///< where documents are asked
};

/// Whom a person wants to ask: an agent, a source or a corpus (with an agent's name, under that name), or whoever fits.
struct AgentChoice {
    std::optional<std::string> agent;
    std::optional<std::string> source;
    std::optional<std::string> corpus;  ///< a name, or a folder
    [[nodiscard]] bool is_made() const { return agent || source || corpus; }
};

[[nodiscard]] workflows::AgentInfo info_of(const AgentSpec& spec);

/// What was kept with a thread's checkpoints, so that it goes on with whom it began.
[[nodiscard]] json::object thread_metadata(const AgentSpec& spec);
/// The agent that a thread is with, by its latest checkpoint; nothing for a thread that is new.
[[nodiscard]] Result<std::optional<AgentChoice>> agent_of_thread(store::Store& store, const std::string& thread_id);

/// The agents' graphs to look at; to run, each needs an agent of its own.
[[nodiscard]] std::vector<std::shared_ptr<const graph::AnyGraph>> agent_graphs();
/// Whether the runs of a graph belong to an agent, which has to be opened to go on with them.
[[nodiscard]] bool belongs_to_agent(std::string_view graph);

class Agents {
public:
    /// `invocation` outlives it.
    Agents(const Invocation& invocation, TapeOptions tape);

    [[nodiscard]] const std::vector<AgentSpec>& specs() const { return specs_; }
    /// The configured models, opened on first use.
    [[nodiscard]] Result<llm::Models*> models();

    /// Code::not_found suggests the nearest name.
    [[nodiscard]] Result<OpenAgent*> open(const AgentChoice& choice);

    /// The one that there is; none when there are several.
    [[nodiscard]] Result<OpenAgent*> open_only();

    /// The agent whose data fits the question best, and a sentence on why it was chosen; empty when there is one alone.
    struct Routed {
        OpenAgent* agent = nullptr;
        std::string reason;
    };
    [[nodiscard]] Result<Routed> route(const std::string& question);

private:
    [[nodiscard]] Result<AgentSpec> find(const AgentChoice& choice) const;
    [[nodiscard]] Result<OpenAgent*> open(const AgentSpec& spec);
    [[nodiscard]] Result<std::unique_ptr<OpenAgent>> make(const AgentSpec& spec);
    [[nodiscard]] Result<std::unique_ptr<OpenAgent>> make_analyst(const AgentSpec& spec);
    [[nodiscard]] Result<std::unique_ptr<OpenAgent>> make_librarian(const AgentSpec& spec);
    [[nodiscard]] Result<std::string> uri_for(const AgentSpec& spec);
    [[nodiscard]] Result<Language*> language();

    const Invocation& invocation_;
    TapeOptions tape_;
    std::vector<AgentSpec> specs_;
    ProgressBar progress_;
    std::shared_future<Result<native::QuestionReader::Parts>> reader_parts_;
    std::unique_ptr<Language> language_;
    std::map<std::string, std::unique_ptr<OpenAgent>> open_;  ///< by name and source
};

}  // namespace quaestor::cli
