#include "llm/llama/llama.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace quaestor::llm {

Result<std::string> bundled_embedder_path() {
    constexpr const char* kFile = "minilm.gguf";
    std::vector<std::filesystem::path> folders;
    if (const char* chosen = std::getenv("QUAESTOR_MODELS"); chosen != nullptr && *chosen != '\0') {
        folders.emplace_back(chosen);
    }
    std::error_code unknown;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", unknown);
    folders.push_back(program.parent_path().parent_path() / "share" / "quaestor");
    folders.emplace_back(QUAESTOR_BUILT_MODELS);
    for (const auto& folder : folders) {
        std::error_code unreadable;
        if (std::filesystem::is_regular_file(folder / kFile, unreadable)) return (folder / kFile).string();
    }
    return fail(Code::not_found,
                fmt::format("the bundled embedding model {} is neither in {} nor in QUAESTOR_MODELS", kFile,
                            folders[folders.size() - 2].string()),
                "script/build fetches and writes it; set QUAESTOR_MODELS to the folder that has it");
}

}  // namespace quaestor::llm
