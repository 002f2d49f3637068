// The librarian (document 002): answers from a corpus of documents alone, cites the place of every claim, and says so
// when the documents do not answer. The same nodes work with a language model and without one.
// A Librarian shares its corpus; the agent and its runs share it. Threads: every member may be called from any
// executor.
#pragma once

#include "llm/embedder.hpp"
#include "llm/models.hpp"
#include "llm/reasoner.hpp"
#include "native/answer/extract.hpp"
#include "retrieval/corpus.hpp"
#include "workflows/cited/near_words.hpp"
#include "workflows/cited/state.hpp"
#include "workflows/cited/thresholds.hpp"
#include "workflows/common/agent.hpp"

#include <memory>
#include <string>
#include <vector>

namespace quaestor::workflows::cited {

class Librarian {
public:
    struct Parts {
        AgentInfo info;
        std::shared_ptr<const retrieval::Corpus> corpus;
        llm::Embedder* embedder = nullptr;  ///< of the corpus; outlives the librarian
        llm::Models* models = nullptr;      ///< outlives the librarian
        Thresholds thresholds{};
        Clock* clock = &system_clock();
    };
    explicit Librarian(Parts parts);

    [[nodiscard]] const AgentInfo& info() const { return parts_.info; }
    [[nodiscard]] const retrieval::Corpus& corpus() const { return *parts_.corpus; }
    [[nodiscard]] llm::Embedder& embedder() const { return *parts_.embedder; }
    [[nodiscard]] llm::Models& models() const { return *parts_.models; }
    [[nodiscard]] llm::Reasoner& reasoner() { return reasoner_; }
    [[nodiscard]] const Thresholds& thresholds() const { return parts_.thresholds; }
    [[nodiscard]] const native::Extractor& extractor() const { return extractor_; }
    [[nodiscard]] WordVectors& word_vectors() const { return word_vectors_; }
    /// "2023-07-26"
    [[nodiscard]] std::string today() const;
    /// Of the documents, sorted, each once.
    [[nodiscard]] const std::vector<std::string>& dates() const { return dates_; }
    /// Whether they are a series of days, such as minutes: nearly every document has one.
    [[nodiscard]] bool is_dated() const { return is_dated_; }
    /// Of the documents: "minutes", "statement".
    [[nodiscard]] const std::vector<std::string>& types() const { return types_; }
    /// "113 documents, January 30, 2019 to December 10, 2025"
    [[nodiscard]] std::string holdings() const;

private:
    Parts parts_;
    llm::Reasoner reasoner_;
    native::Extractor extractor_;
    mutable WordVectors word_vectors_;
    std::vector<std::string> dates_;
    std::vector<std::string> types_;
    std::size_t documents_ = 0;
    bool is_dated_ = false;
};

/// assess_query → search_corpus → evaluate_confidence → (reformulate_query ⟲) → synthesize_answer →
/// validate_citations → respond.
[[nodiscard]] graph::CompiledGraph<State> make_graph(std::shared_ptr<Librarian> librarian);

[[nodiscard]] std::unique_ptr<Agent> make_agent(std::shared_ptr<Librarian> librarian);

}  // namespace quaestor::workflows::cited
