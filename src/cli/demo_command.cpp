#include "cli/progress.hpp"
#include "cli/run_support.hpp"
#include "demo/league.hpp"

#include <fmt/format.h>

#include <cmath>

namespace quaestor::cli {

namespace {

Result<demo::LeagueCounts> make_with_progress(const Invocation& invocation, const DemoDataOptions& options) {
    ProgressBar progress(invocation.quiet);
    return demo::renew_league(
        invocation.settings().data_dir,
        {.seed = options.seed,
         .is_small = options.is_small,
         .progress = [&progress](std::string_view what, double done) { progress.show(what, done); },
         .stop = invocation.cancel});
}

void print_counts(const demo::LeagueCounts& counts) {
    Table table{.columns = {{"table"}, {"rows", true}}, .rows = {}};
    for (const auto& one : counts.tables) table.rows.push_back({one.table, grouped(one.rows)});
    print_text(draw(table, terminal_width()));
}

}  // namespace

CommandResult demo_data(const Invocation& invocation, const DemoDataOptions& options) {
    const auto path = demo::league_path(invocation.settings().data_dir);
    auto counts = make_with_progress(invocation, options);
    if (!counts) return fail(counts.error());
    if (invocation.json) {
        auto report = encode(*counts).as_object();
        report["path"] = path;
        report["synthetic"] = true;
        print_json(report);
        return ExitCode::done;
    }
    print_counts(*counts);
    if (!invocation.quiet) {
        say(fmt::format("{}: {} in {}. Players, games and figures are invented.", demo::kLeagueTitle,
                        counted(counts->rows, "row"), visible(path)));
        say(fmt::format("See what is in it: quaestor catalog show {}", visible(path)));
        say(fmt::format(
            "Ask it: quaestor sql run --source {} \"SELECT name, wins FROM standings JOIN teams USING (team_id) "
            "WHERE season = 2022 ORDER BY wins DESC LIMIT 5\"",
            visible(path)));
    }
    return ExitCode::done;
}

CommandResult demo_graph(const Invocation& invocation, const DemoGraphOptions& options) {
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
