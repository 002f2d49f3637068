// What a protocol writes; and reads a reply from bytes, as a test wants them cut, and keeps what was told on the way.
// Plain values.
// Threads: one at a time.
#pragma once

#include "base/json.hpp"
#include "llm/protocol.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::test {

/// The body that a provider is sent.
inline json::object body_of(const llm::Protocol& protocol, const llm::ChatRequest& request) {
    return parse_json(protocol.request(request).body).value().get_object();
}

struct ReadReply {
    llm::ModelResult<llm::ChatReply> reply;
    std::vector<llm::Delta> deltas;
    bool was_complete = false;
};

/// Feeds `bytes` in pieces of `piece` bytes; the first fault ends it.
inline ReadReply read_reply(const llm::Protocol& protocol, std::string_view bytes, std::size_t piece = 4096,
                            const llm::ChatRequest& request = {}) {
    ReadReply read;
    const llm::ReplyReader::Tell tell = [&](llm::Delta delta) { read.deltas.push_back(std::move(delta)); };
    const auto reader = protocol.reader(request);
    for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
        if (auto fed = reader->feed(bytes.substr(0, piece), tell); !fed) {
            read.reply = std::unexpected(fed.error());
            return read;
        }
    }
    read.was_complete = reader->is_complete();
    read.reply = reader->finish(tell);
    return read;
}

/// The message that someone has who only listened.
inline llm::Message joined(const std::vector<llm::Delta>& deltas) {
    llm::Message message{.role = llm::Role::assistant};
    for (const llm::Delta& delta : deltas) {
        if (const auto* text = std::get_if<llm::TextDelta>(&delta)) {
            message.content += text->text;
            continue;
        }
        const auto& call = std::get<llm::ToolCallDelta>(delta);
        if (call.index == message.tool_calls.size()) message.tool_calls.push_back({.id = call.id, .name = call.name});
        message.tool_calls.at(call.index).arguments += call.arguments;
    }
    return message;
}

/// The reply's message without what deltas do not carry.
inline llm::Message without_signatures(llm::Message message) {
    for (llm::ToolCall& call : message.tool_calls) call.signature.clear();
    return message;
}

/// Each item as a server-sent event of one line.
inline std::string events(std::vector<std::string> items) {
    std::string stream;
    for (std::string& item : items) {
        std::ranges::replace(item, '\n', ' ');
        stream += "data: " + item + "\n\n";
    }
    return stream;
}

}  // namespace quaestor::test
