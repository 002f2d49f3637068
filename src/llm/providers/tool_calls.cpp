#include "llm/providers/tool_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

namespace quaestor::llm {

namespace {

constexpr std::string_view kMadeUpId = "call_made_up_";

}  // namespace

Result<> ToolCallAssembler::add(CallPiece piece, const ReplyReader::Tell& tell) {
    Call* found = find(piece);
    if (!found) {
        if (piece.id.empty() && piece.name.empty() && !piece.index)
            return fail(Code::corrupt, "a piece of a tool call came before the call");
        if (calls_.size() == kToolCallsMax)
            return fail(Code::limit_exceeded, fmt::format("more than {} tool calls in one reply", kToolCallsMax));
        found = &calls_.emplace_back(Call{.index = piece.index, .given_id = piece.id});
    }
    ToolCall& call = found->call;
    if (call.name.empty()) call.name = std::move(piece.name);
    if (found->given_id.empty()) found->given_id = std::move(piece.id);
    if (!piece.signature.empty()) call.signature = std::move(piece.signature);
    call.arguments += piece.arguments;
    tell_piece(static_cast<std::size_t>(found - calls_.data()), std::move(piece.arguments), tell);
    return {};
}

auto ToolCallAssembler::find(const CallPiece& piece) -> Call* {
    if (piece.is_whole) return nullptr;
    const auto from_last = calls_ | std::views::reverse;
    auto found = from_last.end();
    if (piece.index)
        found = std::ranges::find(from_last, piece.index, &Call::index);
    else if (!piece.id.empty())
        found = std::ranges::find(from_last, piece.id, &Call::given_id);
    else if (piece.name.empty())
        found = from_last.begin();
    return found == from_last.end() || begins_another(piece, *found) ? nullptr : &*found;
}

/// Some servers give every call of a reply the same index. A call that has a name and another id than the one at this
/// index, or that comes with arguments when those are complete, is the next one.
bool ToolCallAssembler::begins_another(const CallPiece& piece, const Call& call) {
    if (piece.name.empty() || call.call.name.empty()) return false;
    if (!piece.id.empty() && !call.given_id.empty()) return piece.id != call.given_id;
    const std::string& arguments = call.call.arguments;
    return !piece.arguments.empty() && arguments.ends_with('}') && parse_json(arguments).has_value();
}

void ToolCallAssembler::tell_piece(std::size_t at, std::string arguments, const ReplyReader::Tell& tell) {
    if (at < told_) {
        if (!arguments.empty()) tell(ToolCallDelta{.index = at, .arguments = std::move(arguments)});
        return;
    }
    // Calls begin in order, each with what was held back while its name, or that of one before it, was not known.
    for (; told_ < calls_.size() && !calls_[told_].call.name.empty(); ++told_) {
        auto& [index, given_id, call] = calls_[told_];
        call.id = given_id.empty() ? fmt::format("{}{}", kMadeUpId, calls_before_ + told_) : given_id;
        tell(ToolCallDelta{.index = told_, .id = call.id, .name = call.name, .arguments = call.arguments});
    }
}

Result<std::vector<ToolCall>> ToolCallAssembler::finish(const ReplyReader::Tell& tell) {
    std::vector<ToolCall> complete;
    for (std::size_t at = 0; at < calls_.size(); ++at) {
        ToolCall& call = calls_[at].call;
        if (call.name.empty()) return fail(Code::corrupt, "a tool call without a name");
        if (call.arguments.empty()) {
            call.arguments = "{}";
            tell_piece(at, call.arguments, tell);
        }
        complete.push_back(std::move(call));
    }
    calls_.clear();
    return complete;
}

std::size_t calls_in(const ChatRequest& request) {
    std::size_t calls = 0;
    for (const Message& message : request.messages) calls += message.tool_calls.size();
    return calls;
}

bool is_made_up(std::string_view id) {
    return id.starts_with(kMadeUpId);
}

}  // namespace quaestor::llm
