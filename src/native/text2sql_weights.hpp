// The weights of the trained parser: a GGUF file that training/to_gguf.py writes, mapped into memory and used where it
// lies. Whoever holds the pointer owns a share; the file is unmapped with the last one. A private header of native/.
// Threads: immutable once loaded.
#pragma once

#include "base/error.hpp"
#include "native/matrices.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace quaestor::native {

/// Vectors by number, such as those of word pieces.
struct Embedding {
    std::size_t rows = 0;
    std::size_t width = 0;
    const std::int8_t* values = nullptr;
    const float* scales = nullptr;  ///< one for each row

    void add_to(std::span<float> sum, std::size_t row) const;
};

/// BERT's: attention and feed-forward, each followed by a norm.
struct EncoderLayer {
    Linear qkv;  ///< queries, keys and values
    Linear output;
    Norm norm1;
    Linear inner;
    Linear outer;
    Norm norm2;
};

/// Self-attention that knows the relation of each pair; norms come first.
struct RelationLayer {
    Norm norm1;
    Linear qkv;
    Linear output;
    std::span<const float> relation_key;    ///< a row for each relation
    std::span<const float> relation_value;  ///< likewise
    std::span<const float> relation_bias;   ///< a row for each head
    Norm norm2;
    Linear inner;
    Linear outer;
};

struct DecoderLayer {
    Norm norm1;
    Linear qkv;
    Linear output;
    Norm norm2;
    Linear cross_query;
    Linear cross_kv;
    Linear cross_output;
    Norm norm3;
    Linear inner;
    Linear outer;
};

class Text2SqlWeights {
public:
    /// Code::not_found, Code::permission_denied, Code::corrupt or Code::unsupported. A file that is loaded already is
    /// shared. Blocking.
    [[nodiscard]] static Result<std::shared_ptr<const Text2SqlWeights>> load(const std::string& path);
    Text2SqlWeights(const Text2SqlWeights&) = delete;
    Text2SqlWeights& operator=(const Text2SqlWeights&) = delete;
    ~Text2SqlWeights();

    static constexpr std::size_t kSegments = 2;
    static constexpr std::size_t kKinds = 4;

    std::size_t width = 0;
    std::size_t encoder_heads = 0;
    std::size_t heads = 0;  ///< of the other layers
    std::size_t relations = 0;
    std::vector<std::string> vocabulary;

    Embedding word;
    Embedding position;
    std::span<const float> segment;  ///< a row for each: the question, the schema
    Embedding feature;
    Norm norm;
    std::vector<EncoderLayer> encoder;
    std::span<const float> kind;  ///< a row for each kind of item
    std::vector<RelationLayer> relation;
    Norm item_norm;
    Embedding keyword;
    Embedding step;
    Linear pointed;
    std::vector<DecoderLayer> decoder;
    Norm decoder_norm;
    Linear to_keyword;
    Linear to_query;
    Linear to_key;

private:
    friend class WeightsReader;
    Text2SqlWeights() = default;

    std::span<const std::byte> mapped_;
};

}  // namespace quaestor::native
