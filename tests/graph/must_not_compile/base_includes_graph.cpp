// room: base
// expected: 'graph/shape.hpp' file not found
#ifdef MISUSE
#include "graph/shape.hpp"
#else
#include "base/error.hpp"
#endif
