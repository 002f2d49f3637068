#include "retrieval/signature.hpp"

#include "retrieval/checksum.hpp"
#include "retrieval/plain_text.hpp"

#include <algorithm>
#include <limits>

namespace quaestor::retrieval {

namespace {

constexpr std::size_t kRunWords = 3;
/// Of kSignatureBytes; texts that share nine of ten runs of words mostly have so many in common.
constexpr std::size_t kAlikeMin = 14;

std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 31U)) * 0x7fb5'd329'728e'a185;
    value = (value ^ (value >> 27U)) * 0x81da'def4'bc2d'd44d;
    return value ^ (value >> 33U);
}

}  // namespace

std::array<std::uint8_t, kSignatureBytes> signature_of(std::span<const std::string> terms) {
    std::array<std::uint64_t, kSignatureBytes> smallest;
    smallest.fill(std::numeric_limits<std::uint64_t>::max());
    for (std::size_t first = 0; first < terms.size(); ++first) {
        std::uint64_t run = 0;
        for (std::size_t i = first; i < std::min(first + kRunWords, terms.size()); ++i)
            run = mixed(run ^ checksum_of(terms[i]));
        for (std::size_t i = 0; i < kSignatureBytes; ++i) smallest[i] = std::min(smallest[i], mixed(run + i));
    }
    std::array<std::uint8_t, kSignatureBytes> signature{};
    std::ranges::transform(smallest, signature.begin(),
                           [](std::uint64_t hash) { return static_cast<std::uint8_t>(hash); });
    return signature;
}

std::uint32_t numbers_of(std::span<const std::string> terms) {
    std::uint64_t hash = 0;
    for (const auto& term : terms) {
        if (std::ranges::any_of(term, is_digit)) hash = mixed(hash ^ checksum_of(term));
    }
    return static_cast<std::uint32_t>(hash);
}

bool are_near_duplicates(const ChunkRecord& left, const ChunkRecord& right) {
    std::size_t alike = 0;
    for (std::size_t i = 0; i < kSignatureBytes; ++i) alike += left.signature[i] == right.signature[i] ? 1 : 0;
    return alike >= kAlikeMin && left.numbers == right.numbers;
}

}  // namespace quaestor::retrieval
