// A conversation: each line is a question, the answer to a clarification, or a command such as /sql.
// Owned by the chat command. Private to cli/.
// Threads: for main()'s thread.
#pragma once

#include "cli/asking.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace quaestor::cli {

class ChatSession {
public:
    /// `invocation` and `asker` outlive it. `thread_id` is empty for a new thread.
    ChatSession(const Invocation& invocation, Asker& asker, std::string thread_id)
        : invocation_(invocation), asker_(asker), thread_id_(std::move(thread_id)) {}

    enum class Next { go_on, end };
    /// Does what the line says, and prints what comes of it. An error is one after which the next line may go well.
    [[nodiscard]] Result<Next> take(std::string_view line, const CancelToken& cancel);

private:
    struct Command;
    [[nodiscard]] static std::span<const Command> commands();
    [[nodiscard]] Result<Next> command(std::string_view line, const CancelToken& cancel);
    [[nodiscard]] Result<Next> question(std::string_view line, const CancelToken& cancel);
    [[nodiscard]] Result<const workflows::Answer*> last_answer() const;
    [[nodiscard]] Result<const workflows::Answer*> last_answer_with_rows() const;

    // What the commands do; each takes what stands behind its name.
    Result<Next> show_sql(std::string_view argument, const CancelToken& cancel);
    Result<Next> show_table(std::string_view argument, const CancelToken& cancel);
    Result<Next> show_chart(std::string_view argument, const CancelToken& cancel);
    Result<Next> show_sources(std::string_view argument, const CancelToken& cancel);
    Result<Next> show_reasons(std::string_view argument, const CancelToken& cancel);
    Result<Next> write_csv(std::string_view file, const CancelToken& cancel);
    Result<Next> begin_anew(std::string_view argument, const CancelToken& cancel);
    Result<Next> show_help(std::string_view argument, const CancelToken& cancel);
    Result<Next> quit(std::string_view argument, const CancelToken& cancel);

    const Invocation& invocation_;
    Asker& asker_;
    std::string thread_id_;
    std::optional<workflows::Answer> answer_;  ///< the last one
};

}  // namespace quaestor::cli
