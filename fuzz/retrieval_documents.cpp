// Any bytes: reading them as a document of any format must not crash; the text must be UTF-8, headings and chunks must
// lie inside it, and chunks must keep to their bound. The first byte chooses the format.
#include "base/text.hpp"
#include "retrieval/chunking.hpp"
#include "retrieval/readers.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

using namespace quaestor;
using namespace quaestor::retrieval;

constexpr std::size_t kChunkTokens = 20;

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

/// A token for each word, or for each byte of what has no spaces.
std::size_t count_words(std::string_view text) {
    std::size_t words = 0;
    bool is_inside = false;
    for (const char byte : text) {
        const bool is_space = byte == ' ' || byte == '\n';
        words += !is_space && !is_inside ? 1 : 0;
        is_inside = !is_space;
    }
    return words;
}

void check_chunks(const Document& document) {
    const ChunkingOptions options{.tokens = kChunkTokens, .overlap = 4, .window = 10};
    std::size_t begin = 0;
    for (const Chunk& chunk : chunk_document(document, count_words, options)) {
        require(chunk.place.begin < chunk.place.end && chunk.place.end <= document.text.size(), "a chunk is outside");
        require(chunk.place.begin >= begin, "chunks are not in order");
        require(chunk.tokens <= kChunkTokens, "a chunk is too long");
        require(!chunk.windows.empty() && chunk.windows.front().begin == chunk.place.begin &&
                    chunk.windows.back().end == chunk.place.end,
                "windows do not cover their chunk");
        begin = chunk.place.begin;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
    // PDF is poppler's business, which is fuzzed by others.
    constexpr Format kFormats[] = {Format::text, Format::markdown, Format::html};
    const auto document = read_document(bytes, kFormats[data[0] % 3], "minutes_2023-07-26");
    if (!document) return 0;
    require(text::is_utf8(document->text), "the text is no UTF-8");
    std::size_t place = 0;
    for (const Heading& heading : document->headings) {
        require(heading.place.begin >= place && heading.place.end <= document->text.size(), "a heading is outside");
        place = heading.place.begin;
    }
    check_chunks(*document);
    return 0;
}
