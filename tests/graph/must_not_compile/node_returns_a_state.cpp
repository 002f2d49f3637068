// room: graph
// expected: a node returns Update<State> or Task<Update<State>>
#include "graph/graph.hpp"

#include <boost/describe/class.hpp>

struct State {
    int number = 0;
};
BOOST_DESCRIBE_STRUCT(State, (), (number))

void use(quaestor::graph::Graph<State>& graph) {
#ifdef MISUSE
    graph.node("double", [](const State& state) { return State{2 * state.number}; });
#else
    graph.node("double", [](const State& state) {
        return quaestor::graph::Update<State>().set<&State::number>(2 * state.number);
    });
#endif
}
