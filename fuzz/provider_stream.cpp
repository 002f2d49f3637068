// Any bytes as a provider's reply, the first choosing the provider and the second the size of the pieces: reading must
// not crash, and whoever listened to the deltas has the message that the reply holds in the end. Where the bytes are
// cut makes no difference.
#include "llm/protocol.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace {

using namespace quaestor;

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

llm::ChatRequest question() {
    llm::ChatRequest request{.messages = {llm::user("q")}};
    request.output = llm::OutputShape{"out", json::object()};
    return request;
}

void add(llm::Message& heard, const llm::Delta& delta) {
    if (const auto* text = std::get_if<llm::TextDelta>(&delta)) {
        heard.content += text->text;
        return;
    }
    const auto& call = std::get<llm::ToolCallDelta>(delta);
    require(call.index <= heard.tool_calls.size(), "a call was left out");
    if (call.index == heard.tool_calls.size()) {
        require(!call.name.empty() && !call.id.empty(), "a call begins without its name or id");
        heard.tool_calls.push_back({.id = call.id, .name = call.name, .arguments = {}});
    }
    heard.tool_calls[call.index].arguments += call.arguments;
}

llm::ModelResult<llm::ChatReply> read(const llm::Protocol& protocol, std::string_view bytes, std::size_t piece) {
    static const llm::ChatRequest request = question();
    llm::Message heard{.role = llm::Role::assistant};
    const llm::ReplyReader::Tell tell = [&](const llm::Delta& delta) { add(heard, delta); };
    const auto reader = protocol.reader(request);
    for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size())))
        if (auto fed = reader->feed(bytes.substr(0, piece), tell); !fed) return std::unexpected(fed.error());
    auto reply = reader->finish(tell);
    if (!reply) return reply;
    llm::Message said = reply->message;
    for (llm::ToolCall& call : said.tool_calls) call.signature.clear();
    require(heard == said, "the deltas do not make the message");
    return reply;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const llm::Endpoint endpoint{.name = "fuzz/m", .model = "m", .key = "key-that-is-secret"};
    static const std::array protocols{llm::openai_protocol(endpoint), llm::anthropic_protocol(endpoint),
                                      llm::google_protocol(endpoint)};
    if (size < 2) return 0;
    const llm::Protocol& protocol = *protocols[data[0] % protocols.size()];
    const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
    const auto whole = read(protocol, bytes, std::max<std::size_t>(bytes.size(), 1));
    const auto pieces = read(protocol, bytes, data[1] % 64U + 1U);
    require(whole.has_value() == pieces.has_value(), "cutting the bytes makes a reply of a fault");
    if (whole) require(whole->message == pieces->message, "cutting the bytes changes the message");
    return 0;
}
