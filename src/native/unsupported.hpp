// What a logical form or a dialect cannot hold. Thrown and caught within native/: public functions turn it into a
// Result with Code::unsupported.
// Threads: a plain value.
#pragma once

#include <string>

namespace quaestor::native {

struct Unsupported {
    std::string what;  ///< for a person, without a full stop
};

}  // namespace quaestor::native
