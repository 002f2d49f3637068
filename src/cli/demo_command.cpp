#include "cli/run_support.hpp"

#include <fmt/format.h>

#include <cmath>

namespace quaestor::cli {

CommandResult demo(const Invocation& invocation, const DemoOptions& options) {
    if (!std::isfinite(options.tolerance)) {
        return fail(Code::invalid_argument, fmt::format("the tolerance is {}, which is no number", options.tolerance),
                    "give one above 0, such as 0.01");
    }
    auto graph = invocation.graphs.find("demo");
    if (!graph) return fail(graph.error());
    auto store = open_configured_store(invocation.settings());
    if (!store) return fail(store.error());
    if (!invocation.quiet) {
        say(fmt::format("The demo graph estimates pi with {} workers until it is within ±{}.", options.workers,
                        options.tolerance));
    }
    const json::value input{{"tolerance", options.tolerance}, {"workers", options.workers}, {"review", options.review}};
    auto result =
        run_to_end(store::run_recorded(**store, **graph, input, run_options(invocation), show_steps(invocation)));
    auto reported = report(invocation, **graph, result);
    const bool is_kept = invocation.settings().store.backend != store::Backend::memory;
    if (reported && is_kept && !invocation.quiet && !invocation.json && result.status == graph::RunStatus::finished) {
        say(fmt::format("Every step was saved. Look at it: quaestor runs show {}", result.run_id));
    }
    return reported;
}

}  // namespace quaestor::cli
