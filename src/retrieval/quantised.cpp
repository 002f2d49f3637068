#include "retrieval/quantised.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#if defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace quaestor::retrieval {

namespace {

constexpr float kCoarseMax = 127.0F;

/// Bytes that are counted in one step; the compiler makes the processor's vectors of it.
using Bytes = std::uint8_t __attribute__((vector_size(16)));
constexpr std::size_t kWordsOfStep = sizeof(Bytes) / sizeof(std::uint64_t);

inline Bytes load(const std::uint64_t* words) {
    Bytes bytes;
    std::memcpy(&bytes, words, sizeof(bytes));
    return bytes;
}

#if defined(__aarch64__)
inline Bytes bits_set(Bytes bytes) {
    return vcntq_u8(bytes);
}

inline unsigned sum_of(Bytes counts) {
    return vaddlvq_u8(counts);
}
#else
inline Bytes bits_set(Bytes bytes) {
    bytes -= (bytes >> 1) & 0x55;
    bytes = (bytes & 0x33) + ((bytes >> 2) & 0x33);
    return (bytes + (bytes >> 4)) & 0x0f;
}

inline unsigned sum_of(Bytes counts) {
    unsigned sum = 0;
    for (std::size_t i = 0; i < sizeof(Bytes); ++i) sum += counts[i];
    return sum;
}
#endif

/// `kSteps` is known where the dimensions are usual ones, so that the loop over them disappears.
template <std::size_t kSteps>
void distances_of(const std::uint64_t* sketches, std::size_t rows, const std::uint64_t* query,
                  std::uint16_t* distances) {
    std::array<Bytes, kSteps> wanted;
    for (std::size_t step = 0; step < kSteps; ++step) wanted[step] = load(query + step * kWordsOfStep);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::uint64_t* words = sketches + row * kSteps * kWordsOfStep;
        Bytes counts{};
        for (std::size_t step = 0; step < kSteps; ++step) {
            counts += bits_set(load(words + step * kWordsOfStep) ^ wanted[step]);
        }
        distances[row] = static_cast<std::uint16_t>(sum_of(counts));
    }
}

void distances_of_any(const std::uint64_t* sketches, std::size_t rows, std::span<const std::uint64_t> query,
                      std::uint16_t* distances) {
    for (std::size_t row = 0; row < rows; ++row) {
        const std::uint64_t* words = sketches + row * query.size();
        int count = 0;
        for (std::size_t i = 0; i < query.size(); ++i) count += std::popcount(words[i] ^ query[i]);
        distances[row] = static_cast<std::uint16_t>(count);
    }
}

}  // namespace

float quantise(std::span<const float> row, std::int8_t* coarse, std::int8_t* fine) {
    float largest = 0;
    for (const float value : row) largest = std::fmax(largest, std::fabs(value));
    const float scale = largest / kCoarseMax;
    const float steps = scale > 0 ? 1.0F / scale : 0.0F;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const float exact = std::clamp(row[i] * steps, -kCoarseMax, kCoarseMax);
        const float near = std::nearbyint(exact);
        coarse[i] = static_cast<std::int8_t>(near);
        fine[i] = static_cast<std::int8_t>(std::clamp(std::nearbyint((exact - near) * kFineSteps), -127.0F, 127.0F));
    }
    return scale;
}

void add_row(std::span<double> sum, const std::int8_t* coarse, const std::int8_t* fine, float scale) {
    for (std::size_t i = 0; i < sum.size(); ++i) {
        const float number = static_cast<float>(coarse[i]) + static_cast<float>(fine[i]) / kFineSteps;
        sum[i] += static_cast<double>(number * scale);
    }
}

void sketch(std::span<const float> row, std::span<const float> mean, std::uint64_t* words) {
    std::fill_n(words, sketch_words(row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (row[i] > mean[i]) words[i / 64] |= std::uint64_t{1} << (i % 64);
    }
}

void sketch_distances(const std::uint64_t* sketches, std::size_t rows, std::span<const std::uint64_t> query,
                      std::uint16_t* distances) {
    switch (query.size()) {
        case 4:
            return distances_of<2>(sketches, rows, query.data(), distances);
        case 6:
            return distances_of<3>(sketches, rows, query.data(), distances);
        case 8:
            return distances_of<4>(sketches, rows, query.data(), distances);
        case 12:
            return distances_of<6>(sketches, rows, query.data(), distances);
        case 16:
            return distances_of<8>(sketches, rows, query.data(), distances);
        default:
            return distances_of_any(sketches, rows, query, distances);
    }
}

QuantisedQuery::QuantisedQuery(std::span<const float> query) : numbers(query.size()) {
    std::vector<std::int8_t> fine(query.size());
    scale = quantise(query, numbers.data(), fine.data());
}

std::int32_t dot(const std::int8_t* left, const std::int8_t* right, std::size_t size) {
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += std::int32_t{left[i]} * std::int32_t{right[i]};
    return sum;
}

float exact_dot(std::span<const float> query, const std::int8_t* coarse, const std::int8_t* fine, float scale) {
    constexpr std::size_t kLanes = 16;
    std::array<float, kLanes> sums{};
    const std::size_t whole = query.size() / kLanes * kLanes;
    const auto product = [&](std::size_t i) {
        return query[i] * (static_cast<float>(coarse[i]) + static_cast<float>(fine[i]) * (1.0F / kFineSteps));
    };
    for (std::size_t at = 0; at < whole; at += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += product(at + lane);
    }
    for (std::size_t at = whole; at < query.size(); ++at) sums[at - whole] += product(at);
    float sum = 0;
    for (const float lane : sums) sum += lane;
    return sum * scale;
}

}  // namespace quaestor::retrieval
