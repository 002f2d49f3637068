#include "llm/providers/stream_reader.hpp"

#include "base/text.hpp"
#include "llm/providers/provider_error.hpp"

#include <fmt/format.h>

namespace quaestor::llm {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kDone = "[DONE]";
constexpr std::size_t kSampleBytes = 80;

}  // namespace

StreamReader::StreamReader(Endpoint endpoint, const ChatRequest& request)
    : endpoint_(std::move(endpoint)), asked_(estimated_usage(request, {})), calls_(calls_in(request)) {}

ModelResult<void> StreamReader::feed(std::string_view piece, const Tell& tell) {
    if (!fault_ && !is_complete_) {
        if (auto outcome = read(piece, tell); !outcome) fault_ = std::move(outcome.error());
    }
    if (fault_) return std::unexpected(*fault_);
    return {};
}

ModelResult<void> StreamReader::read(std::string_view piece, const Tell& tell) {
    if (form_ == Form::unknown) {
        piece.remove_prefix(std::min(piece.find_first_not_of(kBlanks), piece.size()));
        if (piece.empty()) return {};
        if (piece.front() == '<') return malformed("the server answered with a web page, not with a model's reply");
        form_ = piece.front() == '{' || piece.front() == '[' ? Form::whole : Form::events;
    }
    if (form_ == Form::events) return read_events(piece, tell);
    if (whole_.size() + piece.size() > kWholeReplyBytesMax)
        return malformed(fmt::format("the reply has more than {} MiB", kWholeReplyBytesMax >> 20));
    whole_ += piece;
    return {};
}

ModelResult<void> StreamReader::read_events(std::string_view piece, const Tell& tell) {
    ModelResult<void> outcome;
    const auto fed = sse_.feed(piece, [&](const net::SseEvent& event) {
        if (outcome && !is_complete_) outcome = take_event(event.data, tell);
    });
    if (outcome && !fed) return malformed(fed.error().message);
    return outcome;
}

ModelResult<void> StreamReader::take_event(std::string_view data, const Tell& tell) {
    data = text::trim(data);
    if (data.empty()) return {};
    if (data == kDone) {
        if (!finish_) finish_ = FinishReason::stop;
        is_complete_ = true;
        return {};
    }
    const auto event = parse_json(data);
    if (!event || !event->is_object())
        return malformed(fmt::format("the stream holds something that is no JSON object: {}",
                                     shown_words(data.substr(0, kSampleBytes), endpoint_.key)));
    return take(event->get_object(), tell);
}

ModelResult<ChatReply> StreamReader::finish(const Tell& tell) {
    if (!fault_) {
        if (auto outcome = read_rest(tell); !outcome) fault_ = std::move(outcome.error());
    }
    if (fault_) return std::unexpected(*fault_);
    return put_together(tell);
}

/// Reads what was waiting for its end. A reply that has said how it ended does not suffer from a torn last event.
ModelResult<void> StreamReader::read_rest(const Tell& tell) {
    if (form_ == Form::unknown) return malformed("the reply is empty");
    ModelResult<void> outcome;
    if (form_ == Form::whole) {
        outcome = take_whole(tell);
    } else if (!is_complete_) {
        sse_.finish([&](const net::SseEvent& event) { outcome = take_event(event.data, tell); });
        if (finish_) outcome = {};
    }
    if (outcome && !finish_) return malformed("the reply broke off before its end");
    return outcome;
}

ModelResult<void> StreamReader::take_whole(const Tell& tell) {
    const auto reply = parse_json(whole_);
    if (!reply) return malformed("the reply is no complete JSON: " + reply.error().message);
    if (const auto* object = reply->if_object()) return take(*object, tell);
    for (const json::value& item : reply->get_array()) {
        if (!item.is_object()) return malformed("the reply is a list of something else than objects");
        if (auto outcome = take(item.get_object(), tell); !outcome) return outcome;
    }
    return {};
}

ModelResult<ChatReply> StreamReader::put_together(const Tell& tell) {
    ChatReply reply{
        .message = assistant(text_), .finish = *finish_, .model = model_.empty() ? endpoint_.model : model_};
    auto calls = calls_.finish(tell);
    if (!calls) return malformed(calls.error().message);
    reply.message.tool_calls = std::move(*calls);
    // Some say stop where they mean tool_calls, or the other way round.
    if (reply.finish == FinishReason::stop && !reply.message.tool_calls.empty())
        reply.finish = FinishReason::tool_calls;
    if (reply.finish == FinishReason::tool_calls && reply.message.tool_calls.empty()) reply.finish = FinishReason::stop;
    if (usage_) {
        reply.usage = *usage_;
    } else {
        reply.usage = estimated_usage({}, reply.message);
        reply.usage.input_tokens = asked_.input_tokens;
    }
    return reply;
}

void StreamReader::say(std::string_view text, const Tell& tell) {
    if (text.empty()) return;
    text_ += text;
    tell(TextDelta{std::string(text)});
}

ModelResult<void> StreamReader::call(CallPiece piece, const Tell& tell) {
    const auto added = calls_.add(std::move(piece), tell);
    if (!added) return malformed(added.error().message);
    return {};
}

void StreamReader::set_model(std::string_view model) {
    if (!model.empty()) model_ = model;
}

std::unexpected<ModelError> StreamReader::malformed(std::string what) const {
    return fault(Fault::malformed, endpoint_.name, std::move(what));
}

}  // namespace quaestor::llm
