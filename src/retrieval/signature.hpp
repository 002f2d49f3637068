// Private to retrieval/: chunks in a few bytes, by which copies of each other are seen.
// Pure functions.
// Threads: safe everywhere.
#pragma once

#include "retrieval/segment_format.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace quaestor::retrieval {

/// The smallest hashes of runs of words: texts that share most runs share most of these.
[[nodiscard]] std::array<std::uint8_t, kSignatureBytes> signature_of(std::span<const std::string> terms);

/// A hash of the words that hold digits, in order.
[[nodiscard]] std::uint32_t numbers_of(std::span<const std::string> terms);

/// Nearly the same words and exactly the same numbers: texts that differ in one figure say different things.
[[nodiscard]] bool are_near_duplicates(const ChunkRecord& left, const ChunkRecord& right);

}  // namespace quaestor::retrieval
