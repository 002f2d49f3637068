// The models that configuration names: opened, guarded, priced, put into tiers.
// Made once; owns its models. Threads: all members may be called from any executor; chats do not block it.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/ids.hpp"
#include "base/log.hpp"
#include "base/tape.hpp"
#include "llm/chat.hpp"
#include "llm/embedder.hpp"
#include "llm/guarded_model.hpp"
#include "llm/prompt.hpp"
#include "llm/semantic_cache.hpp"
#include "llm/usage.hpp"
#include "net/http.hpp"

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace quaestor::llm {

enum class Provider { openai, anthropic, google, compatible, llama };
BOOST_DESCRIBE_ENUM(Provider, openai, anthropic, google, compatible, llama)

struct ModelConfig {
    Provider provider = Provider::openai;
    std::string model;     ///< the provider's name for it; for llama the path of a GGUF file
    std::string base_url;  ///< for compatible: http://127.0.0.1:11434/v1
    Secret key;            ///< empty: from OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or GOOGLE_API_KEY
    std::optional<double> temperature;
    std::optional<int> max_tokens;
    std::size_t context_tokens = 0;  ///< 0: the provider's business; for llama 4,096
    bool json_schema = true;         ///< compatible servers: whether they know it
    bool stream_usage = true;        ///< compatible servers: whether they take stream_options, and so tell usage
    Price price;
    GuardSettings guard;
};
BOOST_DESCRIBE_STRUCT(ModelConfig, (),
                      (provider, model, base_url, key, temperature, max_tokens, context_tokens, json_schema,
                       stream_usage, price, guard))

struct EmbeddingConfig {
    std::string model = "bundled";  ///< "bundled", the path of a GGUF file, or the name of an endpoint's model
    std::string base_url;           ///< of an endpoint; empty: in process
    Secret key;
    std::size_t threads = 2;
};
BOOST_DESCRIBE_STRUCT(EmbeddingConfig, (), (model, base_url, key, threads))

struct LlmConfig {
    std::map<std::string, ModelConfig> models;  ///< by a name of one's own
    std::vector<std::string> frontier;          ///< names of models: the first is asked, the others stand in for it
    std::vector<std::string> lightweight;       ///< empty: as frontier
    std::map<std::string, Tier> prompts;        ///< prompt key → tier, where it differs from the prompt's own
    RateLimitSettings rate;                     ///< for all providers together
    QuestionBudget budget;
    SemanticCacheSettings cache;
    bool debug = false;  ///< keep prompts and replies in the trace
    EmbeddingConfig embeddings;
};
BOOST_DESCRIBE_STRUCT(LlmConfig, (), (models, frontier, lightweight, prompts, rate, budget, cache, debug, embeddings))

/// What is wrong with the configuration, each with its place: "llm.frontier[0]: there is no model "gpt"; did you mean
/// …".
[[nodiscard]] std::vector<Error> problems_of(const LlmConfig& config);

/// What a model is doing, for `quaestor models` and `doctor`.
struct ModelStatus {
    std::string name;
    Provider provider = Provider::openai;
    std::string model;
    std::vector<Tier> tiers;
    bool has_key = false;  ///< or needs none
    Price price;
    int per_minute = 0;
    ModelHealth health;
    std::optional<Error> problem;  ///< from the probe, when one was asked for
};

class Models {
public:
    /// The things that models stand on; all outlive them. With a tape every call is kept on it, or comes from it.
    struct Ground {
        net::Http& http;
        Clock& clock;
        Random& random;
        std::shared_ptr<Tape> tape{};
        std::map<std::string, std::string> environment{};  ///< for keys
    };

    /// Code::invalid_argument with all problems of the configuration. A model whose file is missing is opened when it
    /// is first asked, and says so then; with a replay tape nothing is opened at all.
    [[nodiscard]] static Result<std::unique_ptr<Models>> open(LlmConfig config, Ground ground);
    ~Models();

    /// The chain for a prompt, by configuration or its own tier; none when no model is configured.
    [[nodiscard]] ChatModel* for_prompt(std::string_view key, Tier tier) const;
    [[nodiscard]] ChatModel* for_tier(Tier tier) const;
    [[nodiscard]] Price price_of(std::string_view model) const;
    [[nodiscard]] const LlmConfig& config() const;
    [[nodiscard]] Clock& clock() const;

    /// The configured embedder, opened on first use, then shared. Blocking work happens elsewhere.
    Task<Result<Embedder*>> embedder();

    /// All models; with `probe` each is asked whether it is there and takes the key.
    Task<std::vector<ModelStatus>> status(bool probe, Deadline deadline = {});

private:
    struct Inside;
    explicit Models(std::unique_ptr<Inside> inside);
    std::unique_ptr<Inside> inside_;
};

}  // namespace quaestor::llm
