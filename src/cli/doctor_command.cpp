#include "cli/language_support.hpp"
#include "cli/run_support.hpp"
#include "cli/version.hpp"
#include "data/duckdb/handle.hpp"
#include "native/reading/choosing.hpp"
#include "native/text2sql_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <thread>

namespace quaestor::cli {

namespace {

constexpr std::uintmax_t kFreeBytesWanted = 100ULL * 1024 * 1024;

/// One thing that was looked at.
struct Finding {
    std::string what;
    bool is_good = true;
    std::string detail;
    std::string advice;
};
BOOST_DESCRIBE_STRUCT(Finding, (), (what, is_good, detail, advice))

Finding from_error(std::string what, const Error& error) {
    return {std::move(what), false, mask_secrets(error.describe()), std::string(error.advice())};
}

Finding check_configuration(const LoadedSettings& loaded) {
    return {"configuration", true, loaded.file.empty() ? "defaults; there is no quaestor.yaml here" : loaded.file, ""};
}

Finding check_disk(const Settings& settings) {
    std::error_code problem;
    std::filesystem::create_directories(settings.data_dir, problem);
    if (problem) {
        return {"data folder", false, fmt::format("{}: {}", settings.data_dir, problem.message()),
                "choose another with --data-dir, or make it writable"};
    }
    const auto space = std::filesystem::space(settings.data_dir, problem);
    if (problem || space.available < kFreeBytesWanted) {
        return {"data folder", false, fmt::format("{} has less than 100 MB free", settings.data_dir),
                "free some space, or choose another folder with --data-dir"};
    }
    return {"data folder", true,
            fmt::format("{}, {:.1f} GB free", settings.data_dir, static_cast<double>(space.available) / 1e9), ""};
}

Finding check_store(const Settings& settings) {
    auto store = open_configured_store(settings);
    if (!store) return from_error("store", store.error());
    auto health = run_to_end((*store)->health());
    if (!health) return from_error("store", health.error());
    return {"store", true,
            fmt::format("{} at {}, schema {}, {} threads, {} checkpoints, {:.1f} MB", health->backend, health->location,
                        health->schema_version, health->threads, health->checkpoints,
                        static_cast<double>(health->bytes) / 1e6),
            ""};
}

Finding check_duckdb() {
    const auto database = data::duck::Database::open(":memory:", {});
    if (!database) return from_error("duckdb", database.error());
    const auto connection = database->connect();
    if (!connection) return from_error("duckdb", connection.error());
    if (auto answer = connection->query("SELECT 1"); !answer) return from_error("duckdb", answer.error());
    return {"duckdb", true, fmt::format("DuckDB {}", duckdb_library_version()), ""};
}

/// What questions are read with when there is no language model.
Finding check_question_reader() {
    constexpr const char* kWhat = "parser";
    const auto path = native::text2sql_model_path();
    if (!path) return from_error(kWhat, path.error());
    if (const auto model = native::Text2SqlModel::open(*path); !model) return from_error(kWhat, model.error());
    if (const auto choice = native::ChoiceModel::bundled(); !choice) return from_error(kWhat, choice.error());
    std::error_code unknown;
    const auto bytes = std::filesystem::file_size(*path, unknown);
    return {kWhat, true, fmt::format("{}, {:.1f} MB", *path, static_cast<double>(unknown ? 0 : bytes) / 1e6), ""};
}

Finding check_graphs(const graph::GraphRegistry& graphs) {
    return {"graphs", true, fmt::format("{} compiled", graphs.all().size()), ""};
}

/// Keys that are set although no model uses them: probably a person who has not configured one yet.
std::string unused_key(const llm::LlmConfig& config) {
    for (const char* name : {"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"}) {
        if (config.models.empty() && environment().contains(name)) {
            return fmt::format("{} is set; quaestor models says how to use it", name);
        }
    }
    return {};
}

std::vector<Finding> check_models(const Settings& settings, Language& language) {
    if (settings.llm.models.empty()) {
        return {{"models", true, "none configured; Quaestor answers with its own engine", unused_key(settings.llm)}};
    }
    std::vector<Finding> findings;
    for (const auto& status : run_to_end(language.models().status(true, Deadline::after(system_clock(), kProbeTime)))) {
        const std::string what = fmt::format("model {}", status.name);
        if (status.problem) {
            findings.push_back(from_error(what, *status.problem));
        } else {
            findings.push_back({what, true, fmt::format("{} answers", status.model), ""});
        }
    }
    return findings;
}

Finding check_embeddings(Language& language) {
    const auto row = run_to_end([&]() -> Task<Result<std::string>> {
        auto embedder = co_await language.models().embedder();
        if (!embedder) co_return fail(embedder.error());
        const auto embedded = co_await (*embedder)->embed({"hello"});
        if (!embedded) co_return fail(embedded.error());
        co_return fmt::format("{}, {} dimensions", (*embedder)->name(), embedded->dimensions());
    }());
    if (!row) return from_error("embeddings", row.error());
    return {"embeddings", true, *row, ""};
}

void check_language(const Settings& settings, std::vector<Finding>& findings) {
    auto language = Language::open(settings, {});
    if (!language) {
        findings.push_back(from_error("models", language.error()));
        return;
    }
    std::ranges::move(check_models(settings, **language), std::back_inserter(findings));
    findings.push_back(check_embeddings(**language));
}

}  // namespace

CommandResult doctor(const Invocation& invocation) {
    std::vector<Finding> findings{
        {"program", true, fmt::format("quaestor {}, {} cores", kVersion, std::thread::hardware_concurrency()), ""},
        check_configuration(invocation.loaded),
        check_disk(invocation.settings()),
        check_store(invocation.settings()),
        check_duckdb(),
        check_question_reader(),
        check_graphs(invocation.graphs),
    };
    check_language(invocation.settings(), findings);
    const bool is_well = std::ranges::all_of(findings, &Finding::is_good);
    if (invocation.json) {
        print_json({{"ok", is_well}, {"findings", encode(findings)}});
    } else {
        for (const auto& finding : findings) {
            fmt::print("{} {:<14} {}\n", finding.is_good ? styled("✓", Style::green) : styled("✗", Style::red),
                       finding.what, finding.detail);
            if (!finding.advice.empty()) fmt::print("  {:<14} {}\n", "", finding.advice);
        }
    }
    return is_well ? ExitCode::done : ExitCode::dependency_failed;
}

}  // namespace quaestor::cli
