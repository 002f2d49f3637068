#include "native/text2sql_network.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quaestor::native {

Text2SqlNetwork::Text2SqlNetwork(std::shared_ptr<const Text2SqlWeights> weights, std::size_t threads)
    : weights_(std::move(weights)), bench_(threads), memories_(weights_->decoder.size()) {}

Result<> Text2SqlNetwork::check(const ModelInput& input) const {
    const std::size_t pieces = input.ids.size();
    const std::size_t items = input.item_count();
    if (items > kItemsMax || pieces > weights_->position.rows) {
        return fail(Code::limit_exceeded,
                    fmt::format("the question and its schema have {} items and {} pieces; {} and {} are the most that "
                                "the trained parser can read",
                                items, pieces, kItemsMax, weights_->position.rows),
                    "ask about fewer tables");
    }
    const auto all_below = [](const auto& numbers, std::size_t end) {
        return std::ranges::all_of(numbers, [end](auto number) { return std::cmp_less(number, end) && number >= 0; });
    };
    const bool have_sizes = pieces > 0 && items > 0 && input.items.size() == pieces &&
                            input.segments.size() == pieces && input.features.size() == pieces &&
                            input.relations.size() == items * items &&
                            input.words + input.columns.size() + input.tables.size() == items;
    const bool have_ranges =
        all_below(input.ids, weights_->word.rows) && all_below(input.segments, Text2SqlWeights::kSegments) &&
        all_below(input.features, weights_->feature.rows) && all_below(input.kinds, Text2SqlWeights::kKinds) &&
        all_below(input.relations, weights_->relations) &&
        std::ranges::all_of(input.items, [items](int item) { return item >= -1 && std::cmp_less(item, items); });
    if (have_sizes && have_ranges) return {};
    return fail(Code::invalid_argument, "the arrays of the question do not fit together or the trained parser");
}

Result<> Text2SqlNetwork::read(const ModelInput& input, const CancelToken& cancel) {
    if (auto fits = check(input); !fits) return fits;
    embed(input);
    for (const EncoderLayer& layer : weights_->encoder) {
        if (cancel.cancelled()) return fail(cancel.error());
        encode(layer, &layer == &weights_->encoder.back());
    }
    gather_items(input);
    for (const RelationLayer& layer : weights_->relation) {
        if (cancel.cancelled()) return fail(cancel.error());
        relate(layer, input);
    }
    remember_items();
    return {};
}

void Text2SqlNetwork::embed(const ModelInput& input) {
    const std::size_t width = weights_->width;
    item_of_row_ = input.items;
    x_.reshape(input.ids.size(), width);
    for (std::size_t at = 0; at < input.ids.size(); ++at) {
        const std::span row(x_.row(at), width);
        std::ranges::fill(row, 0.F);
        weights_->word.add_to(row, static_cast<std::size_t>(input.ids[at]));
        weights_->position.add_to(row, at);
        weights_->feature.add_to(row, static_cast<std::size_t>(input.features[at]));
        add_scaled(row, 1.F, weights_->segment.subspan(static_cast<std::size_t>(input.segments[at]) * width, width));
    }
    bench_.apply(weights_->norm, x_, x_);
}

void Text2SqlNetwork::encode(const EncoderLayer& layer, bool is_last) {
    const std::size_t width = weights_->width;
    bench_.apply(layer.qkv, x_, qkv_);
    const std::size_t heads = weights_->encoder_heads;
    bench_.pack_keys({qkv_, width}, width, heads, keys_);
    bench_.pack_values({qkv_, 2 * width}, width, heads, values_);
    if (is_last) drop_separators();
    bench_.attend({.queries = {qkv_}, .keys = keys_, .values = values_, .heads = heads}, attended_);
    bench_.apply(layer.output, attended_, x_, Workbench::Then::add);
    bench_.apply(layer.norm1, x_, x_);
    bench_.apply(layer.inner, x_, inner_, Workbench::Then::gelu);
    bench_.apply(layer.outer, inner_, x_, Workbench::Then::add);
    bench_.apply(layer.norm2, x_, x_);
}

/// Nobody reads what the last layer makes of pieces that belong to no item, and these are four in ten.
void Text2SqlNetwork::drop_separators() {
    std::size_t kept = 0;
    for (std::size_t row = 0; row < item_of_row_.size(); ++row) {
        if (item_of_row_[row] < 0) continue;
        if (row != kept) {
            std::copy_n(x_.row(row), x_.columns(), x_.row(kept));
            std::copy_n(qkv_.row(row), qkv_.columns(), qkv_.row(kept));
        }
        item_of_row_[kept++] = item_of_row_[row];
    }
    item_of_row_.resize(kept);
    x_.reshape(kept, x_.columns());
    qkv_.reshape(kept, qkv_.columns());
}

/// An item is the mean of its pieces; one whose pieces were cut off is nothing but its kind.
void Text2SqlNetwork::gather_items(const ModelInput& input) {
    const std::size_t width = weights_->width;
    std::vector<float> counts(input.item_count(), 0.F);
    for (const int item : item_of_row_) {
        if (item >= 0) counts[static_cast<std::size_t>(item)] += 1.F;
    }
    gathered_.reshape(input.item_count(), width);
    for (std::size_t item = 0; item < input.item_count(); ++item) {
        const auto kind = static_cast<std::size_t>(input.kinds[item]);
        std::ranges::copy(weights_->kind.subspan(kind * width, width), gathered_.row(item));
    }
    for (std::size_t row = 0; row < item_of_row_.size(); ++row) {
        if (item_of_row_[row] < 0) continue;
        const auto item = static_cast<std::size_t>(item_of_row_[row]);
        add_scaled({gathered_.row(item), width}, 1.F / counts[item], {x_.row(row), width});
    }
    std::swap(x_, gathered_);
}

void Text2SqlNetwork::relate(const RelationLayer& layer, const ModelInput& input) {
    const std::size_t width = weights_->width;
    bench_.apply(layer.norm1, x_, normed_);
    bench_.apply(layer.qkv, normed_, qkv_);
    bench_.pack_keys({qkv_, width}, width, weights_->heads, keys_);
    bench_.pack_values({qkv_, 2 * width}, width, weights_->heads, values_);
    bench_.attend({.queries = {qkv_},
                   .keys = keys_,
                   .values = values_,
                   .heads = weights_->heads,
                   .relations = {.layer = &layer, .count = weights_->relations, .pairs = input.relations}},
                  attended_);
    bench_.apply(layer.output, attended_, x_, Workbench::Then::add);
    feed_forward(layer.norm2, layer.inner, layer.outer);
}

void Text2SqlNetwork::feed_forward(const Norm& norm, const Linear& inner, const Linear& outer) {
    bench_.apply(norm, x_, normed_);
    bench_.apply(inner, normed_, inner_, Workbench::Then::gelu);
    bench_.apply(outer, inner_, x_, Workbench::Then::add);
}

void Text2SqlNetwork::remember_items() {
    const std::size_t width = weights_->width;
    bench_.apply(weights_->item_norm, x_, items_);
    bench_.apply(weights_->pointed, items_, pointed_);
    bench_.apply(weights_->to_key, items_, qkv_);
    bench_.pack_keys({qkv_}, width, 1, pointer_keys_);
    for (std::size_t at = 0; at < memories_.size(); ++at) {
        Memory& memory = memories_[at];
        bench_.apply(weights_->decoder[at].cross_kv, items_, qkv_);
        bench_.pack_keys({qkv_}, width, weights_->heads, memory.item_keys);
        bench_.pack_values({qkv_, width}, width, weights_->heads, memory.item_values);
        memory.keys.clear();
        memory.values.clear();
    }
    tree_.clear();
}

}  // namespace quaestor::native
