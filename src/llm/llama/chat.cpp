#include "llm/chat.hpp"

#include "base/worker_pool.hpp"
#include "llm/llama/dialogue.hpp"
#include "llm/llama/generation.hpp"
#include "llm/llama/grammar.hpp"
#include "llm/llama/llama.hpp"
#include "llm/llama/reply_text.hpp"
#include "llm/llama/turns.hpp"
#include "resilience/with_deadline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace quaestor::llm {

namespace {

using llama::Generator;
using llama::Interruption;
using llama::LoadedModel;
using llama::ReplyText;
using llama::Sampler;

/// No vocabulary has longer tokens, so a prompt of more bytes than that for each token of the context is not even read.
constexpr std::size_t kTokenBytesMax = 1024;

class LlamaChat final : public ChatModel {
public:
    LlamaChat(LlamaSettings settings, std::shared_ptr<const LoadedModel> model, llama::ContextPtr context)
        : settings_(std::move(settings)),
          context_tokens_(std::min<std::size_t>(llama_n_ctx(context.get()), settings_.context_tokens)),
          model_(std::move(model)),
          template_(*model_),
          generator_(model_, std::move(context)) {}

    [[nodiscard]] const std::string& name() const override { return settings_.name; }
    Task<ModelResult<ChatReply>> chat(ChatRequest request, CallOptions options) override;

private:
    /// All that is known of a reply before it is computed.
    struct Order {
        std::vector<llama_token> prompt;
        Sampler sampler;
        std::int64_t tokens_max = 0;
    };
    [[nodiscard]] ModelResult<Order> order_for(const ChatRequest& request) const;
    /// Generator and reply belong to the caller's turn.
    Task<ModelResult<ChatReply>> write(const ChatRequest& request, const CallOptions& options, Order order);
    Task<ModelResult<FinishReason>> write_text(const CallOptions& options, std::int64_t tokens_max, ReplyText& text,
                                               bool may_be_calls, ChatReply& reply);
    [[nodiscard]] ModelError stopped(const CallOptions& options, const Error& why) const;

    const LlamaSettings settings_;
    const std::size_t context_tokens_;
    const std::shared_ptr<const LoadedModel> model_;
    const llama::ChatTemplate template_;
    Generator generator_;
    llama::Turns turns_;
    WorkerPool worker_{1};  ///< the only thread that computes; goes first
};

Task<> tell(const CallOptions& options, Delta delta) {
    if (options.on_delta) co_await options.on_delta(delta);
}

ModelError LlamaChat::stopped(const CallOptions& options, const Error& why) const {
    const bool is_late = options.cancel.cancelled() ? options.cancel.reason() == CancelReason::deadline
                                                    : options.deadline.expired(system_clock());
    if (is_late) return fault(Fault::timeout, name(), "the reply was not finished in time").error();
    if (options.cancel.cancelled()) return fault(Fault::cancelled, name(), "the call was cancelled").error();
    return fault(Fault::overloaded, name(), why.describe()).error();
}

ModelResult<LlamaChat::Order> LlamaChat::order_for(const ChatRequest& request) const {
    const auto grammar = llama::reply_grammar(request);
    if (!grammar) return fault(Fault::bad_request, name(), grammar.error().describe());
    std::size_t bytes = 0;
    for (const auto& message : request.messages) bytes += message.content.size();
    std::vector<llama_token> prompt;
    if (bytes <= context_tokens_ * kTokenBytesMax) prompt = model_->tokens_of(template_.prompt_for(request), true);
    if (prompt.empty() || prompt.size() >= context_tokens_) {
        return fault(Fault::context_too_long, name(),
                     fmt::format("the request has {} and the model takes {} tokens, with the reply",
                                 prompt.empty() ? fmt::format("{} bytes", bytes) : fmt::format("{}", prompt.size()),
                                 context_tokens_));
    }
    auto sampler = Sampler::make(model_->vocabulary(), request.temperature.value_or(settings_.temperature),
                                 settings_.seed, *grammar);
    if (!sampler) return fault(Fault::bad_request, name(), sampler.error().describe());
    const auto room = static_cast<std::int64_t>(context_tokens_ - prompt.size());
    const std::int64_t wanted = std::max(1, request.max_tokens.value_or(settings_.max_tokens));
    return Order{.prompt = std::move(prompt), .sampler = std::move(*sampler), .tokens_max = std::min(room, wanted)};
}

Task<ModelResult<ChatReply>> LlamaChat::chat(ChatRequest request, CallOptions options) {
    auto order = co_await worker_.run([&] { return order_for(request); });
    if (!order) co_return std::unexpected(std::move(order.error()));
    const auto turn = co_await with_deadline(system_clock(), options.deadline, options.cancel, name(), turns_.take());
    if (!turn) co_return std::unexpected(stopped(options, turn.error()));
    co_return co_await write(request, options, std::move(*order));
}

Task<ModelResult<ChatReply>> LlamaChat::write(const ChatRequest& request, const CallOptions& options, Order order) {
    ChatReply reply{.message = assistant(""), .model = name()};
    reply.usage.input_tokens = static_cast<std::int64_t>(order.prompt.size());
    const auto known =
        co_await worker_.run([&] { return generator_.begin(std::move(order.prompt), std::move(order.sampler)); });
    reply.usage.cached_tokens = static_cast<std::int64_t>(known);

    std::vector<std::string> stops = request.stop;
    stops.insert(stops.end(), template_.stops().begin(), template_.stops().end());
    ReplyText text(std::move(stops));
    const bool may_be_calls = llama::offers_tools(request);
    const auto finish = co_await write_text(options, order.tokens_max, text, may_be_calls, reply);
    if (!finish) co_return std::unexpected(finish.error());
    reply.finish = *finish;

    // What begins like calls has not been told yet.
    if (may_be_calls && reply.message.content.starts_with('{')) {
        if (auto calls = llama::tool_calls_in(reply.message.content, request)) {
            reply.message.content.clear();
            reply.message.tool_calls = std::move(*calls);
            reply.finish = FinishReason::tool_calls;
        } else {
            co_await tell(options, TextDelta{reply.message.content});
        }
    }
    for (std::size_t i = 0; i < reply.message.tool_calls.size(); ++i) {
        const auto& call = reply.message.tool_calls[i];
        co_await tell(options,
                      ToolCallDelta{.index = i, .id = call.id, .name = call.name, .arguments = call.arguments});
    }
    co_return reply;
}

Task<ModelResult<FinishReason>> LlamaChat::write_text(const CallOptions& options, std::int64_t tokens_max,
                                                      ReplyText& text, bool may_be_calls, ChatReply& reply) {
    const Interruption interruption{options.cancel, options.deadline};
    std::string& content = reply.message.content;
    std::optional<FinishReason> finish;
    while (!finish) {
        const auto step = co_await worker_.run([&] { return generator_.advance(interruption); });
        if (!step || interruption.is_due()) {
            co_return std::unexpected(stopped(options, step ? Error{} : step.error()));
        }
        if (step->kind == Generator::Kind::reading) continue;
        ++reply.usage.output_tokens;
        std::string piece = text.add(step->piece);
        if (step->kind == Generator::Kind::ended || text.is_stopped()) {
            finish = FinishReason::stop;
        } else if (reply.usage.output_tokens >= tokens_max) {
            finish = FinishReason::length;
        }
        if (finish && !text.is_stopped()) piece += text.rest();
        if (piece.empty()) continue;
        content += piece;
        if (!may_be_calls || !content.starts_with('{')) co_await tell(options, TextDelta{std::move(piece)});
    }
    co_return *finish;
}

}  // namespace

Result<std::unique_ptr<ChatModel>> open_llama_chat(const LlamaSettings& settings) {
    auto model = LoadedModel::load(settings.path);
    if (!model) return fail(model.error());
    const auto unfit = [&] {
        return fail(Code::unsupported, fmt::format("{} does not chat", settings.path),
                    "an embedding model goes into llm.embeddings; for chat use an instruction-tuned one");
    };
    if (llama_model_has_encoder((*model)->get()) || llama_model_is_diffusion((*model)->get())) return unfit();
    llama_context_params parameters = llama_context_default_params();
    const auto tokens = std::min(settings.context_tokens, (*model)->trained_tokens());
    parameters.n_ctx = static_cast<std::uint32_t>(std::max(tokens, llama::kChunkTokens));
    parameters.n_batch = parameters.n_ubatch = llama::kChunkTokens;
    parameters.n_threads = parameters.n_threads_batch = llama::bounded_threads(settings.threads);
    auto context = (*model)->make_context(parameters);
    if (!context) return fail(context.error());
    if (llama_get_memory(context->get()) == nullptr || llama_pooling_type(context->get()) != LLAMA_POOLING_TYPE_NONE) {
        return unfit();
    }
    return std::make_unique<LlamaChat>(settings, std::move(*model), std::move(*context));
}

}  // namespace quaestor::llm
