#include "native/matrices.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

namespace quaestor::native {
namespace {

Matrix random_matrix(std::size_t rows, std::size_t columns, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    Matrix matrix;
    matrix.reshape(rows, columns);
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t column = 0; column < columns; ++column) matrix.row(row)[column] = normal(random);
    }
    return matrix;
}

SplitRows split(const Matrix& from) {
    SplitRows rows;
    rows.reshape(from.rows(), from.columns());
    for (std::size_t row = 0; row < rows.rows; row += kTileRows) split_tile(from, row, rows);
    return rows;
}

/// Random weights in pairs of rows, with a view of them.
struct RandomLayer {
    RandomLayer(std::size_t inputs, std::size_t outputs) : values(inputs * outputs), scales(outputs) {
        std::mt19937 random(3);
        for (auto& value : values) value = static_cast<std::int8_t>(static_cast<int>(random() % 255) - 127);
        for (auto& scale : scales) scale = 0.001F + static_cast<float>(random() % 100) * 1e-5F;
        view = {.inputs = inputs, .outputs = outputs, .values = values.data(), .scales = scales.data()};
    }
    [[nodiscard]] double weight(std::size_t output, std::size_t input) const {
        const std::size_t at = output / 2 * 2 * view.inputs + input / 8 * 16 + output % 2 * 8 + input % 8;
        return double{scales[output]} * values[at];
    }

    std::vector<std::int8_t> values;
    std::vector<float> scales;
    Linear view;
};

TEST(Multiply, IsExactToFourDigits) {
    const Matrix inputs = random_matrix(7, 48, 1);
    const RandomLayer layer(48, 16);
    std::vector<float> out(8 * std::size_t{16});
    multiply(split(inputs), layer.view, {.rows = 8, .columns = 16}, out.data(), 16);
    for (std::size_t row = 0; row < 7; ++row) {
        for (std::size_t column = 0; column < 16; ++column) {
            double expected = 0;
            for (std::size_t at = 0; at < 48; ++at) expected += inputs.row(row)[at] * layer.weight(column, at);
            EXPECT_NEAR(out[row * 16 + column], expected, 1e-4);
        }
    }
}

TEST(Multiply, GivesTheSameBitsWithAndWithoutSpecialInstructions) {
    const Matrix inputs = random_matrix(9, 1536, 2);
    const RandomLayer layer(1536, 24);
    const SplitRows rows = split(inputs);
    const Rectangle part{.first_row = 4, .rows = 8, .first_column = 8, .columns = 16};
    std::vector<float> here(8 * std::size_t{16});
    std::vector<float> anywhere(here.size());
    multiply(rows, layer.view, part, here.data(), 16);
    multiply_portably(rows, layer.view, part, anywhere.data(), 16);
    EXPECT_EQ(here, anywhere);
}

TEST(Multiply, DoesNotOverflowAtTheLargestValues) {
    Matrix inputs;
    inputs.reshape(4, 1536);
    std::fill_n(inputs.row(0), 4 * 1536, -1.F);
    RandomLayer layer(1536, 8);
    std::ranges::fill(layer.values, std::int8_t{127});
    std::ranges::fill(layer.scales, 1.F);
    std::vector<float> out(4 * std::size_t{8});
    multiply(split(inputs), layer.view, {.rows = 4, .columns = 8}, out.data(), 8);
    EXPECT_THAT(out, testing::Each(testing::FloatNear(-127.F * 1536, 1.F)));
}

TEST(Split, RowsOfZerosAndRowsPastTheEndAreZero) {
    Matrix inputs = random_matrix(2, 16, 1);
    std::fill_n(inputs.row(1), 16, 0.F);
    const SplitRows rows = split(inputs);
    EXPECT_GT(rows.scales[0], 0.F);
    EXPECT_THAT(std::vector(rows.scales.begin() + 1, rows.scales.end()), testing::Each(0.F));
}

TEST(Gelu, IsThatOfTheErrorFunction) {
    std::vector<float> values;
    for (float x = -12; x <= 12; x += 0.01F) values.push_back(x);
    std::vector<float> results = values;
    gelu(results);
    for (std::size_t at = 0; at < values.size(); ++at) {
        const double x = values[at];
        EXPECT_NEAR(results[at], 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))), 2e-6) << x;
    }
}

TEST(SoftMax, SumsToOneWhateverTheSizeOfTheValues) {
    for (const std::size_t size : {1U, 5U, 16U, 33U}) {
        std::vector<float> values(size);
        std::iota(values.begin(), values.end(), 1000.F);
        const float log_sum = soft_max(values);
        EXPECT_NEAR(std::accumulate(values.begin(), values.end(), 0.F), 1.F, 1e-6F);
        EXPECT_NEAR(std::log(values.back()), 1000.F + static_cast<float>(size) - 1 - log_sum, 1e-3F);
    }
}

TEST(SoftMax, FarSmallerValuesGetNothing) {
    std::vector<float> values{0.F, -1e9F, -200.F};
    EXPECT_NEAR(soft_max(values), 0.F, 1e-6F);
    EXPECT_THAT(values, testing::ElementsAre(testing::FloatEq(1.F), testing::Lt(1e-30F), testing::Lt(1e-30F)));
}

TEST(Normalise, MakesMeanZeroAndSpreadOne) {
    const Matrix from = random_matrix(1, 37, 5);
    const std::vector<float> ones(37, 1.F);
    const std::vector<float> zeros(37, 0.F);
    std::vector<float> to(37);
    normalise({.weight = ones, .bias = zeros, .epsilon = 0}, {from.row(0), 37}, to);
    EXPECT_NEAR(std::accumulate(to.begin(), to.end(), 0.F), 0.F, 1e-4F);
    EXPECT_NEAR(std::inner_product(to.begin(), to.end(), to.begin(), 0.F), 37.F, 1e-3F);
}

TEST(MultiplyFloats, ReadsThePanelsOfItsHead) {
    const Matrix left = random_matrix(4, 8, 6);  // the last column meets the zeros of the padding
    Panels right;
    right.reshape(2, 7, 20);
    for (std::size_t at = 0; at < 7; ++at) {
        for (std::size_t column = 0; column < 20; ++column) {
            right.panel(1, column / kLanes)[at * kLanes + column % kLanes] = static_cast<float>(at * 100 + column);
        }
    }
    std::vector<float> out(4 * right.padded_columns());
    multiply_floats({left.row(0), 8, 4}, right, 1, out.data(), right.padded_columns());
    for (std::size_t row = 0; row < 4; ++row) {
        for (std::size_t column = 0; column < 20; ++column) {
            float expected = 0;
            for (std::size_t at = 0; at < 7; ++at)
                expected += left.row(row)[at] * static_cast<float>(at * 100 + column);
            EXPECT_NEAR(out[row * right.padded_columns() + column], expected, 1e-2F);
        }
    }
}

}  // namespace
}  // namespace quaestor::native
