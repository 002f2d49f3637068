// room: graph
// expected: constraints not satisfied for variable template 'kFieldIndex' [with State = State, Member = &State::hidden]
#include "graph/update.hpp"

#include <boost/describe/class.hpp>

struct State {
    int shown = 0;
    int hidden = 0;
};
BOOST_DESCRIBE_STRUCT(State, (), (shown))

void use(quaestor::graph::Update<State>& update) {
#ifdef MISUSE
    update.set<&State::hidden>(1);
#else
    update.set<&State::shown>(1);
#endif
}
