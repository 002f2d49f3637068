// Standard input, line by line, as it comes.
// Private to cli/.
// Threads: for main()'s thread.
#pragma once

#include "base/error.hpp"
#include "resilience/cancellation.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace quaestor::cli {

/// Of a longer line this much is given, and the rest is passed over.
inline constexpr std::size_t kLineBytesMax = std::size_t{64} << 10;

class InputLines {
public:
    explicit InputLines(CancelToken cancel) : cancel_(std::move(cancel)) {}

    /// The next line without its end; nothing when there is none.
    [[nodiscard]] Result<std::optional<std::string>> next();

private:
    /// False when the input has ended.
    Result<bool> read_more();

    CancelToken cancel_;
    std::string read_;  ///< and not yet given
    bool has_ended_ = false;
};

}  // namespace quaestor::cli
