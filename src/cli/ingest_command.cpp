#include "cli/corpus_support.hpp"
#include "cli/language_support.hpp"
#include "retrieval/watch.hpp"

#include <fmt/format.h>

namespace quaestor::cli {

namespace {

json::value ingest_json(const std::string& corpus, const retrieval::IngestReport& report) {
    json::array skipped;
    for (const auto& one : report.skipped) skipped.push_back({{"file", one.file}, {"error", encode(one.error)}});
    return {{"corpus", corpus},
            {"files", report.files},
            {"added", report.added},
            {"replaced", report.replaced},
            {"unchanged", report.unchanged},
            {"removed", report.removed},
            {"skipped", std::move(skipped)},
            {"chunks", report.chunks},
            {"documents", report.corpus.documents},
            {"total_chunks", report.corpus.chunks},
            {"seconds", report.seconds},
            {"embedding_seconds", report.embedding_seconds}};
}

void print_ingest(const Invocation& invocation, const std::string& corpus, const retrieval::IngestReport& report) {
    if (invocation.json) return print_json(ingest_json(corpus, report));
    const auto count = [](std::size_t number) { return grouped(static_cast<std::int64_t>(number)); };
    print_text(fmt::format("{} added, {} replaced, {} unchanged, {} removed, {} left out in {:.1f} s\n",
                           count(report.added), count(report.replaced), count(report.unchanged), count(report.removed),
                           count(report.skipped.size()), report.seconds));
    print_text(fmt::format("corpus {}: {}, {}\n", corpus,
                           counted(static_cast<std::int64_t>(report.corpus.documents), "document"),
                           counted(static_cast<std::int64_t>(report.corpus.chunks), "chunk")));
    if (!invocation.quiet) say(fmt::format("Search it: quaestor search --corpus {} \"…\"", corpus));
}

class IngestCommand {
public:
    IngestCommand(const Invocation& invocation, const IngestCommandOptions& options, std::filesystem::path folder)
        : invocation_(invocation),
          options_(options),
          folder_(std::move(folder)),
          paths_(options.paths.begin(), options.paths.end()) {}

    Task<CommandResult> run(llm::Embedder& embedder) {
        std::optional<retrieval::FolderWatch> watch;
        if (options_.watch) {
            // Before the first ingest, so that what changes meanwhile is not missed.
            auto opened = retrieval::FolderWatch::open(paths_);
            if (!opened) co_return fail(opened.error());
            watch.emplace(std::move(*opened));
        }
        for (bool is_first = true;; is_first = false) {
            auto report = co_await bring_up_to_date(embedder, is_first && options_.rebuild);
            if (!report) co_return fail(report.error());
            tell_skipped(report->skipped);
            print_ingest(invocation_, options_.corpus, *report);
            if (!watch) co_return ExitCode::done;
            if (!invocation_.quiet) say("Waiting for changes; Ctrl-C ends it");
            std::fflush(stdout);
            if (auto changed = watch->wait(invocation_.cancel); !changed) co_return fail(changed.error());
        }
    }

private:
    Task<Result<retrieval::IngestReport>> bring_up_to_date(llm::Embedder& embedder, bool rebuild) {
        ProgressBar progress(invocation_.quiet);
        retrieval::IngestOptions options;
        options.rebuild = rebuild;
        options.on_progress = show_ingest(progress);
        options.cancel = invocation_.cancel;
        co_return co_await retrieval::ingest(paths_, folder_, embedder, std::move(options));
    }

    const Invocation& invocation_;
    const IngestCommandOptions& options_;
    const std::filesystem::path folder_;
    const std::vector<std::filesystem::path> paths_;
};

}  // namespace

CommandResult ingest(const Invocation& invocation, const IngestCommandOptions& options) {
    const auto folder = corpus_folder(invocation.settings(), options.corpus);
    if (!folder) return fail(folder.error());
    auto language = Language::open(invocation.settings(), {});
    if (!language) return fail(language.error());
    IngestCommand command(invocation, options, *folder);
    return run_to_end([&]() -> Task<CommandResult> {
        const auto embedder = co_await (*language)->models().embedder();
        if (!embedder) co_return fail(embedder.error());
        co_return co_await command.run(**embedder);
    }());
}

}  // namespace quaestor::cli
