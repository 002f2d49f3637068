#include "llm/embedder.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

namespace quaestor::llm {

namespace {

/// What a word's trigrams weigh beside the word itself: enough for "order" and "orders" to meet.
constexpr float kTrigramWeight = 0.35F;

std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = 0xcbf2'9ce4'8422'2325;  // FNV-1a, the same on every machine
    for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x0000'0100'0000'01b3;
    return hash;
}

class HashingEmbedder final : public Embedder {
public:
    explicit HashingEmbedder(std::size_t dimensions) : dimensions_(std::max<std::size_t>(dimensions, 1)) {}
    [[nodiscard]] const std::string& name() const override { return name_; }
    [[nodiscard]] std::size_t dimensions() const override { return dimensions_; }

    Task<Result<Embeddings>> embed(std::vector<std::string> texts, CancelToken cancel) override {
        if (cancel.cancelled()) co_return fail(cancel.error());
        std::vector<float> values(texts.size() * dimensions_);
        for (std::size_t row = 0; row < texts.size(); ++row) {
            fill(std::span(values).subspan(row * dimensions_, dimensions_), texts[row]);
        }
        co_return Embeddings(dimensions_, std::move(values));
    }

private:
    void fill(std::span<float> row, std::string_view text) const {
        for (const std::string& word : text::words(text::fold(text))) {
            add(row, word, 1.0F);
            for (std::size_t at = 0; at + 3 <= word.size(); ++at) add(row, word.substr(at, 3), kTrigramWeight);
        }
        // A text without words has a vector too, and is like others without words.
        if (std::ranges::all_of(row, [](float value) { return value == 0; })) row.front() = 1;
        normalise(row);
    }

    void add(std::span<float> row, std::string_view piece, float weight) const {
        const std::uint64_t hash = hash_of(piece);
        const bool is_positive = (hash >> 63) == 0;
        row[hash % dimensions_] += is_positive ? weight : -weight;
    }

    const std::string name_ = "hashing";
    const std::size_t dimensions_;
};

}  // namespace

float cosine(std::span<const float> left, std::span<const float> right) {
    // Several sums side by side, so that the compiler may use vector instructions without changing the result.
    constexpr std::size_t kLanes = 16;
    const std::size_t size = std::min(left.size(), right.size());
    std::array<float, kLanes> sums{};
    std::size_t at = 0;
    for (; at + kLanes <= size; at += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += left[at + lane] * right[at + lane];
    }
    float sum = 0;
    for (; at < size; ++at) sum += left[at] * right[at];
    for (const float part : sums) sum += part;
    return sum;
}

void normalise(std::span<float> vector) {
    double squares = 0;
    for (const float value : vector) squares += static_cast<double>(value) * static_cast<double>(value);
    if (squares <= 0) return;
    const double length = std::sqrt(squares);
    for (float& value : vector) value = static_cast<float>(static_cast<double>(value) / length);
}

std::size_t Embedder::count_tokens(std::string_view text) const {
    // A word and each sign is a token, and a long word is several.
    constexpr std::size_t kTokenBytes = 6;
    std::size_t tokens = 0;
    std::size_t word = 0;
    for (const char byte : text) {
        const auto value = static_cast<unsigned char>(byte);
        const bool is_word = std::isalnum(value) != 0 || value >= 0x80;
        if (is_word) {
            tokens += word++ % kTokenBytes == 0 ? 1 : 0;
        } else {
            word = 0;
            tokens += std::isspace(value) == 0 ? 1 : 0;
        }
    }
    return tokens;
}

std::unique_ptr<Embedder> hashing_embedder(std::size_t dimensions) {
    return std::make_unique<HashingEmbedder>(dimensions);
}

}  // namespace quaestor::llm
