// Engine overhead: trivial nodes, so what is measured is the runtime. The variants are those of the peer's benchmark.
// usage: graph_bench VARIANT|all [--n=N] [--rounds=R] [--durability=sync|async|exit] [--postgres=URL]
// Prints one JSON line per variant: value is the median over the rounds, with min and max beside it.
#include "base/json.hpp"
#include "base/task.hpp"
#include "bench_kit.hpp"
#include "graph/graph.hpp"
#include "store/store.hpp"

#include <boost/asio/detached.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <malloc.h>
#include <map>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

using namespace quaestor;
using namespace quaestor::graph;
using namespace quaestor::bench;

namespace {

struct State {
    int count = 0;
    std::vector<std::string> log;

    static constexpr auto kReducers = std::tuple{append<&State::log>};
};
BOOST_DESCRIBE_STRUCT(State, (), (count, log))

struct Settings {
    std::string variant = "all";
    int n = 0;  ///< runs a round; 0: the variant's own
    int rounds = 5;
    Durability durability = Durability::async;
    std::string postgres_url;
};

auto step(std::string name) {
    return [name](const State& state, Context&) -> Task<Update<State>> {
        co_return Update<State>{}.set<&State::count>(state.count + 1).add<&State::log>(name);
    };
}

template <class Middle>
CompiledGraph<State> linear(Middle middle) {
    Graph<State> graph("linear");
    graph.edge(kStart, "n0");
    for (int i = 0; i < 10; ++i) {
        const auto name = fmt::format("n{}", i);
        if (i == 5) {
            graph.node(name, middle);
        } else {
            graph.node(name, step(name));
        }
        graph.edge(name, i == 9 ? std::string(kEnd) : fmt::format("n{}", i + 1));
    }
    return checked(graph.compile());
}

CompiledGraph<State> linear() {
    return linear(step("n5"));
}

/// agent -> tools -> agent …: 30 full cycles and the last agent turn, 61 node steps.
CompiledGraph<State> agent_loop() {
    return checked(Graph<State>("loop")
                       .node("agent", step("agent"))
                       .node("tools", step("tools"))
                       .edge(kStart, "agent")
                       .branch("agent",
                               [](const State& state) { return state.count < 61 ? std::string_view("tools") : kEnd; },
                               {"tools", std::string(kEnd)})
                       .edge("tools", "agent")
                       .compile());
}

/// split, 8 workers in one superstep, join: 10 node steps.
CompiledGraph<State> fan_out() {
    return checked(Graph<State>("fanout")
                       .node("split", step("split"))
                       .node("work",
                             [](const State&, const int& item, Context&) -> Task<Update<State>> {
                                 co_return Update<State>{}.add<&State::log>(fmt::format("w{}", item));
                             })
                       .node("join", step("join"))
                       .edge(kStart, "split")
                       .fan_out("split", [](const State&) { return std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}; }, "work",
                                {.join = "join"})
                       .edge("join", kEnd)
                       .compile());
}

double cpu_us() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto us = [](const timeval& time) {
        return 1e6 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec);
    };
    return us(usage.ru_utime) + us(usage.ru_stime);
}

/// Runs the graph n times a round, one run after another; microseconds per node step, one value a round.
std::vector<double> time_steps(const CompiledGraph<State>& graph, const Settings& settings, int n, int nodes,
                               const std::function<store::Store*()>& store_for_round, double* cpu) {
    std::vector<double> values;
    int thread = 0;
    for (int round = -1; round < settings.rounds; ++round) {  // round -1 warms up
        store::Store* store = store_for_round();
        const double began = now_us();
        const double cpu_began = cpu_us();
        run_to_end([&]() -> Task<> {
            for (int i = 0; i < n; ++i) {
                RunOptions options;
                options.durability = settings.durability;
                if (store != nullptr) {
                    options.checkpoints = &store->checkpoints();
                    options.thread_id = fmt::format("t{}", thread++);
                }
                auto result = co_await graph.run(Update<State>{}, std::move(options));
                if (result.error) give_up(result.error->describe());
                if (result.state.log.size() != static_cast<std::size_t>(nodes)) give_up("wrong final state");
            }
        }());
        if (round < 0) continue;
        values.push_back((now_us() - began) / (n * nodes));
        *cpu = (cpu_us() - cpu_began) / (n * nodes);
    }
    return values;
}

void bench_plain(const std::string& variant, const CompiledGraph<State>& graph, const Settings& settings, int n,
                 int nodes) {
    n = settings.n > 0 ? settings.n : n;
    double cpu = 0;
    auto values = time_steps(graph, settings, n, nodes, [] { return nullptr; }, &cpu);
    emit(variant, "step_time", values, "us/node_step", n * nodes, {{"cpu", cpu}});
}

void bench_store(const std::string& variant, store::StoreSettings where, const Settings& settings, int n) {
    n = settings.n > 0 ? settings.n : n;
    auto store = checked(store::open_store(where));
    const auto store_for_round = [&] {  // as the peer does: a fresh store in memory for each round, one file for all
        if (where.backend == store::Backend::memory) store = checked(store::open_store(where));
        return store.get();
    };
    double cpu = 0;
    auto values = time_steps(linear(), settings, n, 10, store_for_round, &cpu);
    auto health = checked(run_to_end(store->health()));
    emit(variant, "step_time", values, "us/node_step", n * 10,
         {{"durability", encode(settings.durability)},
          {"fsync", where.fsync},
          {"cpu", cpu},
          {"checkpoints", health.checkpoints}});
}

void bench_sqlite(const std::string& variant, bool fsync, Settings settings, int n) {
    TemporaryFolder folder;
    store::StoreSettings where;
    where.backend = store::Backend::sqlite;
    where.path = (folder.path / "bench.sqlite").string();
    where.fsync = fsync;
    bench_store(variant, where, settings, n);
}

/// Events read by a listener while the graph runs.
void bench_stream(const Settings& settings) {
    const int n = settings.n > 0 ? settings.n : 1'000;
    const auto graph = linear();
    std::vector<double> values;
    for (int round = -1; round < settings.rounds; ++round) {
        int updates = 0;
        const double began = now_us();
        run_to_end([&]() -> Task<> {
            auto executor = co_await asio::this_coro::executor;
            for (int i = 0; i < n; ++i) {
                EventStream events(executor);
                RunOptions options;
                options.events = &events;
                asio::co_spawn(
                    executor, [&]() -> Task<> { co_await graph.run(Update<State>{}, options); }, asio::detached);
                while (auto event = co_await events.next()) updates += event->kind == EventKind::node_end;
            }
        }());
        if (updates != n * 10) give_up(fmt::format("expected {} updates, saw {}", n * 10, updates));
        if (round >= 0) values.push_back(updates / ((now_us() - began) / 1e6));
    }
    emit("stream", "updates_rate", values, "events/s", n * 10);
}

double resident_bytes() {
    std::ifstream statm("/proc/self/statm");
    long size = 0;
    long resident = 0;
    statm >> size >> resident;
    return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// Resident memory per run with n runs all waiting inside the sixth node.
void bench_rss(const Settings& settings) {
    const int n = settings.n > 0 ? settings.n : 1'000;
    asio::io_context loop(1);
    asio::steady_timer gate(loop, asio::steady_timer::time_point::max());
    int waiting = 0;
    int ended = 0;
    const auto graph = linear([&](const State& state, Context&) -> Task<Update<State>> {
        ++waiting;
        boost::system::error_code ignored;
        co_await gate.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        co_return Update<State>{}.set<&State::count>(state.count + 1).add<&State::log>("n5");
    });
    const auto begin_runs = [&](int runs) {
        for (int i = 0; i < runs; ++i) {
            asio::co_spawn(
                loop,
                [&]() -> Task<> {
                    auto run = graph.run(Update<State>{});  // apart, so that its options are not kept while it waits
                    auto result = co_await std::move(run);
                    if (result.state.log.size() != 10) give_up("wrong final state");
                    ++ended;
                },
                asio::detached);
        }
        while (waiting < runs) loop.run_one();
    };
    begin_runs(20);
    gate.cancel();
    while (ended < 20) loop.run_one();
    waiting = 0;
    loop.restart();
    malloc_trim(0);
    const double before = resident_bytes();
    begin_runs(n);
    const double after = resident_bytes();
    gate.cancel();
    loop.run();
    if (ended != n + 20) give_up("runs were lost");
    emit("rss", "rss_per_suspended_run", {(after - before) / n}, "bytes/run", n,
         {{"rss_mib_before", before / 1048576}});
}

Settings parse(int count, char** arguments) {
    Settings settings;
    for (int i = 1; i < count; ++i) {
        const std::string argument = arguments[i];
        const auto value = [&](std::string_view name) {
            return argument.starts_with(name) ? argument.substr(name.size()) : "";
        };
        if (auto n = value("--n="); !n.empty()) {
            settings.n = std::stoi(n);
        } else if (auto rounds = value("--rounds="); !rounds.empty()) {
            settings.rounds = std::stoi(rounds);
        } else if (auto durability = value("--durability="); !durability.empty()) {
            settings.durability = checked(decode<Durability>(json::value(durability)));
        } else if (auto url = value("--postgres="); !url.empty()) {
            settings.postgres_url = url;
        } else {
            settings.variant = argument;
        }
    }
    return settings;
}

}  // namespace

int main(int count, char** arguments) {
    const Settings settings = parse(count, arguments);
    store::StoreSettings memory;
    memory.backend = store::Backend::memory;
    store::StoreSettings postgres;
    postgres.backend = store::Backend::postgres;
    postgres.url = Secret(settings.postgres_url);
    const std::map<std::string, std::function<void()>> variants{
        {"linear", [&] { bench_plain("linear", linear(), settings, 20'000, 10); }},
        {"loop", [&] { bench_plain("loop", agent_loop(), settings, 4'000, 61); }},
        {"fanout", [&] { bench_plain("fanout", fan_out(), settings, 10'000, 10); }},
        {"memory", [&] { bench_store("memory", memory, settings, 1'000); }},
        {"sqlite", [&] { bench_sqlite("sqlite", false, settings, 500); }},
        {"sqlite_fsync", [&] { bench_sqlite("sqlite_fsync", true, settings, 500); }},
        {"postgres", [&] { bench_store("postgres", postgres, settings, 200); }},
        {"stream", [&] { bench_stream(settings); }},
        {"rss", [&] { bench_rss(settings); }},
    };
    if (settings.variant != "all") {
        const auto variant = variants.find(settings.variant);
        if (variant == variants.end()) give_up("unknown variant " + settings.variant);
        variant->second();
        return 0;
    }
    for (const auto& [name, run] : variants) {
        if (name != "postgres" || !settings.postgres_url.empty()) run();
    }
}
