// Private to retrieval/: collects documents with their vectors and postings, and writes them as a segment.
// Holds everything in memory until it is written; kSegmentRowsMax bounds it.
// Threads: belongs to one thread.
#pragma once

#include "base/error.hpp"
#include "llm/embedder.hpp"
#include "retrieval/checksum.hpp"
#include "retrieval/chunking.hpp"
#include "retrieval/document.hpp"
#include "retrieval/segment.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace quaestor::retrieval {

/// Vectors of a segment at most; segments that would together have more are not merged.
inline constexpr std::size_t kSegmentRowsMax = 262'144;

/// A document as it goes in.
struct NewDocument {
    std::string name;
    std::string source;
    ContentHash hash;
    Document document;
    std::vector<Chunk> chunks;
    std::vector<float> vectors;  ///< one for each window of each chunk, in order
};

class SegmentBuilder {
public:
    explicit SegmentBuilder(std::size_t dimensions) : dimensions_(dimensions) {}

    void add(const NewDocument& document);
    /// All documents that are not removed.
    void add(const Segment& segment, const std::vector<bool>& removed);

    [[nodiscard]] std::size_t documents() const { return documents_.size(); }
    [[nodiscard]] std::size_t rows() const { return rows_.size(); }
    [[nodiscard]] Result<> write(const std::filesystem::path& file) const;

private:
    struct Posting {
        std::uint32_t chunk = 0;
        std::uint8_t count = 0;
    };
    struct FlatPostings {
        std::vector<TermRecord> terms;
        std::string strings;
        std::vector<std::uint32_t> chunks;
        std::vector<std::uint8_t> counts;
    };
    StringPlace keep(std::string_view text);
    void add_chunk(const NewDocument& document, const Chunk& chunk);
    void add_terms(ChunkRecord& record, std::string_view context, std::string_view text);
    void copy_document(const Segment& segment, const DocumentRecord& document, std::vector<std::uint32_t>& new_chunks);
    void copy_chunk(const Segment& segment, const ChunkRecord& chunk);
    [[nodiscard]] FlatPostings flat_postings() const;
    [[nodiscard]] std::vector<float> mean() const;
    [[nodiscard]] std::vector<std::uint64_t> sketches(std::span<const float> mean) const;

    std::size_t dimensions_;
    std::vector<DocumentRecord> documents_;
    std::vector<ChunkRecord> chunks_;
    std::string strings_;
    std::string texts_;
    std::vector<std::uint32_t> rows_;
    std::vector<float> scales_;
    std::vector<std::int8_t> coarse_;
    std::vector<std::int8_t> fine_;
    std::unordered_map<std::string, std::vector<Posting>> postings_;
    std::size_t posting_count_ = 0;
};

}  // namespace quaestor::retrieval
