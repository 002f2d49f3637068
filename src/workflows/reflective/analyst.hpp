// The reflective analyst (document 003): asks a database, checks what came out, and shows how it got there. The same
// nodes work with a language model and without one.
// An Analyst owns its source; the agent and its runs share it. Threads: every member may be called from any executor.
#pragma once

#include "data/source.hpp"
#include "llm/models.hpp"
#include "llm/reasoner.hpp"
#include "native/reading/reader.hpp"
#include "resilience/ttl_cache.hpp"
#include "workflows/common/agent.hpp"
#include "workflows/common/intent.hpp"
#include "workflows/reflective/state.hpp"

#include <memory>
#include <string>

namespace quaestor::workflows::reflective {

class Analyst {
public:
    struct Parts {
        AgentInfo info;
        std::unique_ptr<data::Source> source;
        std::unique_ptr<native::QuestionReader> reader;
        llm::Models* models = nullptr;  ///< outlives the analyst
        data::QueryLimits limits;
        Clock* clock = &system_clock();
    };
    explicit Analyst(Parts parts);

    [[nodiscard]] const AgentInfo& info() const { return parts_.info; }
    [[nodiscard]] data::Source& source() const { return *parts_.source; }
    [[nodiscard]] const native::Knowledge& knowledge() const { return parts_.reader->knowledge(); }
    [[nodiscard]] llm::Models& models() const { return *parts_.models; }
    /// Of its own, for its native answers are about its source.
    [[nodiscard]] llm::Reasoner& reasoner() { return reasoner_; }
    /// What a text wants, by its meaning.
    [[nodiscard]] NativeIntent& intent() { return intent_; }
    [[nodiscard]] const data::QueryLimits& limits() const { return parts_.limits; }
    [[nodiscard]] const Clock& clock() const { return *parts_.clock; }
    /// For "last year", an ISO date.
    [[nodiscard]] std::string today() const { return to_iso8601(clock().wall()).substr(0, 10); }

    /// The native understanding of a question, computed once for all nodes that ask for it. `leans_on` is the SQL of an
    /// earlier turn, or empty.
    using Understood = std::shared_ptr<const native::Understanding>;
    Task<Result<Understood>> understand(std::string question, std::string leans_on, CancelToken cancel);

    /// Whether SQL is written by a model; without one the reader's readings are used.
    [[nodiscard]] bool has_model() const;

    /// How often a question had been understood already.
    [[nodiscard]] CacheStats understood_stats() const { return understood_.stats(); }

private:
    Parts parts_;
    llm::Reasoner reasoner_;
    NativeIntent intent_;
    TtlCache<std::string, Understood> understood_;
};

/// clarify_query → (ask_user) | rewrite_query → plan_query → select_tables → generate_sql ⟲ → execute_sql →
/// analyze_data → grade_response, and decompose → answer_sub_query (side by side) → combine_results for complex plans.
[[nodiscard]] graph::CompiledGraph<State> make_graph(std::shared_ptr<Analyst> analyst);

[[nodiscard]] std::unique_ptr<Agent> make_agent(std::shared_ptr<Analyst> analyst);

}  // namespace quaestor::workflows::reflective
