#include "cli/chat_session.hpp"
#include "cli/input_lines.hpp"
#include "cli/interrupts.hpp"
#include "cli/line_editor.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <stdio_ext.h>
#include <unistd.h>

namespace quaestor::cli {

namespace {

bool is_with_a_person() {
    return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
}

/// Brings what was printed to its reader; false when that one has left, which ends a conversation and is no failure.
bool reaches_reader() {
    if (std::fflush(stdout) == 0 || errno != EPIPE) return true;
    __fpurge(stdout);
    std::clearerr(stdout);
    return false;
}

/// Lines that a person types: a mistake or a Ctrl-C does not end it.
CommandResult talk(const Invocation& invocation, ChatSession& session) {
    LineEditor editor(invocation.settings().data_dir + "/chat_history");
    while (invocation.interrupts->renew()) {
        const CancelToken cancel = invocation.interrupts->token();
        const auto line = editor.next(cancel);
        if (!line) continue;
        if (!*line) return ExitCode::done;
        const auto next = session.take(**line, cancel);
        if (!next) print_error(next.error());
        if (next && *next == ChatSession::Next::end) return ExitCode::done;
    }
    return ExitCode::interrupted;
}

/// A line that cannot be understood is said so, and the next one comes; what would fail again ends it.
CommandResult read_on(const Invocation& invocation, ChatSession& session) {
    std::signal(SIGPIPE, SIG_IGN);
    InputLines lines(invocation.cancel);
    for (auto line = lines.next(); reaches_reader(); line = lines.next()) {
        if (!line) return fail(line.error());
        if (!*line) return ExitCode::done;
        const auto next = session.take(**line, invocation.cancel);
        if (next && *next == ChatSession::Next::end) return ExitCode::done;
        if (invocation.cancel.cancelled()) return fail(invocation.cancel.error());
        if (next) continue;
        if (exit_code_for(next.error()) == ExitCode::dependency_failed) return fail(next.error());
        print_error(next.error());
    }
    return ExitCode::done;
}

}  // namespace

CommandResult chat(const Invocation& invocation, const ChatOptions& options) {
    auto asker = Asker::open(invocation, {options.agent, options.source, options.corpus}, options.tape);
    if (!asker) return fail(asker.error());
    const auto only = (*asker)->open_only_agent();
    if (!only) return fail(only.error());
    ChatSession session(invocation, **asker, options.thread.value_or(""));
    if (!is_with_a_person() || invocation.json) return read_on(invocation, session);
    if (!invocation.quiet) {
        say(fmt::format("{} /help lists what else can be typed; Ctrl-D ends.",
                        *only != nullptr ? (*only)->spec.config.about : "Whichever agent fits will answer."));
    }
    return talk(invocation, session);
}

}  // namespace quaestor::cli
