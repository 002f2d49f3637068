// Private to retrieval/: an immutable part of a corpus in one mapped file: documents, chunks, vectors, postings.
// Whoever holds the pointer owns a share of the map.
// Threads: immutable once open.
#pragma once

#include "base/error.hpp"
#include "retrieval/files.hpp"
#include "retrieval/hits.hpp"
#include "retrieval/segment_format.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::retrieval {

/// Where a term occurs.
struct Postings {
    std::span<const std::uint32_t> chunks;
    std::span<const std::uint8_t> counts;
};

class Segment {
public:
    /// Checks everything but the texts. Code::corrupt, Code::unsupported for another version, Code::not_found.
    [[nodiscard]] static Result<std::shared_ptr<const Segment>> open(const std::filesystem::path& file);
    /// The same for bytes in memory, which must outlive it; for tests.
    [[nodiscard]] static Result<std::shared_ptr<const Segment>> of_bytes(std::string_view bytes);

    [[nodiscard]] std::size_t dimensions() const { return dimensions_; }
    [[nodiscard]] std::span<const DocumentRecord> documents() const { return documents_; }
    [[nodiscard]] std::span<const ChunkRecord> chunks() const { return chunks_; }
    /// The chunk of each vector.
    [[nodiscard]] std::span<const std::uint32_t> rows() const { return rows_; }
    [[nodiscard]] std::span<const float> mean() const { return mean_; }
    [[nodiscard]] std::span<const TermRecord> terms() const { return terms_; }
    [[nodiscard]] const std::uint64_t* sketch(std::size_t row) const { return sketches_.data() + row * sketch_words_; }
    [[nodiscard]] const std::int8_t* coarse(std::size_t row) const { return coarse_.data() + row * dimensions_; }
    [[nodiscard]] const std::int8_t* fine(std::size_t row) const { return fine_.data() + row * dimensions_; }
    [[nodiscard]] float scale(std::size_t row) const { return scales_[row]; }

    [[nodiscard]] std::string_view string(StringPlace place) const { return strings_.substr(place.offset, place.size); }
    [[nodiscard]] std::string_view term(const TermRecord& record) const;
    [[nodiscard]] Postings postings(const TermRecord& record) const;
    /// Nothing when the term does not occur.
    [[nodiscard]] Postings postings_of(std::string_view term) const;
    /// Unchecked.
    [[nodiscard]] std::string_view text(const DocumentRecord& document) const;
    /// Code::corrupt when it is not what was written.
    [[nodiscard]] Result<std::string_view> checked_text(const DocumentRecord& document) const;
    [[nodiscard]] std::uint64_t bytes() const { return bytes_.size(); }

private:
    Segment() = default;
    [[nodiscard]] Result<> read(std::string_view bytes);
    [[nodiscard]] bool take_parts(const SegmentHeader& header);
    [[nodiscard]] bool makes_sense() const;
    [[nodiscard]] bool documents_make_sense() const;
    [[nodiscard]] bool chunks_make_sense() const;

    MappedFile file_;
    std::string_view bytes_;
    std::size_t dimensions_ = 0;
    std::size_t sketch_words_ = 0;
    std::span<const DocumentRecord> documents_;
    std::span<const ChunkRecord> chunks_;
    std::string_view strings_;
    std::span<const std::uint32_t> rows_;
    std::span<const std::uint64_t> sketches_;
    std::span<const float> scales_;
    std::span<const std::int8_t> coarse_;
    std::span<const std::int8_t> fine_;
    std::span<const float> mean_;
    std::span<const TermRecord> terms_;
    std::string_view term_strings_;
    std::span<const std::uint32_t> posting_chunks_;
    std::span<const std::uint8_t> posting_counts_;
    std::string_view texts_;
};

/// A segment in a corpus, with what was removed from it since it was written.
struct LiveSegment {
    std::shared_ptr<const Segment> segment;
    std::vector<bool> removed;   ///< documents
    AllowedChunks live;          ///< chunks of those that are not
    std::vector<float> lengths;  ///< of chunks, as BM25 weighs them
};

/// "2023-07-26"; empty for kNoDay.
[[nodiscard]] std::string date_text(std::int32_t day);

/// From the document's front matter.
[[nodiscard]] std::map<std::string, std::string> attributes_of(const Segment& segment, const DocumentRecord& document);

/// Eight letters and digits, for people.
[[nodiscard]] std::string chunk_id_text(std::uint64_t id);

}  // namespace quaestor::retrieval
