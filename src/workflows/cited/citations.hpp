// Holds an answer against the passages that it cites, sentence by sentence: numbers and names must stand there, the
// rest must be said there in these or like words. No model takes part. Private to the workflow. Threads: any executor;
// asks the embedder.
#pragma once

#include "workflows/cited/librarian.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace quaestor::workflows::cited {

/// A sentence, or a row of a table, with the passages it cites.
struct CitedSentence {
    std::string text;                    ///< without the marks
    std::string ending;                  ///< what stood between it and the next
    std::vector<std::int64_t> passages;  ///< from 1
};
[[nodiscard]] std::vector<CitedSentence> cited_sentences(std::string_view answer);

struct ValidatedAnswer {
    std::string answer;  ///< cited by numbers in the order of appearance
    std::vector<Citation> citations;
    std::vector<std::string> left_out;  ///< no passage says them
    std::int64_t checked = 0;
};

Task<Result<ValidatedAnswer>> validate(const Librarian& librarian, std::string draft,
                                       std::vector<retrieval::ChunkResult> chunks, CancelToken cancel);

}  // namespace quaestor::workflows::cited
