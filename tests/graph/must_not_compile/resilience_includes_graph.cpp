// room: resilience
// expected: 'graph/shape.hpp' file not found
#ifdef MISUSE
#include "graph/shape.hpp"
#else
#include "resilience/deadline.hpp"
#endif
