// room: graph
// expected: std::convertible_to<int, FieldType<&State::names> >' evaluated to false
#include "graph/update.hpp"

#include <boost/describe/class.hpp>

#include <string>
#include <vector>

struct State {
    std::vector<std::string> names;
};
BOOST_DESCRIBE_STRUCT(State, (), (names))

void use(quaestor::graph::Update<State>& update) {
#ifdef MISUSE
    update.replace<&State::names>(3);
#else
    update.replace<&State::names>({"a", "b", "c"});
#endif
}
