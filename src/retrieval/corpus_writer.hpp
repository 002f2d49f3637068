// Private to retrieval/: changes a corpus. What is added or removed counts from the next commit() on, all of it or
// nothing. Holds the corpus's lock as long as it lives. Threads: belongs to one thread at a time.
#pragma once

#include "base/error.hpp"
#include "retrieval/checksum.hpp"
#include "retrieval/files.hpp"
#include "retrieval/manifest.hpp"
#include "retrieval/segment_builder.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace quaestor::retrieval {

struct WriterSettings {
    std::string embedder;
    ChunkingOptions chunking;
    bool rebuild = false;  ///< throw away what is there, whatever it is
};

class CorpusWriter {
public:
    /// Makes the folder when it is not there. Code::conflict when it is locked, or made with another embedder or cut
    /// otherwise; Code::corrupt or Code::unsupported when it cannot be read and is not to be rebuilt.
    [[nodiscard]] static Result<CorpusWriter> open(const std::filesystem::path& folder, const WriterSettings& settings);

    /// Of the document that was read from there.
    [[nodiscard]] std::optional<ContentHash> hash_of(const std::string& source) const;
    [[nodiscard]] std::vector<std::string> sources() const;
    /// A name that no document from elsewhere has: `wanted`, or more of its path.
    [[nodiscard]] std::string free_name(const std::string& wanted, const std::string& source) const;

    [[nodiscard]] const std::vector<std::string>& roots() const { return manifest_.roots; }
    void add_root(const std::string& root);

    /// Replaces the document from the same source.
    void add(const NewDocument& document);
    void remove(const std::string& source);
    [[nodiscard]] std::size_t segments() const { return manifest_.segments.size(); }
    /// Vectors that wait for commit().
    [[nodiscard]] std::size_t rows_waiting() const { return builder_ ? builder_->rows() : 0; }

    [[nodiscard]] Result<> commit();
    /// Merges small segments and drops what was removed, where that is worth it; commits.
    [[nodiscard]] Result<> compact();

private:
    struct Place {
        std::size_t segment = 0;  ///< in the manifest; kWaiting before its commit
        std::uint32_t document = 0;
        ContentHash hash;
        std::string name;
    };
    CorpusWriter(std::filesystem::path folder, FileHandle lock) : folder_(std::move(folder)), lock_(std::move(lock)) {}
    [[nodiscard]] Result<> load(const WriterSettings& settings);
    [[nodiscard]] Result<> index_segments();
    [[nodiscard]] std::string take_segment_name();
    [[nodiscard]] Result<> merge(const std::vector<std::size_t>& chosen);
    void drop_unlisted_files() const;

    std::filesystem::path folder_;
    FileHandle lock_;
    Manifest manifest_;
    std::vector<std::size_t> rows_;       ///< of each segment
    std::vector<std::size_t> documents_;  ///< of each segment
    std::unordered_map<std::string, Place> by_source_;
    std::unordered_map<std::string, std::string> source_of_name_;
    std::optional<SegmentBuilder> builder_;
    std::vector<std::uint32_t> removed_waiting_;  ///< documents of the builder
    bool is_changed_ = false;
};

}  // namespace quaestor::retrieval
