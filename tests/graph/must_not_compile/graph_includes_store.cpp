// room: graph
// expected: 'store/store.hpp' file not found
#ifdef MISUSE
#include "store/store.hpp"
#else
#include "graph/shape.hpp"
#endif
