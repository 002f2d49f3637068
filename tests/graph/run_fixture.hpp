// A small state and everything a run needs, for tests that build their graphs in C++.
// Owned by the test.
// Threads: one, unless a test says otherwise.
#pragma once

#include "graph/graph.hpp"
#include "store/memory.hpp"
#include "test_loop.hpp"

#include <boost/describe/class.hpp>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace quaestor::graph {

struct Notes {
    std::vector<std::string> log;
    std::string route;
    std::vector<int> items;

    static constexpr auto kReducers = std::tuple{append<&Notes::log>};
};
BOOST_DESCRIBE_STRUCT(Notes, (), (log, route, items))

using NotesUpdate = Update<Notes>;

inline NotesUpdate note(std::string text) {
    return NotesUpdate().add<&Notes::log>(std::move(text));
}

/// The graph, or a failed test.
template <class State>
CompiledGraph<State> must_compile(Graph<State>& graph, Clock& clock = system_clock()) {
    auto compiled = graph.compile(clock);
    if (!compiled) throw std::logic_error(compiled.error().describe());
    return std::move(*compiled);
}

class RunTest : public testing::Test {
protected:
    /// A graph of one node, or of several in a row.
    template <class... Bodies>
    CompiledGraph<Notes> in_a_row(Bodies... bodies) {
        Graph<Notes> graph("row");
        int number = 0;
        std::string last(kStart);
        const auto add = [&](auto body) {
            std::string name = fmt::format("n{}", ++number);
            graph.node(name, std::move(body)).edge(last, name);
            last = name;
        };
        (add(std::move(bodies)), ...);
        graph.edge(last, kEnd);
        return must_compile(graph, loop_.clock);
    }

    /// Without a store.
    RunOptions options() {
        RunOptions options;
        options.thread_id = "thread";
        options.cancel = cancel_.token();
        options.clock = &loop_.clock;
        options.random = &random_;
        return options;
    }

    RunOptions saved(Durability durability = Durability::sync) {
        auto with_store = options();
        with_store.checkpoints = &store_->checkpoints();
        with_store.durability = durability;
        return with_store;
    }

    std::vector<CheckpointInfo> checkpoints() {
        return loop_.run(store_->checkpoints().list({.thread_id = "thread", .limit = 1'000})).value();
    }

    TestLoop loop_;
    SeededRandom random_{1};
    CancelSource cancel_;
    std::unique_ptr<store::Store> store_ = store::open_memory();
};

}  // namespace quaestor::graph
