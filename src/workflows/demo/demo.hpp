// The demo graph: estimates pi by throwing points at a square until the estimate is good enough. It needs no data, no
// model and no network, and uses what the runtime offers: a fan-out, a loop, reducers and, if asked, a question to a
// person. Threads: as every compiled graph.
#pragma once

#include "graph/graph.hpp"

#include <boost/describe/class.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace quaestor::workflows::demo {

/// Points thrown, and how many of them fell inside the circle.
struct Tally {
    std::int64_t inside = 0;
    std::int64_t thrown = 0;
};
BOOST_DESCRIBE_STRUCT(Tally, (), (inside, thrown))

[[nodiscard]] Tally add(Tally there, Tally more);

struct State {
    double tolerance = 0.005;  ///< asked for: half the width of the 95 % interval
    std::int64_t workers = 4;  ///< throwers at the same time
    std::int64_t seed = 1;
    bool review = false;  ///< ask a person before the answer is given

    std::int64_t round = 0;
    std::int64_t points = 0;  ///< each worker throws so many in this round
    Tally tally;
    double estimate = 0;
    double margin = 0;
    std::string answer;
    std::vector<std::string> notes;

    static constexpr auto kReducers = std::tuple{graph::reduce<&State::tally, add>, graph::append<&State::notes>};
};
BOOST_DESCRIBE_STRUCT(State, (),
                      (tolerance, workers, seed, review, round, points, tally, estimate, margin, answer, notes))

/// The graph `demo`.
[[nodiscard]] graph::CompiledGraph<State> make_graph();

}  // namespace quaestor::workflows::demo
