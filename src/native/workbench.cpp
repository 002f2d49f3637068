#include "native/workbench.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace quaestor::native {

namespace {

/// A piece of a product that one thread does at a time: its inputs fit the processor's first cache.
constexpr std::size_t kBlockBytes = 24 * 1024;
constexpr std::size_t kBlockRowsMax = 64;
constexpr std::size_t kBlockColumns = 64;
/// Rows of cheap work, or of one head's attention, that are worth handing to another thread.
constexpr std::size_t kRowsAtOnce = 16;

std::size_t parts(std::size_t size, std::size_t part) {
    return (size + part - 1) / part;
}

void finish(const Linear& layer, const Rectangle& part, const float* block, std::size_t rows, Workbench::Then then,
            Matrix& to) {
    for (std::size_t row = 0; row < rows; ++row) {
        const std::span<float> out(to.row(part.first_row + row) + part.first_column, part.columns);
        const float* from = block + row * kBlockColumns;
        const float* bias = layer.bias + part.first_column;
        if (then == Workbench::Then::add) {
            for (std::size_t at = 0; at < out.size(); ++at) out[at] += from[at] + bias[at];
        } else {
            for (std::size_t at = 0; at < out.size(); ++at) out[at] = from[at] + bias[at];
        }
        if (then == Workbench::Then::gelu) gelu(out);
    }
}

/// The rows that one thread attends for in one head, and its scratch space.
class HeadOfRows {
public:
    HeadOfRows(const Workbench::Attention& how, std::size_t head, Matrix& out)
        : how_(how),
          out_(out),
          size_(how.values.columns()),
          column_(head * size_),
          head_(head),
          count_(how.keys.columns()),
          padded_(how.keys.padded_columns()),
          scores_(kRowsAtOnce * padded_),
          by_relation_(how.relations.count),
          weight_of_(how.relations.count) {}

    /// At most kRowsAtOnce rows: keys and values are read once for all of them.
    void attend(std::size_t first_row, std::size_t rows) {
        const Matrix& queries = how_.queries.of;
        const std::size_t whole = round_up(rows, kTileRows);
        multiply_floats({queries.row(first_row) + how_.queries.first + column_, queries.columns(), whole}, how_.keys,
                        head_, scores_.data(), padded_);
        for (std::size_t row = 0; row < rows; ++row) {
            sums_[row] = weigh(first_row + row, scores_.data() + row * padded_);
        }
        multiply_floats({scores_.data(), padded_, whole}, how_.values, head_, out_.row(first_row) + column_,
                        out_.columns());
        for (std::size_t row = 0; row < rows; ++row) {
            if (how_.relations.layer != nullptr) add_relations(first_row + row, scores_.data() + row * padded_);
            const float inverse = 1.F / sums_[row];
            for (float& value : std::span(out_.row(first_row + row) + column_, size_)) value *= inverse;
        }
    }

private:
    const std::uint8_t* relations_of(std::size_t row) const { return how_.relations.pairs.data() + row * count_; }

    /// Scores become weights; returns their sum.
    float weigh(std::size_t row, float* scores) {
        if (how_.relations.layer != nullptr) {
            const RelationLayer& layer = *how_.relations.layer;
            const std::span query(how_.queries.of.row(row) + how_.queries.first + column_, size_);
            const std::size_t relations = how_.relations.count;
            for (std::size_t at = 0; at < relations; ++at) {
                by_relation_[at] = dot(query, layer.relation_key.subspan(at * size_, size_)) +
                                   layer.relation_bias[head_ * relations + at];
            }
            const std::uint8_t* relation = relations_of(row);
            for (std::size_t at = 0; at < count_; ++at) scores[at] += by_relation_[relation[at]];
        }
        return soft_weights({scores, count_}, 1.F / std::sqrt(static_cast<float>(size_)));
    }

    void add_relations(std::size_t row, const float* weights) {
        std::ranges::fill(weight_of_, 0.F);
        const std::uint8_t* relation = relations_of(row);
        for (std::size_t at = 0; at < count_; ++at) weight_of_[relation[at]] += weights[at];
        for (std::size_t at = 0; at < weight_of_.size(); ++at) {
            if (weight_of_[at] == 0.F) continue;
            add_scaled({out_.row(row) + column_, size_}, weight_of_[at],
                       how_.relations.layer->relation_value.subspan(at * size_, size_));
        }
    }

    const Workbench::Attention& how_;
    Matrix& out_;
    std::size_t size_;    ///< of the head
    std::size_t column_;  ///< its first
    std::size_t head_;
    std::size_t count_;   ///< of keys
    std::size_t padded_;  ///< the same in whole lanes
    std::vector<float> scores_;
    std::array<float, kRowsAtOnce> sums_{};  ///< of each row's weights
    std::vector<float> by_relation_;
    std::vector<float> weight_of_;
};

}  // namespace

void Workbench::apply(const Linear& layer, const Matrix& from, Matrix& to, Then then) {
    split_.reshape(from.rows(), layer.inputs);
    crew_.each(parts(split_.rows, kRowsAtOnce), [&](std::size_t at) {
        const std::size_t end = std::min(split_.rows, (at + 1) * kRowsAtOnce);
        for (std::size_t row = at * kRowsAtOnce; row < end; row += kTileRows) split_tile(from, row, split_);
    });
    if (then != Then::add) to.reshape(from.rows(), layer.outputs);
    const std::size_t fitting = kBlockBytes / (2 * layer.inputs) / kTileRows * kTileRows;
    const std::size_t block_rows = std::clamp(fitting, kTileRows, kBlockRowsMax);
    const std::size_t across = parts(layer.outputs, kBlockColumns);
    crew_.each(parts(split_.rows, block_rows) * across, [&](std::size_t at) {
        Rectangle part{.first_row = at / across * block_rows, .first_column = at % across * kBlockColumns};
        part.rows = std::min(block_rows, split_.rows - part.first_row);
        part.columns = std::min(kBlockColumns, layer.outputs - part.first_column);
        std::array<float, kBlockRowsMax * kBlockColumns> block;
        multiply(split_, layer, part, block.data(), kBlockColumns);
        finish(layer, part, block.data(), std::min(part.rows, from.rows() - part.first_row), then, to);
    });
}

void Workbench::apply(const Norm& norm, const Matrix& from, Matrix& to) {
    to.reshape(from.rows(), from.columns());
    crew_.each(parts(from.rows(), kRowsAtOnce), [&](std::size_t at) {
        const std::size_t end = std::min(from.rows(), (at + 1) * kRowsAtOnce);
        for (std::size_t row = at * kRowsAtOnce; row < end; ++row) {
            normalise(norm, {from.row(row), from.columns()}, {to.row(row), from.columns()});
        }
    });
}

void Workbench::pack_keys(const Columns& from, std::size_t width, std::size_t heads, Panels& to) {
    const std::size_t size = width / heads;
    to.reshape(heads, size, from.of.rows());
    crew_.each(heads, [&](std::size_t head) {
        for (std::size_t row = 0; row < to.columns(); ++row) {
            float* panel = to.panel(head, row / kLanes) + row % kLanes;
            const float* key = from.of.row(row) + from.first + head * size;
            for (std::size_t at = 0; at < size; ++at) panel[at * kLanes] = key[at];
        }
    });
}

void Workbench::pack_values(const Columns& from, std::size_t width, std::size_t heads, Panels& to) {
    const std::size_t size = width / heads;
    to.reshape(heads, from.of.rows(), size);
    crew_.each(heads, [&](std::size_t head) {
        for (std::size_t row = 0; row < to.depth(); ++row) {
            const float* value = from.of.row(row) + from.first + head * size;
            for (std::size_t at = 0; at < size; at += kLanes) {
                std::copy_n(value + at, kLanes, to.panel(head, at / kLanes) + row * kLanes);
            }
        }
    });
}

void Workbench::attend(const Attention& how, Matrix& out) {
    const std::size_t rows = how.queries.of.rows();
    const std::size_t down = parts(rows, kRowsAtOnce);
    out.reshape(rows, how.heads * how.values.columns());
    crew_.each(how.heads * down, [&](std::size_t at) {
        const std::size_t first = at % down * kRowsAtOnce;
        HeadOfRows(how, at / down, out).attend(first, std::min(kRowsAtOnce, rows - first));
    });
}

}  // namespace quaestor::native
