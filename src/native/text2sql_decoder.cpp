#include "native/form_tokens.hpp"
#include "native/text2sql_network.hpp"

#include <algorithm>
#include <cmath>

namespace quaestor::native {

std::size_t Text2SqlNetwork::extend(std::span<const Branch> branches) {
    const std::size_t first = tree_.size();
    look_up(branches);
    for (std::size_t at = 0; at < memories_.size(); ++at) decode(weights_->decoder[at], memories_[at]);
    score(branches.size());
    return first;
}

/// A keyword is its embedding; what is pointed at, a picture of its item.
void Text2SqlNetwork::look_up(std::span<const Branch> branches) {
    const std::size_t width = weights_->width;
    x_.reshape(branches.size(), width);
    paths_.resize(branches.size());
    for (std::size_t at = 0; at < branches.size(); ++at) {
        const Branch& branch = branches[at];
        const std::size_t depth = branch.parent == kRoot ? 0 : tree_[branch.parent].depth + 1;
        const std::span row(x_.row(at), width);
        std::ranges::fill(row, 0.F);
        if (branch.token < kFormKeywords) {
            weights_->keyword.add_to(row, branch.token);
        } else {
            std::copy_n(pointed_.row(branch.token - kFormKeywords), width, row.data());
        }
        weights_->step.add_to(row, depth);

        tree_.push_back({branch.parent, depth});
        std::vector<std::size_t>& path = paths_[at];
        path.resize(depth + 1);
        std::size_t place = tree_.size() - 1;
        for (std::size_t step = depth + 1; step > 0; --step) {
            path[step - 1] = place;
            place = tree_[place].parent;
        }
    }
}

void Text2SqlNetwork::decode(const DecoderLayer& layer, Memory& memory) {
    const std::size_t width = weights_->width;
    const std::size_t branches = x_.rows();
    bench_.apply(layer.norm1, x_, normed_);
    bench_.apply(layer.qkv, normed_, qkv_);
    for (std::size_t at = 0; at < branches; ++at) {
        const float* row = qkv_.row(at);
        memory.keys.insert(memory.keys.end(), row + width, row + 2 * width);
        memory.values.insert(memory.values.end(), row + 2 * width, row + 3 * width);
    }
    attended_.reshape(branches, width);
    bench_.crew().each(branches, [&](std::size_t branch) {
        for (std::size_t head = 0; head < weights_->heads; ++head) attend_to_path(memory, branch, head);
    });
    bench_.apply(layer.output, attended_, x_, Workbench::Then::add);

    bench_.apply(layer.norm2, x_, normed_);
    bench_.apply(layer.cross_query, normed_, qkv_);
    bench_.attend({.queries = {qkv_}, .keys = memory.item_keys, .values = memory.item_values, .heads = weights_->heads},
                  attended_);
    bench_.apply(layer.cross_output, attended_, x_, Workbench::Then::add);
    feed_forward(layer.norm3, layer.inner, layer.outer);
}

void Text2SqlNetwork::attend_to_path(const Memory& memory, std::size_t branch, std::size_t head) {
    const std::size_t width = weights_->width;
    const std::size_t size = width / weights_->heads;
    const std::size_t column = head * size;
    const std::vector<std::size_t>& path = paths_[branch];
    const float scale = 1.F / std::sqrt(static_cast<float>(size));
    const std::span query(qkv_.row(branch) + column, size);
    std::vector<float> weights(path.size());
    for (std::size_t at = 0; at < path.size(); ++at) {
        weights[at] = scale * dot(query, {memory.keys.data() + path[at] * width + column, size});
    }
    soft_max(weights);
    const std::span out(attended_.row(branch) + column, size);
    std::ranges::fill(out, 0.F);
    for (std::size_t at = 0; at < path.size(); ++at) {
        add_scaled(out, weights[at], {memory.values.data() + path[at] * width + column, size});
    }
}

void Text2SqlNetwork::score(std::size_t branches) {
    const std::size_t width = weights_->width;
    const std::size_t items = items_.rows();
    bench_.apply(weights_->decoder_norm, x_, normed_);
    bench_.apply(weights_->to_keyword, normed_, keyword_logits_);
    bench_.apply(weights_->to_query, normed_, qkv_);
    pointer_logits_.reshape(branches, pointer_keys_.padded_columns());
    multiply_floats({qkv_.row(0), width, round_up(branches, kTileRows)}, pointer_keys_, 0, pointer_logits_.row(0),
                    pointer_keys_.padded_columns());
    const float scale = 1.F / std::sqrt(static_cast<float>(width));
    logits_.reshape(branches, kFormKeywords + items);
    for (std::size_t row = 0; row < branches; ++row) {
        std::copy_n(keyword_logits_.row(row), kFormKeywords, logits_.row(row));
        float* to = logits_.row(row) + kFormKeywords;
        for (std::size_t item = 0; item < items; ++item) to[item] = scale * pointer_logits_.row(row)[item];
    }
}

}  // namespace quaestor::native
