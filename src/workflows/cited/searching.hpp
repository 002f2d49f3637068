// Finds passages for a question: the documents of the time it names first, one search for each day where several are
// compared, then everything. Private to the workflow.
// Threads: pure functions over a corpus, but for the embedding.
#pragma once

#include "workflows/cited/librarian.hpp"

#include <string>
#include <vector>

namespace quaestor::workflows::cited {

/// Days that are searched one by one.
inline constexpr std::size_t kDaysSearched = 120;

struct Wish {
    std::string query;
    std::string question;  ///< with its words on time, which may name a kind of documents
    DateReading dates;
    native::AnswerOrder order = native::AnswerOrder::best;
    std::int64_t top = kTopDefault;
};

/// Passages of the named time first, then others; no more than `top`.
Task<Result<std::vector<retrieval::ChunkResult>>> find_passages(const Librarian& librarian, Wish wish,
                                                                CancelToken cancel);

/// Whether a question without a time is answered from all days: when the rate was raised, how high it went.
[[nodiscard]] bool goes_through_all(const native::AskedQuestion& asked, const DateReading& dates);

/// What is searched for a question without its words on time; those that name nothing else ask what was decided.
[[nodiscard]] std::string query_for(const Librarian& librarian, const std::string& topic);

/// Whether a chunk is of the time that was named; true when none was.
[[nodiscard]] bool is_of_time(const retrieval::ChunkResult& chunk, const DateReading& dates);

/// The kind of documents that the question names, as the corpus calls it; empty for none.
[[nodiscard]] std::string type_in(std::string_view question, const std::vector<std::string>& types);

/// What its document says about a chunk: title, type, day in words, section.
[[nodiscard]] std::string context_of_chunk(const retrieval::ChunkResult& chunk);

}  // namespace quaestor::workflows::cited
