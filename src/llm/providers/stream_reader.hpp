// What the readers of all providers share: server-sent events or one whole JSON text, cut anywhere; what a reply is put
// together from; and the judgement whether it is complete.
// Private to llm/providers; belongs to one reply. Threads: one at a time.
#pragma once

#include "base/json.hpp"
#include "llm/protocol.hpp"
#include "llm/providers/tool_calls.hpp"
#include "net/sse.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace quaestor::llm {

/// The most of a reply that comes as one JSON text instead of a stream.
inline constexpr std::size_t kWholeReplyBytesMax = std::size_t{8} << 20;

class StreamReader : public ReplyReader {
public:
    StreamReader(Endpoint endpoint, const ChatRequest& request);

    [[nodiscard]] ModelResult<void> feed(std::string_view piece, const Tell& tell) final;
    [[nodiscard]] bool is_complete() const final { return is_complete_; }
    [[nodiscard]] ModelResult<ChatReply> finish(const Tell& tell) final;

protected:
    /// One object of the stream, or the whole reply of a server that does not stream.
    [[nodiscard]] virtual ModelResult<void> take(const json::object& event, const Tell& tell) = 0;

    // What take() has found.
    void say(std::string_view text, const Tell& tell);
    [[nodiscard]] ModelResult<void> call(CallPiece piece, const Tell& tell);
    void end(FinishReason reason) { finish_ = reason; }
    void set_model(std::string_view model);
    /// The last one counts.
    void set_usage(const Usage& usage) { usage_ = usage; }
    void set_complete() { is_complete_ = true; }
    [[nodiscard]] std::unexpected<ModelError> malformed(std::string what) const;
    [[nodiscard]] const Endpoint& endpoint() const { return endpoint_; }

private:
    enum class Form { unknown, events, whole };

    ModelResult<void> read(std::string_view piece, const Tell& tell);
    ModelResult<void> read_events(std::string_view piece, const Tell& tell);
    ModelResult<void> take_event(std::string_view data, const Tell& tell);
    ModelResult<void> read_rest(const Tell& tell);
    ModelResult<void> take_whole(const Tell& tell);
    ModelResult<ChatReply> put_together(const Tell& tell);

    const Endpoint endpoint_;
    const Usage asked_;  ///< an estimate of what the request has
    Form form_ = Form::unknown;
    net::SseReader sse_;
    std::string whole_;
    std::optional<ModelError> fault_;
    bool is_complete_ = false;

    std::string text_;
    ToolCallAssembler calls_;
    std::optional<FinishReason> finish_;
    std::optional<Usage> usage_;
    std::string model_;
};

}  // namespace quaestor::llm
