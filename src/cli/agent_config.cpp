#include "cli/agent_config.hpp"

#include "base/text.hpp"
#include "demo/league.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace quaestor::cli {

namespace {

constexpr std::string_view kDemoAgent = "nba";

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

Result<> check_agent(const std::string& name, const AgentConfig& agent, const SourceConfigs& sources) {
    if (name.empty()) return fail(Code::invalid_argument, "agents: an agent needs a name", "nba: {source: nba}");
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

AgentSpec spec_of(const std::string& name, AgentConfig config, const SourceConfigs& sources) {
    AgentSpec spec{.name = name, .config = std::move(config), .source = {}};
    if (const auto found = sources.find(spec.config.source); found != sources.end()) spec.source = found->second;
    if (spec.config.about.empty()) {
        spec.config.about =
            spec.source ? fmt::format("Answers questions about {}.", spec.config.source) : demo_config().about;
    }
    if (spec.config.examples.empty() && !spec.source) spec.config.examples = demo_config().examples;
    return spec;
}

}  // namespace

Result<> check(const SourceConfigs& sources, const AgentConfigs& agents) {
    for (const auto& [name, source] : sources) {
        if (auto checked = check_source(name, source); !checked) return checked;
    }
    for (const auto& [name, agent] : agents) {
        if (auto checked = check_agent(name, agent, sources); !checked) return checked;
    }
    return {};
}

std::vector<AgentSpec> agent_specs(const SourceConfigs& sources, const AgentConfigs& agents) {
    std::vector<AgentSpec> specs;
    for (const auto& [name, config] : agents) specs.push_back(spec_of(name, config, sources));
    if (!specs.empty()) return specs;
    for (const auto& [name, source] : sources) {
        specs.push_back(spec_of(name, {.workflow = Workflow::reflective, .source = name}, sources));
    }
    if (specs.empty()) specs.push_back(spec_of(std::string(kDemoAgent), demo_config(), sources));
    return specs;
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
