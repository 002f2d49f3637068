// A corpus as it is on disk now: documents, their chunks, and the indexes over them. Opened by memory map, never
// changed. Whoever opens it shares it; a later ingest does not touch what is open. Threads: immutable; all members may
// be called from any thread.
#pragma once

#include "base/error.hpp"
#include "retrieval/chunking.hpp"
#include "retrieval/document.hpp"
#include "retrieval/relevance.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::retrieval {

struct LiveSegment;

/// Characters of a chunk's id.
inline constexpr std::size_t kChunkIdLength = 8;

/// A document in a corpus, without its text.
struct StoredDocument {
    std::string name;    ///< its path below the folder that was ingested: "2023/minutes_2023-07-26.txt"
    std::string source;  ///< its absolute path when it was read
    Format format = Format::text;
    Metadata metadata;
    std::size_t chunks = 0;
};

/// How many there are, for people.
struct CorpusSize {
    std::size_t documents = 0;
    std::size_t chunks = 0;
    std::size_t vectors = 0;
    std::size_t segments = 0;
    std::uint64_t bytes = 0;
};
BOOST_DESCRIBE_STRUCT(CorpusSize, (), (documents, chunks, vectors, segments, bytes))

class Corpus {
public:
    /// Code::not_found where there is none; Code::corrupt with what is damaged; Code::unsupported for the format of
    /// another version. Both say how to build it again.
    [[nodiscard]] static Result<std::shared_ptr<const Corpus>> open(const std::filesystem::path& folder);
    ~Corpus();

    [[nodiscard]] CorpusSize size() const;
    /// Which embedder its vectors are of; only that one may search it.
    [[nodiscard]] const std::string& embedder() const;
    [[nodiscard]] std::size_t dimensions() const;
    [[nodiscard]] const Relevance& relevance() const;
    [[nodiscard]] std::vector<StoredDocument> documents() const;
    /// The text of the document with this name; Code::not_found, or Code::corrupt when it was damaged.
    [[nodiscard]] Result<std::string> text_of(std::string_view name) const;
    /// For the searches of this room.
    [[nodiscard]] const std::vector<LiveSegment>& segments() const;

private:
    struct Inside;
    explicit Corpus(std::unique_ptr<Inside> inside);
    std::unique_ptr<Inside> inside_;
};

/// Keeps another map with the corpus, as `eval calibrate` finds it.
[[nodiscard]] Result<> store_relevance(const std::filesystem::path& folder, const Relevance& relevance);

/// True when `name` can be a corpus: letters, digits, . _ -; at most 64.
[[nodiscard]] bool is_corpus_name(std::string_view name);

}  // namespace quaestor::retrieval
