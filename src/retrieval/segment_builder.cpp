#include "retrieval/segment_builder.hpp"

#include "base/json.hpp"
#include "retrieval/metadata.hpp"
#include "retrieval/quantised.hpp"
#include "retrieval/signature.hpp"
#include "retrieval/terms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>

namespace quaestor::retrieval {

namespace {

constexpr std::uint32_t kNoChunk = std::numeric_limits<std::uint32_t>::max();

std::int32_t day_number(std::string_view date) {
    const auto day = parse_date(date);
    return day ? day->year * 10'000 + day->month * 100 + day->day : kNoDay;
}

template <class T>
std::string_view bytes_of(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// The same for the same document, place and words.
std::uint64_t chunk_id(const NewDocument& document, const Chunk& chunk) {
    return checksum_of(
        fmt::format("{}\n{}\n{}", document.name, chunk.place.begin, chunk.place.of(document.document.text)));
}

/// Writes parts one after another, each with its place and checksum in the header.
class PartWriter {
public:
    PartWriter(NewFile& file, SegmentHeader& header) : file_(file), header_(header) {}

    Result<> write(Part part, std::string_view bytes) {
        const std::size_t rest = file_.size() % kPartAlignment;
        if (rest != 0) {
            if (auto padded = file_.append(std::string(kPartAlignment - rest, '\0')); !padded) return padded;
        }
        header_.parts[static_cast<std::size_t>(part)] = {file_.size(), bytes.size(), checksum_of(bytes)};
        return file_.append(bytes);
    }

private:
    NewFile& file_;
    SegmentHeader& header_;
};

}  // namespace

StringPlace SegmentBuilder::keep(std::string_view text) {
    const StringPlace place{static_cast<std::uint32_t>(strings_.size()), static_cast<std::uint32_t>(text.size())};
    strings_ += text;
    return place;
}

void SegmentBuilder::add(const NewDocument& incoming) {
    const Document& document = incoming.document;
    DocumentRecord record{.text_offset = texts_.size(),
                          .text_size = document.text.size(),
                          .text_checksum = checksum_of(document.text),
                          .hash_high = incoming.hash.high,
                          .hash_low = incoming.hash.low};
    record.name = keep(incoming.name);
    record.source = keep(incoming.source);
    record.title = keep(document.metadata.title);
    record.type = keep(document.metadata.type);
    if (!document.metadata.attributes.empty()) record.attributes = keep(to_text(encode(document.metadata.attributes)));
    record.day = day_number(document.metadata.date);
    record.format = static_cast<std::uint32_t>(document.format);
    record.first_chunk = static_cast<std::uint32_t>(chunks_.size());
    record.chunk_count = static_cast<std::uint32_t>(incoming.chunks.size());
    texts_ += document.text;
    documents_.push_back(record);
    const std::size_t before = rows_.size();
    for (const Chunk& chunk : incoming.chunks) add_chunk(incoming, chunk);
    const std::size_t added = rows_.size() - before;
    coarse_.resize(rows_.size() * dimensions_);
    fine_.resize(rows_.size() * dimensions_);
    for (std::size_t i = 0; i < added; ++i) {
        const auto row = std::span(incoming.vectors).subspan(i * dimensions_, dimensions_);
        const std::size_t at = (before + i) * dimensions_;
        scales_.push_back(quantise(row, coarse_.data() + at, fine_.data() + at));
    }
}

void SegmentBuilder::add_chunk(const NewDocument& incoming, const Chunk& chunk) {
    const Document& document = incoming.document;
    ChunkRecord record{.id = chunk_id(incoming, chunk),
                       .document = static_cast<std::uint32_t>(documents_.size() - 1),
                       .begin = static_cast<std::uint32_t>(chunk.place.begin),
                       .end = static_cast<std::uint32_t>(chunk.place.end),
                       .first_row = static_cast<std::uint32_t>(rows_.size()),
                       .row_count = static_cast<std::uint32_t>(chunk.windows.size()),
                       .section = keep(chunk.section),
                       .page = chunk.page};
    add_terms(record, context_of(document.metadata, chunk.section), chunk.place.of(document.text));
    rows_.insert(rows_.end(), chunk.windows.size(), static_cast<std::uint32_t>(chunks_.size()));
    chunks_.push_back(record);
}

void SegmentBuilder::add_terms(ChunkRecord& record, std::string_view context, std::string_view text) {
    std::vector<std::string> terms = terms_of(text);
    record.signature = signature_of(terms);
    record.numbers = numbers_of(terms);
    std::ranges::move(terms_of(context), std::back_inserter(terms));
    record.terms = static_cast<std::uint32_t>(terms.size());
    std::unordered_map<std::string, std::size_t> counts;
    for (std::string& term : terms) ++counts[std::move(term)];
    for (const auto& [term, count] : counts) {
        const auto bounded = static_cast<std::uint8_t>(std::min<std::size_t>(count, 255));
        postings_[term].push_back({static_cast<std::uint32_t>(chunks_.size()), bounded});
    }
    posting_count_ += counts.size();
}

void SegmentBuilder::add(const Segment& segment, const std::vector<bool>& removed) {
    std::vector<std::uint32_t> new_chunks(segment.chunks().size(), kNoChunk);
    for (std::size_t i = 0; i < segment.documents().size(); ++i) {
        if (!removed[i]) copy_document(segment, segment.documents()[i], new_chunks);
    }
    for (const TermRecord& record : segment.terms()) {
        const Postings old = segment.postings(record);
        std::vector<Posting>* postings = nullptr;
        for (std::size_t i = 0; i < old.chunks.size(); ++i) {
            if (old.chunks[i] >= new_chunks.size() || new_chunks[old.chunks[i]] == kNoChunk) continue;
            if (postings == nullptr) postings = &postings_[std::string(segment.term(record))];
            postings->push_back({new_chunks[old.chunks[i]], old.counts[i]});
            ++posting_count_;
        }
    }
}

void SegmentBuilder::copy_document(const Segment& segment, const DocumentRecord& document,
                                   std::vector<std::uint32_t>& new_chunks) {
    DocumentRecord record = document;
    record.text_offset = texts_.size();
    record.first_chunk = static_cast<std::uint32_t>(chunks_.size());
    for (StringPlace* place : {&record.name, &record.source, &record.title, &record.type, &record.attributes}) {
        *place = keep(segment.string(*place));
    }
    texts_ += segment.text(document);
    documents_.push_back(record);
    for (std::uint32_t i = 0; i < document.chunk_count; ++i) {
        new_chunks[document.first_chunk + i] = static_cast<std::uint32_t>(chunks_.size());
        copy_chunk(segment, segment.chunks()[document.first_chunk + i]);
    }
}

void SegmentBuilder::copy_chunk(const Segment& segment, const ChunkRecord& chunk) {
    ChunkRecord record = chunk;
    record.document = static_cast<std::uint32_t>(documents_.size() - 1);
    record.first_row = static_cast<std::uint32_t>(rows_.size());
    record.section = keep(segment.string(chunk.section));
    for (std::uint32_t i = 0; i < chunk.row_count; ++i) {
        const std::size_t row = chunk.first_row + i;
        rows_.push_back(static_cast<std::uint32_t>(chunks_.size()));
        scales_.push_back(segment.scale(row));
        coarse_.insert(coarse_.end(), segment.coarse(row), segment.coarse(row) + dimensions_);
        fine_.insert(fine_.end(), segment.fine(row), segment.fine(row) + dimensions_);
    }
    chunks_.push_back(record);
}

std::vector<float> SegmentBuilder::mean() const {
    std::vector<double> sum(dimensions_);
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        add_row(sum, coarse_.data() + row * dimensions_, fine_.data() + row * dimensions_, scales_[row]);
    }
    std::vector<float> mean(dimensions_);
    const double count = std::max(static_cast<double>(rows_.size()), 1.0);
    std::ranges::transform(sum, mean.begin(), [&](double value) { return static_cast<float>(value / count); });
    return mean;
}

std::vector<std::uint64_t> SegmentBuilder::sketches(std::span<const float> mean) const {
    const std::size_t words = sketch_words(dimensions_);
    std::vector<std::uint64_t> all(rows_.size() * words);
    std::vector<double> exact(dimensions_);
    std::vector<float> row_values(dimensions_);
    for (std::size_t row = 0; row < rows_.size(); ++row) {
        std::ranges::fill(exact, 0);
        add_row(exact, coarse_.data() + row * dimensions_, fine_.data() + row * dimensions_, scales_[row]);
        std::ranges::transform(exact, row_values.begin(), [](double value) { return static_cast<float>(value); });
        sketch(row_values, mean, all.data() + row * words);
    }
    return all;
}

SegmentBuilder::FlatPostings SegmentBuilder::flat_postings() const {
    FlatPostings flat;
    flat.chunks.reserve(posting_count_);
    flat.counts.reserve(posting_count_);
    std::map<std::string_view, const std::vector<Posting>*> sorted;
    for (const auto& [term, postings] : postings_) sorted.emplace(term, &postings);
    for (const auto& [term, postings] : sorted) {
        flat.terms.push_back({flat.chunks.size(), static_cast<std::uint32_t>(postings->size()),
                              static_cast<std::uint32_t>(term.size()), flat.strings.size()});
        flat.strings += term;
        for (const Posting& posting : *postings) {
            flat.chunks.push_back(posting.chunk);
            flat.counts.push_back(posting.count);
        }
    }
    return flat;
}

Result<> SegmentBuilder::write(const std::filesystem::path& place) const {
    auto file = NewFile::create(place);
    if (!file) return fail(file.error());
    SegmentHeader header{.dimensions = static_cast<std::uint32_t>(dimensions_)};
    if (auto room = file->append(std::string(sizeof(header), '\0')); !room) return room;
    const FlatPostings postings = flat_postings();
    const std::vector<float> middle = mean();
    const std::vector<std::uint64_t> bits = sketches(middle);
    const std::array<std::string_view, kParts> parts{bytes_of(documents_),
                                                     bytes_of(chunks_),
                                                     strings_,
                                                     bytes_of(rows_),
                                                     bytes_of(bits),
                                                     bytes_of(scales_),
                                                     bytes_of(coarse_),
                                                     bytes_of(fine_),
                                                     bytes_of(middle),
                                                     bytes_of(postings.terms),
                                                     postings.strings,
                                                     bytes_of(postings.chunks),
                                                     bytes_of(postings.counts),
                                                     texts_};
    PartWriter writer(*file, header);
    for (std::size_t part = 0; part < kParts; ++part) {
        if (auto written = writer.write(static_cast<Part>(part), parts[part]); !written) return written;
    }
    header.file_size = file->size();
    header.checksum = checksum_of({reinterpret_cast<const char*>(&header), offsetof(SegmentHeader, checksum)});
    if (auto done = file->overwrite(0, {reinterpret_cast<const char*>(&header), sizeof(header)}); !done) return done;
    return file->commit();
}

}  // namespace quaestor::retrieval
