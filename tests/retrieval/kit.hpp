// What the tests of this room share: folders of files, corpora made from them, small PDF files.
// Each corpus has a folder that goes with it.
// Threads: for the test's thread.
#pragma once

#include "llm/embedder.hpp"
#include "retrieval/ingest.hpp"
#include "retrieval/search.hpp"
#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace quaestor::retrieval {

/// A PDF with these lines on its pages.
[[nodiscard]] std::string make_pdf(const std::vector<std::vector<std::string>>& pages);

/// Files beside a corpus of them.
class CorpusFolder {
public:
    void write(const std::string& name, std::string_view text) const;
    void erase(const std::string& name) const;
    [[nodiscard]] std::filesystem::path files() const { return folder_.path() / "files"; }
    [[nodiscard]] std::filesystem::path corpus() const { return folder_.path() / "corpus"; }

    [[nodiscard]] Result<IngestReport> ingest(IngestOptions options = {}) const;
    /// A test that goes on without one makes no sense, so it ends.
    [[nodiscard]] std::shared_ptr<const Corpus> open() const;
    [[nodiscard]] std::vector<ChunkResult> search(const std::string& query, Filter filter = {}) const;
    /// Documents of what is found, in order.
    [[nodiscard]] std::vector<std::string> found(const std::string& query, Filter filter = {}) const;

    [[nodiscard]] llm::Embedder& embedder() const { return *embedder_; }

private:
    store::TemporaryFolder folder_;
    std::unique_ptr<llm::Embedder> embedder_ = llm::hashing_embedder();
};

}  // namespace quaestor::retrieval
