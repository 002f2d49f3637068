// Puts a reply's tool calls together from pieces, as providers and those who imitate them send them: by index, by id,
// all at once, without either, with the name repeated or late.
// Private to llm/providers; belongs to one reply. Threads: one at a time.
#pragma once

#include "base/error.hpp"
#include "llm/protocol.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::llm {

inline constexpr std::size_t kToolCallsMax = 128;  ///< in one reply

/// A piece of a call. What is empty was not said.
struct CallPiece {
    std::optional<std::int64_t> index{};  ///< as the provider counts
    std::string id{};
    std::string name{};
    std::string arguments{};
    std::string signature{};
    bool is_whole = false;  ///< a call of its own, whatever came before
};

class ToolCallAssembler {
public:
    /// `calls_before`: how many calls the conversation has, so that an id that is made up is new in it.
    explicit ToolCallAssembler(std::size_t calls_before) : calls_before_(calls_before) {}

    /// Tells what is new of a call, beginning when its name is known and those before it have begun.
    /// Code::limit_exceeded for too many calls, Code::corrupt for a piece that belongs to none.
    [[nodiscard]] Result<> add(CallPiece piece, const ReplyReader::Tell& tell);

    [[nodiscard]] bool empty() const { return calls_.empty(); }

    /// The calls, complete: one without arguments has "{}", and that is told too. Code::corrupt when one has no name.
    [[nodiscard]] Result<std::vector<ToolCall>> finish(const ReplyReader::Tell& tell);

private:
    struct Call {
        std::optional<std::int64_t> index;
        std::string given_id;
        ToolCall call;
    };
    [[nodiscard]] Call* find(const CallPiece& piece);
    static bool begins_another(const CallPiece& piece, const Call& call);
    void tell_piece(std::size_t at, std::string arguments, const ReplyReader::Tell& tell);

    std::size_t calls_before_;
    std::vector<Call> calls_;
    std::size_t told_ = 0;  ///< calls that have begun for those who listen
};

/// How many calls the messages of a request hold.
[[nodiscard]] std::size_t calls_in(const ChatRequest& request);

/// Ids that the assembler made up; providers that have ids of their own must not see them.
[[nodiscard]] bool is_made_up(std::string_view id);

}  // namespace quaestor::llm
