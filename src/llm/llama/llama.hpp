// llama.cpp in process: chat and embeddings from GGUF files, without a server. Weights are mapped into memory once for
// each file and shared; computing happens on own threads, never on the event loop. Whoever opens a model owns it.
// Threads: as ChatModel and Embedder; chats of one model go one after another, embedding calls share its threads.
#pragma once

#include "base/error.hpp"
#include "llm/chat.hpp"
#include "llm/embedder.hpp"

#include <cstddef>
#include <memory>
#include <string>

namespace quaestor::llm {

struct LlamaSettings {
    std::string name;  ///< "llama/tinyllama"
    std::string path;  ///< of the GGUF file
    std::size_t threads = 2;
    std::size_t context_tokens = 4096;  ///< at most what the model was trained for
    int max_tokens = 1024;              ///< of a reply, unless the request says
    double temperature = 0.1;
    std::uint64_t seed = 1;  ///< the same seed gives the same reply
};

/// Code::not_found, Code::corrupt (no GGUF), Code::unsupported (an architecture that llama.cpp does not know, or a
/// model that embeds and does not chat). Blocking: reads the file. Prompts are written with the file's own chat
/// template. A request with an output shape is answered under a grammar, so that the reply fits the schema whatever the
/// model would have said; tools are offered in words and under a grammar.
[[nodiscard]] Result<std::unique_ptr<ChatModel>> open_llama_chat(const LlamaSettings& settings);

struct LlamaEmbedderSettings {
    std::string name = "minilm";
    std::string path;         ///< of a GGUF embedding model
    std::size_t threads = 2;  ///< batches that are computed at a time, each by one thread
};

/// Pooling as the file says; rows of length 1. Texts are cut where the model's training ended (the bundled one's at 256
/// tokens), at 2048 tokens at most. Fails as open_llama_chat() does, with Code::unsupported for one that chats.
[[nodiscard]] Result<std::unique_ptr<Embedder>> open_llama_embedder(const LlamaEmbedderSettings& settings);

/// Gives back the working memory of every open embedder that computes nothing, some 25 MB for each of its threads; it
/// is there again, after some milliseconds, with the next text.
void rest_llama_embedders();

/// Where the bundled all-MiniLM-L6-v2 is: beside the program (../share/quaestor/minilm.gguf), or in QUAESTOR_MODELS.
/// Code::not_found with the command that gets it.
[[nodiscard]] Result<std::string> bundled_embedder_path();

/// A GBNF grammar that admits exactly the JSON of a strict schema (llm/output_schema.hpp), objects with their fields in
/// order. Code::unsupported for what it cannot say.
[[nodiscard]] Result<std::string> grammar_of(const json::value& schema);

}  // namespace quaestor::llm
