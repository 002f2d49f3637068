#include "workflows/demo/demo.hpp"

#include "base/worker_pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace quaestor::workflows::demo {

namespace {

using graph::Context;
using graph::kEnd;
using graph::kStart;
using graph::Update;

constexpr std::int64_t kWorkersMax = 1'000;
constexpr std::int64_t kPointsFirst = 20'000;
constexpr std::int64_t kPointsMax = 2'000'000;
constexpr std::int64_t kRoundsMax = 30;
/// More than all workers of all rounds, so that no two runs with different seeds throw the same points.
constexpr std::uint64_t kSeedStride = 1'000'003;

/// What one worker is to do.
struct Batch {
    std::uint64_t seed = 0;
    std::int64_t points = 0;
};
BOOST_DESCRIBE_STRUCT(Batch, (), (seed, points))

struct Question {
    std::string question;
    std::vector<std::string> options;
};
BOOST_DESCRIBE_STRUCT(Question, (), (question, options))

enum class Verdict { accept, refine };
BOOST_DESCRIBE_ENUM(Verdict, accept, refine)

Update<State> plan(const State& state) {
    if (!(state.tolerance > 0) || state.workers < 1 || state.workers > kWorkersMax) {
        return Error{Code::invalid_argument,
                     fmt::format("cannot plan with a tolerance of {} and {} workers", state.tolerance, state.workers),
                     fmt::format("the tolerance must be above 0, and workers between 1 and {}", kWorkersMax)};
    }
    if (state.round < 0 || state.round >= kRoundsMax) {
        return Error{Code::invalid_argument, fmt::format("cannot plan after round {}", state.round),
                     fmt::format("the round must be between 0 and {}", kRoundsMax - 1)};
    }
    const auto points = std::min(kPointsMax, kPointsFirst << std::min<std::int64_t>(state.round, 10));
    return Update<State>{}
        .set<&State::round>(state.round + 1)
        .set<&State::points>(points)
        .add<&State::notes>(
            fmt::format("round {}: {} workers throw {} points each", state.round + 1, state.workers, points));
}

std::vector<Batch> batches(const State& state) {
    // A fork may have put anything into the state since it was planned.
    const auto workers = std::min(state.workers, kWorkersMax);
    const auto points = std::clamp<std::int64_t>(state.points, 0, kPointsMax);
    auto seed = static_cast<std::uint64_t>(state.seed) * kSeedStride +
                static_cast<std::uint64_t>(state.round) * static_cast<std::uint64_t>(kWorkersMax);
    std::vector<Batch> batches;
    for (std::int64_t worker = 0; worker < workers; ++worker) batches.push_back({seed++, points});
    return batches;
}

Tally throw_batch(const Batch& batch) {
    SeededRandom random(batch.seed);
    Tally tally{0, batch.points};
    for (std::int64_t i = 0; i < batch.points; ++i) {
        const double x = random.fraction();
        const double y = random.fraction();
        if (x * x + y * y < 1) ++tally.inside;
    }
    return tally;
}

/// The node that throws; it computes on a pool, because the event loop never blocks.
auto throw_points_on(std::shared_ptr<WorkerPool> pool) {
    return [pool](const State&, const Batch& batch, Context& context) -> Task<Update<State>> {
        const Tally tally = co_await pool->run([batch] { return throw_batch(batch); });
        co_await context.emit("tally", encode(tally));
        co_return Update<State>{}.set<&State::tally>(tally);
    };
}

Update<State> combine(const State& state) {
    if (state.tally.inside < 0 || state.tally.thrown < std::max<std::int64_t>(1, state.tally.inside)) {
        return Error{
            Code::invalid_argument,
            fmt::format("{} of {} points inside the circle makes no sense", state.tally.inside, state.tally.thrown),
            "fork from a checkpoint before the points were thrown"};
    }
    const double share = static_cast<double>(state.tally.inside) / static_cast<double>(state.tally.thrown);
    const double margin = 4 * 1.96 * std::sqrt(share * (1 - share) / static_cast<double>(state.tally.thrown));
    return Update<State>{}.set<&State::estimate>(4 * share).set<&State::margin>(margin).add<&State::notes>(
        fmt::format("round {}: pi is about {:.5f} ± {:.5f}", state.round, 4 * share, margin));
}

std::string_view precise_enough(const State& state) {
    if (state.margin > state.tolerance && state.round < kRoundsMax) return "plan";
    return state.review ? "ask_user" : "report";
}

Update<State> ask_user(const State& state, Context& context) {
    const auto verdict = context.interrupt<Verdict>(
        Question{fmt::format("The estimate is {:.5f} ± {:.5f}. Is that good enough?", state.estimate, state.margin),
                 {"accept", "refine"}});
    Update<State> update;
    update.add<&State::notes>(fmt::format("the person said: {}", verdict == Verdict::accept ? "accept" : "refine"));
    // Half of what was reached, which may be better than what was asked for: so there is always something left to do.
    if (verdict == Verdict::refine) update.set<&State::tolerance>(std::min(state.tolerance, state.margin) / 2);
    return update;
}

std::string_view after_review(const State& state) {
    return state.margin > state.tolerance && state.round < kRoundsMax ? "plan" : "report";
}

Update<State> report(const State& state) {
    return Update<State>{}.set<&State::answer>(fmt::format(
        "pi is {:.5f} ± {:.5f}, from {} of {} points that fell inside the circle, in {} round{}", state.estimate,
        state.margin, state.tally.inside, state.tally.thrown, state.round, state.round == 1 ? "" : "s"));
}

}  // namespace

Tally add(Tally there, Tally more) {
    return {there.inside + more.inside, there.thrown + more.thrown};
}

graph::CompiledGraph<State> make_graph() {
    auto compiled = graph::Graph<State>("demo")
                        .node("plan", plan)
                        .node("throw_points", throw_points_on(std::make_shared<WorkerPool>()))
                        .node("combine", combine)
                        .node("ask_user", ask_user)
                        .node("report", report)
                        .edge(kStart, "plan")
                        .fan_out("plan", batches, "throw_points", {.join = "combine"})
                        .branch("combine", precise_enough, {"plan", "ask_user", "report"})
                        .branch("ask_user", after_review, {"plan", "report"})
                        .edge("report", kEnd)
                        .compile();
    if (!compiled) throw std::logic_error(compiled.error().describe());
    return std::move(*compiled);
}

}  // namespace quaestor::workflows::demo
