// Private to retrieval/: how a segment lies on disk. Little-endian, parts aligned to cache lines, in the order of Part.
// Plain values that are mapped as they are; a change of any of them is a new kSegmentVersion.
// Threads: plain values.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace quaestor::retrieval {

static_assert(std::endian::native == std::endian::little, "segments are mapped as they are written");

inline constexpr std::array<char, 8> kSegmentMark{'Q', 'S', 'E', 'G', 'M', 'E', 'N', 'T'};
inline constexpr std::uint32_t kSegmentVersion = 1;
inline constexpr std::size_t kPartAlignment = 64;
inline constexpr std::size_t kSignatureBytes = 16;
/// In place of a date that is not known.
inline constexpr std::int32_t kNoDay = 0;

enum class Part : std::size_t {
    documents,  ///< DocumentRecord
    chunks,     ///< ChunkRecord, those of a document one after another
    strings,    ///< names, titles, sections
    rows,       ///< uint32: the chunk of each vector, in order
    sketches,   ///< uint64 × sketch_words()
    scales,     ///< float
    coarse,     ///< int8 × dimensions
    fine,       ///< int8 × dimensions
    mean,       ///< float × dimensions: the vectors' mean, which sketches are relative to
    terms,      ///< TermRecord, in order of their bytes
    term_strings,
    posting_chunks,  ///< uint32, rising within a term
    posting_counts,  ///< uint8: how often, 255 at most
    texts,           ///< last and not checked when opened: each has a checksum of its own
};
inline constexpr std::size_t kParts = static_cast<std::size_t>(Part::texts) + 1;

struct PartPlace {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint64_t checksum = 0;
};

struct SegmentHeader {
    std::array<char, 8> mark = kSegmentMark;
    std::uint32_t version = kSegmentVersion;
    std::uint32_t dimensions = 0;
    std::uint64_t file_size = 0;
    std::array<PartPlace, kParts> parts{};
    std::uint64_t checksum = 0;  ///< of everything above
};

struct StringPlace {
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
};

struct DocumentRecord {
    std::uint64_t text_offset = 0;
    std::uint64_t text_size = 0;
    std::uint64_t text_checksum = 0;
    std::uint64_t hash_high = 0;  ///< of the file's bytes
    std::uint64_t hash_low = 0;
    StringPlace name;
    StringPlace source;
    StringPlace title;
    StringPlace type;
    StringPlace attributes;     ///< JSON; empty when none
    std::int32_t day = kNoDay;  ///< 20230726
    std::uint32_t format = 0;
    std::uint32_t first_chunk = 0;
    std::uint32_t chunk_count = 0;
};

struct ChunkRecord {
    std::uint64_t id = 0;
    std::uint32_t document = 0;
    std::uint32_t begin = 0;  ///< in the document's text
    std::uint32_t end = 0;
    std::uint32_t first_row = 0;
    std::uint32_t row_count = 0;
    std::uint32_t terms = 0;  ///< how many, with repetitions
    StringPlace section;
    std::int32_t page = 0;
    std::uint32_t numbers = 0;  ///< a hash of all numbers in it
    std::array<std::uint8_t, kSignatureBytes> signature{};
};

struct TermRecord {
    std::uint64_t first_posting = 0;
    std::uint32_t postings = 0;
    std::uint32_t text_size = 0;
    std::uint64_t text_offset = 0;
};

}  // namespace quaestor::retrieval
