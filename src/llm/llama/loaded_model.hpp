// One GGUF file in memory, shared by all who use it, with its vocabulary; and how llama.cpp is set up for the process.
// Whoever holds the pointer owns a share; the file is unmapped with the last one. A private header of llm/llama/.
// Threads: immutable once loaded.
#pragma once

#include "base/error.hpp"

#include <cstddef>
#include <llama.h>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::llm::llama {

struct FreeContext {
    void operator()(llama_context* context) const { llama_free(context); }
};
using ContextPtr = std::unique_ptr<llama_context, FreeContext>;

/// Threads that one context computes with, whatever the settings say.
inline constexpr std::size_t kThreadsMax = 64;
[[nodiscard]] int bounded_threads(std::size_t threads);

class LoadedModel {
public:
    /// Code::not_found, Code::permission_denied, Code::corrupt or Code::unsupported. A file that is loaded already is
    /// shared. Blocking.
    [[nodiscard]] static Result<std::shared_ptr<const LoadedModel>> load(const std::string& path);

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] const llama_vocab* vocabulary() const { return llama_model_get_vocab(model_.get()); }
    [[nodiscard]] llama_model* get() const { return model_.get(); }
    /// The longest text it was trained for.
    [[nodiscard]] std::size_t trained_tokens() const;

    /// With the tokens that open and close a text where the model wants them. Names of control tokens in `text` count
    /// as such only when it is ours: `with_control`.
    [[nodiscard]] std::vector<llama_token> tokens_of(std::string_view text, bool with_control) const;
    /// Possibly part of a character.
    [[nodiscard]] std::string piece_of(llama_token token) const;

    /// Code::limit_exceeded when there is not enough memory.
    [[nodiscard]] Result<ContextPtr> make_context(const llama_context_params& parameters) const;

private:
    struct FreeModel {
        void operator()(llama_model* model) const { llama_model_free(model); }
    };
    LoadedModel(std::string path, llama_model* model) : path_(std::move(path)), model_(model) {}
    [[nodiscard]] static Result<std::shared_ptr<const LoadedModel>> read(const std::string& path);

    std::string path_;
    std::unique_ptr<llama_model, FreeModel> model_;
};

}  // namespace quaestor::llm::llama
