// room: graph
// expected: constraints not satisfied for variable template 'kFieldIndex' [with State = State, Member = &Other::number]
#include "graph/update.hpp"

#include <boost/describe/class.hpp>

struct State {
    int number = 0;
};
BOOST_DESCRIBE_STRUCT(State, (), (number))

struct Other {
    int number = 0;
};
BOOST_DESCRIBE_STRUCT(Other, (), (number))

void use(quaestor::graph::Update<State>& update) {
#ifdef MISUSE
    update.set<&Other::number>(1);
#else
    update.set<&State::number>(1);
#endif
}
