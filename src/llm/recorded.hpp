// Models and embedders on a tape: recorded while they answer, or replayed without them.
// Each owns what it stands around; the tape is shared. Threads: as ChatModel and Embedder.
#pragma once

#include "base/tape.hpp"
#include "llm/chat.hpp"
#include "llm/embedder.hpp"
#include "net/http.hpp"

#include <memory>
#include <string>

namespace quaestor::llm {

/// Records replies and faults of `inner`, deltas included, so that a replay streams the same pieces. On a replay tape
/// `inner` may be null.
[[nodiscard]] std::unique_ptr<ChatModel> on_tape(std::shared_ptr<Tape> tape, std::string name,
                                                 std::unique_ptr<ChatModel> inner);
[[nodiscard]] std::unique_ptr<Embedder> on_tape(std::shared_ptr<Tape> tape, std::string name, std::size_t dimensions,
                                                std::unique_ptr<Embedder> inner);

}  // namespace quaestor::llm
