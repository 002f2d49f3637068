// Which sentences of the passages may answer, and how likely they do. Private to the workflow.
// Reads the corpus and asks the embedder; keeps nothing.
// Threads: any executor.
#pragma once

#include "retrieval/word_weights.hpp"
#include "workflows/cited/librarian.hpp"

#include <string>
#include <vector>

namespace quaestor::workflows::cited {

/// What a question asks, its words weighed by how rare they are in the corpus.
[[nodiscard]] native::AskedQuestion asked_of(const Librarian& librarian, std::string_view topic);

/// What a word weighs; one that no document has may be said there otherwise, and then that counts.
[[nodiscard]] double weight_in(const retrieval::Corpus& corpus, const native::AskedTerm& asked,
                               const retrieval::WordWeight& own);

/// Best first; only of the named time.
Task<Result<std::vector<EvidenceSentence>>> find_evidence(const Librarian& librarian, std::string question,
                                                          DateReading dates, std::vector<retrieval::ChunkResult> chunks,
                                                          CancelToken cancel);

struct Judgement {
    double score = 0;   ///< that the evidence answers, 0 to 1
    std::string doubt;  ///< for the person: what the documents do not have
};

[[nodiscard]] Judgement judge(const Librarian& librarian, const std::string& question, const DateReading& dates,
                              const std::vector<retrieval::ChunkResult>& chunks,
                              const std::vector<EvidenceSentence>& evidence);

[[nodiscard]] SearchConfidence level_of(double score, const Thresholds& thresholds);

/// Capitalised words of a question that do not only open it.
[[nodiscard]] std::vector<std::string> names_in(std::string_view topic);
/// Names in the question that no document has, nor the passages spell out: "Bank of England".
[[nodiscard]] std::vector<std::string> unknown_names(const Librarian& librarian, std::string_view topic,
                                                     const std::vector<retrieval::ChunkResult>& chunks);

}  // namespace quaestor::workflows::cited
