// The trained network at work on one question: it reads the question once, then writes tokens along the branches of a
// tree, all branches of a step at once. A private header of native/.
// Threads: one at a time.
#pragma once

#include "base/error.hpp"
#include "native/model_input.hpp"
#include "native/text2sql_weights.hpp"
#include "native/workbench.hpp"
#include "resilience/cancellation.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace quaestor::native {

/// Items of a question that are looked at: its words, columns and tables.
inline constexpr std::size_t kItemsMax = 2'048;

class Text2SqlNetwork {
public:
    Text2SqlNetwork(std::shared_ptr<const Text2SqlWeights> weights, std::size_t threads);

    /// Begins a new tree. Code::invalid_argument for arrays that do not fit together, Code::limit_exceeded.
    [[nodiscard]] Result<> read(const ModelInput& input, const CancelToken& cancel);

    /// A token after another: keywords by id, then items.
    struct Branch {
        std::size_t parent = kRoot;
        std::size_t token = 0;
    };
    static constexpr std::size_t kRoot = static_cast<std::size_t>(-1);
    /// Returns the place of the first branch; the others follow. Tokens must be there, and no path may be longer than
    /// steps_max().
    std::size_t extend(std::span<const Branch> branches);
    /// Of the tokens that may follow the branch at this place of the last extend().
    [[nodiscard]] std::span<const float> logits(std::size_t branch) const {
        return {logits_.row(branch), logits_.columns()};
    }
    [[nodiscard]] std::size_t steps_max() const { return weights_->step.rows; }
    [[nodiscard]] std::size_t item_count() const { return items_.rows(); }

private:
    /// What a layer of the decoder remembers.
    struct Memory {
        Panels item_keys;
        Panels item_values;
        std::vector<float> keys;  ///< of the tree, a row for each place
        std::vector<float> values;
    };

    [[nodiscard]] Result<> check(const ModelInput& input) const;
    void embed(const ModelInput& input);
    void encode(const EncoderLayer& layer, bool is_last);
    void drop_separators();
    void gather_items(const ModelInput& input);
    void relate(const RelationLayer& layer, const ModelInput& input);
    void feed_forward(const Norm& norm, const Linear& inner, const Linear& outer);
    void remember_items();

    void look_up(std::span<const Branch> branches);
    void decode(const DecoderLayer& layer, Memory& memory);
    void attend_to_path(const Memory& memory, std::size_t branch, std::size_t head);
    void score(std::size_t branches);

    std::shared_ptr<const Text2SqlWeights> weights_;
    Workbench bench_;

    Matrix x_;                      ///< what the layers change
    std::vector<int> item_of_row_;  ///< that a row of x_ is a piece of while pieces are encoded; -1 for separators
    Matrix normed_;
    Matrix qkv_;
    Panels keys_;
    Panels values_;
    Matrix attended_;
    Matrix inner_;
    Matrix gathered_;

    Matrix items_;
    Matrix pointed_;
    Panels pointer_keys_;
    std::vector<Memory> memories_;

    struct Place {
        std::size_t parent = kRoot;
        std::size_t depth = 0;
    };
    std::vector<Place> tree_;
    std::vector<std::vector<std::size_t>> paths_;  ///< of the branches being extended, from the root
    Matrix keyword_logits_;
    Matrix pointer_logits_;
    Matrix logits_;
};

}  // namespace quaestor::native
