// A model behind HTTP: any Protocol over any Http.
// Owns its protocol; the port outlives it. Threads: as ChatModel.
#pragma once

#include "llm/chat.hpp"
#include "llm/protocol.hpp"
#include "net/http.hpp"

#include <chrono>
#include <memory>

namespace quaestor::llm {

struct HttpModelLimits {
    std::chrono::milliseconds connect{10'000};
    std::chrono::milliseconds silence{60'000};  ///< before the first byte and between two
    std::size_t reply_bytes = std::size_t{8} << 20;
};

class HttpChatModel final : public ChatModel {
public:
    HttpChatModel(std::unique_ptr<Protocol> protocol, net::Http& http, HttpModelLimits limits = {});
    [[nodiscard]] const std::string& name() const override;
    Task<ModelResult<ChatReply>> chat(ChatRequest request, CallOptions options) override;

    /// Asks whether the endpoint is there and takes the key.
    Task<ModelResult<void>> probe(CallOptions options);

private:
    [[nodiscard]] net::HttpCall call_of(net::HttpRequest request, Deadline deadline, CancelToken cancel) const;

    const std::unique_ptr<Protocol> protocol_;
    net::Http& http_;
    const HttpModelLimits limits_;
};

}  // namespace quaestor::llm
