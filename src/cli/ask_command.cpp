#include "cli/answer_view.hpp"
#include "cli/asking.hpp"
#include "cli/source_support.hpp"

#include <fmt/format.h>

namespace quaestor::cli {

namespace {

using workflows::Answer;
using workflows::AnswerStatus;

/// Beside the answer: who answered, how long it took, how to go on.
void say_how_to_go_on(const Answer& answer, const std::string& command) {
    if (answer.status == AnswerStatus::failed) {
        say(fmt::format("Once that is mended, go on with: quaestor runs resume {}", answer.run_id));
    } else if (answer.status != AnswerStatus::clarification) {
        say(fmt::format("{}, {:.0f} ms. Go on with: {} \"…\"", answer.agent, answer.timing_ms, command));
    }
}

void show_answer(const Invocation& invocation, const Answer& answer, const OpenAgent& agent) {
    const std::string command = command_to_go_on(agent, answer.thread_id);
    const std::string how_to_reply = fmt::format("Reply with: {} 1 (or another number, or in your own words)", command);
    print_text(draw(answer, {terminal_width(), uses_unicode()}, how_to_reply));
    const bool is_kept = invocation.settings().store.backend != store::Backend::memory;
    if (is_kept && !invocation.quiet) say_how_to_go_on(answer, command);
}

}  // namespace

CommandResult ask(const Invocation& invocation, const AskCommandOptions& options) {
    const auto question = read_statement(options.question, invocation.cancel);
    if (!question) return fail(question.error());
    if (auto usable = workflows::usable_question(*question); !usable) return fail(usable.error());
    auto asker = Asker::open(invocation, {options.agent, options.source, options.corpus}, options.tape);
    if (!asker) return fail(asker.error());
    const auto answer = (*asker)->ask(*question, options.thread.value_or(""), invocation.cancel);
    if (!answer) return fail(answer.error());
    if (invocation.json) {
        print_json(to_json(*answer));
    } else {
        show_answer(invocation, *answer, *(*asker)->last_agent());
    }
    const bool was_stopped = answer->status == AnswerStatus::failed && invocation.cancel.cancelled();
    return was_stopped ? ExitCode::interrupted : exit_code_for(answer->status);
}

}  // namespace quaestor::cli
