#include "base/yaml.hpp"
#include "cli/corpus_support.hpp"
#include "cli/language_support.hpp"
#include "retrieval/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace quaestor::cli {

namespace {

/// Chunks of each question that the map learns from.
constexpr std::size_t kChunksLearnt = 10;
constexpr std::size_t kQuestionsMax = 100'000;

struct LabelledQuestion {
    std::string question;
    std::vector<std::string> documents;  ///< that answer it; none: no document does
};

Result<std::string> read_whole(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text(kYamlBytesMax + 1, '\0');  // one more than parse_yaml() takes, so that it refuses what is cut off
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file.is_open() || file.bad()) {
        return fail(Code::not_found, fmt::format("cannot read the questions {}", path), "check the path");
    }
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

void add_names(const json::value* names, std::vector<std::string>& out) {
    if (names == nullptr || !names->is_array()) return;
    for (const auto& name : names->get_array()) {
        if (name.is_string()) out.emplace_back(name.get_string());
    }
}

/// {question, documents: […]}, or with expected_documents: {all_of: […], any_of: […]}. Conversations are passed over.
std::optional<LabelledQuestion> labelled(const json::value& item) {
    const auto* fields = item.if_object();
    const auto* question = fields == nullptr ? nullptr : fields->if_contains("question");
    if (question == nullptr || !question->is_string()) return std::nullopt;
    LabelledQuestion read{.question = std::string(question->get_string())};
    add_names(fields->if_contains("documents"), read.documents);
    if (const auto* expected = fields->if_contains("expected_documents"); expected && expected->is_object()) {
        add_names(expected->get_object().if_contains("all_of"), read.documents);
        add_names(expected->get_object().if_contains("any_of"), read.documents);
    }
    return read;
}

Result<std::vector<LabelledQuestion>> read_questions(const std::string& path) {
    const auto text = read_whole(path);
    if (!text) return fail(text.error());
    const auto document = parse_yaml(*text);
    if (!document) return fail(document.error());
    std::vector<LabelledQuestion> questions;
    if (const auto* items = document->if_array()) {
        for (const auto& item : *items) {
            if (auto question = labelled(item); question && questions.size() < kQuestionsMax) {
                questions.push_back(std::move(*question));
            }
        }
    }
    if (!questions.empty()) return questions;
    return fail(Code::invalid_argument, fmt::format("{} holds no labelled questions", path),
                "a list of {question: …, documents: [file names that answer it]}");
}

bool answers(const LabelledQuestion& question, const retrieval::ChunkResult& chunk) {
    const std::string file = std::filesystem::path(chunk.document).filename().string();
    return std::ranges::any_of(question.documents,
                               [&](const std::string& name) { return name == chunk.document || name == file; });
}

/// How surely a map tells both kinds apart: the mean probability of each.
struct Means {
    double answer = 0;
    double other = 0;
};

Means means_of(const retrieval::Relevance& relevance, const std::vector<retrieval::LabelledFeatures>& examples) {
    Means sums;
    double answer_count = 0;
    for (const auto& example : examples) {
        (example.is_answer ? sums.answer : sums.other) += relevance.probability(example.features);
        answer_count += example.is_answer ? 1 : 0;
    }
    const double other_count = static_cast<double>(examples.size()) - answer_count;
    return {sums.answer / std::max(answer_count, 1.0), sums.other / std::max(other_count, 1.0)};
}

Task<Result<std::vector<retrieval::LabelledFeatures>>> examples_for(const retrieval::Corpus& corpus,
                                                                    llm::Embedder& embedder,
                                                                    std::vector<LabelledQuestion> questions,
                                                                    CancelToken cancel, ProgressBar& progress) {
    std::vector<retrieval::LabelledFeatures> examples;
    double done = 0;
    for (const auto& question : questions) {
        progress.show("asking", done++ / static_cast<double>(questions.size()));
        const auto found = co_await retrieval::search(
            corpus, embedder, {.query = question.question, .filter = {}, .top = kChunksLearnt}, cancel);
        if (!found) co_return fail(found.error());
        for (const auto& chunk : found->chunks) examples.push_back({chunk.features, answers(question, chunk)});
    }
    progress.clear();
    co_return examples;
}

void print_calibration(const Invocation& invocation, const retrieval::Relevance& relevance, std::size_t examples,
                       const Means& before, const Means& after) {
    if (invocation.json) {
        const auto means = [](const Means& of) { return json::value{{"answers", of.answer}, {"others", of.other}}; };
        return print_json({{"relevance", encode(relevance)},
                           {"examples", examples},
                           {"before", means(before)},
                           {"after", means(after)}});
    }
    Table table{.columns = {{"mean score of"}, {"before", true}, {"after", true}}, .rows = {}};
    table.rows.push_back(
        {"chunks that answer", fmt::format("{:.2f}", before.answer), fmt::format("{:.2f}", after.answer)});
    table.rows.push_back({"others", fmt::format("{:.2f}", before.other), fmt::format("{:.2f}", after.other)});
    print_text(draw(table, terminal_width()));
    if (!invocation.quiet) {
        say(fmt::format("Fitted to {} and kept with the corpus.",
                        counted(static_cast<std::int64_t>(examples), "example")));
    }
}

}  // namespace

CommandResult eval_calibrate(const Invocation& invocation, const EvalCalibrateOptions& options) {
    const auto folder = corpus_folder(invocation.settings(), options.corpus);
    if (!folder) return fail(folder.error());
    auto questions = read_questions(options.questions);
    if (!questions) return fail(questions.error());
    const auto corpus = retrieval::Corpus::open(*folder);
    if (!corpus) return fail(corpus.error());
    auto language = Language::open(invocation.settings(), {});
    if (!language) return fail(language.error());
    const auto embedder = run_to_end((*language)->models().embedder());
    if (!embedder) return fail(embedder.error());
    ProgressBar progress(invocation.quiet);
    const auto examples =
        run_to_end(examples_for(**corpus, **embedder, std::move(*questions), invocation.cancel, progress));
    if (!examples) return fail(examples.error());
    const auto fitted = retrieval::fit_relevance(*examples);
    if (!fitted) return fail(fitted.error());
    if (auto stored = retrieval::store_relevance(*folder, *fitted); !stored) return fail(stored.error());
    print_calibration(invocation, *fitted, examples->size(), means_of((*corpus)->relevance(), *examples),
                      means_of(*fitted, *examples));
    return ExitCode::done;
}

}  // namespace quaestor::cli
