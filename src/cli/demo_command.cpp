#include "cli/agent_config.hpp"
#include "cli/corpus_support.hpp"
#include "cli/language_support.hpp"
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

Result<retrieval::IngestReport> read_documents(const Invocation& invocation) {
    auto language = Language::open(invocation.settings(), {});
    if (!language) return fail(language.error());
    const auto embedder = run_to_end((*language)->models().embedder());
    if (!embedder) return fail(embedder.error());
    ProgressBar progress(invocation.quiet);
    return make_demo_corpus(invocation, **embedder, progress);
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
    std::optional<retrieval::CorpusSize> documents;
    if (!options.is_small) {
        const auto read = read_documents(invocation);
        if (!read) return fail(read.error());
        documents = read->corpus;
    }
    if (invocation.json) {
        auto report = encode(*counts).as_object();
        report["path"] = path;
        report["synthetic"] = true;
        if (documents) report["corpora"] = {{kDemoCorpus, encode(*documents)}};
        print_json(report);
        return ExitCode::done;
    }
    print_counts(*counts);
    if (!invocation.quiet) {
        say(fmt::format("{}: {} in {}. Players, games and figures are invented.", demo::kLeagueTitle,
                        counted(counts->rows, "row"), visible(path)));
        say(fmt::format("See what is in it: quaestor catalog show {}", visible(path)));
        say("Ask it:");
        const auto agents = agent_specs({}, {});
        for (const auto& question : agents.front().config.examples) {
            say(fmt::format("  quaestor ask \"{}\"", question));
        }
        if (documents) {
            say(fmt::format(
                "{}: {}, summaries written for this program. Ask them: quaestor ask --agent {} \"What was the "
                "target range after the July 2023 meeting?\"",
                kDemoCorpus, counted(static_cast<std::int64_t>(documents->documents), "document"), kDemoCorpus));
        }
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
