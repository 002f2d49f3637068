// From which score the librarian answers, and how sure an answer is called.
// Plain values, set by configuration.
// Threads: a value.
#pragma once

#include <boost/describe/class.hpp>

namespace quaestor::workflows::cited {

/// Scores from which a level begins.
struct Thresholds {
    double high = 0.55;
    double medium = 0.40;
    double low = 0.25;
};
BOOST_DESCRIBE_STRUCT(Thresholds, (), (high, medium, low))

}  // namespace quaestor::workflows::cited
