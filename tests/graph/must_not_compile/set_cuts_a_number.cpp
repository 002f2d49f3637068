// room: graph
// expected: implicit conversion turns floating-point number into integer: 'double' to 'FieldType<&State::number>'
#include "graph/update.hpp"

#include <boost/describe/class.hpp>

struct State {
    long number = 0;
};
BOOST_DESCRIBE_STRUCT(State, (), (number))

void use(quaestor::graph::Update<State>& update) {
#ifdef MISUSE
    update.set<&State::number>(2.5);
#else
    update.set<&State::number>(2);
#endif
}
