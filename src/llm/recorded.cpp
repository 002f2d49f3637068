#include "llm/recorded.hpp"

#include <boost/describe/class.hpp>
#include <fmt/format.h>

#include <atomic>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace quaestor::llm {

namespace {

constexpr std::string_view kChatKind = "chat";
constexpr std::string_view kEmbedKind = "embed";

struct TapedFault {
    Fault fault = Fault::malformed;
    Error error;
    std::optional<Duration> retry_after;
};
BOOST_DESCRIBE_STRUCT(TapedFault, (), (fault, error, retry_after))

/// A piece of text, or of a tool call.
struct TapedDelta {
    std::optional<std::string> text;
    std::size_t index = 0;
    std::string id;
    std::string name;
    std::string arguments;
};
BOOST_DESCRIBE_STRUCT(TapedDelta, (), (text, index, id, name, arguments))

struct TapedChat {
    std::vector<TapedDelta> deltas;
    std::optional<ChatReply> reply;
    std::optional<TapedFault> failed;
};
BOOST_DESCRIBE_STRUCT(TapedChat, (), (deltas, reply, failed))

struct TapedEmbeddings {
    std::size_t dimensions = 0;
    std::vector<float> values;
    std::optional<Error> failed;
};
BOOST_DESCRIBE_STRUCT(TapedEmbeddings, (), (dimensions, values, failed))

TapedDelta taped(const Delta& delta) {
    if (const auto* text = std::get_if<TextDelta>(&delta)) return {.text = text->text};
    const auto& call = std::get<ToolCallDelta>(delta);
    return {.text = {}, .index = call.index, .id = call.id, .name = call.name, .arguments = call.arguments};
}

Delta untaped(TapedDelta delta) {
    if (delta.text) return TextDelta{std::move(*delta.text)};
    return ToolCallDelta{delta.index, std::move(delta.id), std::move(delta.name), std::move(delta.arguments)};
}

/// The answer on the tape. An error says that the tape does not know the question, or does not make sense.
template <class T>
Result<T> take(Tape& tape, std::string_view kind, std::string_view model, const json::value& request) {
    const auto answer = tape.take(kind, request);
    if (!answer) {
        Error unknown{answer.error().code, fmt::format("the tape does not know this question to {}", model),
                      "record it anew: since then the prompts, the data or the configuration have changed", nullptr};
        return fail(std::move(unknown).because(answer.error()));
    }
    auto decoded = decode<T>(*answer);
    if (decoded) return decoded;
    Error odd{Code::corrupt, fmt::format("what the tape has for {} makes no sense", model), "record it anew", nullptr};
    return fail(std::move(odd).because(std::move(decoded.error())));
}

class ChatOnTape final : public ChatModel {
public:
    ChatOnTape(std::shared_ptr<Tape> tape, std::string name, std::unique_ptr<ChatModel> inner)
        : tape_(std::move(tape)), name_(std::move(name)), inner_(std::move(inner)) {}

    [[nodiscard]] const std::string& name() const override { return name_; }

    Task<ModelResult<ChatReply>> chat(ChatRequest request, CallOptions options) override {
        return tape_->is_replay() ? replay(std::move(request), std::move(options))
                                  : record(std::move(request), std::move(options));
    }

private:
    [[nodiscard]] json::value asked(const ChatRequest& request) const {
        return {{"model", name_}, {"request", encode(request)}};
    }

    /// The tape's own failure: neither another try nor another model mends it.
    [[nodiscard]] static std::unexpected<ModelError> failure(Error error) {
        return std::unexpected(ModelError{Fault::bad_request, std::move(error), std::nullopt});
    }

    Task<ModelResult<ChatReply>> record(ChatRequest request, CallOptions options) {
        TapedChat answer;
        if (options.on_delta) {
            options.on_delta = [&answer, sink = std::move(options.on_delta)](const Delta& delta) -> Task<> {
                answer.deltas.push_back(taped(delta));
                return sink(delta);
            };
        }
        auto result = co_await inner_->chat(request, std::move(options));
        if (result) {
            answer.reply = *result;
        } else {
            answer.failed = TapedFault{result.error().fault, result.error().error, result.error().retry_after};
        }
        if (const auto kept = tape_->keep(kChatKind, asked(request), encode(answer)); !kept) {
            co_return failure(kept.error());
        }
        co_return result;
    }

    Task<ModelResult<ChatReply>> replay(ChatRequest request, CallOptions options) {
        auto answer = take<TapedChat>(*tape_, kChatKind, name_, asked(request));
        if (!answer) co_return failure(std::move(answer.error()));
        if (options.on_delta) {
            for (TapedDelta& delta : answer->deltas) co_await options.on_delta(untaped(std::move(delta)));
        }
        if (answer->reply) co_return std::move(*answer->reply);
        TapedFault failed = std::move(answer->failed).value_or(TapedFault());
        co_return std::unexpected(ModelError{failed.fault, std::move(failed.error), failed.retry_after});
    }

    const std::shared_ptr<Tape> tape_;
    const std::string name_;
    const std::unique_ptr<ChatModel> inner_;
};

class EmbedderOnTape final : public Embedder {
public:
    EmbedderOnTape(std::shared_ptr<Tape> tape, std::string name, std::size_t dimensions,
                   std::unique_ptr<Embedder> inner)
        : tape_(std::move(tape)), name_(std::move(name)), dimensions_(dimensions), inner_(std::move(inner)) {}

    [[nodiscard]] const std::string& name() const override { return name_; }
    [[nodiscard]] std::size_t dimensions() const override { return dimensions_; }

    Task<Result<Embeddings>> embed(std::vector<std::string> texts, CancelToken cancel) override {
        const json::value asked = {{"model", name_}, {"texts", encode(texts)}};
        auto answer = tape_->is_replay() ? take<TapedEmbeddings>(*tape_, kEmbedKind, name_, asked)
                                         : co_await record(asked, std::move(texts), std::move(cancel));
        if (!answer) co_return fail(std::move(answer.error()));
        if (answer->failed) co_return fail(std::move(*answer->failed));
        dimensions_ = answer->dimensions;
        co_return Embeddings(answer->dimensions, std::move(answer->values));
    }

private:
    Task<Result<TapedEmbeddings>> record(const json::value& asked, std::vector<std::string> texts, CancelToken cancel) {
        const auto embedded = co_await inner_->embed(std::move(texts), std::move(cancel));
        TapedEmbeddings answer;
        if (embedded) {
            answer.dimensions = embedded->dimensions();
            for (std::size_t row = 0; row < embedded->size(); ++row) {
                answer.values.insert(answer.values.end(), (*embedded)[row].begin(), (*embedded)[row].end());
            }
        } else {
            answer.failed = embedded.error();
        }
        if (auto kept = tape_->keep(kEmbedKind, asked, encode(answer)); !kept) co_return fail(std::move(kept.error()));
        co_return answer;
    }

    const std::shared_ptr<Tape> tape_;
    const std::string name_;
    std::atomic<std::size_t> dimensions_;
    const std::unique_ptr<Embedder> inner_;
};

}  // namespace

std::unique_ptr<ChatModel> on_tape(std::shared_ptr<Tape> tape, std::string name, std::unique_ptr<ChatModel> inner) {
    return std::make_unique<ChatOnTape>(std::move(tape), std::move(name), std::move(inner));
}

std::unique_ptr<Embedder> on_tape(std::shared_ptr<Tape> tape, std::string name, std::size_t dimensions,
                                  std::unique_ptr<Embedder> inner) {
    return std::make_unique<EmbedderOnTape>(std::move(tape), std::move(name), dimensions, std::move(inner));
}

}  // namespace quaestor::llm
