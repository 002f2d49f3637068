// The language layer: how many texts a second become vectors.
// usage: llm_bench embed | embed_raw
//   embed       through our Embedder, as the program calls it
//   embed_raw   llama.cpp alone, the way its own embedding tool does it (examples/embedding): texts of a batch as
//               sequences, one llama_decode with all threads for each batch, pooled vectors read and scaled. The
//               prebuilt package has no such tool, so this is its loop, with its defaults.
#include "base/task.hpp"
#include "bench_kit.hpp"
#include "llm/embedder.hpp"
#include "llm/llama/llama.hpp"
#include "llm/llama/loaded_model.hpp"

#include <fmt/format.h>

#include <array>
#include <llama.h>
#include <string>
#include <string_view>
#include <vector>

using namespace quaestor;
using namespace quaestor::bench;

namespace {

constexpr int kRounds = 5;
constexpr int kThreads = 2;
constexpr std::size_t kTexts = 64;
constexpr std::size_t kTextTokens = 128;  ///< with those that open and close it
/// llama-embedding's own: the batch of 2048 tokens that it computes at once.
constexpr std::uint32_t kPeerBatch = 2048;

/// Words of one token each, so that every text has exactly kTextTokens.
std::vector<std::string> make_texts() {
    constexpr std::array<std::string_view, 8> kWords{"market", "river", "of", "the", "bank", "small", "green", "year"};
    std::vector<std::string> texts(kTexts);
    for (std::size_t i = 0; i < kTexts; ++i) {
        for (std::size_t word = 0; word < kTextTokens - 2; ++word) {
            texts[i] += fmt::format("{} ", kWords[(i * 7 + word * (word + i + 1)) % kWords.size()]);
        }
    }
    return texts;
}

template <class Embed>
void measure(const char* variant, Embed embed) {
    std::vector<double> values;
    for (int round = -1; round < kRounds; ++round) {
        const double began = now_us();
        embed();
        if (round >= 0) values.push_back(static_cast<double>(kTexts) * 1e6 / (now_us() - began));
    }
    emit(variant, "texts_of_128_tokens", values, "texts/s", kTexts, {{"threads", kThreads}});
}

void bench_ours() {
    const auto texts = make_texts();
    const auto embedder =
        checked(llm::open_llama_embedder({.path = checked(llm::bundled_embedder_path()), .threads = kThreads}));
    measure("embed", [&] {
        const auto rows = checked(run_to_end(embedder->embed(texts)));
        if (rows.size() != kTexts) give_up("not all texts have a vector");
    });
}

void read_vectors(llama_context* context, int sequences, std::size_t dimensions, std::vector<float>& rows) {
    for (int i = 0; i < sequences; ++i) {
        const float* found = llama_get_embeddings_seq(context, i);
        const std::size_t begin = rows.size();
        rows.insert(rows.end(), found, found + dimensions);
        llm::normalise(std::span(rows).subspan(begin));
    }
}

void bench_raw() {
    const auto texts = make_texts();
    const auto model = checked(llm::llama::LoadedModel::load(checked(llm::bundled_embedder_path())));
    llama_context_params parameters = llama_context_default_params();
    parameters.n_ctx = parameters.n_batch = parameters.n_ubatch = kPeerBatch;
    parameters.n_seq_max = static_cast<std::uint32_t>(llama_max_parallel_sequences());
    parameters.kv_unified = true;
    parameters.embeddings = true;
    parameters.n_threads = parameters.n_threads_batch = kThreads;
    const auto context = checked(model->make_context(parameters));
    const auto dimensions = static_cast<std::size_t>(llama_model_n_embd_out(model->get()));
    llama_batch batch = llama_batch_init(static_cast<int>(kPeerBatch), 0, 1);
    measure("embed", [&] {
        std::vector<float> rows;
        int sequences = 0;
        const auto compute = [&] {
            if (llama_decode(context.get(), batch) != 0) give_up("llama_decode failed");
            read_vectors(context.get(), sequences, dimensions, rows);
            batch.n_tokens = sequences = 0;
        };
        batch.n_tokens = 0;
        for (const auto& text : texts) {
            const auto tokens = model->tokens_of(text, false);
            if (tokens.size() != kTextTokens) give_up("a text has not the length it should have");
            if (batch.n_tokens + static_cast<int>(tokens.size()) > static_cast<int>(kPeerBatch)) compute();
            for (std::size_t i = 0; i < tokens.size(); ++i) {
                const auto at = static_cast<std::size_t>(batch.n_tokens++);
                batch.token[at] = tokens[i];
                batch.pos[at] = static_cast<llama_pos>(i);
                batch.n_seq_id[at] = 1;
                batch.seq_id[at][0] = sequences;
                batch.logits[at] = 1;
            }
            ++sequences;
        }
        compute();
        if (rows.size() != kTexts * dimensions) give_up("not all texts have a vector");
    });
    llama_batch_free(batch);
}

}  // namespace

int main(int count, char** arguments) {
    const std::string_view what = count == 2 ? arguments[1] : "";
    if (what == "embed") {
        bench_ours();
    } else if (what == "embed_raw") {
        bench_raw();
    } else {
        fmt::print(stderr, "usage: llm_bench embed | embed_raw\n");
        return 2;
    }
}
