#include "cli/agent_config.hpp"

#include "base/text.hpp"
#include "demo/league.hpp"
#include "retrieval/corpus.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace quaestor::cli {

namespace {

constexpr std::string_view kDemoAgent = "nba";
constexpr std::string_view kDemoReader = "fomc";

bool is_postgres_url(std::string_view uri) {
    return uri.starts_with("postgres://") || uri.starts_with("postgresql://");
}

Result<> check_source(const std::string& name, const SourceConfig& source) {
    const auto refuse = [&](std::string_view problem) {
        return fail(Code::invalid_argument, fmt::format("sources.{} {}", name, problem),
                    "a source has the path of a file or folder, or the url of a PostgreSQL database");
    };
    if (name.empty()) return refuse("needs a name");
    if (source.path.empty() == source.url.empty()) return refuse("needs either a path or a url");
    const bool is_postgres = source.type == SourceType::postgres;
    if (source.type && is_postgres != source.path.empty()) {
        return refuse(is_postgres ? "is of type postgres and needs a url" : "has a url and so is of type postgres");
    }
    return {};
}

Result<> check_corpus(const std::string& name, const CorpusConfig& corpus) {
    if (!retrieval::is_corpus_name(name)) {
        return fail(Code::invalid_argument, fmt::format("corpora: \"{}\" cannot be the name of a corpus", name),
                    "use letters, digits, - and _");
    }
    if (!corpus.path.empty()) return {};
    return fail(Code::invalid_argument, fmt::format("corpora.{} needs a path", name),
                "a corpus has the path of a folder of documents");
}

bool is_over_documents(const AgentConfig& agent) {
    return agent.workflow == Workflow::cited || (agent.source.empty() && !agent.corpus.empty());
}

Result<> check_reader(const std::string& name, const AgentConfig& agent) {
    const auto refuse = [&](std::string_view problem, std::string hint) {
        return fail(Code::invalid_argument, fmt::format("agents.{}{}", name, problem), std::move(hint));
    };
    const auto& levels = agent.confidence;
    if (!retrieval::is_corpus_name(agent.corpus)) {
        return refuse(".corpus: the workflow cited needs a corpus",
                      "name one of those under corpora, or one that quaestor ingest made");
    }
    if (!agent.source.empty()) return refuse(".source: the workflow cited has a corpus and no source", "leave it out");
    const bool is_rising = 0 <= levels.low && levels.low <= levels.medium && levels.medium <= levels.high;
    if (is_rising && levels.high <= 1) return {};
    return refuse(".confidence: low, medium and high must rise from 0 to 1", "{high: 0.55, medium: 0.4, low: 0.25}");
}

Result<> check_agent(const std::string& name, const AgentConfig& agent, const SourceConfigs& sources) {
    if (name.empty()) return fail(Code::invalid_argument, "agents: an agent needs a name", "nba: {source: nba}");
    if (is_over_documents(agent)) return check_reader(name, agent);
    if (agent.source == kDemoSource || sources.contains(agent.source)) return {};
    std::vector<std::string> names{std::string(kDemoSource)};
    for (const auto& [known, source] : sources) names.push_back(known);
    const auto meant = text::nearest(agent.source, names);
    return fail(Code::invalid_argument,
                fmt::format("agents.{}.source: there is no source called \"{}\"", name, agent.source),
                meant ? fmt::format("did you mean \"{}\"?", *meant) : "name one of those under sources");
}

AgentConfig demo_config() {
    return {
        .workflow = Workflow::reflective,
        .source = std::string(kDemoSource),
        .about = fmt::format("{}: teams, players, games, standings and drafts of a basketball league that never was.",
                             demo::kLeagueTitle),
        .examples = {"Which team won the most games in 2023?", "Who scored the most points in 2022?",
                     "How many games did the Lakers win at home in 2023?"}};
}

AgentConfig demo_reader_config() {
    return {.workflow = Workflow::cited,
            .source = {},
            .corpus = std::string(kDemoCorpus),
            .about = "Summaries, written for this program, of meetings of the Federal Open Market Committee.",
            .examples = {"What was the target range after the July 2023 meeting?",
                         "How did the target range change in 2022?", "Who voted against the decision in June 2022?"}};
}

AgentSpec reader_spec(const std::string& name, AgentConfig config, const CorpusConfigs& corpora) {
    AgentSpec spec{.name = name, .config = std::move(config)};
    spec.config.workflow = Workflow::cited;
    if (const auto found = corpora.find(spec.config.corpus); found != corpora.end()) spec.corpus = found->second;
    const bool is_demo = !spec.corpus && spec.config.corpus == kDemoCorpus;
    if (spec.config.about.empty()) {
        spec.config.about = is_demo ? demo_reader_config().about
                                    : fmt::format("Answers questions about the documents of {}.", spec.config.corpus);
    }
    if (spec.config.examples.empty() && is_demo) spec.config.examples = demo_reader_config().examples;
    return spec;
}

AgentSpec spec_of(const std::string& name, AgentConfig config, const SourceConfigs& sources,
                  const CorpusConfigs& corpora) {
    if (is_over_documents(config)) return reader_spec(name, std::move(config), corpora);
    AgentSpec spec{.name = name, .config = std::move(config)};
    if (const auto found = sources.find(spec.config.source); found != sources.end()) spec.source = found->second;
    if (spec.config.about.empty()) {
        spec.config.about =
            spec.source ? fmt::format("Answers questions about {}.", spec.config.source) : demo_config().about;
    }
    if (spec.config.examples.empty() && !spec.source) spec.config.examples = demo_config().examples;
    return spec;
}

}  // namespace

Result<> check(const SourceConfigs& sources, const AgentConfigs& agents, const CorpusConfigs& corpora) {
    for (const auto& [name, corpus] : corpora) {
        if (auto checked = check_corpus(name, corpus); !checked) return checked;
    }
    for (const auto& [name, source] : sources) {
        if (auto checked = check_source(name, source); !checked) return checked;
    }
    for (const auto& [name, agent] : agents) {
        if (auto checked = check_agent(name, agent, sources); !checked) return checked;
    }
    return {};
}

std::vector<AgentSpec> agent_specs(const SourceConfigs& sources, const AgentConfigs& agents,
                                   const CorpusConfigs& corpora) {
    std::vector<AgentSpec> specs;
    for (const auto& [name, config] : agents) specs.push_back(spec_of(name, config, sources, corpora));
    if (!specs.empty()) return specs;
    for (const auto& [name, source] : sources) specs.push_back(spec_of(name, {.source = name}, sources, corpora));
    for (const auto& [name, corpus] : corpora) {
        specs.push_back(reader_spec(name, {.workflow = Workflow::cited, .source = {}, .corpus = name}, corpora));
    }
    if (!specs.empty()) return specs;
    specs.push_back(spec_of(std::string(kDemoAgent), demo_config(), sources, corpora));
    specs.push_back(reader_spec(std::string(kDemoReader), demo_reader_config(), corpora));
    return specs;
}

AgentSpec spec_for_corpus(const std::string& name_or_folder) {
    std::string name = std::filesystem::path(name_or_folder).lexically_normal().filename().string();
    if (name.empty()) name = std::filesystem::path(name_or_folder).lexically_normal().parent_path().filename().string();
    return {.name = name.empty() ? "documents" : name,
            .config = {.workflow = Workflow::cited,
                       .source = {},
                       .corpus = name_or_folder,
                       .about = fmt::format("Answers questions about the documents of {}.", name_or_folder)},
            .is_for_this_call = true};
}

AgentSpec spec_for_source(const std::string& uri) {
    const std::string shown = mask_secrets(uri);  // before the whole of it becomes a secret
    SourceConfig source;
    std::string name = "source";
    if (is_postgres_url(uri)) {
        source.url = Secret(uri);
    } else {
        std::error_code unknown;
        source.path = std::filesystem::absolute(uri, unknown).lexically_normal().string();
        const auto stem = std::filesystem::path(
                              source.path.ends_with('/') ? source.path.substr(0, source.path.size() - 1) : source.path)
                              .stem()
                              .string();
        if (!stem.empty()) name = stem;
    }
    return {.name = std::move(name),
            .config = {.workflow = Workflow::reflective,
                       .source = shown,
                       .about = fmt::format("Answers questions about {}.", shown)},
            .source = std::move(source),
            .is_for_this_call = true};
}

const std::string& uri_of(const SourceConfig& source) {
    return source.url.empty() ? source.path : source.url.reveal();
}

}  // namespace quaestor::cli
