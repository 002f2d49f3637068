#include "retrieval/segment.hpp"

#include "retrieval/checksum.hpp"
#include "retrieval/corpus.hpp"
#include "retrieval/quantised.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace quaestor::retrieval {

namespace {

std::unexpected<Error> damaged(std::string_view what) {
    return fail(Code::corrupt, fmt::format("the index is damaged: {}", what));
}

std::string_view header_bytes(const SegmentHeader& header) {
    return {reinterpret_cast<const char*>(&header), offsetof(SegmentHeader, checksum)};
}

Result<SegmentHeader> read_header(std::string_view bytes) {
    SegmentHeader header;
    if (bytes.size() < sizeof(header)) return damaged("a file of it is too short");
    std::memcpy(&header, bytes.data(), sizeof(header));
    if (header.mark != kSegmentMark) return damaged("a file of it is something else");
    if (header.version != kSegmentVersion) {
        return fail(Code::unsupported, fmt::format("the index has format {}, and this program reads format {}",
                                                   header.version, kSegmentVersion));
    }
    if (header.checksum != checksum_of(header_bytes(header))) return damaged("its table of contents has changed");
    if (header.file_size != bytes.size()) return damaged("a file of it is not complete");
    return header;
}

/// The bytes of a part as records, if they are whole ones at a place that suits them.
template <class Record>
bool take(std::string_view bytes, const PartPlace& place, std::span<const Record>& out) {
    if (place.offset > bytes.size() || place.size > bytes.size() - place.offset) return false;
    if (place.offset % kPartAlignment != 0 || place.size % sizeof(Record) != 0) return false;
    out = {reinterpret_cast<const Record*>(bytes.data() + place.offset), place.size / sizeof(Record)};
    return true;
}

bool take_text(std::string_view bytes, const PartPlace& place, std::string_view& out) {
    std::span<const char> characters;
    if (!take(bytes, place, characters)) return false;
    out = {characters.data(), characters.size()};
    return true;
}

bool is_inside(std::string_view strings, StringPlace place) {
    return std::uint64_t{place.offset} + place.size <= strings.size();
}

}  // namespace

Result<std::shared_ptr<const Segment>> Segment::open(const std::filesystem::path& file) {
    auto mapped = MappedFile::open(file);
    if (!mapped) return fail(mapped.error());
    const std::shared_ptr<Segment> segment(new Segment);
    segment->file_ = std::move(*mapped);
    if (auto done = segment->read(segment->file_.bytes()); !done) return fail(done.error());
    return segment;
}

Result<std::shared_ptr<const Segment>> Segment::of_bytes(std::string_view bytes) {
    const std::shared_ptr<Segment> segment(new Segment);
    if (auto done = segment->read(bytes); !done) return fail(done.error());
    return segment;
}

Result<> Segment::read(std::string_view bytes) {
    const auto header = read_header(bytes);
    if (!header) return fail(header.error());
    bytes_ = bytes;
    if (!take_parts(*header)) return damaged("its parts do not fit together");
    for (std::size_t part = 0; part < static_cast<std::size_t>(Part::texts); ++part) {
        const PartPlace& place = header->parts[part];
        if (checksum_of(bytes.substr(place.offset, place.size)) != place.checksum) return damaged("a checksum differs");
    }
    if (!makes_sense()) return damaged("its parts contradict each other");
    return {};
}

bool Segment::take_parts(const SegmentHeader& header) {
    dimensions_ = header.dimensions;
    sketch_words_ = sketch_words(dimensions_);
    const auto place = [&](Part part) -> const PartPlace& { return header.parts[static_cast<std::size_t>(part)]; };
    const bool are_whole =
        take(bytes_, place(Part::documents), documents_) && take(bytes_, place(Part::chunks), chunks_) &&
        take_text(bytes_, place(Part::strings), strings_) && take(bytes_, place(Part::rows), rows_) &&
        take(bytes_, place(Part::sketches), sketches_) && take(bytes_, place(Part::scales), scales_) &&
        take(bytes_, place(Part::coarse), coarse_) && take(bytes_, place(Part::fine), fine_) &&
        take(bytes_, place(Part::mean), mean_) && take(bytes_, place(Part::terms), terms_) &&
        take_text(bytes_, place(Part::term_strings), term_strings_) &&
        take(bytes_, place(Part::posting_chunks), posting_chunks_) &&
        take(bytes_, place(Part::posting_counts), posting_counts_) && take_text(bytes_, place(Part::texts), texts_);
    const std::size_t count = rows_.size();
    return are_whole && dimensions_ > 0 && mean_.size() == dimensions_ && scales_.size() == count &&
           sketches_.size() == count * sketch_words_ && coarse_.size() == count * dimensions_ &&
           fine_.size() == count * dimensions_ && posting_chunks_.size() == posting_counts_.size();
}

/// What later code relies on without looking: every number that is used as a place is one.
bool Segment::makes_sense() const {
    return documents_make_sense() && chunks_make_sense() &&
           std::ranges::all_of(rows_, [&](std::uint32_t chunk) { return chunk < chunks_.size(); }) &&
           std::ranges::all_of(terms_, [&](const TermRecord& term) {
               return term.text_offset <= term_strings_.size() &&
                      term.text_size <= term_strings_.size() - term.text_offset &&
                      term.first_posting <= posting_chunks_.size() &&
                      term.postings <= posting_chunks_.size() - term.first_posting;
           });
}

bool Segment::documents_make_sense() const {
    std::uint64_t next_chunk = 0;
    return std::ranges::all_of(documents_, [&](const DocumentRecord& document) {
        const bool follows = document.first_chunk == next_chunk;
        next_chunk += document.chunk_count;
        return follows && next_chunk <= chunks_.size() && document.text_offset <= texts_.size() &&
               document.text_size <= texts_.size() - document.text_offset && is_inside(strings_, document.name) &&
               is_inside(strings_, document.source) && is_inside(strings_, document.title) &&
               is_inside(strings_, document.type) && is_inside(strings_, document.attributes);
    });
}

bool Segment::chunks_make_sense() const {
    std::uint64_t next_row = 0;
    return std::ranges::all_of(chunks_, [&](const ChunkRecord& chunk) {
        const bool follows = chunk.first_row == next_row;
        next_row += chunk.row_count;
        return follows && next_row <= rows_.size() && chunk.document < documents_.size() && chunk.begin <= chunk.end &&
               chunk.end <= documents_[chunk.document].text_size && is_inside(strings_, chunk.section);
    });
}

std::string_view Segment::term(const TermRecord& record) const {
    return term_strings_.substr(record.text_offset, record.text_size);
}

Postings Segment::postings(const TermRecord& record) const {
    return {posting_chunks_.subspan(record.first_posting, record.postings),
            posting_counts_.subspan(record.first_posting, record.postings)};
}

Postings Segment::postings_of(std::string_view wanted) const {
    const auto found =
        std::ranges::lower_bound(terms_, wanted, {}, [this](const TermRecord& record) { return term(record); });
    if (found == terms_.end() || term(*found) != wanted) return {};
    return postings(*found);
}

std::string_view Segment::text(const DocumentRecord& document) const {
    return texts_.substr(document.text_offset, document.text_size);
}

Result<std::string_view> Segment::checked_text(const DocumentRecord& document) const {
    const std::string_view whole = text(document);
    if (checksum_of(whole) == document.text_checksum) return whole;
    return damaged(fmt::format("the text of {} has changed", string(document.name)));
}

std::string chunk_id_text(std::uint64_t id) {
    constexpr std::string_view kLetters = "0123456789abcdefghjkmnpqrstvwxyz";
    std::string text;
    for (std::size_t i = 0; i < kChunkIdLength; ++i, id >>= 5U) text += kLetters[id & 31U];
    return text;
}

}  // namespace quaestor::retrieval
