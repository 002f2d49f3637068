// The product of split rows and weights by instructions that not every processor has: the matrix instructions of arm64
// (i8mm) and AVX2 of amd64. Sums are exact integers, so the bits are those of multiply_portably().
// Private to native/. Threads: pure functions.
#pragma once

#include "native/matrices.hpp"

namespace quaestor::native {

/// What a high part counts for beside a low one.
inline constexpr int kHigh = 256;

/// A value of the product from its two sums.
[[nodiscard]] inline float joined(std::int32_t high, std::int32_t low, float scale) {
    return (static_cast<float>(high) * static_cast<float>(kHigh) + static_cast<float>(low)) * scale;
}

/// Whether the processor has what multiply_wide() needs.
[[nodiscard]] bool can_multiply_wide();
void multiply_wide(const SplitRows& inputs, const Linear& weights, const Rectangle& part, float* out,
                   std::size_t stride);

}  // namespace quaestor::native
