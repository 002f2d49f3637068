// Words of passages that are near in meaning to words of a question: "physician" and "doctor", "loud" and "sound". So a
// paraphrase covers what is asked without a list of synonyms. The librarian owns the vectors. Private to the workflow.
// Threads: any executor; the vectors are guarded by a mutex.
#pragma once

#include "llm/embedder.hpp"
#include "native/answer/extract.hpp"

#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace quaestor::workflows::cited {

class Librarian;

/// Vectors of single words, embedded once.
class WordVectors {
public:
    using Known = std::unordered_map<std::string, std::vector<float>>;

    /// The vectors of these words; unknown ones are embedded now.
    Task<Result<Known>> of(llm::Embedder& embedder, std::vector<std::string> words, CancelToken cancel);

private:
    /// Forgets everything where it would become too much.
    void keep(const std::string& word, std::vector<float> vector);

    std::mutex mutex_;
    Known known_;
};

/// The question with its words weighed by how much it would mean something else without them: "talked" of "was yield
/// curve control talked about" hardly counts.
Task<Result<native::AskedQuestion>> weighed_by_meaning(const Librarian& librarian, native::AskedQuestion asked,
                                                       std::string topic, CancelToken cancel);

/// The question with what its abbreviations stand for in the texts: "SVB" for "Silicon Valley Bank".
[[nodiscard]] native::AskedQuestion with_abbreviations(native::AskedQuestion asked, std::string_view topic,
                                                       const std::vector<std::string>& texts);

/// The question with what the texts have for each of its words that is near it. Names, numbers and words of change
/// stand only for themselves: no other says the same.
Task<Result<native::AskedQuestion>> with_near_words(const Librarian& librarian, native::AskedQuestion asked,
                                                    std::string topic, std::vector<std::string> texts,
                                                    CancelToken cancel);

}  // namespace quaestor::workflows::cited
