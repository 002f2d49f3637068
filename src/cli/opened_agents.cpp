#include "cli/opened_agents.hpp"

#include "base/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace quaestor::cli {

namespace {

json::object coverage_of_source(data::Source& source) {
    const auto catalog = run_to_end(source.catalog());
    if (!catalog) return {};
    std::int64_t rows = 0;
    for (const auto& table : (*catalog)->tables) rows += table.rows.value_or(0);
    return {{"tables", (*catalog)->tables.size()}, {"rows", rows}};
}

json::object coverage_of_corpus(const retrieval::Corpus& corpus) {
    std::string from;
    std::string to;
    const auto documents = corpus.documents();
    for (const auto& document : documents) {
        const std::string& date = document.metadata.date;
        if (date.empty()) continue;
        if (from.empty() || date < from) from = date;
        if (date > to) to = date;
    }
    json::object coverage{{"documents", documents.size()}};
    if (!from.empty()) {
        coverage["from"] = from;
        coverage["to"] = to;
    }
    return coverage;
}

json::object coverage_of(const OpenAgent& agent) {
    if (agent.corpus) return coverage_of_corpus(*agent.corpus);
    return agent.analyst ? coverage_of_source(agent.analyst->source()) : json::object();
}

}  // namespace

Result<std::shared_ptr<const OpenedAgents>> OpenedAgents::open(const Invocation& invocation) {
    const std::shared_ptr<OpenedAgents> all(new OpenedAgents(invocation));
    auto models = all->agents_.models();
    if (!models) return fail(models.error());
    all->models_ = *models;
    for (const auto& spec : all->agents_.specs()) {
        Entry entry{
            .listing = {.info = info_of(spec), .synthetic = spec.config.workflow != Workflow::cited && !spec.source},
            .opened = nullptr};
        if (auto opened = all->agents_.open({.agent = spec.name, .source = {}})) {
            entry.opened = *opened;
            entry.listing.coverage = coverage_of(**opened);
        } else {
            if (invocation.cancel.cancelled()) return fail(opened.error());
            entry.listing.available = false;
            entry.listing.reason = opened.error().describe();
        }
        all->entries_.push_back(std::move(entry));
    }
    return all;
}

std::vector<server::AgentListing> OpenedAgents::list() const {
    std::vector<server::AgentListing> listed;
    for (const auto& entry : entries_) listed.push_back(entry.listing);
    return listed;
}

Result<const workflows::Agent*> OpenedAgents::open(std::string_view name) const {
    std::vector<std::string> names;
    for (const auto& entry : entries_) {
        names.push_back(entry.listing.info.name);
        if (entry.listing.info.name != name) continue;
        if (entry.opened != nullptr) return entry.opened->agent.get();
        return fail(Code::unavailable, fmt::format("{} cannot be asked: {}", name, entry.listing.reason));
    }
    const auto meant = text::nearest(name, names);
    return fail(
        Code::not_found, fmt::format("there is no agent called \"{}\"", name),
        meant ? fmt::format("did you mean \"{}\"?", *meant) : fmt::format("there are: {}", fmt::join(names, ", ")));
}

Task<Result<server::AgentDirectory::Routed>> OpenedAgents::route(std::string question) const {
    co_return co_await routes_.get_or_compute(question, [&] { return best_for(question); });
}

Task<Result<server::AgentDirectory::Routed>> OpenedAgents::best_for(const std::string& question) const {
    Routed best;
    double best_fit = -1;
    std::vector<std::string> fits;
    for (const auto& entry : entries_) {
        if (entry.opened == nullptr) continue;
        const double fit = entries_.size() == 1 ? 1.0 : co_await entry.opened->agent->fit(question);
        fits.push_back(fmt::format("{} {:.2f}", entry.listing.info.name, fit));
        if (fit > best_fit) best.agent = entry.opened->agent.get();
        best_fit = std::max(best_fit, fit);
    }
    if (best.agent == nullptr) {
        co_return fail(Code::unavailable, "no agent can be asked", "GET /api/agents says why");
    }
    if (entries_.size() > 1) {
        best.reason = fmt::format("{} answers: its data fits the question best ({})", best.agent->info().name,
                                  fmt::join(fits, ", "));
    }
    co_return best;
}

Task<json::object> OpenedAgents::models() const {
    json::array shown;
    for (const auto& status : co_await models_->status(false)) {
        shown.push_back({{"name", status.name},
                         {"provider", encode(status.provider)},
                         {"model", status.model},
                         {"tiers", encode(status.tiers)},
                         {"has_key", status.has_key},
                         {"price", encode(status.price)},
                         {"per_minute", status.per_minute},
                         {"breaker", encode(status.health.breaker)}});
    }
    const bool is_native = shown.empty();
    co_return json::object{{"models", std::move(shown)}, {"native", is_native}};
}

std::map<std::string, CacheStats> OpenedAgents::caches() const {
    std::map<std::string, CacheStats> all{{"routes", routes_.stats()}};
    for (const auto& entry : entries_) {
        if (entry.opened != nullptr && entry.opened->analyst) {
            all[entry.listing.info.name + ".understood"] = entry.opened->analyst->understood_stats();
        }
    }
    return all;
}

Task<std::map<std::string, std::string>> OpenedAgents::breakers() const {
    std::map<std::string, std::string> all;
    for (const auto& status : co_await models_->status(false)) {
        all["model " + status.name] = std::string(encode(status.health.breaker).as_string());
    }
    co_return all;
}

Task<Result<json::object>> OpenedAgents::read(std::string corpus, std::string document) const {
    for (const auto& entry : entries_) {
        if (entry.opened == nullptr || !entry.opened->corpus || entry.listing.info.source != corpus) continue;
        const auto stored = entry.opened->corpus->documents();
        const auto found = std::ranges::find(stored, document, &retrieval::StoredDocument::name);
        if (found == stored.end()) break;
        auto text = entry.opened->corpus->text_of(document);
        if (!text) co_return fail(text.error());
        co_return json::object{{"corpus", corpus},
                               {"document", document},
                               {"name", document},
                               {"title", found->metadata.title},
                               {"date", found->metadata.date},
                               {"text", std::move(*text)}};
    }
    co_return fail(Code::not_found, fmt::format("there is no document \"{}\" in {}", document, corpus),
                   "it may have been taken out since it was cited; ask again");
}

}  // namespace quaestor::cli
