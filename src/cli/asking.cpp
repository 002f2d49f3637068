#include "cli/asking.hpp"

#include "cli/live_steps.hpp"
#include "cli/run_support.hpp"

#include <fmt/format.h>

namespace quaestor::cli {

namespace {

/// What mask_secrets() leaves of a password.
constexpr std::string_view kMaskedPassword = ":***@";

Result<> check_can_be_opened(const AgentChoice& choice) {
    if (!choice.source || !choice.source->contains(kMaskedPassword)) return {};
    return fail(Code::invalid_argument,
                fmt::format("the thread is about {}, and passwords are not kept", *choice.source),
                "name the database again with --source");
}

/// As a shell takes it for one word.
std::string quoted_word(const std::string& word) {
    constexpr std::string_view kHarmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@-=";
    if (!word.empty() && word.find_first_not_of(kHarmless) == std::string::npos) return word;
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

}  // namespace

Asker::Asker(const Invocation& invocation, AgentChoice choice, TapeOptions tape, std::unique_ptr<store::Store> store)
    : invocation_(invocation),
      choice_(std::move(choice)),
      store_(std::move(store)),
      agents_(invocation, std::move(tape)) {}

Result<std::unique_ptr<Asker>> Asker::open(const Invocation& invocation, AgentChoice choice, TapeOptions tape) {
    auto store = open_configured_store(invocation.settings());
    if (!store) return fail(store.error());
    return std::unique_ptr<Asker>(new Asker(invocation, std::move(choice), std::move(tape), std::move(*store)));
}

Result<OpenAgent*> Asker::open_only_agent() {
    if (choice_.is_made()) return agents_.open(choice_);
    return agents_.open_only();
}

Result<OpenAgent*> Asker::agent_for(const std::string& question, const std::string& thread_id) {
    if (choice_.is_made()) return agents_.open(choice_);
    if (!thread_id.empty()) {
        const auto begun_with = agent_of_thread(*store_, thread_id);
        if (!begun_with) return fail(begun_with.error());
        if (*begun_with) {
            if (auto checked = check_can_be_opened(**begun_with); !checked) return fail(checked.error());
            return agents_.open(**begun_with);
        }
    }
    const auto routed = agents_.route(question);
    if (!routed) return fail(routed.error());
    if (!routed->reason.empty() && !invocation_.quiet) say(routed->reason);
    return routed->agent;
}

Result<workflows::Answer> Asker::ask(const std::string& question, const std::string& thread_id,
                                     const CancelToken& cancel) {
    const auto usable = workflows::usable_question(question);
    if (!usable) return fail(usable.error());
    const auto agent = agent_for(*usable, thread_id);
    if (!agent) return fail(agent.error());
    last_agent_ = *agent;
    workflows::AskRequest request{.question = *usable,
                                  .thread_id = thread_id,
                                  .options = run_options(invocation_),
                                  .listener = live_steps(invocation_.quiet)};
    request.options.cancel = cancel;
    request.options.metadata = thread_metadata((*agent)->spec);
    return run_to_end(workflows::ask(*(*agent)->agent, *store_, std::move(request)));
}

std::string command_to_go_on(const OpenAgent& agent, const std::string& thread_id) {
    if (agent.spec.is_for_this_call) {
        const bool is_corpus = agent.spec.config.workflow == Workflow::cited;
        return fmt::format("quaestor ask --{} {} --thread {}", is_corpus ? "corpus" : "source",
                           quoted_word(is_corpus ? agent.spec.config.corpus : agent.spec.config.source),
                           quoted_word(thread_id));
    }
    return fmt::format("quaestor ask --thread {}", quoted_word(thread_id));
}

}  // namespace quaestor::cli
