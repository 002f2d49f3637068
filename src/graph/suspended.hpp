// Thrown by Context::interrupt() to leave a node that waits for a person; caught by the engine and by nobody else.
// Not a std::exception, so that a node's own error handling does not swallow it.
// Threads: thrown and caught on the run's executor.
#pragma once

#include "base/json.hpp"

#include <string>

namespace quaestor::graph {

struct Suspended {
    json::value question;
    std::string problem;
};

}  // namespace quaestor::graph
