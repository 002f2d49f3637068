// The best forms that the trained network writes for a question, kept to the grammar. That of training/search.py to the
// letter. A private header of native/.
// Threads: those of the network.
#pragma once

#include "base/error.hpp"
#include "native/model_input.hpp"
#include "native/text2sql_model.hpp"
#include "native/text2sql_network.hpp"
#include "resilience/cancellation.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace quaestor::native {

/// Hypotheses that are followed at once.
inline constexpr std::size_t kBeamMax = 64;

/// The network has read the input. Best first, at most `width`; of equals the one found first.
[[nodiscard]] Result<std::vector<FormCandidate>> beam_search(Text2SqlNetwork& network, const ModelInput& input,
                                                             const Schema& schema, std::size_t width,
                                                             const CancelToken& cancel);

/// Tokens as the network numbers them: keywords by id, then items. Nothing for a pointer to what the input left out.
[[nodiscard]] std::optional<std::size_t> token_number(const FormToken& token, const ModelInput& input);
[[nodiscard]] FormToken numbered_token(std::size_t number, const ModelInput& input);

/// Whether a token after these would compare a column, or its aggregate, with itself or compute with both: no question
/// means that, and the search leaves it out. Reached through different keys, one column is two.
[[nodiscard]] bool is_idle(std::span<const std::size_t> before, std::size_t token);

}  // namespace quaestor::native
