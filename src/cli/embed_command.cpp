#include "cli/language_support.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quaestor::cli {

namespace {

constexpr std::size_t kValuesShown = 6;

json::value embeddings_json(const llm::Embedder& embedder, const llm::Embeddings& rows) {
    json::array vectors;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        vectors.emplace_back(json::array(rows[i].begin(), rows[i].end()));
    }
    return {{"model", embedder.name()}, {"dimensions", rows.dimensions()}, {"vectors", std::move(vectors)}};
}

std::string first_values(std::span<const float> row) {
    std::string text;
    for (const float value : row.first(std::min(kValuesShown, row.size()))) text += fmt::format("{:8.4f}", value);
    return text + " …";
}

/// Each text with its vector's first values and, where there are several, how near it is to the first.
void print_rows(const std::vector<std::string>& texts, const llm::Embeddings& rows) {
    Table table{.columns = {{"text"}, {"cosine with the first", true}, {"vector"}}, .rows = {}};
    for (std::size_t i = 0; i < rows.size(); ++i) {
        table.rows.push_back({texts[i], fmt::format("{:.3f}", llm::cosine(rows[0], rows[i])), first_values(rows[i])});
    }
    print_text(draw_to_fit(table, terminal_width(), "text"));
}

}  // namespace

CommandResult embed(const Invocation& invocation, const EmbedOptions& options) {
    auto language = Language::open(invocation.settings(), options.tape);
    if (!language) return fail(language.error());
    llm::Embedder* used = nullptr;
    const auto rows = run_to_end([&]() -> Task<Result<llm::Embeddings>> {
        auto embedder = co_await (*language)->models().embedder();
        if (!embedder) co_return fail(embedder.error());
        used = *embedder;
        co_return co_await used->embed(options.texts, invocation.cancel);
    }());
    if (!rows) return fail(rows.error());
    if (invocation.json) {
        print_json(embeddings_json(*used, *rows));
    } else {
        print_text(fmt::format("{}, {} dimensions\n", used->name(), rows->dimensions()));
        print_rows(options.texts, *rows);
    }
    return ExitCode::done;
}

}  // namespace quaestor::cli
