#include "base/text.hpp"
#include "llm/models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace quaestor::llm {

namespace {

constexpr double kTemperatureMax = 2;

bool is_web_address(std::string_view url) {
    return url.starts_with("http://") || url.starts_with("https://");
}

/// Collects what is wrong, each with its place below llm.
class Problems {
public:
    void add(std::string_view place, std::string_view what, std::string hint = {}) {
        found_.push_back(
            Error{Code::invalid_argument, fmt::format("llm.{}: {}", place, what), std::move(hint), nullptr});
    }
    void require(bool holds, std::string_view place, std::string_view what, std::string hint = {}) {
        if (!holds) add(place, what, std::move(hint));
    }
    [[nodiscard]] std::vector<Error> take() && { return std::move(found_); }

private:
    std::vector<Error> found_;
};

void check_rate(const RateLimitSettings& rate, const std::string& place, Problems& problems) {
    problems.require(rate.per_minute >= 1, place + ".per_minute", "must be at least 1");
    problems.require(rate.burst >= 1, place + ".burst", "must be at least 1");
}

void check_guard(const GuardSettings& guard, const std::string& place, Problems& problems) {
    using std::chrono::milliseconds;
    problems.require(guard.timeout > milliseconds(0), place + ".timeout", "must be more than 0 milliseconds");
    problems.require(guard.concurrency >= 1, place + ".concurrency", "must be at least 1");
    problems.require(guard.breaker.failure_limit >= 1, place + ".breaker.failure_limit", "must be at least 1");
    problems.require(guard.retry.attempts >= 1, place + ".retry.attempts", "must be at least 1",
                     "1 means that nothing is tried again");
    check_rate(guard.rate, place + ".rate", problems);
}

void check_model(const std::string& name, const ModelConfig& model, Problems& problems) {
    const std::string place = "models." + name;
    const bool is_local = model.provider == Provider::llama;
    problems.require(!model.model.empty(), place + ".model", "is missing",
                     is_local ? "give the path of a GGUF file" : "give the provider's name of the model");
    problems.require(model.provider != Provider::compatible || !model.base_url.empty(), place + ".base_url",
                     "is missing", "a compatible server has an address, such as http://127.0.0.1:11434/v1");
    problems.require(model.base_url.empty() || is_web_address(model.base_url), place + ".base_url",
                     "must begin with http:// or https://");
    problems.require(!is_local || model.base_url.empty(), place + ".base_url", "has no meaning for a file",
                     "leave it out, or use provider compatible for a server");
    problems.require(!model.temperature || (*model.temperature >= 0 && *model.temperature <= kTemperatureMax),
                     place + ".temperature", fmt::format("must be from 0 to {}", kTemperatureMax));
    problems.require(!model.max_tokens || *model.max_tokens >= 1, place + ".max_tokens", "must be at least 1");
    const Price& price = model.price;
    problems.require(price.input >= 0 && price.cached_input >= 0 && price.output >= 0, place + ".price",
                     "must not be negative");
    check_guard(model.guard, place + ".guard", problems);
}

void check_tier(const LlmConfig& config, const std::vector<std::string>& tier, std::string_view name,
                Problems& problems) {
    std::vector<std::string> known;
    for (const auto& model : config.models) known.push_back(model.first);
    std::set<std::string_view> seen;
    for (std::size_t index = 0; index < tier.size(); ++index) {
        const std::string place = fmt::format("{}[{}]", name, index);
        if (!config.models.contains(tier[index])) {
            const auto meant = text::nearest(tier[index], known);
            problems.add(place, fmt::format("there is no model \"{}\"", text::shorten(tier[index], 64)),
                         meant           ? fmt::format("did you mean \"{}\"?", *meant)
                         : known.empty() ? "define it under llm.models"
                                         : fmt::format("there are: {}", fmt::join(known, ", ")));
        } else if (!seen.insert(tier[index]).second) {
            problems.add(place, fmt::format("\"{}\" is named twice", tier[index]), "each model stands in once");
        }
    }
}

void check_tiers(const LlmConfig& config, Problems& problems) {
    check_tier(config, config.frontier, "frontier", problems);
    check_tier(config, config.lightweight, "lightweight", problems);
    if (!config.frontier.empty()) return;
    if (!config.lightweight.empty()) {
        problems.add("frontier", "is empty while llm.lightweight is not", "name the same models in both, or others");
    } else if (!config.models.empty()) {
        problems.add("frontier", "names no model, so none of llm.models is ever asked",
                     fmt::format("frontier: [{}]", config.models.begin()->first));
    }
}

void check_embeddings(const EmbeddingConfig& embeddings, Problems& problems) {
    problems.require(!embeddings.model.empty(), "embeddings.model", "is missing",
                     "say \"bundled\", the path of a GGUF file, or an endpoint's name of the model");
    problems.require(embeddings.base_url.empty() || is_web_address(embeddings.base_url), "embeddings.base_url",
                     "must begin with http:// or https://");
    problems.require(embeddings.threads >= 1, "embeddings.threads", "must be at least 1");
}

}  // namespace

std::vector<Error> problems_of(const LlmConfig& config) {
    Problems problems;
    for (const auto& [name, model] : config.models) check_model(name, model, problems);
    check_tiers(config, problems);
    check_rate(config.rate, "rate", problems);
    const QuestionBudget& budget = config.budget;
    problems.require(budget.calls >= 0 && budget.tokens >= 0 && budget.cost_usd >= 0, "budget", "must not be negative",
                     "0 means no bound");
    check_embeddings(config.embeddings, problems);
    return std::move(problems).take();
}

}  // namespace quaestor::llm
