#include "llm/llama/loaded_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>

namespace quaestor::llm::llama {

namespace {

constexpr std::size_t kComplaintBytesMax = 2048;
constexpr const char* kWantGguf = "name a GGUF file, as published for llama.cpp; fetch it again if it was cut short";

/// What llama.cpp complained of in this thread since it was last cleared: it logs its reasons and returns none.
thread_local std::string complaints;

void keep_complaint(ggml_log_level level, const char* text, void* /*nothing*/) {
    if (level == GGML_LOG_LEVEL_ERROR && complaints.size() < kComplaintBytesMax) complaints += text;
}

/// The part of the complaints that says why.
std::string reason() {
    constexpr std::string_view kBefore = "error loading model: ";
    const auto found = complaints.find(kBefore);
    const auto begin = found == std::string::npos ? 0 : found + kBefore.size();
    return complaints.substr(begin, complaints.find('\n', begin) - begin);
}

/// Asked of the loader and not of the linker, which may answer with an address in the program itself.
std::string folder_of_libraries() {
    Dl_info found{};
    if (dladdr(dlsym(RTLD_DEFAULT, "llama_backend_init"), &found) == 0 || found.dli_fname == nullptr) return ".";
    return std::filesystem::path(found.dli_fname).parent_path().string();
}

void set_up_once() {
    static std::once_flag done;
    std::call_once(done, [] {
        llama_log_set(keep_complaint, nullptr);
        // Those for each kind of processor lie beside libllama, in the build tree as in an installation.
        ggml_backend_load_all_from_path(folder_of_libraries().c_str());
        llama_backend_init();
    });
}

Result<> check_is_gguf(const std::string& path) {
    std::error_code no_status;
    const auto status = std::filesystem::status(path, no_status);
    if (!std::filesystem::exists(status)) {
        return fail(Code::not_found, fmt::format("there is no model file {}", path), "check the path of the GGUF file");
    }
    std::ifstream file(path, std::ios::binary);
    if (!std::filesystem::is_regular_file(status) || !file) {
        return fail(Code::permission_denied, fmt::format("cannot read the model file {}", path),
                    "it must be a file that you may read");
    }
    std::array<char, 4> magic{};
    file.read(magic.data(), magic.size());
    if (std::string_view(magic.data(), magic.size()) != GGUF_MAGIC) {
        return fail(Code::corrupt, fmt::format("{} is no GGUF file", path), kWantGguf);
    }
    return {};
}

}  // namespace

int bounded_threads(std::size_t threads) {
    return static_cast<int>(std::clamp<std::size_t>(threads, 1, kThreadsMax));
}

Result<std::shared_ptr<const LoadedModel>> LoadedModel::read(const std::string& path) {
    if (auto checked = check_is_gguf(path); !checked) return fail(checked.error());
    set_up_once();
    complaints.clear();
    llama_model* model = llama_model_load_from_file(path.c_str(), llama_model_default_params());
    if (model != nullptr) return std::shared_ptr<const LoadedModel>(new LoadedModel(path, model));
    if (complaints.contains("unknown model architecture")) {
        return fail(Code::unsupported, fmt::format("{}: {}", path, reason()),
                    fmt::format("llama.cpp {} does not know this kind of model; use another", llama_version()));
    }
    return fail(Code::corrupt, fmt::format("cannot load the model file {}: {}", path, reason()), kWantGguf);
}

Result<std::shared_ptr<const LoadedModel>> LoadedModel::load(const std::string& path) {
    // Held while a file is read, so that two who want the same one read it once.
    static std::mutex mutex;
    static std::map<std::string, std::weak_ptr<const LoadedModel>> loaded;
    std::error_code no_such_file;
    const auto canonical = std::filesystem::weakly_canonical(path, no_such_file).string();
    const std::lock_guard lock(mutex);
    std::erase_if(loaded, [](const auto& entry) { return entry.second.expired(); });
    if (const auto found = loaded.find(canonical); found != loaded.end()) {
        if (auto model = found->second.lock()) return model;
    }
    auto model = read(path);
    if (model) loaded[canonical] = *model;
    return model;
}

std::size_t LoadedModel::trained_tokens() const {
    return static_cast<std::size_t>(std::max(1, llama_model_n_ctx_train(model_.get())));
}

std::vector<llama_token> LoadedModel::tokens_of(std::string_view text, bool with_control) const {
    // A token for each byte and a few around them is the most there can be; the second call is for exotic vocabularies.
    constexpr std::size_t kAround = 8;
    std::vector<llama_token> tokens(text.size() + kAround);
    const auto tokenise = [&] {
        return llama_tokenize(vocabulary(), text.data(), static_cast<int>(text.size()), tokens.data(),
                              static_cast<int>(tokens.size()), true, with_control);
    };
    int count = tokenise();
    if (count < 0) {
        tokens.resize(static_cast<std::size_t>(-count));
        count = tokenise();
    }
    tokens.resize(static_cast<std::size_t>(std::max(0, count)));
    return tokens;
}

std::string LoadedModel::piece_of(llama_token token) const {
    std::string piece(32, '\0');
    const auto write = [&] {
        return llama_token_to_piece(vocabulary(), token, piece.data(), static_cast<int>(piece.size()), 0, false);
    };
    int size = write();
    if (size < 0) {
        piece.resize(static_cast<std::size_t>(-size));
        size = write();
    }
    piece.resize(static_cast<std::size_t>(std::max(0, size)));
    return piece;
}

Result<ContextPtr> LoadedModel::make_context(const llama_context_params& parameters) const {
    complaints.clear();
    ContextPtr context(llama_init_from_model(model_.get(), parameters));
    if (context) return context;
    return fail(Code::limit_exceeded, fmt::format("{} cannot be used: {}", path_, reason()),
                "there may be too little memory: ask for a shorter context, or use a smaller model");
}

}  // namespace quaestor::llm::llama
