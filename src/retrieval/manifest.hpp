// Private to retrieval/: the file that says what a corpus is made of. Replacing it is what makes a change happen.
// Plain value; read and written as a whole.
// Threads: plain value.
#pragma once

#include "base/error.hpp"
#include "retrieval/chunking.hpp"
#include "retrieval/relevance.hpp"

#include <boost/describe/class.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace quaestor::retrieval {

inline constexpr int kCorpusFormat = 1;

struct ManifestSegment {
    std::string file;                    ///< beside the manifest
    std::vector<std::uint32_t> removed;  ///< documents in it that are gone or replaced
};
BOOST_DESCRIBE_STRUCT(ManifestSegment, (), (file, removed))

struct Manifest {
    int format = kCorpusFormat;
    std::string embedder;
    std::size_t dimensions = 0;  ///< 0 until the first vector
    ChunkingOptions chunking;
    Relevance relevance;
    std::vector<std::string> roots;  ///< what was ingested, for doing it again
    std::uint64_t next_segment = 1;
    std::vector<ManifestSegment> segments;
};
BOOST_DESCRIBE_STRUCT(Manifest, (), (format, embedder, dimensions, chunking, relevance, roots, next_segment, segments))

/// Code::not_found where there is no corpus, Code::corrupt, Code::unsupported for another format.
[[nodiscard]] Result<Manifest> read_manifest(const std::filesystem::path& folder);
[[nodiscard]] Result<> write_manifest(const std::filesystem::path& folder, const Manifest& manifest);

/// The error with what to do: build the corpus again.
[[nodiscard]] Error with_rebuild_hint(Error error, const std::filesystem::path& folder);

}  // namespace quaestor::retrieval
