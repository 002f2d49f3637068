// Any bytes: opening them as a segment of an index must not crash, also when their checksums are right, and what opens
// can be searched. The checksums are made right here, so that the fuzzer gets past them.
#include "retrieval/bm25.hpp"
#include "retrieval/checksum.hpp"
#include "retrieval/dense.hpp"
#include "retrieval/segment.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace quaestor::retrieval;

constexpr std::size_t kDimensionsMax = 4'096;

/// As a map of a file is.
struct Aligned {
    explicit Aligned(std::size_t size)
        : data(static_cast<char*>(::operator new(size + 1, std::align_val_t{kPartAlignment}))) {}
    ~Aligned() { ::operator delete(data, std::align_val_t{kPartAlignment}); }
    Aligned(const Aligned&) = delete;
    Aligned& operator=(const Aligned&) = delete;
    char* data;
};

void make_right(char* bytes, std::size_t size) {
    if (size < sizeof(SegmentHeader)) return;
    SegmentHeader header;
    std::memcpy(&header, bytes, sizeof(header));
    header.mark = kSegmentMark;
    header.version = kSegmentVersion;
    header.file_size = size;
    for (PartPlace& part : header.parts) {
        if (part.offset > size || part.size > size - part.offset) continue;
        part.checksum = checksum_of({bytes + part.offset, part.size});
    }
    header.checksum = checksum_of({reinterpret_cast<const char*>(&header), offsetof(SegmentHeader, checksum)});
    std::memcpy(bytes, &header, sizeof(header));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Aligned bytes(size);
    std::memcpy(bytes.data, data, size);
    make_right(bytes.data, size);
    auto segment = Segment::of_bytes({bytes.data, size});
    if (!segment || (*segment)->dimensions() > kDimensionsMax) return 0;
    std::vector<LiveSegment> live(1);
    live[0].segment = *segment;
    const auto chunks = static_cast<std::uint32_t>((*segment)->chunks().size());
    const std::vector<AllowedChunks> all{chunks == 0 ? AllowedChunks{} : AllowedChunks{{0, chunks}}};
    weigh_lengths(live);
    const std::vector<float> query((*segment)->dimensions(), 0.5F);
    static_cast<void>(nearest_chunks(live, query, all, 5));
    const WordQuery words(live, "words about apples");
    for (const Hit& hit : words.search(live, all, 5)) static_cast<void>(words.match(live, hit));
    for (const DocumentRecord& document : (*segment)->documents()) {
        static_cast<void>((*segment)->checked_text(document));
        static_cast<void>(attributes_of(**segment, document));
    }
    return 0;
}
