// The port to language models: a request goes in, pieces of the reply come out as they are written, and the whole reply
// at the end. Providers stand behind it (providers/, llama/), and so do the guards around them (guarded_model.hpp).
// Whoever opens a model owns it. Threads: chat() may be called from any executor; it never blocks it.
#pragma once

#include "base/json.hpp"
#include "base/task.hpp"
#include "llm/fault.hpp"
#include "llm/message.hpp"
#include "resilience/cancellation.hpp"
#include "resilience/deadline.hpp"

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace quaestor::llm {

/// A reply that must be JSON of a shape. Each provider asks for it in its own best way: json_schema, a forced tool,
/// responseSchema, a grammar, or words in the prompt.
struct OutputShape {
    std::string name;    ///< letters, digits, _ and -, at most 64
    json::value schema;  ///< strict JSON Schema of an object (output_schema.hpp)
};
BOOST_DESCRIBE_STRUCT(OutputShape, (), (name, schema))

enum class ToolChoice { automatic, none, required };
BOOST_DESCRIBE_ENUM(ToolChoice, automatic, none, required)

struct ChatRequest {
    std::vector<Message> messages{};
    std::vector<Tool> tools{};
    ToolChoice tool_choice = ToolChoice::automatic;
    std::optional<OutputShape> output{};
    std::optional<double> temperature{};  ///< the model's setting when absent
    std::optional<int> max_tokens{};
    std::vector<std::string> stop{};
};
BOOST_DESCRIBE_STRUCT(ChatRequest, (), (messages, tools, tool_choice, output, temperature, max_tokens, stop))

enum class FinishReason { stop, length, tool_calls, refused };
BOOST_DESCRIBE_ENUM(FinishReason, stop, length, tool_calls, refused)

struct Usage {
    std::int64_t input_tokens = 0;
    std::int64_t output_tokens = 0;
    std::int64_t cached_tokens = 0;  ///< of the input, read from the provider's cache
    bool is_estimate = false;        ///< the server did not say; counted from the text, 4 bytes a token
};
BOOST_DESCRIBE_STRUCT(Usage, (), (input_tokens, output_tokens, cached_tokens, is_estimate))

struct ChatReply {
    Message message;  ///< of the assistant
    FinishReason finish = FinishReason::stop;
    Usage usage;
    std::string model;  ///< as the provider names the one that answered
};
BOOST_DESCRIBE_STRUCT(ChatReply, (), (message, finish, usage, model))

struct TextDelta {
    std::string text;
};
/// The first delta of a call has its id and name; all of them pieces of its arguments. Calls begin in order of index.
struct ToolCallDelta {
    std::size_t index = 0;  ///< which of the reply's calls
    std::string id{};
    std::string name{};
    std::string arguments{};
};
using Delta = std::variant<TextDelta, ToolCallDelta>;

/// Called for each piece in order; the model waits until it has been taken.
using DeltaSink = std::function<Task<>(const Delta& delta)>;

/// What goes with a call and is no part of the question.
struct CallOptions {
    Deadline deadline{};
    CancelToken cancel{};
    DeltaSink on_delta{};  ///< without one nothing is streamed to the caller
};

class ChatModel {
public:
    virtual ~ChatModel() = default;

    /// How a person knows it: "openai/gpt-5-mini", the key of usage, prices and caches.
    [[nodiscard]] virtual const std::string& name() const = 0;

    /// The reply. A cancelled call closes its connection or stops computing, and fails with Fault::cancelled.
    virtual Task<ModelResult<ChatReply>> chat(ChatRequest request, CallOptions options) = 0;
};

/// About how many tokens a text has, for servers that do not say.
[[nodiscard]] std::int64_t estimated_tokens(std::string_view text);
[[nodiscard]] Usage estimated_usage(const ChatRequest& request, const Message& reply);

}  // namespace quaestor::llm
