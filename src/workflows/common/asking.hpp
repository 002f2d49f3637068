// One prompt asked from a node: bounded by the node's deadline, with what it cost.
// For the nodes of all workflows.
// Threads: as nodes of every graph.
#pragma once

#include "graph/context.hpp"
#include "llm/models.hpp"
#include "llm/reasoner.hpp"
#include "workflows/common/answer.hpp"

#include <string>
#include <utility>

namespace quaestor::workflows {

[[nodiscard]] inline UsageSummary summary_of(const llm::UsageLedger& ledger) {
    const auto total = ledger.total();
    return {total.llm_calls, total.input_tokens, total.output_tokens, total.cost_usd};
}

template <llm::Prompt P>
struct Asked {
    Result<llm::Reply<typename P::Output>> reply;
    UsageSummary usage;

    [[nodiscard]] bool is_native() const { return reply && reply->by == llm::AnsweredBy::native; }
};

/// `who` has a reasoner(), models() and info(): the analyst or librarian that the node works for. `spent` is what the
/// question has taken so far: its budget holds for all prompts together.
template <llm::Prompt P, class Who>
Task<Asked<P>> ask_prompt(Who& who, graph::Context& context, typename P::Input input, UsageSummary spent = {}) {
    llm::UsageLedger ledger(
        who.models().config().budget, false,
        {static_cast<int>(spent.llm_calls), spent.input_tokens, spent.output_tokens, spent.cost_usd});
    auto reply = co_await who.reasoner().template ask<P>(std::move(input), {.node = std::string(context.node()),
                                                                            .session = context.thread_id(),
                                                                            .depends_on = who.info().source,
                                                                            .ledger = &ledger,
                                                                            .deadline = context.deadline(),
                                                                            .cancel = context.cancel()});
    co_return Asked<P>{std::move(reply), summary_of(ledger)};
}

}  // namespace quaestor::workflows
