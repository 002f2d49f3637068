// One prompt asked from a node: bounded by the node's deadline, with what it cost.
// Private to the workflow.
// Threads: as nodes of every graph.
#pragma once

#include "graph/context.hpp"
#include "workflows/reflective/analyst.hpp"
#include "workflows/reflective/prompts.hpp"

#include <string>
#include <utility>

namespace quaestor::workflows::reflective {

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

template <llm::Prompt P>
Task<Asked<P>> ask(Analyst& analyst, graph::Context& context, typename P::Input input) {
    llm::UsageLedger ledger(analyst.models().config().budget);
    auto reply = co_await analyst.reasoner().template ask<P>(std::move(input), {.node = std::string(context.node()),
                                                                                .session = context.thread_id(),
                                                                                .depends_on = analyst.info().source,
                                                                                .ledger = &ledger,
                                                                                .deadline = context.deadline(),
                                                                                .cancel = context.cancel()});
    co_return Asked<P>{std::move(reply), summary_of(ledger)};
}

}  // namespace quaestor::workflows::reflective
