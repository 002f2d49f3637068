// The nodes of the cited graph, each a function of the state and what the librarian can do; make_graph() wires them.
// Private to the workflow.
// Threads: as nodes of every graph.
#pragma once

#include "graph/graph.hpp"
#include "workflows/cited/librarian.hpp"

#include <string_view>

namespace quaestor::workflows::cited {

using Node = Task<graph::Update<State>>;

/// Whether documents are needed, which time is meant, how many passages are wanted.
Node assess_query(Librarian& librarian, const State& state, graph::Context& context);
/// With dates in two passes: the documents of that time first, then all.
Node search_corpus(Librarian& librarian, const State& state, graph::Context& context);
/// Looks for sentences that answer, and says how likely they do.
Node evaluate_confidence(Librarian& librarian, const State& state, graph::Context& context);
Node reformulate_query(Librarian& librarian, const State& state, graph::Context& context);
Node synthesize_answer(Librarian& librarian, const State& state, graph::Context& context);
Node validate_citations(Librarian& librarian, const State& state, graph::Context& context);
graph::Update<State> respond(const Librarian& librarian, const State& state);

std::string_view after_assess(const State& state);
std::string_view after_confidence(const State& state);

}  // namespace quaestor::workflows::cited
