#include "retrieval/corpus.hpp"

#include "base/ids.hpp"
#include "base/json.hpp"
#include "retrieval/bm25.hpp"
#include "retrieval/manifest.hpp"
#include "retrieval/metadata.hpp"
#include "retrieval/segment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace quaestor::retrieval {

namespace {

constexpr std::size_t kNameBytesMax = 64;
/// An ingest may replace the files between reading their list and opening them; then the list is read again.
constexpr int kOpenAttempts = 5;

LiveSegment alive(std::shared_ptr<const Segment> segment, const std::vector<std::uint32_t>& removed) {
    LiveSegment live{.segment = std::move(segment), .removed = {}, .live = {}, .lengths = {}};
    live.removed.resize(live.segment->documents().size());
    for (const std::uint32_t document : removed) {
        if (document < live.removed.size()) live.removed[document] = true;
    }
    for (std::size_t i = 0; i < live.removed.size(); ++i) {
        const DocumentRecord& document = live.segment->documents()[i];
        if (!live.removed[i]) add_range(live.live, {document.first_chunk, document.first_chunk + document.chunk_count});
    }
    return live;
}

CorpusSize size_of(const std::vector<LiveSegment>& segments) {
    CorpusSize size{.segments = segments.size()};
    for (const LiveSegment& live : segments) {
        size.bytes += live.segment->bytes();
        size.documents += static_cast<std::size_t>(std::ranges::count(live.removed, false));
        for (const ChunkRange range : live.live) {
            size.chunks += range.end - range.begin;
            const ChunkRecord& last = live.segment->chunks()[range.end - 1];
            size.vectors += last.first_row + last.row_count - live.segment->chunks()[range.begin].first_row;
        }
    }
    return size;
}

Result<std::vector<LiveSegment>> open_segments(const std::filesystem::path& folder, const Manifest& manifest) {
    std::vector<LiveSegment> segments;
    for (const ManifestSegment& listed : manifest.segments) {
        auto segment = Segment::open(folder / listed.file);
        if (!segment) return fail(segment.error());
        if ((*segment)->dimensions() != manifest.dimensions) {
            return fail(Code::corrupt, "the index is damaged: a file of it has vectors of another length");
        }
        segments.push_back(alive(std::move(*segment), listed.removed));
    }
    return segments;
}

StoredDocument stored(const Segment& segment, const DocumentRecord& record) {
    StoredDocument document;
    document.name = segment.string(record.name);
    document.source = segment.string(record.source);
    document.format = static_cast<Format>(record.format);
    document.metadata.title = segment.string(record.title);
    document.metadata.type = segment.string(record.type);
    document.metadata.date = date_text(record.day);
    document.metadata.attributes = attributes_of(segment, record);
    document.chunks = record.chunk_count;
    return document;
}

}  // namespace

std::string date_text(std::int32_t day) {
    return day == kNoDay ? std::string() : to_string(Date{day / 10'000, day / 100 % 100, day % 100});
}

std::map<std::string, std::string> attributes_of(const Segment& segment, const DocumentRecord& document) {
    const std::string_view text = segment.string(document.attributes);
    if (text.empty()) return {};
    const auto value = parse_json(text);
    if (!value) return {};
    return decode<std::map<std::string, std::string>>(*value).value_or(std::map<std::string, std::string>());
}

struct Corpus::Inside {
    Manifest manifest;
    std::vector<LiveSegment> segments;
    CorpusSize size;
};

Corpus::Corpus(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Corpus::~Corpus() = default;

Result<std::shared_ptr<const Corpus>> Corpus::open(const std::filesystem::path& folder) {
    for (int attempt = 1;; ++attempt) {
        auto manifest = read_manifest(folder);
        if (!manifest) return fail(manifest.error());
        auto segments = open_segments(folder, *manifest);
        if (segments) {
            weigh_lengths(*segments);
            const CorpusSize size = size_of(*segments);
            return std::shared_ptr<const Corpus>(
                new Corpus(std::make_unique<Inside>(std::move(*manifest), std::move(*segments), size)));
        }
        if (segments.error().code != Code::not_found) return fail(with_rebuild_hint(segments.error(), folder));
        if (attempt == kOpenAttempts) {
            return fail(with_rebuild_hint({Code::corrupt, "a file of its index is missing", {}, nullptr}, folder));
        }
    }
}

CorpusSize Corpus::size() const {
    return inside_->size;
}

const std::string& Corpus::embedder() const {
    return inside_->manifest.embedder;
}

std::size_t Corpus::dimensions() const {
    return inside_->manifest.dimensions;
}

const Relevance& Corpus::relevance() const {
    return inside_->manifest.relevance;
}

const std::vector<LiveSegment>& Corpus::segments() const {
    return inside_->segments;
}

std::vector<StoredDocument> Corpus::documents() const {
    std::vector<StoredDocument> documents;
    for (const LiveSegment& live : inside_->segments) {
        for (std::size_t i = 0; i < live.removed.size(); ++i) {
            if (!live.removed[i]) documents.push_back(stored(*live.segment, live.segment->documents()[i]));
        }
    }
    std::ranges::sort(documents, {}, &StoredDocument::name);
    return documents;
}

Result<std::string> Corpus::text_of(std::string_view name) const {
    for (const LiveSegment& live : inside_->segments) {
        for (std::size_t i = 0; i < live.removed.size(); ++i) {
            const DocumentRecord& document = live.segment->documents()[i];
            if (live.removed[i] || live.segment->string(document.name) != name) continue;
            const auto text = live.segment->checked_text(document);
            if (!text) return fail(text.error());
            return std::string(*text);
        }
    }
    return fail(Code::not_found, fmt::format("there is no document {} in the corpus", name));
}

Result<> store_relevance(const std::filesystem::path& folder, const Relevance& relevance) {
    const auto lock = lock_folder(folder);
    if (!lock) return fail(lock.error());
    auto manifest = read_manifest(folder);
    if (!manifest) return fail(manifest.error());
    manifest->relevance = relevance;
    return write_manifest(folder, *manifest);
}

bool is_corpus_name(std::string_view name) {
    return name.size() <= kNameBytesMax && is_valid_id(name) && !name.contains(':') && !name.starts_with('.');
}

}  // namespace quaestor::retrieval
