// room: graph
// expected: std::convertible_to<const char (&)[5], FieldType<&State::number> >' evaluated to false
#include "graph/update.hpp"

#include <boost/describe/class.hpp>

struct State {
    long number = 0;
};
BOOST_DESCRIBE_STRUCT(State, (), (number))

void use(quaestor::graph::Update<State>& update) {
#ifdef MISUSE
    update.set<&State::number>("many");
#else
    update.set<&State::number>(1);
#endif
}
