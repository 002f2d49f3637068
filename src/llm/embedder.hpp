// Texts as vectors whose closeness is closeness of meaning.
// Whoever opens an embedder owns it. Threads: embed() may be called from any executor; it never blocks it.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "net/http.hpp"
#include "resilience/cancellation.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::llm {

/// Rows of one matrix, each of length 1.
class Embeddings {
public:
    Embeddings() = default;
    Embeddings(std::size_t dimensions, std::vector<float> values)
        : dimensions_(dimensions), values_(std::move(values)) {}
    [[nodiscard]] std::size_t size() const { return dimensions_ == 0 ? 0 : values_.size() / dimensions_; }
    [[nodiscard]] std::size_t dimensions() const { return dimensions_; }
    [[nodiscard]] std::span<const float> operator[](std::size_t row) const {
        return std::span(values_).subspan(row * dimensions_, dimensions_);
    }

private:
    std::size_t dimensions_ = 0;
    std::vector<float> values_;
};

/// Of two vectors of length 1: 1 the same, 0 unrelated.
[[nodiscard]] float cosine(std::span<const float> left, std::span<const float> right);
/// Scales to length 1; a zero vector stays.
void normalise(std::span<float> vector);

class Embedder {
public:
    virtual ~Embedder() = default;
    /// "minilm", the key of indexes and caches: vectors of different names are never compared.
    [[nodiscard]] virtual const std::string& name() const = 0;
    [[nodiscard]] virtual std::size_t dimensions() const = 0;
    /// Tokens of a text that one row can see; what follows is cut.
    [[nodiscard]] virtual std::size_t text_tokens() const { return 512; }
    /// Tokens of `text`, without those that open and close it; guessed where the tokens are somebody else's business.
    /// Adds up over pieces that were cut between words. Any thread.
    [[nodiscard]] virtual std::size_t count_tokens(std::string_view text) const;
    /// One row for each text, in order. Texts beyond the model's length are cut. An empty text has a vector too.
    virtual Task<Result<Embeddings>> embed(std::vector<std::string> texts, CancelToken cancel = {}) = 0;
};

/// For tests: hashed words and their trigrams. Texts that share words are close; it knows nothing of meaning.
[[nodiscard]] std::unique_ptr<Embedder> hashing_embedder(std::size_t dimensions = 256);

struct HttpEmbedderSettings {
    std::string name;
    std::string base_url;  ///< with /v1: POST {base_url}/embeddings
    std::string model;
    std::string key;
    std::size_t batch = 96;  ///< texts in one request
    std::chrono::milliseconds timeout{30'000};
};

/// OpenAI's embeddings, and those who speak it. The first call learns the dimensions; before it dimensions() is 0.
[[nodiscard]] std::unique_ptr<Embedder> http_embedder(HttpEmbedderSettings settings, net::Http& http);

}  // namespace quaestor::llm
