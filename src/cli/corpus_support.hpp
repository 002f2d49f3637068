// What the commands that search documents share: where corpora are, and opening one by name or from a folder.
// Private to cli/.
// Threads: for main()'s thread.
#pragma once

#include "cli/commands.hpp"
#include "cli/progress.hpp"
#include "llm/embedder.hpp"
#include "retrieval/corpus.hpp"
#include "retrieval/ingest.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace quaestor::cli {

/// Code::invalid_argument when it cannot be a name.
[[nodiscard]] Result<std::filesystem::path> corpus_folder(const Settings& settings, const std::string& name);

/// Shows "12 of 113 files, 345 chunks, 11 chunks/s, 2 min left" while it goes on. `progress` outlives it.
[[nodiscard]] std::function<void(const retrieval::IngestProgress&)> show_ingest(ProgressBar& progress);

/// A line on standard error for each file that was left out.
void tell_skipped(const std::vector<retrieval::SkippedFile>& skipped);

/// The corpus of that name or, where there is none and it is a folder of documents, one made of that folder and brought
/// up to date. Code::not_found with what there is.
[[nodiscard]] Task<Result<std::shared_ptr<const retrieval::Corpus>>> open_corpus(const Invocation& invocation,
                                                                                 llm::Embedder& embedder,
                                                                                 const std::string& name_or_folder);

/// The demo documents as a corpus of their own, read anew. Code::not_found where they were not installed.
[[nodiscard]] Result<retrieval::IngestReport> make_demo_corpus(const Invocation& invocation, llm::Embedder& embedder,
                                                               ProgressBar& progress);

}  // namespace quaestor::cli
