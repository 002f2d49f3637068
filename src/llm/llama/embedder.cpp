#include "llm/embedder.hpp"

#include "base/worker_pool.hpp"
#include "llm/llama/llama.hpp"
#include "llm/llama/loaded_model.hpp"

#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

namespace quaestor::llm {

namespace {

using llama::ContextPtr;
using llama::LoadedModel;

/// Tokens computed at once. Within a batch llama.cpp computes the attention of every token to every other, also of
/// other texts, and only then masks it: more texts in a batch make each of them dearer.
constexpr std::size_t kBatchTokens = 512;
constexpr std::size_t kBatchTexts = 64;
/// Longer texts are cut, also where a model could take more: memory grows with the square.
constexpr std::size_t kTextTokensMax = 2048;
constexpr std::size_t kTextBytesMax = std::size_t{64} << 10;

using Tokens = std::vector<llama_token>;

class Batch {
public:
    Batch(std::size_t tokens, std::size_t texts)
        : batch_(llama_batch_init(static_cast<int>(tokens), 0, 1)), tokens_max_(tokens), texts_max_(texts) {}
    ~Batch() { llama_batch_free(batch_); }
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

    void clear() {
        batch_.n_tokens = 0;
        texts_ = 0;
    }
    /// False when it has no room.
    bool add(const Tokens& text) {
        const auto used = static_cast<std::size_t>(batch_.n_tokens);
        if (texts_ == texts_max_ || used + text.size() > tokens_max_) return false;
        for (std::size_t i = 0; i < text.size(); ++i) {
            batch_.token[used + i] = text[i];
            batch_.pos[used + i] = static_cast<llama_pos>(i);
            batch_.n_seq_id[used + i] = 1;
            batch_.seq_id[used + i][0] = static_cast<llama_seq_id>(texts_);
            batch_.logits[used + i] = 1;
        }
        batch_.n_tokens += static_cast<int>(text.size());
        ++texts_;
        return true;
    }
    [[nodiscard]] const llama_batch& get() const { return batch_; }
    [[nodiscard]] std::size_t texts() const { return texts_; }

private:
    llama_batch batch_;
    std::size_t tokens_max_;
    std::size_t texts_max_;
    std::size_t texts_ = 0;
};

/// What one thread computes with.
struct Lane {
    explicit Lane(ContextPtr own) : context(std::move(own)), batch(llama_n_batch(context.get()), kBatchTexts) {}
    ContextPtr context;  ///< none while it rests
    Batch batch;
};

class LlamaEmbedder;

/// Those that are open, so that all can be told to rest.
struct OpenEmbedders {
    std::mutex mutex;
    std::set<LlamaEmbedder*> all;  ///< guarded by the mutex
};
OpenEmbedders& open_embedders() {
    static OpenEmbedders open;
    return open;
}

/// Each batch is computed by one thread, and as many batches at a time as there are threads: ggml's threads wait for
/// each other in busy loops after every operation, which costs much of so small a model's time, and nearly all of it
/// where the processor has other things to do.
class LlamaEmbedder final : public Embedder {
public:
    LlamaEmbedder(std::string name, std::shared_ptr<const LoadedModel> model, const llama_context_params& parameters,
                  std::vector<std::unique_ptr<Lane>> lanes)
        : name_(std::move(name)),
          model_(std::move(model)),
          parameters_(parameters),
          dimensions_(static_cast<std::size_t>(llama_model_n_embd_out(model_->get()))),
          text_tokens_max_(std::min(model_->trained_tokens(), kTextTokensMax)),
          framing_tokens_(model_->tokens_of("", false).size()),
          idle_(std::move(lanes)),
          workers_(idle_.size()),
          lanes_(idle_.size()) {
        const std::lock_guard lock(open_embedders().mutex);
        open_embedders().all.insert(this);
    }
    ~LlamaEmbedder() override {
        const std::lock_guard lock(open_embedders().mutex);
        open_embedders().all.erase(this);
    }
    LlamaEmbedder(const LlamaEmbedder&) = delete;
    LlamaEmbedder& operator=(const LlamaEmbedder&) = delete;

    void rest() {
        const std::lock_guard lock(mutex_);
        for (const auto& lane : idle_) lane->context.reset();
    }

    [[nodiscard]] const std::string& name() const override { return name_; }
    [[nodiscard]] std::size_t dimensions() const override { return dimensions_; }
    [[nodiscard]] std::size_t text_tokens() const override {
        return text_tokens_max_ - std::min(text_tokens_max_ - 1, framing_tokens_);
    }
    [[nodiscard]] std::size_t count_tokens(std::string_view text) const override {
        return model_->tokens_of(text, false).size() - framing_tokens_;
    }
    Task<Result<Embeddings>> embed(std::vector<std::string> texts, CancelToken cancel) override;

private:
    /// One call: its texts, and how far it is.
    struct Job {
        const std::vector<std::string>& texts;
        const CancelToken& cancel;
        std::vector<float> rows;
        std::size_t next = 0;  ///< the first text that nobody has taken; guarded by the mutex
        std::optional<Error> failure{};
    };
    Task<> work_on(Job& job);
    [[nodiscard]] Result<> embed_batch(Job& job);
    [[nodiscard]] std::size_t fill(Batch& batch, Job& job);
    [[nodiscard]] Result<> compute(Lane& lane, const CancelToken& cancel) const;
    [[nodiscard]] Tokens input_of(std::string_view text) const;

    const std::string name_;
    const std::shared_ptr<const LoadedModel> model_;
    const llama_context_params parameters_;
    const std::size_t dimensions_;
    const std::size_t text_tokens_max_;
    const std::size_t framing_tokens_;  ///< those that open and close a text
    std::mutex mutex_;
    std::vector<std::unique_ptr<Lane>> idle_;  ///< guarded by the mutex; one for each worker
    WorkerPool workers_;                       ///< goes first
    const std::size_t lanes_;
};

Task<Result<Embeddings>> LlamaEmbedder::embed(std::vector<std::string> texts, CancelToken cancel) {
    Job job{.texts = texts, .cancel = cancel, .rows = std::vector<float>(texts.size() * dimensions_)};
    const auto executor = co_await asio::this_coro::executor;
    using Work = decltype(asio::co_spawn(executor, work_on(job), asio::deferred));
    std::vector<Work> all;
    const std::size_t count = std::min(lanes_, std::max<std::size_t>(texts.size(), 1));
    for (std::size_t i = 0; i < count; ++i) all.push_back(asio::co_spawn(executor, work_on(job), asio::deferred));
    const auto [order, thrown] = co_await asio::experimental::make_parallel_group(std::move(all))
                                     .async_wait(asio::experimental::wait_for_all(), asio::use_awaitable);
    for (const auto& exception : thrown) {
        if (exception) std::rethrow_exception(exception);
    }
    if (job.failure) co_return fail(std::move(*job.failure));
    co_return Embeddings(dimensions_, std::move(job.rows));
}

/// Batch after batch: between two of them other callers get their turn.
Task<> LlamaEmbedder::work_on(Job& job) {
    const auto is_left = [&] {
        const std::lock_guard lock(mutex_);
        return !job.failure && job.next < job.texts.size();
    };
    while (is_left()) {
        auto done = co_await workers_.run([&] { return embed_batch(job); });
        const std::lock_guard lock(mutex_);
        if (!done) job.failure = std::move(done.error());
    }
}

Result<> LlamaEmbedder::embed_batch(Job& job) {
    std::unique_lock lock(mutex_);
    auto lane = std::move(idle_.back());
    idle_.pop_back();
    const std::size_t first = fill(lane->batch, job);
    lock.unlock();
    auto computed = compute(*lane, job.cancel);
    for (std::size_t i = 0; computed && i < lane->batch.texts(); ++i) {
        const float* found = llama_get_embeddings_seq(lane->context.get(), static_cast<llama_seq_id>(i));
        const auto row = std::span(job.rows).subspan((first + i) * dimensions_, dimensions_);
        std::copy_n(found, dimensions_, row.begin());
        normalise(row);
    }
    lock.lock();
    idle_.push_back(std::move(lane));
    return computed;
}

/// Takes as many texts as fit, and says which is the first of them.
std::size_t LlamaEmbedder::fill(Batch& batch, Job& job) {
    const std::size_t first = job.next;
    batch.clear();
    while (job.next < job.texts.size() && batch.add(input_of(job.texts[job.next]))) ++job.next;
    return first;
}

Result<> LlamaEmbedder::compute(Lane& lane, const CancelToken& cancel) const {
    if (cancel.cancelled()) return fail(cancel.error());
    if (lane.batch.texts() == 0) return {};
    if (!lane.context) {
        auto made = model_->make_context(parameters_);
        if (!made) return fail(made.error());
        lane.context = std::move(*made);
    }
    const auto is_cancelled = [](void* token) { return static_cast<const CancelToken*>(token)->cancelled(); };
    CancelToken token = cancel;
    llama_context* context = lane.context.get();
    llama_set_abort_callback(context, is_cancelled, &token);
    if (llama_memory_t memory = llama_get_memory(context)) llama_memory_clear(memory, false);
    const int status = llama_decode(context, lane.batch.get());
    llama_set_abort_callback(context, nullptr, nullptr);
    if (cancel.cancelled()) return fail(cancel.error());
    if (status == 0) return {};
    return fail(Code::internal, fmt::format("{}: llama.cpp could not compute the vectors ({})", name_, status));
}

/// Cut to the model's length, keeping the token that closes a text; never empty.
Tokens LlamaEmbedder::input_of(std::string_view text) const {
    Tokens tokens = model_->tokens_of(text.substr(0, kTextBytesMax), false);
    if (tokens.size() > text_tokens_max_) {
        const llama_vocab* vocabulary = model_->vocabulary();
        const bool is_closed = llama_vocab_get_add_sep(vocabulary) || llama_vocab_get_add_eos(vocabulary);
        const llama_token last = is_closed ? tokens.back() : tokens[text_tokens_max_ - 1];
        tokens.resize(text_tokens_max_);
        tokens.back() = last;
    }
    if (tokens.empty()) tokens.push_back(std::max(0, llama_vocab_eos(model_->vocabulary())));
    return tokens;
}

}  // namespace

Result<std::unique_ptr<Embedder>> open_llama_embedder(const LlamaEmbedderSettings& settings) {
    auto model = LoadedModel::load(settings.path);
    if (!model) return fail(model.error());
    const std::size_t batch = std::max(kBatchTokens, std::min((*model)->trained_tokens(), kTextTokensMax));
    llama_context_params parameters = llama_context_default_params();
    parameters.n_ctx = static_cast<std::uint32_t>(batch);
    parameters.n_batch = parameters.n_ubatch = parameters.n_ctx;
    parameters.n_seq_max = kBatchTexts;
    parameters.kv_unified = true;
    parameters.embeddings = true;
    parameters.n_threads = parameters.n_threads_batch = 1;
    std::vector<std::unique_ptr<Lane>> lanes;
    for (int i = 0; i < llama::bounded_threads(settings.threads); ++i) {
        auto context = (*model)->make_context(parameters);
        if (!context) return fail(context.error());
        const auto pooling = llama_pooling_type(context->get());
        if (pooling == LLAMA_POOLING_TYPE_NONE || pooling == LLAMA_POOLING_TYPE_RANK ||
            llama_model_has_encoder((*model)->get())) {
            return fail(Code::unsupported, fmt::format("{} is no embedding model", settings.path),
                        "a model that chats goes into llm.models; for embeddings use one like bge-small-en-v1.5");
        }
        lanes.push_back(std::make_unique<Lane>(std::move(*context)));
    }
    return std::make_unique<LlamaEmbedder>(settings.name, std::move(*model), parameters, std::move(lanes));
}

void rest_llama_embedders() {
    const std::lock_guard lock(open_embedders().mutex);
    for (LlamaEmbedder* embedder : open_embedders().all) embedder->rest();
}

}  // namespace quaestor::llm
