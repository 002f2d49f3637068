// Ctrl-C and a polite kill: the first cancels what goes on, one more ends the process at once, as everywhere.
// Made once by main(), before any other thread, so that they inherit what it blocks. Private to cli/.
// Threads: token() and renew() from main()'s thread; signals arrive in a thread of their own.
#pragma once

#include "resilience/cancellation.hpp"

#include <memory>

namespace quaestor::cli {

class Interrupts {
public:
    Interrupts();

    /// Cancelled by the next signal.
    [[nodiscard]] CancelToken token() const;

    /// For who goes on after a Ctrl-C: tokens that are given out from now on are cancelled by the next one. False when
    /// the program was told to end.
    [[nodiscard]] bool renew();

private:
    struct Shared;
    std::shared_ptr<Shared> shared_;
};

}  // namespace quaestor::cli
