// Brings a corpus up to date with files and folders: reads, cuts, embeds, commits. Safe to repeat and to interrupt.
// One ingest at a time for each corpus, across processes; searches go on meanwhile.
// Threads: call from any executor; files are read and indexes written by a worker thread.
#pragma once

#include "base/task.hpp"
#include "llm/embedder.hpp"
#include "resilience/cancellation.hpp"
#include "retrieval/chunking.hpp"
#include "retrieval/corpus.hpp"

#include <boost/describe/class.hpp>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace quaestor::retrieval {

/// Files of one corpus.
inline constexpr std::size_t kFilesMax = 1'000'000;

/// How far it is. Called often, from the executor of the ingest.
struct IngestProgress {
    std::string file;  ///< that was read last
    std::size_t files_done = 0;
    std::size_t files_total = 0;
    double done = 0;         ///< 0 to 1, by the size of the files
    std::size_t chunks = 0;  ///< embedded so far
    double chunks_per_second = 0;
    double seconds_left = 0;  ///< guessed from the bytes that are left; 0 while nothing is known
};

struct IngestOptions {
    ChunkingOptions chunking;
    bool rebuild = false;  ///< begin anew, whatever is there
    std::function<void(const IngestProgress&)> on_progress{};
    CancelToken cancel{};
};

/// A file that was left out, and why.
struct SkippedFile {
    std::string file;
    Error error;
};

struct IngestReport {
    std::size_t files = 0;
    std::size_t added = 0;
    std::size_t replaced = 0;
    std::size_t unchanged = 0;
    std::size_t removed = 0;  ///< documents whose files are gone from the folders that were ingested
    std::size_t chunks = 0;   ///< that were embedded now
    std::vector<SkippedFile> skipped;
    CorpusSize corpus;  ///< afterwards
    double seconds = 0;
    double embedding_seconds = 0;
};

/// Without paths those of last time are looked at again. Folders are read recursively; in them files of other kinds are
/// passed over in silence, one that is named is not. A file that cannot be read is reported and the rest goes in.
/// Cancelled, it keeps what was committed and goes on from there next time. Code::conflict when another ingest holds
/// the corpus, or it was made with another embedder.
[[nodiscard]] Task<Result<IngestReport>> ingest(std::vector<std::filesystem::path> paths,
                                                const std::filesystem::path& corpus, llm::Embedder& embedder,
                                                IngestOptions options = {});

}  // namespace quaestor::retrieval
