#include "cli/agents.hpp"

#include "base/text.hpp"
#include "cli/corpus_support.hpp"
#include "cli/interrupts.hpp"
#include "cli/reader_support.hpp"
#include "cli/source_support.hpp"
#include "demo/league.hpp"
#include "native/reading/knowledge.hpp"
#include "workflows/cited/librarian.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace quaestor::cli {

namespace {

namespace cited = workflows::cited;
namespace reflective = workflows::reflective;

constexpr std::string_view kAgentKey = "agent";
constexpr std::string_view kSourceKey = "agent_source";
constexpr std::string_view kCorpusKey = "agent_corpus";

std::optional<std::string> text_in(const json::object& metadata, std::string_view key) {
    const auto* value = metadata.if_contains(key);
    if (value == nullptr || !value->is_string()) return std::nullopt;
    return std::string(value->get_string());
}

/// That of what goes on now: an earlier Ctrl-C, after which the person went on, is over.
CancelToken cancel_now(const Invocation& invocation) {
    return invocation.interrupts != nullptr ? invocation.interrupts->token() : invocation.cancel;
}

}  // namespace

workflows::AgentInfo info_of(const AgentSpec& spec) {
    return {.name = spec.name,
            .workflow = std::string(encode(spec.config.workflow).as_string()),
            .about = spec.config.about,
            .source = spec.config.workflow == Workflow::cited ? spec.config.corpus : spec.config.source,
            .examples = spec.config.examples};
}

json::object thread_metadata(const AgentSpec& spec) {
    json::object metadata{{kAgentKey, spec.name}};
    if (spec.is_for_this_call && spec.config.workflow == Workflow::cited) {
        metadata[kCorpusKey] = spec.config.corpus;
    } else if (spec.is_for_this_call) {
        metadata[kSourceKey] = spec.source->url.empty() ? spec.source->path : spec.config.source;
    }
    return metadata;
}

Result<std::optional<AgentChoice>> agent_of_thread(store::Store& store, const std::string& thread_id) {
    auto newest =
        run_to_end(store.checkpoints().list({.thread_id = thread_id, .before = {}, .metadata = {}, .limit = 1}));
    if (!newest) return fail(newest.error());
    if (newest->empty() || !newest->front().metadata.contains(kAgentKey)) return std::nullopt;
    const auto& metadata = newest->front().metadata;
    return AgentChoice{.agent = text_in(metadata, kAgentKey),
                       .source = text_in(metadata, kSourceKey),
                       .corpus = text_in(metadata, kCorpusKey)};
}

std::vector<std::shared_ptr<const graph::AnyGraph>> agent_graphs() {
    return {std::make_shared<graph::CompiledGraph<reflective::State>>(reflective::make_graph(nullptr)),
            std::make_shared<graph::CompiledGraph<cited::State>>(cited::make_graph(nullptr))};
}

bool belongs_to_agent(std::string_view graph) {
    return decode<Workflow>(json::value(graph)).has_value();
}

Agents::Agents(const Invocation& invocation, TapeOptions tape)
    : invocation_(invocation),
      tape_(std::move(tape)),
      specs_(agent_specs(invocation.settings().sources, invocation.settings().agents, invocation.settings().corpora)),
      progress_(invocation.quiet) {}

Result<AgentSpec> Agents::find(const AgentChoice& choice) const {
    if (choice.source || choice.corpus) {
        auto spec = choice.source ? spec_for_source(*choice.source) : spec_for_corpus(*choice.corpus);
        if (choice.agent) spec.name = *choice.agent;
        return spec;
    }
    std::vector<std::string> names;
    for (const auto& spec : specs_) {
        if (spec.name == choice.agent) return spec;
        names.push_back(spec.name);
    }
    const auto meant = text::nearest(choice.agent.value_or(""), names);
    return fail(Code::not_found, fmt::format("there is no agent called \"{}\"", choice.agent.value_or("")),
                meant ? fmt::format("did you mean \"{}\"?", *meant)
                      : fmt::format("there are: {}; or name a database with --source, or documents with --corpus",
                                    fmt::join(names, ", ")));
}

Result<OpenAgent*> Agents::open(const AgentChoice& choice) {
    const auto spec = find(choice);
    if (!spec) return fail(spec.error());
    return open(*spec);
}

Result<OpenAgent*> Agents::open_only() {
    if (specs_.size() > 1) return nullptr;
    return open(specs_.front());
}

Result<OpenAgent*> Agents::open(const AgentSpec& spec) {
    auto& place = open_[spec.name + "\n" + (spec.source ? uri_of(*spec.source) : spec.config.corpus)];
    if (!place) {
        auto made = make(spec);
        progress_.clear();
        if (!made) return fail(made.error());
        place = std::move(*made);
    }
    return place.get();
}

Result<std::string> Agents::uri_for(const AgentSpec& spec) {
    if (spec.source) return uri_of(*spec.source);
    bool was_made = false;
    demo::LeagueOptions options;
    options.stop = cancel_now(invocation_);
    options.progress = [&](std::string_view what, double done) {
        if (!was_made && !invocation_.quiet && !progress_.is_shown()) say("Making the demo league, once …");
        was_made = true;
        progress_.show(fmt::format("making the demo league: {}", what), done);
    };
    return demo::ensure_league(invocation_.settings().data_dir, options);
}

Result<std::unique_ptr<OpenAgent>> Agents::make(const AgentSpec& spec) {
    return spec.config.workflow == Workflow::cited ? make_librarian(spec) : make_analyst(spec);
}

Result<std::unique_ptr<OpenAgent>> Agents::make_librarian(const AgentSpec& spec) {
    const auto models = language();
    if (!models) return fail(models.error());
    const auto embedder = run_to_end((*models)->models().embedder());
    if (!embedder) return fail(embedder.error());
    const std::string wanted = spec.corpus ? spec.corpus->path : spec.config.corpus;
    auto corpus = run_to_end(open_corpus(invocation_, **embedder, wanted));
    const bool is_demo = !spec.corpus && !spec.is_for_this_call && spec.config.corpus == kDemoCorpus;
    if (!corpus && corpus.error().code == Code::not_found && is_demo) {
        if (!invocation_.quiet) say("Reading the demo documents, once …");
        auto made = make_demo_corpus(invocation_, **embedder, progress_);
        if (!made) return fail(made.error());
        corpus = run_to_end(open_corpus(invocation_, **embedder, wanted));
    }
    if (!corpus) return fail(corpus.error());
    auto librarian = std::make_shared<cited::Librarian>(cited::Librarian::Parts{.info = info_of(spec),
                                                                                .corpus = *corpus,
                                                                                .embedder = *embedder,
                                                                                .models = &(*models)->models(),
                                                                                .thresholds = spec.config.confidence});
    return std::make_unique<OpenAgent>(spec, nullptr, cited::make_agent(std::move(librarian)), std::move(*corpus));
}

Result<std::unique_ptr<OpenAgent>> Agents::make_analyst(const AgentSpec& spec) {
    // The models that read questions take about as long as the source: both at once.
    if (!reader_parts_.valid()) reader_parts_ = std::async(std::launch::async, open_reader_parts).share();
    const auto uri = uri_for(spec);
    if (!uri) return fail(uri.error());
    auto settings = source_settings(invocation_, progress_);
    // Ctrl-C stops the opening; afterwards it stops one question, and the source stays for the next.
    CancelSource opening;
    const auto stopped = cancel_now(invocation_).on_cancel([&] { opening.cancel(CancelReason::user_request); });
    settings.cancel = opening.token();
    const bool has_annotations = spec.source && !spec.source->annotations.empty();
    settings.annotations =
        find_annotations(*uri, has_annotations ? std::optional(spec.source->annotations) : std::nullopt);
    auto source = open_named_source(*uri, std::move(settings));
    if (!source) return fail(source.error());
    auto knowledge = run_to_end(native::learn(**source, cancel_now(invocation_)));
    if (!knowledge) return fail(knowledge.error());
    const auto models = language();
    if (!models) return fail(models.error());
    const auto& parts = reader_parts_.get();
    if (!parts) return fail(parts.error());

    auto reader = std::make_unique<native::QuestionReader>(**source, std::move(*knowledge), *parts);
    data::QueryLimits limits;
    limits.rows = invocation_.settings().data.row_limit;
    limits.bytes = memory_limit_bytes(invocation_.settings().data);
    limits.timeout = invocation_.settings().data.timeout_ms;
    auto analyst = std::make_shared<reflective::Analyst>(reflective::Analyst::Parts{.info = info_of(spec),
                                                                                    .source = std::move(*source),
                                                                                    .reader = std::move(reader),
                                                                                    .models = &(*models)->models(),
                                                                                    .limits = limits});
    auto agent = reflective::make_agent(analyst);
    return std::make_unique<OpenAgent>(spec, std::move(analyst), std::move(agent));
}

Result<Language*> Agents::language() {
    if (!language_) {
        auto opened = Language::open(invocation_.settings(), tape_);
        if (!opened) return fail(opened.error());
        language_ = std::move(*opened);
    }
    return language_.get();
}

Result<llm::Models*> Agents::models() {
    const auto opened = language();
    if (!opened) return fail(opened.error());
    return &(*opened)->models();
}

Result<Agents::Routed> Agents::route(const std::string& question) {
    const auto only = open_only();
    if (!only) return fail(only.error());
    if (*only != nullptr) return Routed{*only, ""};
    Routed best;
    double best_fit = -1;
    std::optional<Error> problem;
    std::vector<std::string> fits;
    for (const auto& spec : specs_) {
        const auto opened = open(spec);
        if (!opened) {
            if (!invocation_.quiet) say(fmt::format("{} cannot be asked: {}", spec.name, opened.error().describe()));
            if (!problem) problem = opened.error();
            continue;
        }
        const double fit = run_to_end((*opened)->agent->fit(question));
        fits.push_back(fmt::format("{} {:.2f}", spec.name, fit));
        if (fit > best_fit) best.agent = *opened;
        best_fit = std::max(best_fit, fit);
    }
    if (best.agent == nullptr) return fail(*problem);
    best.reason =
        fmt::format("{} answers: its data fits the question best ({})", best.agent->spec.name, fmt::join(fits, ", "));
    return best;
}

}  // namespace quaestor::cli
