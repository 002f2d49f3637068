// The computing half of a chat: reads a prompt and writes a reply token by token, each as one short step of work.
// Whoever makes a Generator owns it. A private header of llm/llama/.
// Threads: for one thread at a time; an Interruption may be asked from any.
#pragma once

#include "base/error.hpp"
#include "llm/llama/loaded_model.hpp"
#include "resilience/cancellation.hpp"
#include "resilience/deadline.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace quaestor::llm::llama {

/// Chooses tokens. The same settings and the same probabilities give the same choice.
class Sampler {
public:
    /// At temperature 0 the likeliest token; an empty grammar admits everything. Code::internal for a grammar that
    /// llama.cpp does not read.
    [[nodiscard]] static Result<Sampler> make(const llama_vocab* vocabulary, double temperature, std::uint64_t seed,
                                              const std::string& grammar);
    /// The token behind what `context` has read.
    [[nodiscard]] llama_token choose(llama_context* context);

private:
    struct Free {
        void operator()(llama_sampler* sampler) const { llama_sampler_free(sampler); }
    };
    using SamplerPtr = std::unique_ptr<llama_sampler, Free>;
    Sampler(int tokens, SamplerPtr chain, SamplerPtr grammar);
    [[nodiscard]] llama_token_data_array candidates(const float* logits);

    SamplerPtr chain_;
    SamplerPtr grammar_;  ///< or none
    std::vector<llama_token_data> candidates_;
};

/// When to stop computing.
struct Interruption {
    CancelToken cancel;
    Deadline deadline;
    [[nodiscard]] bool is_due() const { return cancel.cancelled() || deadline.expired(system_clock()); }
};

class Generator {
public:
    Generator(std::shared_ptr<const LoadedModel> model, ContextPtr context);

    /// Begins a reply to `prompt`, which is not empty and fits the context. Returns how many of its tokens are known
    /// from the prompt before. Only whole chunks are: a token's numbers depend in their last bits on those it is
    /// computed with, and the same prompt shall give the same reply.
    std::size_t begin(std::vector<llama_token> prompt, Sampler sampler);

    enum class Kind { reading, writing, ended };
    struct Step {
        Kind kind = Kind::reading;
        std::string piece{};  ///< of the reply, when writing; possibly part of a character
    };
    /// Reads the next chunk of the prompt, or writes the next token. Code::cancelled when the interruption came.
    [[nodiscard]] Result<Step> advance(const Interruption& interruption);

private:
    [[nodiscard]] Result<> compute(std::vector<llama_token> tokens, const Interruption& interruption);

    std::shared_ptr<const LoadedModel> model_;
    ContextPtr context_;
    std::optional<Sampler> sampler_;
    std::vector<llama_token> prompt_;
    std::size_t read_ = 0;                ///< tokens of the prompt that are computed
    std::optional<llama_token> written_;  ///< the last token of the reply, not computed yet
};

/// Tokens of a prompt computed at once.
inline constexpr std::size_t kChunkTokens = 128;

}  // namespace quaestor::llm::llama
