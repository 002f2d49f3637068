#include "native/wide_multiply.hpp"

#include <array>

#if defined(__aarch64__)
#include <arm_neon.h>
#include <asm/hwcap.h>
#include <sys/auxv.h>
#elif defined(__x86_64__)
#include <immintrin.h>
#endif

namespace quaestor::native {

namespace {

#if defined(__aarch64__)

bool has_instructions() {
    return (getauxval(AT_HWCAP2) & HWCAP2_I8MM) != 0;
}

/// Two rows of inputs times eight of weights.
struct TwoByEight {
    std::array<int32x4_t, 4> high{};
    std::array<int32x4_t, 4> low{};
};

/// Each sum holds two values of the upper row, then two of the lower.
void store(const TwoByEight& sums, const float* row_scales, const float* column_scales, float* out,
           std::size_t stride) {
    std::array<float32x4_t, 4> wholes{};
    for (std::size_t pair = 0; pair < 4; ++pair) {
        const float32x4_t high = vcvtq_f32_s32(sums.high[pair]);
        wholes[pair] = vaddq_f32(vmulq_n_f32(high, static_cast<float>(kHigh)), vcvtq_f32_s32(sums.low[pair]));
    }
    for (std::size_t half = 0; half < 2; ++half) {
        const float32x4_t left = wholes[2 * half];
        const float32x4_t right = wholes[2 * half + 1];
        const float32x4_t scales = vld1q_f32(column_scales + 4 * half);
        vst1q_f32(out + 4 * half,
                  vmulq_f32(vcombine_f32(vget_low_f32(left), vget_low_f32(right)), vmulq_n_f32(scales, row_scales[0])));
        vst1q_f32(out + stride + 4 * half, vmulq_f32(vcombine_f32(vget_high_f32(left), vget_high_f32(right)),
                                                     vmulq_n_f32(scales, row_scales[1])));
    }
}

__attribute__((target("i8mm"))) void multiply_tile(const SplitRows& inputs, const Linear& weights, std::size_t row,
                                                   std::size_t column, float* out, std::size_t stride) {
    const std::size_t depth = inputs.columns;
    const std::int8_t* high = inputs.high.data() + row * depth;
    const std::int8_t* low = inputs.low.data() + row * depth;
    const std::int8_t* values = weights.values + column * depth;
    TwoByEight upper;
    TwoByEight lower;
    for (std::size_t at = 0; at < 2 * depth; at += 2 * kGroup) {
        const int8x16_t upper_high = vld1q_s8(high + at);
        const int8x16_t lower_high = vld1q_s8(high + 2 * depth + at);
        const int8x16_t upper_low = vld1q_s8(low + at);
        const int8x16_t lower_low = vld1q_s8(low + 2 * depth + at);
        for (std::size_t pair = 0; pair < 4; ++pair) {
            const int8x16_t weight = vld1q_s8(values + pair * 2 * depth + at);
            upper.high[pair] = vmmlaq_s32(upper.high[pair], upper_high, weight);
            lower.high[pair] = vmmlaq_s32(lower.high[pair], lower_high, weight);
            upper.low[pair] = vmmlaq_s32(upper.low[pair], upper_low, weight);
            lower.low[pair] = vmmlaq_s32(lower.low[pair], lower_low, weight);
        }
    }
    store(upper, inputs.scales.data() + row, weights.scales + column, out, stride);
    store(lower, inputs.scales.data() + row + 2, weights.scales + column, out + 2 * stride, stride);
}

#elif defined(__x86_64__)

bool has_instructions() {
    return __builtin_cpu_supports("avx2") != 0;
}

/// Two rows of inputs times two of weights, each in four sums. `straight`: upper row times first column, then lower
/// times second; `crossed`: upper times second, then lower times first.
struct TwoByTwo {
    __m256i straight;
    __m256i crossed;
};

/// Groups of two rows, widened so that products fit.
__attribute__((target("avx2"))) inline __m256i widened(const std::int8_t* pair) {
    return _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(pair)));
}

__attribute__((target("avx2"))) inline void add_products(TwoByTwo& sums, __m256i rows, __m256i columns,
                                                         __m256i exchanged) {
    sums.straight = _mm256_add_epi32(sums.straight, _mm256_madd_epi16(rows, columns));
    sums.crossed = _mm256_add_epi32(sums.crossed, _mm256_madd_epi16(rows, exchanged));
}

/// The sums of the lower and of the upper half.
__attribute__((target("avx2"))) inline std::array<std::int32_t, 2> halves(__m256i sums) {
    const auto total = [](__m128i four) {
        const __m128i two = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0b01'00'11'10));
        return _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 0b10'11'00'01)));
    };
    return {total(_mm256_castsi256_si128(sums)), total(_mm256_extracti128_si256(sums, 1))};
}

__attribute__((target("avx2"))) void store(const TwoByTwo& high, const TwoByTwo& low, const float* row_scales,
                                           const float* column_scales, float* out, std::size_t stride) {
    const auto high_straight = halves(high.straight);
    const auto high_crossed = halves(high.crossed);
    const auto low_straight = halves(low.straight);
    const auto low_crossed = halves(low.crossed);
    out[0] = joined(high_straight[0], low_straight[0], row_scales[0] * column_scales[0]);
    out[1] = joined(high_crossed[0], low_crossed[0], row_scales[0] * column_scales[1]);
    out[stride] = joined(high_crossed[1], low_crossed[1], row_scales[1] * column_scales[0]);
    out[stride + 1] = joined(high_straight[1], low_straight[1], row_scales[1] * column_scales[1]);
}

/// Two rows times four columns: as many sums as there are registers for.
__attribute__((target("avx2"))) void multiply_strip(const SplitRows& inputs, const Linear& weights, std::size_t row,
                                                    std::size_t column, float* out, std::size_t stride) {
    const std::size_t depth = inputs.columns;
    const std::int8_t* high = inputs.high.data() + row * depth;
    const std::int8_t* low = inputs.low.data() + row * depth;
    const std::int8_t* values = weights.values + column * depth;
    std::array<TwoByTwo, 2> highs{};
    std::array<TwoByTwo, 2> lows{};
    for (std::size_t at = 0; at < 2 * depth; at += 2 * kGroup) {
        const __m256i high_rows = widened(high + at);
        const __m256i low_rows = widened(low + at);
        for (std::size_t pair = 0; pair < 2; ++pair) {
            const __m256i columns = widened(values + pair * 2 * depth + at);
            const __m256i exchanged = _mm256_permute2x128_si256(columns, columns, 1);
            add_products(highs[pair], high_rows, columns, exchanged);
            add_products(lows[pair], low_rows, columns, exchanged);
        }
    }
    for (std::size_t pair = 0; pair < 2; ++pair) {
        store(highs[pair], lows[pair], inputs.scales.data() + row, weights.scales + column + 2 * pair, out + 2 * pair,
              stride);
    }
}

void multiply_tile(const SplitRows& inputs, const Linear& weights, std::size_t row, std::size_t column, float* out,
                   std::size_t stride) {
    for (std::size_t down = 0; down < kTileRows; down += 2) {
        for (std::size_t along = 0; along < kTileColumns; along += 4) {
            multiply_strip(inputs, weights, row + down, column + along, out + down * stride + along, stride);
        }
    }
}

#else

bool has_instructions() {
    return false;
}

void multiply_tile(const SplitRows& inputs, const Linear& weights, std::size_t row, std::size_t column, float* out,
                   std::size_t stride) {
    const Rectangle tile{.first_row = row, .rows = kTileRows, .first_column = column, .columns = kTileColumns};
    multiply_portably(inputs, weights, tile, out, stride);
}

#endif

}  // namespace

bool can_multiply_wide() {
    static const bool can = has_instructions();
    return can;
}

void multiply_wide(const SplitRows& inputs, const Linear& weights, const Rectangle& part, float* out,
                   std::size_t stride) {
    for (std::size_t column = 0; column < part.columns; column += kTileColumns) {
        for (std::size_t row = 0; row < part.rows; row += kTileRows) {
            multiply_tile(inputs, weights, part.first_row + row, part.first_column + column,
                          out + row * stride + column, stride);
        }
    }
}

}  // namespace quaestor::native
