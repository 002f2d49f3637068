#include "cli/run_support.hpp"

#include <fmt/format.h>

namespace quaestor::cli {

CommandResult demo(const Invocation& invocation, const DemoOptions& options) {
    auto graph = invocation.graphs.find("demo");
    if (!graph) return fail(graph.error());
    auto store = open_configured_store(invocation.settings());
    if (!store) return fail(store.error());
    if (!invocation.quiet) {
        fmt::print(stderr, "The demo graph estimates pi with {} workers until it is within ±{}.\n", options.workers,
                   options.tolerance);
    }
    const json::value input{{"tolerance", options.tolerance}, {"workers", options.workers}, {"review", options.review}};
    auto result = run_to_end(
        store::run_recorded(**store, **graph, input, run_options(invocation), show_steps(invocation)));
    auto reported = report(invocation, **graph, result);
    if (reported && !invocation.quiet && !invocation.json && result.status == graph::RunStatus::finished) {
        fmt::print(stderr, "Every step was saved. Look at it: quaestor runs show {}\n", result.run_id);
    }
    return reported;
}

}  // namespace quaestor::cli
