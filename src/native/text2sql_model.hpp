// The trained parser: MiniLM encoder, relation-aware layers and a pointer decoder, searched by beam under the grammar.
// Weights are mapped into memory once for each file and shared.
// Threads: propose() may be called from any thread; calls of one model go one after another. It blocks: call it on a
// worker.
#pragma once

#include "base/error.hpp"
#include "native/form_tokens.hpp"
#include "native/model_input.hpp"
#include "native/words.hpp"
#include "resilience/cancellation.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace quaestor::native {

struct FormCandidate {
    double score = 0;  ///< sum of the logarithms of its tokens' probabilities
    std::vector<FormToken> tokens;
};

class Text2SqlModel {
public:
    /// Code::not_found, Code::corrupt (no such file of ours, or not the weights that its checksum says),
    /// Code::unsupported (made for another version of the grammar). Blocking.
    [[nodiscard]] static Result<std::shared_ptr<Text2SqlModel>> open(const std::string& path, std::size_t threads = 2);
    ~Text2SqlModel();

    [[nodiscard]] const WordPiece& pieces() const;

    /// The best readings, best first, at most `beam`.
    [[nodiscard]] Result<std::vector<FormCandidate>> propose(const ModelInput& input, const Schema& schema,
                                                             std::size_t beam = 8, const CancelToken& cancel = {});

    /// For tests: the logits of every token after `tokens`, keywords first, then items.
    [[nodiscard]] Result<std::vector<float>> next_logits(const ModelInput& input, const std::vector<FormToken>& tokens);

private:
    struct Inside;
    explicit Text2SqlModel(std::unique_ptr<Inside> inside);
    std::unique_ptr<Inside> inside_;
};

/// Where the released weights are: beside the program (../share/quaestor/text2sql.gguf), in QUAESTOR_MODELS, or in the
/// repository's models/ that this was built from.
[[nodiscard]] Result<std::string> text2sql_model_path();

}  // namespace quaestor::native
