#include "cli/language_support.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>

namespace quaestor::cli {

namespace {

constexpr std::string_view kHowToConfigure =
    "No model is configured: Quaestor answers with its own engine.\n"
    "To use one, put this into quaestor.yaml, with a name of your own:\n"
    "\n"
    "llm:\n"
    "  models:\n"
    "    mini: {provider: openai, model: gpt-5-mini}   # or anthropic, google, compatible, llama\n"
    "  frontier: [mini]\n"
    "\n"
    "and set OPENAI_API_KEY (ANTHROPIC_API_KEY, GEMINI_API_KEY). See docs/models.md.\n";

std::string tiers_of(const llm::ModelStatus& status) {
    std::vector<std::string_view> names;
    for (const auto tier : status.tiers) names.push_back(boost::describe::enum_to_string(tier, ""));
    return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

std::string price_of(const llm::Price& price) {
    if (price.input == 0 && price.output == 0) return "";
    return fmt::format("{:g} / {:g}", price.input, price.output);
}

Table::Cell state_of(const llm::ModelStatus& status, bool probed) {
    if (!status.has_key) return {"no key", Style::red};
    if (status.problem) return {"does not answer", Style::red};
    if (status.health.breaker != Breaker::State::closed) return {"resting after failures", Style::yellow};
    return probed ? Table::Cell("answers", Style::green) : Table::Cell("not asked");
}

void print_models(const std::vector<llm::ModelStatus>& all, bool probed) {
    Table table{.columns = {{"name"},
                            {"provider"},
                            {"model"},
                            {"tier"},
                            {"$ per million in / out", true},
                            {"calls a minute", true},
                            {"state"}},
                .rows = {}};
    for (const auto& status : all) {
        table.rows.push_back({status.name, std::string(boost::describe::enum_to_string(status.provider, "")),
                              status.model, tiers_of(status), price_of(status.price), std::to_string(status.per_minute),
                              state_of(status, probed)});
    }
    print_text(draw_to_fit(table, terminal_width(), "model"));
    for (const auto& status : all) {
        if (!status.problem) continue;
        print_text(fmt::format("{}: {}\n  {}\n", status.name, visible(mask_secrets(status.problem->describe())),
                               visible(status.problem->advice())));
    }
}

json::value status_json(const llm::ModelStatus& status, bool probed) {
    json::object object{{"name", status.name},
                        {"provider", boost::describe::enum_to_string(status.provider, "")},
                        {"model", status.model},
                        {"tiers", encode(status.tiers)},
                        {"has_key", status.has_key},
                        {"price", encode(status.price)},
                        {"per_minute", status.per_minute},
                        {"breaker", encode(status.health.breaker)}};
    if (probed) object["answers"] = status.has_key && !status.problem;
    if (status.problem) object["problem"] = encode(*status.problem);
    return object;
}

}  // namespace

CommandResult models(const Invocation& invocation, const ModelsOptions& options) {
    auto language = Language::open(invocation.settings(), {});
    if (!language) return fail(language.error());
    const bool probes = !options.offline;
    const auto all = run_to_end((*language)->models().status(probes, Deadline::after(system_clock(), kProbeTime)));
    const bool is_well = std::ranges::none_of(
        all, [](const llm::ModelStatus& status) { return status.problem.has_value() || !status.has_key; });
    if (invocation.json) {
        json::array listed;
        for (const auto& status : all) listed.push_back(status_json(status, probes));
        print_json({{"models", std::move(listed)},
                    {"embeddings", encode(invocation.settings().llm.embeddings)},
                    {"prompts", encode(invocation.settings().llm.prompts)}});
    } else if (all.empty()) {
        print_text(kHowToConfigure);
    } else {
        print_models(all, probes);
    }
    return is_well ? ExitCode::done : ExitCode::dependency_failed;
}

}  // namespace quaestor::cli
