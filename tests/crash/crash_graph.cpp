#include "crash_graph.hpp"

#include "graph/graph.hpp"

#include <boost/describe/class.hpp>
#include <fmt/format.h>

#include <exception>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace quaestor::crash {

namespace {

using graph::kEnd;
using graph::kStart;

constexpr int kParts = 8;
constexpr int kComputation = 1'000;  ///< turns of the digest for one effect

std::int64_t sum(std::int64_t there, std::int64_t change) {
    return there + change;
}

struct Ledger {
    int rounds = kRounds;
    int round = 0;
    std::vector<std::string> effects;
    std::int64_t counter = 0;
    std::uint64_t digest = 0;
    std::vector<std::uint64_t> parts;  ///< digests of the fan-out's tasks

    static constexpr auto kReducers = std::tuple{graph::append<&Ledger::effects>, graph::reduce<&Ledger::counter, &sum>,
                                                 graph::append<&Ledger::parts>};
};
BOOST_DESCRIBE_STRUCT(Ledger, (), (rounds, round, effects, counter, digest, parts))

using Change = graph::Update<Ledger>;

/// Mixes `text` into `digest`, taking its time.
std::uint64_t mix(std::uint64_t digest, std::string_view text) {
    constexpr std::uint64_t kOddFactor = 0x9E3779B97F4A7C15;
    for (int turn = 0; turn < kComputation; ++turn) {
        for (const char letter : text) digest = (digest ^ static_cast<unsigned char>(letter)) * kOddFactor;
        digest ^= digest >> 29;
    }
    return digest;
}

Change mark(std::string effect) {
    return Change().set<&Ledger::counter>(1).add<&Ledger::effects>(std::move(effect));
}

/// A node that leaves its name and mixes it into the digest.
auto step(const std::string& name) {
    return [name](const Ledger& ledger) { return mark(name).set<&Ledger::digest>(mix(ledger.digest, name)); };
}

Change grind(const Ledger& ledger) {
    const std::string effect = fmt::format("grind {}", ledger.round);
    return mark(effect).set<&Ledger::digest>(mix(ledger.digest, effect));
}

Change inspect(const Ledger& ledger) {
    return mark(fmt::format("inspect {}", ledger.round)).set<&Ledger::round>(ledger.round + 1);
}

std::string after_inspection(const Ledger& ledger) {
    return ledger.round < ledger.rounds ? "grind" : "spread";
}

std::vector<int> all_parts(const Ledger&) {
    std::vector<int> parts;
    for (int part = 0; part < kParts; ++part) parts.push_back(part);
    return parts;
}

Change carry(const Ledger& ledger, const int& part) {
    const std::string effect = fmt::format("carry {}", part);
    return mark(effect).add<&Ledger::parts>(mix(ledger.digest, effect));
}

Change collect(const Ledger& ledger) {
    std::uint64_t digest = ledger.digest;
    for (const auto part : ledger.parts) digest = mix(digest ^ part, "collect");
    return mark("collect").set<&Ledger::digest>(digest);
}

graph::CompiledGraph<Ledger> make_graph() {
    graph::Graph<Ledger> builder("crash");
    for (const std::string name : {"gather", "sort", "weigh", "spread", "settle", "close"}) {
        builder.node(name, step(name));
    }
    builder.node("grind", &grind).node("inspect", &inspect).node("carry", &carry).node("collect", &collect);
    builder.edge(kStart, "gather").edge("gather", "sort").edge("sort", "weigh").edge("weigh", "grind");
    builder.edge("grind", "inspect").branch("inspect", &after_inspection, {"grind", "spread"});
    builder.fan_out("spread", &all_parts, "carry", {.join = "collect"});
    builder.edge("collect", "settle").edge("settle", "close").edge("close", kEnd);
    auto compiled = builder.compile();
    if (!compiled) throw std::logic_error(compiled.error().describe());
    return std::move(*compiled);
}

Task<graph::AnyResult> run_or_resume(const graph::AnyGraph& graph, graph::RunOptions options, int rounds) {
    const auto newest = co_await options.checkpoints->get(options.thread_id);
    if (newest && !*newest) co_return co_await graph.run_json({{"rounds", rounds}}, std::move(options));
    auto result = co_await graph.resume_json(std::move(options), {});
    // Its process died after the last step was stored, before it could tell.
    if (result.error && result.error->code == Code::conflict) {
        result.status = graph::RunStatus::finished;
        result.error.reset();
    }
    co_return result;
}

Task<> listen(graph::EventStream& events, const std::function<void(const graph::Event&)>& hear) {
    while (const auto event = co_await events.next()) hear(*event);
}

}  // namespace

graph::AnyResult run_or_resume(graph::RunOptions options, int rounds,
                               const std::function<void(const graph::Event&)>& hear) {
    static const auto kGraph = make_graph();
    asio::io_context loop(1);
    graph::EventStream events(loop.get_executor(), graph::ReaderGone::finish_run, 1);
    options.events = &events;
    const auto rethrow = [](const std::exception_ptr& thrown) {
        if (thrown) std::rethrow_exception(thrown);
    };
    graph::AnyResult result;
    asio::co_spawn(loop, listen(events, hear), rethrow);
    asio::co_spawn(loop, run_or_resume(kGraph, std::move(options), rounds),
                   [&](const std::exception_ptr& thrown, graph::AnyResult ended) {
                       rethrow(thrown);
                       result = std::move(ended);
                   });
    loop.run();
    return result;
}

store::StoreSettings settings_for(std::string location) {
    store::StoreSettings settings;
    if (location.starts_with("postgres://")) {
        settings.backend = store::Backend::postgres;
        settings.url = Secret(std::move(location));
    } else {
        settings.path = std::move(location);
    }
    return settings;
}

}  // namespace quaestor::crash
