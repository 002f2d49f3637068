// A provider's wire format: how a request is written and a stream of the reply read. Pure: it opens nothing, so that
// each is tested and fuzzed from bytes. HttpChatModel (http_chat_model.hpp) carries any of them over HTTP. Threads: a
// Protocol is immutable; a ReplyReader belongs to one reply.
#pragma once

#include "llm/chat.hpp"
#include "net/http.hpp"

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace quaestor::llm {

/// What a protocol must know of the model it speaks to.
struct Endpoint {
    std::string name;      ///< for messages: "openai/gpt-5-mini"
    std::string model;     ///< as the provider knows it
    std::string base_url;  ///< without the path of the call; empty: the provider's own
    std::string key;       ///< a secret: only ever put into the request's headers
    std::optional<double> temperature;
    std::optional<int> max_tokens;  ///< of a reply, unless the request says
    /// Whether the server knows json_schema; those that do not get the schema as words and the reply is checked.
    bool has_json_schema = true;
    /// Whether the server takes stream_options, and so tells usage; older ones refuse it.
    bool has_stream_usage = true;
};

/// Puts a reply together from what arrives, telling each new piece.
class ReplyReader {
public:
    virtual ~ReplyReader() = default;
    using Tell = std::function<void(Delta)>;

    /// A piece of the body of a successful response, however it was cut. A fault ends the reply.
    [[nodiscard]] virtual ModelResult<void> feed(std::string_view piece, const Tell& tell) = 0;
    /// True once the stream has said that it is complete: nothing behind it is waited for.
    [[nodiscard]] virtual bool is_complete() const = 0;
    /// The whole reply; Fault::malformed when the stream broke off.
    [[nodiscard]] virtual ModelResult<ChatReply> finish(const Tell& tell) = 0;
};

class Protocol {
public:
    virtual ~Protocol() = default;
    [[nodiscard]] virtual const Endpoint& endpoint() const = 0;
    [[nodiscard]] virtual net::HttpRequest request(const ChatRequest& request) const = 0;
    [[nodiscard]] virtual std::unique_ptr<ReplyReader> reader(const ChatRequest& request) const = 0;
    /// What a response that is no success says.
    [[nodiscard]] virtual ModelError error_of(const net::HttpResponse& response) const = 0;
    /// A cheap request that shows whether the endpoint is there and takes the key: the list of models.
    [[nodiscard]] virtual net::HttpRequest probe() const = 0;
};

/// OpenAI's Chat Completions, and with another base URL those who speak it: Ollama, vLLM, llama-server.
[[nodiscard]] std::unique_ptr<Protocol> openai_protocol(Endpoint endpoint);
/// Anthropic's Messages.
[[nodiscard]] std::unique_ptr<Protocol> anthropic_protocol(Endpoint endpoint);
/// Google's streamGenerateContent.
[[nodiscard]] std::unique_ptr<Protocol> google_protocol(Endpoint endpoint);

}  // namespace quaestor::llm
