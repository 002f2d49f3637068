#include "native/matrices.hpp"

#include "native/wide_multiply.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace quaestor::native {

namespace {

// Added to a float of small magnitude this leaves its nearest integer in the low bits of the sum.
constexpr float kRounder = 12'582'912.F;
constexpr int kHighBits = 8;
static_assert(kHigh == 1 << kHighBits);
constexpr int kSplitMax = 127 * kHigh;

/// Of what is not above 0: a power of two times a polynomial fitted to the rest, exact to 3e-7 of the result near 0.
/// The compiler makes vectors of it.
inline float exponential(float x) {
    constexpr float kPerTwo = 1.44269504F;
    const float twos = std::fmax(x * kPerTwo, -126.F);
    const float shifted = twos + kRounder;
    const float rest = twos - (shifted - kRounder);
    float sum = 1.327656908e-3F;
    sum = sum * rest + 9.675542824e-3F;
    sum = sum * rest + 5.550713092e-2F;
    sum = sum * rest + 2.402212024e-1F;
    sum = sum * rest + 6.931469440e-1F;
    sum = sum * rest + 1.F;
    const auto exponent = std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(kRounder);
    return sum * std::bit_cast<float>((exponent + 127U) << 23U);
}

/// An odd polynomial over an even one, fitted for up to 4, from where on the result is 1; exact to 4e-7.
inline float error_function(float x) {
    x = std::fmin(std::fmax(x, -4.F), 4.F);
    const float square = x * x;
    float above = -2.72614225801306e-10F;
    above = above * square + 2.77068142495902e-08F;
    above = above * square - 2.10102402082508e-06F;
    above = above * square - 5.69250639462346e-05F;
    above = above * square - 7.34990630326855e-04F;
    above = above * square - 2.95459980854025e-03F;
    above = above * square - 1.60960333262415e-02F;
    float below = -1.45660718464996e-05F;
    below = below * square - 2.13374055278905e-04F;
    below = below * square - 1.68282697438203e-03F;
    below = below * square - 7.37332916720468e-03F;
    below = below * square - 1.42647390514189e-02F;
    return x * above / below;
}

inline int as_integer(float x) {
    return std::bit_cast<std::int32_t>(x + kRounder) - std::bit_cast<std::int32_t>(kRounder);
}

/// Of term(0) … term(size - 1), in an order that the compiler can make vectors of.
template <class Term>
float sum_of(std::size_t size, Term term) {
    std::array<float, kLanes> sums{};
    const std::size_t whole = size / kLanes * kLanes;
    for (std::size_t at = 0; at < whole; at += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += term(at + lane);
    }
    for (std::size_t at = whole; at < size; ++at) sums[at - whole] += term(at);
    float sum = 0;
    for (const float lane : sums) sum += lane;
    return sum;
}

/// Likewise the largest; there is at least one.
template <class Term>
float largest_of(std::size_t size, Term term) {
    std::array<float, kLanes> largest;
    largest.fill(term(0));
    const std::size_t whole = size / kLanes * kLanes;
    for (std::size_t at = 0; at < whole; at += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) largest[lane] = std::fmax(largest[lane], term(at + lane));
    }
    for (std::size_t at = whole; at < size; ++at) largest[0] = std::fmax(largest[0], term(at));
    return *std::ranges::max_element(largest);
}

/// Where a group of a row lies among pairs of rows.
constexpr std::size_t group_at(std::size_t row, std::size_t column, std::size_t columns) {
    return row / 2 * 2 * columns + column * 2 + row % 2 * kGroup;
}

/// Returns the scale. Groups of the row lie two groups apart.
float split_row(std::span<const float> from, std::int8_t* high, std::int8_t* low) {
    const float size = largest_of(from.size(), [from](std::size_t at) { return std::abs(from[at]); });
    const float inverse = size > 0 ? static_cast<float>(kSplitMax) / size : 0.F;
    for (std::size_t column = 0; column < from.size(); column += kGroup, high += 2 * kGroup, low += 2 * kGroup) {
        // Written together: bytes may alias anything, which would keep the compiler from making vectors.
        std::array<std::int8_t, kGroup> highs;
        std::array<std::int8_t, kGroup> lows;
        for (std::size_t at = 0; at < kGroup; ++at) {
            const int value = as_integer(from[column + at] * inverse);
            highs[at] = static_cast<std::int8_t>((value + kHigh / 2) >> kHighBits);
            lows[at] = static_cast<std::int8_t>(value);  // its last eight bits, as a number below or above zero
        }
        std::ranges::copy(highs, high);
        std::ranges::copy(lows, low);
    }
    return size / static_cast<float>(kSplitMax);
}

/// One tile of rows times one panel.
void multiply_panel(const float* left, std::size_t left_stride, const float* panel, std::size_t depth, float* out,
                    std::size_t out_stride) {
    std::array<std::array<float, kLanes>, kTileRows> sums{};
    for (std::size_t first = 0; first < depth; first += kDepthStep) {
        std::array<std::array<float, kDepthStep>, kTileRows> factors;
        for (std::size_t row = 0; row < kTileRows; ++row) {
            std::copy_n(left + row * left_stride + first, kDepthStep, factors[row].begin());
        }
        for (std::size_t at = 0; at < kDepthStep; ++at, panel += kLanes) {
            for (std::size_t row = 0; row < kTileRows; ++row) {
                for (std::size_t lane = 0; lane < kLanes; ++lane) sums[row][lane] += factors[row][at] * panel[lane];
            }
        }
    }
    for (std::size_t row = 0; row < kTileRows; ++row) std::ranges::copy(sums[row], out + row * out_stride);
}

}  // namespace

void SplitRows::reshape(std::size_t row_count, std::size_t column_count) {
    rows = round_up(row_count, kTileRows);
    columns = column_count;
    high.resize(rows * columns);
    low.resize(rows * columns);
    scales.resize(rows);
}

void split_tile(const Matrix& from, std::size_t first_row, SplitRows& to) {
    for (std::size_t row = first_row; row < first_row + kTileRows; ++row) {
        std::int8_t* high = to.high.data() + group_at(row, 0, to.columns);
        std::int8_t* low = to.low.data() + group_at(row, 0, to.columns);
        to.scales[row] = row < from.rows() ? split_row({from.row(row), to.columns}, high, low) : 0.F;
    }
}

void multiply_portably(const SplitRows& inputs, const Linear& weights, const Rectangle& part, float* out,
                       std::size_t stride) {
    const std::size_t depth = inputs.columns;
    for (std::size_t row = part.first_row; row < part.first_row + part.rows; ++row) {
        for (std::size_t column = part.first_column; column < part.first_column + part.columns; ++column) {
            std::array<std::int32_t, kGroup> high_sums{};
            std::array<std::int32_t, kGroup> low_sums{};
            for (std::size_t at = 0; at < depth; at += kGroup) {
                const std::int8_t* high = inputs.high.data() + group_at(row, at, depth);
                const std::int8_t* low = inputs.low.data() + group_at(row, at, depth);
                const std::int8_t* values = weights.values + group_at(column, at, depth);
                for (std::size_t lane = 0; lane < kGroup; ++lane) {
                    high_sums[lane] += std::int32_t{high[lane]} * values[lane];
                    low_sums[lane] += std::int32_t{low[lane]} * values[lane];
                }
            }
            std::int32_t high_sum = 0;
            std::int32_t low_sum = 0;
            for (std::size_t lane = 0; lane < kGroup; ++lane) {
                high_sum += high_sums[lane];
                low_sum += low_sums[lane];
            }
            out[(row - part.first_row) * stride + column - part.first_column] =
                joined(high_sum, low_sum, inputs.scales[row] * weights.scales[column]);
        }
    }
}

void multiply(const SplitRows& inputs, const Linear& weights, const Rectangle& part, float* out, std::size_t stride) {
    const auto by = can_multiply_wide() ? multiply_wide : multiply_portably;
    by(inputs, weights, part, out, stride);
}

void gelu(std::span<float> values) {
    constexpr float kInverseRoot = 0.70710678F;
    for (float& value : values) value = 0.5F * value * (1.F + error_function(value * kInverseRoot));
}

void normalise(const Norm& norm, std::span<const float> from, std::span<float> to) {
    const std::size_t size = from.size();
    const auto count = static_cast<float>(size);
    const float mean = sum_of(size, [&](std::size_t at) { return from[at]; }) / count;
    const auto square = [&](std::size_t at) { return (from[at] - mean) * (from[at] - mean); };
    const float variance = sum_of(size, square) / count;
    const float inverse = 1.F / std::sqrt(variance + norm.epsilon);
    for (std::size_t at = 0; at < size; ++at) to[at] = (from[at] - mean) * inverse * norm.weight[at] + norm.bias[at];
}

float soft_weights(std::span<float> values, float scale) {
    const float largest = largest_of(values.size(), [values](std::size_t at) { return values[at]; });
    return sum_of(values.size(), [=](std::size_t at) {
        const float weight = exponential(scale * (values[at] - largest));
        values[at] = weight;
        return weight;
    });
}

float soft_max(std::span<float> values) {
    const float largest = *std::ranges::max_element(values);
    const float sum = soft_weights(values, 1.F);
    const float inverse = 1.F / sum;
    for (float& value : values) value *= inverse;
    return largest + std::log(sum);
}

float dot(std::span<const float> left, std::span<const float> right) {
    return sum_of(left.size(), [=](std::size_t at) { return left[at] * right[at]; });
}

void add_scaled(std::span<float> to, float factor, std::span<const float> from) {
    for (std::size_t at = 0; at < to.size(); ++at) to[at] += factor * from[at];
}

void multiply_floats(const FloatRows& left, const Panels& right, std::size_t head, float* out, std::size_t out_stride) {
    for (std::size_t column = 0; column < right.padded_columns(); column += kLanes) {
        const float* panel = right.panel(head, column / kLanes);
        for (std::size_t row = 0; row < left.count; row += kTileRows) {
            multiply_panel(left.values + row * left.stride, left.stride, panel, right.padded_depth(),
                           out + row * out_stride + column, out_stride);
        }
    }
}

}  // namespace quaestor::native
