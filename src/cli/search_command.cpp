#include "base/text.hpp"
#include "cli/corpus_support.hpp"
#include "cli/language_support.hpp"
#include "retrieval/search.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace quaestor::cli {

namespace {

constexpr std::size_t kExcerptColumns = 200;

/// Fields that do not apply are absent.
json::object chunk_json(std::size_t place, const retrieval::ChunkResult& chunk) {
    json::object line{{"n", place}, {"document", chunk.document}};
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty()) line.emplace(name, value);
    };
    add("title", chunk.title);
    add("type", chunk.type);
    add("date", chunk.date);
    add("section", chunk.section);
    if (chunk.page > 0) line.emplace("page", chunk.page);
    line.emplace("chunk_id", chunk.chunk_id);
    line.emplace("start", chunk.start);
    line.emplace("end", chunk.end);
    line.emplace("score", chunk.score);
    line.emplace("text", chunk.text);
    return line;
}

void print_lines(const retrieval::SearchReport& report) {
    for (std::size_t i = 0; i < report.chunks.size(); ++i) {
        const auto& chunk = report.chunks[i];
        json::object line = chunk_json(i + 1, chunk);
        if (report.explanation) {
            line.emplace("fused", chunk.fused);
            line.emplace("features", encode(chunk.features));
            line.emplace("dense_rank", chunk.dense_rank);
            line.emplace("keyword_rank", chunk.keyword_rank);
        }
        print_data(to_text(line) + "\n");
    }
    if (report.explanation) print_data(to_text({{"explanation", encode(*report.explanation)}}) + "\n");
}

std::string rank_text(std::size_t rank) {
    return rank == 0 ? "–" : fmt::format("{}", rank);
}

void print_chunk(std::size_t place, const retrieval::ChunkResult& chunk, bool explain) {
    std::string where = chunk.document;
    if (!chunk.date.empty()) where += ", " + chunk.date;
    if (!chunk.section.empty()) where += ", §" + chunk.section;
    if (chunk.page > 0) where += fmt::format(", page {}", chunk.page);
    print_text(fmt::format("{} {} {} (chunk {})\n", styled(fmt::format("[{}]", place), Style::bold),
                           styled(fmt::format("{:.2f}", chunk.score), Style::green), visible(where), chunk.chunk_id));
    print_text(fmt::format("    {}\n", visible(text::shorten(text::trim(chunk.text), kExcerptColumns))));
    if (!explain) return;
    print_text(
        styled(fmt::format("    meaning {:.3f} (rank {}), words {:.3f} (rank {}), coverage {:.2f}, fused {:.4f}\n",
                           chunk.features.dense, rank_text(chunk.dense_rank), chunk.features.keyword,
                           rank_text(chunk.keyword_rank), chunk.features.coverage, chunk.fused),
               Style::dim));
}

void print_report(const retrieval::SearchReport& report) {
    for (std::size_t i = 0; i < report.chunks.size(); ++i) {
        print_chunk(i + 1, report.chunks[i], report.explanation.has_value());
    }
    if (!report.explanation) return;
    const auto& how = *report.explanation;
    print_text(fmt::format("words looked for: {}\n", visible(fmt::format("{}", fmt::join(how.terms, ", ")))));
    print_text(fmt::format("{} searched, {} measured after the sketches, {} left out as copies\n",
                           counted(static_cast<std::int64_t>(how.chunks_searched), "chunk"),
                           counted(static_cast<std::int64_t>(how.vectors_rescored), "vector"), how.near_duplicates));
    print_text(fmt::format("recall against an exact search {:.3f}; {:.2f} ms\n", how.recall, how.search_ms));
}

}  // namespace

CommandResult search(const Invocation& invocation, const SearchCommandOptions& options) {
    auto language = Language::open(invocation.settings(), {});
    if (!language) return fail(language.error());
    const retrieval::SearchRequest request{.query = options.query,
                                           .filter = {.from = options.from, .to = options.to, .type = options.type},
                                           .top = options.top,
                                           .neighbours = options.neighbours,
                                           .explain = options.explain};
    const auto report = run_to_end([&]() -> Task<Result<retrieval::SearchReport>> {
        const auto embedder = co_await (*language)->models().embedder();
        if (!embedder) co_return fail(embedder.error());
        const auto corpus = co_await open_corpus(invocation, **embedder, options.corpus);
        if (!corpus) co_return fail(corpus.error());
        co_return co_await retrieval::search(**corpus, **embedder, request, invocation.cancel);
    }());
    if (!report) return fail(report.error());
    if (invocation.json) {
        print_lines(*report);
    } else {
        print_report(*report);
    }
    if (!report->chunks.empty()) return ExitCode::done;
    if (!invocation.quiet) say("nothing was found: no document passes the filter");
    return ExitCode::not_answered;
}

}  // namespace quaestor::cli
