// Any pieces of tool calls, in any order: putting them together must not crash or lose a byte of the arguments, and the
// deltas make the calls. Four bytes make a piece: index, id, name, arguments, each with a value for "not said".
#include "llm/providers/tool_calls.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using namespace quaestor;

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

llm::CallPiece piece_of(const std::uint8_t* bytes) {
    constexpr std::array<const char*, 8> kArguments{"", "{}", "{", "}", R"({"x":)", "1", "[", "\""};
    llm::CallPiece piece{.arguments = kArguments[bytes[3] % kArguments.size()], .is_whole = bytes[3] >= 240};
    if (bytes[0] % 4 != 3) piece.index = bytes[0] % 4;
    if (bytes[1] % 4 != 3) piece.id = std::string(1, static_cast<char>('a' + bytes[1] % 4));
    if (bytes[2] % 4 != 3) piece.name = std::string(1, static_cast<char>('f' + bytes[2] % 4));
    return piece;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::vector<llm::ToolCall> heard;
    const llm::ReplyReader::Tell tell = [&](const llm::Delta& delta) {
        const auto& call = std::get<llm::ToolCallDelta>(delta);
        if (!call.name.empty()) {
            require(call.index == heard.size(), "calls do not begin in order");
            heard.push_back({.id = call.id, .name = call.name, .arguments = {}});
        }
        require(call.index < heard.size(), "arguments came before their call");
        heard[call.index].arguments += call.arguments;
    };
    llm::ToolCallAssembler assembler(0);
    std::size_t given = 0;
    for (; size >= 4; data += 4, size -= 4) {
        llm::CallPiece piece = piece_of(data);
        const std::size_t bytes = piece.arguments.size();
        if (!assembler.add(std::move(piece), tell)) return 0;
        given += bytes;
    }
    const auto calls = assembler.finish(tell);
    if (!calls) return 0;
    require(*calls == heard, "the deltas do not make the calls");
    std::size_t kept = 0;
    for (const llm::ToolCall& call : *calls) kept += call.arguments.size();
    require(kept >= given && kept <= given + 2 * calls->size(), "arguments were lost");
    return 0;
}
