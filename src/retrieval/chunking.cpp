#include "retrieval/chunking.hpp"

#include "retrieval/headings.hpp"
#include "retrieval/metadata.hpp"
#include "retrieval/plain_text.hpp"
#include "retrieval/sentences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace quaestor::retrieval {

namespace {

/// Words that are weighed together when a sentence must be cut; counting each alone would take long.
constexpr std::size_t kWordsOfStep = 4;

/// A sentence, or a piece of one that is longer than a chunk.
struct Unit {
    Span place;
    std::size_t tokens = 0;
};

/// Pieces of at most `limit` tokens, cut at line ends if the lines are short enough, else between words.
void cut(std::string_view text, Span place, const TokenCounter& count, std::size_t limit, std::vector<Unit>& out) {
    Unit piece{{place.begin, place.begin}, 0};
    const auto end_piece = [&](std::size_t next) {
        if (!piece.place.empty()) out.push_back(piece);
        piece = {{next, next}, 0};
    };
    for (std::size_t at = place.begin; at < place.end;) {
        std::size_t end = at;
        for (std::size_t words = 0; words < kWordsOfStep && end < place.end && text[end] != '\n'; ++words) {
            while (end < place.end && text[end] == ' ') ++end;
            // A word without end, as in a picture written as text, is cut anywhere.
            const std::size_t longest = std::min(place.end, end + 4 * limit);
            while (end < longest && !is_blank(text[end])) ++end;
        }
        const std::size_t tokens = count(text.substr(at, end - at));
        if (piece.tokens + tokens > limit) end_piece(at);
        piece.place.end = end;
        piece.tokens += tokens;
        while (end < place.end && is_blank(text[end])) ++end;
        at = end;
    }
    end_piece(place.end);
}

std::vector<Unit> units_of(std::string_view text, Span section, const TokenCounter& count, std::size_t limit) {
    std::vector<Unit> units;
    for (const Span sentence : sentences_of(section.of(text))) {
        const Span place{section.begin + sentence.begin, section.begin + sentence.end};
        const std::size_t tokens = count(place.of(text));
        if (tokens <= limit) {
            units.push_back({place, tokens});
        } else {
            cut(text, place, count, limit, units);
        }
    }
    return units;
}

/// Where sections begin and end. A heading that is followed by another belongs to that one's section.
std::vector<Span> sections_of(const Document& document) {
    std::vector<Span> sections;
    std::size_t begin = 0;
    std::size_t body = 0;
    const auto has_body = [&](std::size_t end) {
        const std::string_view between = Span{body, std::max(body, end)}.of(document.text);
        return std::ranges::any_of(between, [](char byte) { return !is_blank(byte); });
    };
    for (const Heading& heading : document.headings) {
        if (has_body(heading.place.begin)) {
            sections.push_back({begin, heading.place.begin});
            begin = heading.place.begin;
        }
        body = heading.place.end;
    }
    sections.push_back({begin, document.text.size()});
    return sections;
}

/// Pieces of about the same length that one vector can see.
std::vector<Span> windows_of(std::string_view text, std::span<const Unit> units, std::size_t tokens,
                             const TokenCounter& count, std::size_t window) {
    const Span whole{units.front().place.begin, units.back().place.end};
    if (tokens <= window) return {whole};
    const std::size_t pieces = (tokens + window - 1) / window;
    const std::size_t target = (tokens + pieces - 1) / pieces;
    std::vector<Unit> parts;
    for (const Unit& unit : units) {
        if (unit.tokens <= window) {
            parts.push_back(unit);
        } else {
            cut(text, unit.place, count, window, parts);
        }
    }
    std::vector<Span> windows;
    std::size_t filled = 0;
    for (const Unit& part : parts) {
        if (windows.empty() || filled >= target || filled + part.tokens > window) {
            windows.push_back(part.place);
            filled = 0;
        }
        windows.back().end = part.place.end;
        filled += part.tokens;
    }
    return windows;
}

class Chunker {
public:
    Chunker(const Document& document, const TokenCounter& count, const ChunkingOptions& options)
        : document_(document), count_(count), options_(options) {}

    std::vector<Chunk> chunks() {
        for (const Span section : sections_of(document_)) {
            const auto units = units_of(document_.text, section, count_, options_.tokens);
            for (std::size_t first = 0; first < units.size();) first = add_chunk(units, first);
        }
        return std::move(chunks_);
    }

private:
    /// Adds the chunk that begins with units[first] and says where the next one begins.
    std::size_t add_chunk(const std::vector<Unit>& units, std::size_t first) {
        std::size_t last = first;
        std::size_t tokens = 0;
        while (last < units.size() && (last == first || tokens + units[last].tokens <= options_.tokens)) {
            tokens += units[last++].tokens;
        }
        const std::span<const Unit> inside = std::span(units).subspan(first, last - first);
        Chunk chunk{.place = {inside.front().place.begin, inside.back().place.end}, .tokens = tokens};
        // The heading that a section begins with is in it, so its last sentence says best where it belongs.
        chunk.section = section_at(document_.headings, inside.back().place.begin);
        chunk.page = page_at(chunk.place.begin);
        chunk.windows = windows_of(document_.text, inside, tokens, count_, std::max<std::size_t>(options_.window, 1));
        chunks_.push_back(std::move(chunk));
        return last == units.size() ? last : overlap_from(units, first, last);
    }

    /// The earliest unit before `last` with which the overlap is not too long; never the chunk's own first.
    [[nodiscard]] std::size_t overlap_from(const std::vector<Unit>& units, std::size_t first, std::size_t last) const {
        std::size_t next = last;
        std::size_t repeated = 0;
        while (next > first + 1 && repeated + units[next - 1].tokens <= options_.overlap)
            repeated += units[--next].tokens;
        return next;
    }

    [[nodiscard]] int page_at(std::size_t place) const {
        const auto after = std::ranges::upper_bound(document_.pages, place, {}, &PageMark::begin);
        return after == document_.pages.begin() ? 0 : std::prev(after)->page;
    }

    const Document& document_;
    const TokenCounter& count_;
    const ChunkingOptions& options_;
    std::vector<Chunk> chunks_;
};

}  // namespace

std::vector<Chunk> chunk_document(const Document& document, const TokenCounter& count, const ChunkingOptions& options) {
    ChunkingOptions bounded = options;
    bounded.tokens = std::max<std::size_t>(bounded.tokens, 1);
    return Chunker(document, count, bounded).chunks();
}

std::string context_of(const Metadata& metadata, std::string_view section) {
    std::string context = metadata.title;
    if (const auto date = parse_date(metadata.date)) context += fmt::format(" ({})", in_words(*date));
    if (!section.empty() && section != metadata.title) context += fmt::format(": {}", section);
    return context;
}

}  // namespace quaestor::retrieval
