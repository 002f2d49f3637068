// The demo data of a server's first start, made by a process of its own: what the making needs in memory, several times
// of what serving needs, goes with it. Private to cli/.
// Threads: call from main()'s thread, before agents are opened.
#pragma once

#include "cli/commands.hpp"

namespace quaestor::cli {

/// Nothing happens when the data is there, or when no agent wants all of it. When it could not be made, opening the
/// agents tries again and says why.
void make_demo_data_apart(const Invocation& invocation);

}  // namespace quaestor::cli
