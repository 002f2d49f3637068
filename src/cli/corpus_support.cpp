#include "cli/corpus_support.hpp"

#include "base/text.hpp"
#include "demo/documents.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

namespace quaestor::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCorporaListed = 20;

fs::path corpora_folder(const Settings& settings) {
    return fs::path(settings.data_dir) / "corpora";
}

/// "12 s", "3 min", "2 h"
std::string rough_time(double seconds) {
    if (seconds < 90) return fmt::format("{:.0f} s", seconds);
    if (seconds < 90 * 60) return fmt::format("{:.0f} min", seconds / 60);
    return fmt::format("{:.1f} h", seconds / 3600);
}

/// The corpus that stands for a folder; the same for the same folder.
fs::path corpus_of_folder(const Settings& settings, const fs::path& folder) {
    std::error_code error;
    const std::string whole = fs::weakly_canonical(fs::absolute(folder, error), error).string();
    std::uint64_t hash = 0xcbf2'9ce4'8422'2325;  // FNV-1a, the same on every machine
    for (const char byte : whole) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x0000'0100'0000'01b3;
    return corpora_folder(settings) / fmt::format("folder-{:016x}", hash);
}

Error unknown_corpus(const Settings& settings, const std::string& name) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator at(corpora_folder(settings), error), end; !error && at != end; at.increment(error)) {
        const std::string known = at->path().filename().string();
        if (!known.starts_with("folder-")) names.push_back(known);
    }
    std::ranges::sort(names);
    names.resize(std::min(names.size(), kCorporaListed));
    const auto meant = text::nearest(name, names);
    std::string hint = fmt::format("make it: quaestor ingest PATH… --corpus {}", name);
    if (!names.empty()) hint = fmt::format("there are: {}; {}", fmt::join(names, ", "), hint);
    if (meant) hint = fmt::format("did you mean {}? {}", *meant, hint);
    return {Code::not_found, fmt::format("there is no corpus and no folder {}", name), hint, nullptr};
}

}  // namespace

Result<fs::path> corpus_folder(const Settings& settings, const std::string& name) {
    if (retrieval::is_corpus_name(name)) return corpora_folder(settings) / name;
    return fail(Code::invalid_argument, fmt::format("\"{}\" cannot be the name of a corpus", name),
                "use letters, digits, - and _");
}

std::function<void(const retrieval::IngestProgress&)> show_ingest(ProgressBar& progress) {
    return [&progress](const retrieval::IngestProgress& at) {
        std::string line = fmt::format("{} of {} files, {} chunks, {:.0f} chunks/s", at.files_done, at.files_total,
                                       at.chunks, at.chunks_per_second);
        if (at.seconds_left > 0) line += fmt::format(", {} left", rough_time(at.seconds_left));
        progress.show(fmt::format("{}  {}", line, at.file), at.done);
    };
}

void tell_skipped(const std::vector<retrieval::SkippedFile>& skipped) {
    for (const auto& one : skipped) {
        const std::string hint = one.error.hint.empty() ? "" : fmt::format(" — {}", one.error.hint);
        say(fmt::format("left out {}: {}{}", visible(one.file), visible(one.error.describe()), visible(hint)));
    }
}

Task<Result<std::shared_ptr<const retrieval::Corpus>>> open_corpus(const Invocation& invocation,
                                                                   llm::Embedder& embedder,
                                                                   const std::string& name_or_folder) {
    const Settings& settings = invocation.settings();
    std::error_code error;
    if (const auto folder = corpus_folder(settings, name_or_folder); folder && fs::exists(*folder, error)) {
        co_return retrieval::Corpus::open(*folder);
    }
    if (!fs::is_directory(name_or_folder, error)) co_return fail(unknown_corpus(settings, name_or_folder));
    const fs::path corpus = corpus_of_folder(settings, name_or_folder);
    ProgressBar progress(invocation.quiet);
    retrieval::IngestOptions options;
    options.on_progress = show_ingest(progress);
    options.cancel = invocation.cancel;
    auto report = co_await retrieval::ingest({name_or_folder}, corpus, embedder, options);
    if (!report && (report.error().code == Code::corrupt || report.error().code == Code::unsupported ||
                    report.error().code == Code::conflict)) {
        // It is only a copy of the folder, so it is made again without asking.
        options.rebuild = true;
        report = co_await retrieval::ingest({name_or_folder}, corpus, embedder, options);
    }
    progress.clear();
    if (!report) co_return fail(report.error());
    if (!invocation.quiet) tell_skipped(report->skipped);
    co_return retrieval::Corpus::open(corpus);
}

Result<retrieval::IngestReport> make_demo_corpus(const Invocation& invocation, llm::Embedder& embedder,
                                                 ProgressBar& progress) {
    const auto documents = demo::documents_path(kDemoCorpus);
    if (!documents) return fail(documents.error());
    retrieval::IngestOptions options;
    options.rebuild = true;
    options.on_progress = show_ingest(progress);
    options.cancel = invocation.cancel;
    auto report = run_to_end(retrieval::ingest({*documents}, corpora_folder(invocation.settings()) / kDemoCorpus,
                                               embedder, std::move(options)));
    progress.clear();
    return report;
}

}  // namespace quaestor::cli
