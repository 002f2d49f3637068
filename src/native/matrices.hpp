// The arithmetic of the trained parser: matrices of weights in 8 bits, activations split into two times 8 bits (exact
// to 1 part in 30,000, which is finer than half precision), and everything around them in 32-bit floats. Results
// do not depend on the processor's instructions nor on the number of threads. Threads: plain values and functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace quaestor::native {

/// Rows and columns that are computed at once; matrices have whole tiles of rows, weights whole tiles of columns.
inline constexpr std::size_t kTileRows = 4;
inline constexpr std::size_t kTileColumns = 8;
/// Values of one row that lie together in weights and in split rows; rows come in pairs.
inline constexpr std::size_t kGroup = 8;
/// Attention computes this many keys, or values of a head, at once.
inline constexpr std::size_t kLanes = 16;
inline constexpr std::size_t kDepthStep = 4;

[[nodiscard]] constexpr std::size_t round_up(std::size_t size, std::size_t step) {
    return (size + step - 1) / step * step;
}

/// Row by row, its rows padded to whole tiles.
class Matrix {
public:
    void reshape(std::size_t rows, std::size_t columns) {
        rows_ = rows;
        columns_ = columns;
        values_.resize(round_up(rows, kTileRows) * columns);
    }
    [[nodiscard]] std::size_t rows() const { return rows_; }
    [[nodiscard]] std::size_t columns() const { return columns_; }
    [[nodiscard]] float* row(std::size_t at) { return values_.data() + at * columns_; }
    [[nodiscard]] const float* row(std::size_t at) const { return values_.data() + at * columns_; }

private:
    std::size_t rows_ = 0;
    std::size_t columns_ = 0;
    std::vector<float> values_;
};

/// Activations as (256 × high + low) × scale of the row. Rows lie in pairs: 8 values of the one, 8 of the other.
struct SplitRows {
    std::size_t rows = 0;  ///< whole tiles
    std::size_t columns = 0;
    std::vector<std::int8_t> high;
    std::vector<std::int8_t> low;
    std::vector<float> scales;

    void reshape(std::size_t row_count, std::size_t column_count);
};

/// A layer's weights: output = values × input + bias. Views of the mapped file.
struct Linear {
    std::size_t inputs = 0;
    std::size_t outputs = 0;              ///< whole tiles
    const std::int8_t* values = nullptr;  ///< in pairs of rows, like SplitRows
    const float* scales = nullptr;        ///< one for each output
    const float* bias = nullptr;
};

/// A layer norm.
struct Norm {
    std::span<const float> weight;
    std::span<const float> bias;
    float epsilon = 0;
};

/// Splits one tile of rows; those past the end of `from` become zero.
void split_tile(const Matrix& from, std::size_t first_row, SplitRows& to);

/// A rectangle of the product, in whole tiles: `out` holds its rows, each `stride` apart.
struct Rectangle {
    std::size_t first_row = 0;
    std::size_t rows = 0;
    std::size_t first_column = 0;
    std::size_t columns = 0;
};
void multiply(const SplitRows& inputs, const Linear& weights, const Rectangle& part, float* out, std::size_t stride);
/// The same without the processor's special instructions.
void multiply_portably(const SplitRows& inputs, const Linear& weights, const Rectangle& part, float* out,
                       std::size_t stride);

void gelu(std::span<float> values);
void normalise(const Norm& norm, std::span<const float> from, std::span<float> to);
/// Values become e^(scale × (value - largest)): probabilities once they are divided by their sum, which is returned.
float soft_weights(std::span<float> values, float scale);
/// Values become probabilities. Returns the logarithm of the sum that they were divided by.
float soft_max(std::span<float> values);

[[nodiscard]] float dot(std::span<const float> left, std::span<const float> right);
/// to += factor × from
void add_scaled(std::span<float> to, float factor, std::span<const float> from);

/// Matrices of the same shape, one for each head, each in panels of kLanes columns that lie row by row: what attention
/// reads lies in one stream.
class Panels {
public:
    void reshape(std::size_t heads, std::size_t depth, std::size_t columns) {
        depth_ = depth;
        columns_ = columns;
        values_.assign(heads * padded_depth() * padded_columns(), 0.F);
    }
    [[nodiscard]] std::size_t depth() const { return depth_; }
    [[nodiscard]] std::size_t columns() const { return columns_; }
    /// With those after the last, which are zero.
    [[nodiscard]] std::size_t padded_depth() const { return round_up(depth_, kDepthStep); }
    [[nodiscard]] std::size_t padded_columns() const { return round_up(columns_, kLanes); }
    [[nodiscard]] float* panel(std::size_t head, std::size_t at) { return values_.data() + offset(head, at); }
    [[nodiscard]] const float* panel(std::size_t head, std::size_t at) const {
        return values_.data() + offset(head, at);
    }

private:
    [[nodiscard]] std::size_t offset(std::size_t head, std::size_t at) const {
        return (head * padded_columns() + at * kLanes) * padded_depth();
    }

    std::size_t depth_ = 0;
    std::size_t columns_ = 0;
    std::vector<float> values_;
};

/// Rows `stride` apart, in whole tiles, each as long as the padded depth of what they are multiplied with.
struct FloatRows {
    const float* values = nullptr;
    std::size_t stride = 0;
    std::size_t count = 0;
};
/// Rows times the matrix of one head; results are as wide as its panels.
void multiply_floats(const FloatRows& left, const Panels& right, std::size_t head, float* out, std::size_t out_stride);

}  // namespace quaestor::native
