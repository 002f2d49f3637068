#include "llm/models.hpp"

#include "base/worker_pool.hpp"
#include "llm/http_chat_model.hpp"
#include "llm/lazy_model.hpp"
#include "llm/llama/llama.hpp"
#include "llm/protocol.hpp"
#include "llm/recorded.hpp"
#include "resilience/ttl_cache.hpp"

#include <boost/describe/enum_to_string.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace quaestor::llm {

namespace {

/// The longest that one probe may take.
constexpr std::chrono::seconds kProbeTimeout{10};
constexpr std::size_t kLlamaContextTokens = 4096;
constexpr std::string_view kOpenAiAddress = "https://api.openai.com/";
constexpr std::string_view kBundled = "bundled";
constexpr std::string_view kBundledName = "minilm";
constexpr std::size_t kBundledDimensions = 384;

using Environment = std::map<std::string, std::string>;

Secret first_of(const Environment& environment, std::initializer_list<const char*> names) {
    for (const char* name : names) {
        const auto found = environment.find(name);
        if (found != environment.end() && !found->second.empty()) return Secret(found->second);
    }
    return {};
}

Secret key_of(const ModelConfig& model, const Environment& environment) {
    if (!model.key.empty()) return model.key;
    switch (model.provider) {
        case Provider::openai:
            return first_of(environment, {"OPENAI_API_KEY"});
        case Provider::anthropic:
            return first_of(environment, {"ANTHROPIC_API_KEY"});
        case Provider::google:
            return first_of(environment, {"GEMINI_API_KEY", "GOOGLE_API_KEY"});
        case Provider::compatible:
        case Provider::llama:
            return {};
    }
    return {};
}

/// Those who serve at an address of their own say themselves whether they want one.
bool needs_key(const ModelConfig& model) {
    return model.provider != Provider::llama && model.base_url.empty();
}

/// "openai/gpt-5-mini"; of a file its name without folders.
std::string full_name(const ModelConfig& model) {
    const std::string_view provider = boost::describe::enum_to_string(model.provider, "model");
    const bool is_file = model.provider == Provider::llama;
    return fmt::format("{}/{}", provider, is_file ? std::filesystem::path(model.model).stem().string() : model.model);
}

std::unique_ptr<Protocol> protocol_of(const ModelConfig& model, const Secret& key) {
    Endpoint endpoint{.name = full_name(model),
                      .model = model.model,
                      .base_url = model.base_url,
                      .key = key.reveal(),
                      .temperature = model.temperature,
                      .max_tokens = model.max_tokens,
                      .has_json_schema = model.json_schema,
                      .has_stream_usage = model.stream_usage};
    if (model.provider == Provider::anthropic) return anthropic_protocol(std::move(endpoint));
    if (model.provider == Provider::google) return google_protocol(std::move(endpoint));
    return openai_protocol(std::move(endpoint));
}

LlamaSettings llama_settings(const ModelConfig& model) {
    LlamaSettings settings{.name = full_name(model), .path = model.model};
    settings.context_tokens = model.context_tokens > 0 ? model.context_tokens : kLlamaContextTokens;
    settings.max_tokens = model.max_tokens.value_or(settings.max_tokens);
    settings.temperature = model.temperature.value_or(settings.temperature);
    return settings;
}

/// Stands in the place of a model whose key is not known: it says so and does not trouble the network.
class KeylessModel final : public ChatModel {
public:
    explicit KeylessModel(std::string name) : name_(std::move(name)) {}
    [[nodiscard]] const std::string& name() const override { return name_; }
    [[nodiscard]] ModelError error() const { return fault(Fault::auth, name_, "there is no key for it").error(); }
    Task<ModelResult<ChatReply>> chat(ChatRequest, CallOptions) override { co_return std::unexpected(error()); }

private:
    const std::string name_;
};

Error all_of(std::vector<Error> problems) {
    if (problems.size() == 1) return std::move(problems.front());
    std::string list;
    for (const Error& problem : problems) {
        list += fmt::format("\n  {}", problem.message);
        if (!problem.hint.empty()) list += fmt::format(" ({})", problem.hint);
    }
    return {Code::invalid_argument,
            fmt::format("the configuration of models has {} problems:{}", problems.size(), list),
            "mend them, then see quaestor models", nullptr};
}

}  // namespace

struct Models::Inside {
    /// A configured model: the one that is asked, and what stands inside of it.
    struct Opened {
        std::string name;
        const ModelConfig* config = nullptr;
        bool has_key = false;
        std::unique_ptr<ChatModel> asked;
        GuardedModel* guarded = nullptr;  ///< these are null where the tape has all answers
        HttpChatModel* http = nullptr;
        LazyModel* lazy = nullptr;
    };

    Inside(LlmConfig the_config, Ground the_ground)
        : config(std::move(the_config)),
          ground(std::move(the_ground)),
          shared_rate(config.rate, ground.clock),
          embedders(kKeptForGood, ground.clock) {}

    void open_all();
    Opened open(const std::string& name, const ModelConfig& model);
    std::unique_ptr<ChatModel> open_inner(const ModelConfig& model, Opened& opened);
    std::unique_ptr<ModelChain> chain_of(const std::vector<std::string>& names) const;
    Task<Result<std::shared_ptr<Embedder>>> open_embedder();
    [[nodiscard]] std::unique_ptr<Embedder> open_http_embedder() const;
    Task<Result<std::unique_ptr<Embedder>>> open_file_embedder();
    [[nodiscard]] std::string embedder_name() const;
    [[nodiscard]] ModelStatus status_of(const Opened& model) const;
    Task<std::optional<Error>> probe(const Opened& model, Deadline deadline) const;
    [[nodiscard]] bool is_replay() const { return ground.tape && ground.tape->is_replay(); }

    const LlmConfig config;
    const Ground ground;
    RateLimit shared_rate;
    WorkerPool opener{1};  ///< reads files
    std::vector<Opened> models;
    std::unique_ptr<ModelChain> frontier;
    std::unique_ptr<ModelChain> lightweight;
    TtlCache<int, std::shared_ptr<Embedder>> embedders;
};

void Models::Inside::open_all() {
    for (const auto& [name, model] : config.models) models.push_back(open(name, model));
    frontier = chain_of(config.frontier);
    lightweight = chain_of(config.lightweight.empty() ? config.frontier : config.lightweight);
}

Models::Inside::Opened Models::Inside::open(const std::string& name, const ModelConfig& model) {
    Opened opened;
    opened.name = name;
    opened.config = &model;
    opened.has_key = !needs_key(model) || !key_of(model, ground.environment).empty();
    if (!is_replay()) {
        auto guarded = std::make_unique<GuardedModel>(open_inner(model, opened), model.guard, shared_rate, ground.clock,
                                                      ground.random);
        opened.guarded = guarded.get();
        opened.asked = std::move(guarded);
    }
    if (ground.tape) opened.asked = on_tape(ground.tape, full_name(model), std::move(opened.asked));
    return opened;
}

std::unique_ptr<ChatModel> Models::Inside::open_inner(const ModelConfig& model, Opened& opened) {
    if (!opened.has_key) return std::make_unique<KeylessModel>(full_name(model));
    if (model.provider == Provider::llama) {
        auto open_file = [settings = llama_settings(model)] { return open_llama_chat(settings); };
        auto lazy = std::make_unique<LazyModel>(full_name(model), std::move(open_file), opener, ground.clock);
        opened.lazy = lazy.get();
        return lazy;
    }
    auto http = std::make_unique<HttpChatModel>(protocol_of(model, key_of(model, ground.environment)), ground.http);
    opened.http = http.get();
    return http;
}

std::unique_ptr<ModelChain> Models::Inside::chain_of(const std::vector<std::string>& names) const {
    std::vector<ChatModel*> chain;
    for (const std::string& name : names) {
        const auto found = std::ranges::find(models, name, &Opened::name);
        if (found != models.end()) chain.push_back(found->asked.get());
    }
    return chain.empty() ? nullptr : std::make_unique<ModelChain>(std::move(chain));
}

std::string Models::Inside::embedder_name() const {
    const EmbeddingConfig& wanted = config.embeddings;
    if (!wanted.base_url.empty()) return wanted.model;
    return wanted.model == kBundled ? std::string(kBundledName) : std::filesystem::path(wanted.model).stem().string();
}

Task<Result<std::shared_ptr<Embedder>>> Models::Inside::open_embedder() {
    std::unique_ptr<Embedder> embedder;
    std::size_t dimensions = config.embeddings.model == kBundled ? kBundledDimensions : 0;
    if (!is_replay() && !config.embeddings.base_url.empty()) {
        embedder = open_http_embedder();
    } else if (!is_replay()) {
        auto opened = co_await open_file_embedder();
        if (!opened) co_return fail(std::move(opened.error()));
        embedder = std::move(*opened);
        dimensions = embedder->dimensions();
    }
    if (ground.tape) embedder = on_tape(ground.tape, embedder_name(), dimensions, std::move(embedder));
    co_return std::shared_ptr<Embedder>(std::move(embedder));
}

std::unique_ptr<Embedder> Models::Inside::open_http_embedder() const {
    const EmbeddingConfig& wanted = config.embeddings;
    // OpenAI's key goes to OpenAI and nowhere else.
    const bool is_openai = wanted.base_url.starts_with(kOpenAiAddress);
    const Secret key = wanted.key.empty() && is_openai ? first_of(ground.environment, {"OPENAI_API_KEY"}) : wanted.key;
    return http_embedder(
        {.name = wanted.model, .base_url = wanted.base_url, .model = wanted.model, .key = key.reveal()}, ground.http);
}

Task<Result<std::unique_ptr<Embedder>>> Models::Inside::open_file_embedder() {
    LlamaEmbedderSettings settings{
        .name = embedder_name(), .path = config.embeddings.model, .threads = config.embeddings.threads};
    if (config.embeddings.model == kBundled) {
        auto path = bundled_embedder_path();
        if (!path) co_return fail(std::move(path.error()));
        settings.path = std::move(*path);
    }
    co_return co_await opener.run([&settings] { return open_llama_embedder(settings); });
}

ModelStatus Models::Inside::status_of(const Opened& model) const {
    ModelStatus status;
    status.name = model.name;
    status.provider = model.config->provider;
    status.model = model.config->model;
    const auto is_in = [&](const std::vector<std::string>& tier) { return std::ranges::count(tier, model.name) > 0; };
    if (is_in(config.frontier)) status.tiers.push_back(Tier::frontier);
    if (is_in(config.lightweight.empty() ? config.frontier : config.lightweight)) {
        status.tiers.push_back(Tier::lightweight);
    }
    status.has_key = model.has_key;
    status.price = model.config->price;
    status.per_minute = model.config->guard.rate.per_minute;
    if (model.guarded) status.health = model.guarded->health();
    return status;
}

Task<std::optional<Error>> Models::Inside::probe(const Opened& model, Deadline deadline) const {
    if (!model.has_key) co_return KeylessModel(full_name(*model.config)).error().error;
    if (model.lazy) {
        const auto opened = co_await model.lazy->opened();
        co_return opened ? std::nullopt : std::optional(opened.error());
    }
    if (!model.http) co_return std::nullopt;
    const auto answer =
        co_await model.http->probe({.deadline = earlier(deadline, Deadline::after(ground.clock, kProbeTimeout))});
    co_return answer ? std::nullopt : std::optional(answer.error().error);
}

Models::Models(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Models::~Models() = default;

Result<std::unique_ptr<Models>> Models::open(LlmConfig config, Ground ground) {
    if (auto problems = problems_of(config); !problems.empty()) return fail(all_of(std::move(problems)));
    auto inside = std::make_unique<Inside>(std::move(config), std::move(ground));
    inside->open_all();
    return std::unique_ptr<Models>(new Models(std::move(inside)));
}

ChatModel* Models::for_prompt(std::string_view key, Tier tier) const {
    const auto assigned = inside_->config.prompts.find(std::string(key));
    return for_tier(assigned == inside_->config.prompts.end() ? tier : assigned->second);
}

ChatModel* Models::for_tier(Tier tier) const {
    return tier == Tier::frontier ? inside_->frontier.get() : inside_->lightweight.get();
}

Price Models::price_of(std::string_view model) const {
    for (const auto& [name, config] : inside_->config.models) {
        if (name == model || full_name(config) == model) return config.price;
    }
    return {};
}

const LlmConfig& Models::config() const {
    return inside_->config;
}

Clock& Models::clock() const {
    return inside_->ground.clock;
}

Task<Result<Embedder*>> Models::embedder() {
    const auto embedder = co_await inside_->embedders.get_or_compute(0, [this] { return inside_->open_embedder(); });
    if (!embedder) co_return fail(embedder.error());
    co_return embedder->get();
}

Task<std::vector<ModelStatus>> Models::status(bool probe, Deadline deadline) {
    std::vector<ModelStatus> all;
    for (const Inside::Opened& model : inside_->models) {
        all.push_back(inside_->status_of(model));
        if (probe) all.back().problem = co_await inside_->probe(model, deadline);
    }
    co_return all;
}

}  // namespace quaestor::llm
