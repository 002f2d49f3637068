// Vectors in few bytes, three times: a sketch of one bit for each dimension to find candidates, eight bits to order
// them, and eight more to be as good as exact. Private to retrieval/. Threads: pure functions over borrowed memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace quaestor::retrieval {

/// A row is scale * (coarse + fine / kFineSteps).
inline constexpr float kFineSteps = 254.0F;

/// Writes a row as coarse and fine numbers, each of row.size(), and gives its scale.
float quantise(std::span<const float> row, std::int8_t* coarse, std::int8_t* fine);

/// Adds scale * (coarse + fine / kFineSteps) to `sum`.
void add_row(std::span<double> sum, const std::int8_t* coarse, const std::int8_t* fine, float scale);

/// Words of 64 bits in the sketch of a row.
[[nodiscard]] constexpr std::size_t sketch_words(std::size_t dimensions) {
    return (dimensions + 63) / 64;
}

/// One bit for each dimension: whether the row is above `mean` there.
void sketch(std::span<const float> row, std::span<const float> mean, std::uint64_t* words);

/// The number of bits in which each sketch differs from the query's, for `rows` sketches one after another.
void sketch_distances(const std::uint64_t* sketches, std::size_t rows, std::span<const std::uint64_t> query,
                      std::uint16_t* distances);

/// A query as whole numbers; scale * number is what it was.
struct QuantisedQuery {
    explicit QuantisedQuery(std::span<const float> query);
    std::vector<std::int8_t> numbers;
    float scale = 0;
};

/// The sum of products of `size` numbers.
[[nodiscard]] std::int32_t dot(const std::int8_t* left, const std::int8_t* right, std::size_t size);

/// The inner product of a query with a row, as good as exact.
[[nodiscard]] float exact_dot(std::span<const float> query, const std::int8_t* coarse, const std::int8_t* fine,
                              float scale);

}  // namespace quaestor::retrieval
