#include "cited_kit.hpp"

#include "llm/llama/llama.hpp"
#include "retrieval/ingest.hpp"
#include "workflows/cited/searching.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace quaestor::workflows::cited {

namespace {

llm::Embedder& shared_embedder() {
    static const auto kEmbedder = llm::open_llama_embedder({.path = llm::bundled_embedder_path().value()}).value();
    return *kEmbedder;
}

}  // namespace

CitedKit::CitedKit(const std::filesystem::path& documents, bool with_model) {
    open(documents, with_model);
}

CitedKit::CitedKit(const Files& files, bool with_model) {
    const auto folder = folder_.path() / "documents";
    std::filesystem::create_directories(folder);
    for (const auto& [name, text] : files) std::ofstream(folder / name, std::ios::binary) << text;
    open(folder, with_model);
}

void CitedKit::open(const std::filesystem::path& documents, bool with_model) {
    clock_.set("2026-01-05");
    llm::LlmConfig config;
    if (with_model) {
        config.models["told"] = {
            .provider = llm::Provider::compatible, .model = "told", .base_url = "http://127.0.0.1:1/v1"};
        config.models["told"].guard.retry.attempts = 1;
        config.frontier = {"told"};
    }
    models_ = llm::Models::open(config, {http_, system_clock(), system_random()}).value();
    const auto corpus = folder_.path() / "corpus";
    const auto report = run_to_end(retrieval::ingest({documents}, corpus, shared_embedder()));
    EXPECT_TRUE(report.has_value()) << report.error().describe();
    librarian_ = std::make_shared<Librarian>(
        Librarian::Parts{.info = {"fomc", "cited", "Documents.", "fomc", {"What was decided?"}},
                         .corpus = retrieval::Corpus::open(corpus).value(),
                         .embedder = &shared_embedder(),
                         .models = models_.get(),
                         .clock = &clock_});
    agent_ = make_agent(librarian_);
    store_ = store::open_store({.backend = store::Backend::memory}).value();
}

Answer CitedKit::ask(const std::string& question, std::string& thread) {
    auto answer = run_to_end(workflows::ask(*agent_, *store_, {question, thread, {}, {}}));
    if (!answer) {
        Answer failed;
        failed.answer = answer.error().describe();
        return failed;
    }
    thread = answer->thread_id;
    return *answer;
}

Answer CitedKit::ask(const std::string& question) {
    std::string thread;
    return ask(question, thread);
}

std::vector<std::string> CitedKit::first_documents(const std::string& question, std::size_t count) {
    const auto dates = read_dates(question, {librarian_->dates(), librarian_->today(), {}});
    const std::string topic = dates.topic.empty() ? question : dates.topic;
    const auto found = run_to_end(find_passages(
        *librarian_,
        {.query = query_for(*librarian_, topic), .dates = dates, .order = librarian_->extractor().read(topic).order},
        {}));
    std::vector<std::string> names;
    for (const auto& chunk : found.value()) {
        const std::string name = std::filesystem::path(chunk.document).filename().string();
        const bool is_known = std::ranges::find(names, name) != names.end();
        if (!is_known && names.size() < count) names.push_back(name);
    }
    return names;
}

}  // namespace quaestor::workflows::cited
