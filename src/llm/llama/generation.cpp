#include "llm/llama/generation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace quaestor::llm::llama {

namespace {

/// What a temperature above 0 chooses from; llama.cpp's own defaults.
constexpr int kTopK = 40;
constexpr float kTopP = 0.95F;
constexpr float kMinP = 0.05F;

/// llama.cpp takes 32 bits, and one value of them to mean chance.
std::uint32_t folded(std::uint64_t seed) {
    const auto bits = static_cast<std::uint32_t>(seed ^ (seed >> 32));
    return bits == LLAMA_DEFAULT_SEED ? 0 : bits;
}

}  // namespace

Sampler::Sampler(int tokens, SamplerPtr chain, SamplerPtr grammar)
    : chain_(std::move(chain)), grammar_(std::move(grammar)), candidates_(static_cast<std::size_t>(tokens)) {}

Result<Sampler> Sampler::make(const llama_vocab* vocabulary, double temperature, std::uint64_t seed,
                              const std::string& grammar) {
    SamplerPtr rules;
    if (!grammar.empty()) {
        rules.reset(llama_sampler_init_grammar(vocabulary, grammar.c_str(), "root"));
        if (!rules) return fail(Code::internal, "llama.cpp does not read the grammar of the reply", "please report it");
    }
    llama_sampler_chain_params parameters = llama_sampler_chain_default_params();
    SamplerPtr chain(llama_sampler_chain_init(parameters));
    if (temperature > 0) {
        llama_sampler_chain_add(chain.get(), llama_sampler_init_top_k(kTopK));
        llama_sampler_chain_add(chain.get(), llama_sampler_init_top_p(kTopP, 1));
        llama_sampler_chain_add(chain.get(), llama_sampler_init_min_p(kMinP, 1));
        llama_sampler_chain_add(chain.get(), llama_sampler_init_temp(static_cast<float>(temperature)));
        llama_sampler_chain_add(chain.get(), llama_sampler_init_dist(folded(seed)));
    } else {
        llama_sampler_chain_add(chain.get(), llama_sampler_init_greedy());
    }
    return Sampler(llama_vocab_n_tokens(vocabulary), std::move(chain), std::move(rules));
}

llama_token_data_array Sampler::candidates(const float* logits) {
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        candidates_[i] = {.id = static_cast<llama_token>(i), .logit = logits[i], .p = 0};
    }
    return {.data = candidates_.data(), .size = candidates_.size(), .selected = -1, .sorted = false};
}

llama_token Sampler::choose(llama_context* context) {
    const float* logits = llama_get_logits_ith(context, -1);
    auto all = candidates(logits);
    llama_sampler_apply(chain_.get(), &all);
    llama_token chosen = all.data[all.selected].id;
    if (grammar_) {
        // Asking the grammar about one token is cheap and mostly enough; about the whole vocabulary it is not.
        llama_token_data single{.id = chosen, .logit = 1, .p = 0};
        llama_token_data_array one{.data = &single, .size = 1, .selected = -1, .sorted = false};
        llama_sampler_apply(grammar_.get(), &one);
        if (std::isinf(single.logit)) {
            all = candidates(logits);
            llama_sampler_apply(grammar_.get(), &all);
            llama_sampler_apply(chain_.get(), &all);
            chosen = all.data[all.selected].id;
        }
        llama_sampler_accept(grammar_.get(), chosen);
    }
    llama_sampler_accept(chain_.get(), chosen);
    return chosen;
}

Generator::Generator(std::shared_ptr<const LoadedModel> model, ContextPtr context)
    : model_(std::move(model)), context_(std::move(context)) {}

std::size_t Generator::begin(std::vector<llama_token> prompt, Sampler sampler) {
    // The last token is always computed: its probabilities are where the reply begins.
    const auto known_end = prompt_.begin() + static_cast<std::ptrdiff_t>(read_);
    const auto differ = std::mismatch(prompt.begin(), prompt.end() - 1, prompt_.begin(), known_end).first;
    const auto common = static_cast<std::size_t>(differ - prompt.begin());
    read_ = common / kChunkTokens * kChunkTokens;
    const llama_memory_t memory = llama_get_memory(context_.get());
    if (!llama_memory_seq_rm(memory, 0, static_cast<llama_pos>(read_), -1)) {
        // Some kinds of models cannot forget a part.
        llama_memory_clear(memory, false);
        read_ = 0;
    }
    prompt_ = std::move(prompt);
    sampler_ = std::move(sampler);
    written_.reset();
    return read_;
}

Result<Generator::Step> Generator::advance(const Interruption& interruption) {
    if (read_ < prompt_.size()) {
        const auto size = std::min(kChunkTokens, prompt_.size() - read_);
        const auto chunk = prompt_.begin() + static_cast<std::ptrdiff_t>(read_);
        auto computed = compute({chunk, chunk + static_cast<std::ptrdiff_t>(size)}, interruption);
        if (!computed) return fail(std::move(computed.error()));
        read_ += size;
        return Step{.kind = Kind::reading};
    }
    if (written_) {
        if (auto computed = compute({*written_}, interruption); !computed) return fail(std::move(computed.error()));
    }
    const llama_token token = sampler_->choose(context_.get());
    if (llama_vocab_is_eog(model_->vocabulary(), token)) return Step{.kind = Kind::ended};
    written_ = token;
    return Step{.kind = Kind::writing, .piece = model_->piece_of(token)};
}

Result<> Generator::compute(std::vector<llama_token> tokens, const Interruption& interruption) {
    const auto is_due = [](void* asked) { return static_cast<const Interruption*>(asked)->is_due(); };
    Interruption asked = interruption;
    llama_set_abort_callback(context_.get(), is_due, &asked);
    const int status =
        llama_decode(context_.get(), llama_batch_get_one(tokens.data(), static_cast<int>(tokens.size())));
    llama_set_abort_callback(context_.get(), nullptr, nullptr);
    if (status == 0) return {};
    constexpr int kAborted = 2;
    if (status == kAborted) return fail(Code::cancelled, "the computation was stopped");
    return fail(Code::internal, fmt::format("llama.cpp could not compute ({})", status));
}

}  // namespace quaestor::llm::llama
