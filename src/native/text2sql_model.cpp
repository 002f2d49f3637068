#include "native/text2sql_model.hpp"

#include "native/beam_search.hpp"
#include "native/text2sql_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <mutex>

namespace quaestor::native {

namespace {

/// Threads that one model computes with, whatever the settings say: more do not help a network of this size.
constexpr std::size_t kThreadsMax = 16;

}  // namespace

struct Text2SqlModel::Inside {
    Inside(const std::shared_ptr<const Text2SqlWeights>& weights, std::size_t threads)
        : pieces(weights->vocabulary), network(weights, threads) {}

    WordPiece pieces;
    std::mutex mutex;  ///< of the network
    Text2SqlNetwork network;
};

Text2SqlModel::Text2SqlModel(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}

Text2SqlModel::~Text2SqlModel() = default;

Result<std::shared_ptr<Text2SqlModel>> Text2SqlModel::open(const std::string& path, std::size_t threads) {
    const auto weights = Text2SqlWeights::load(path);
    if (!weights) return fail(weights.error());
    auto inside = std::make_unique<Inside>(*weights, std::clamp<std::size_t>(threads, 1, kThreadsMax));
    return std::shared_ptr<Text2SqlModel>(new Text2SqlModel(std::move(inside)));
}

const WordPiece& Text2SqlModel::pieces() const {
    return inside_->pieces;
}

Result<std::vector<FormCandidate>> Text2SqlModel::propose(const ModelInput& input, const Schema& schema,
                                                          std::size_t beam, const CancelToken& cancel) {
    const std::lock_guard lock(inside_->mutex);
    if (auto read = inside_->network.read(input, cancel); !read) return fail(read.error());
    return beam_search(inside_->network, input, schema, std::clamp<std::size_t>(beam, 1, kBeamMax), cancel);
}

Result<std::vector<float>> Text2SqlModel::next_logits(const ModelInput& input, const std::vector<FormToken>& tokens) {
    Text2SqlNetwork& network = inside_->network;
    const std::lock_guard lock(inside_->mutex);
    if (auto read = network.read(input, {}); !read) return fail(read.error());
    if (tokens.size() >= network.steps_max()) {
        return fail(Code::limit_exceeded, fmt::format("a form has at most {} tokens", network.steps_max()));
    }
    std::size_t place = network.extend(std::array{Text2SqlNetwork::Branch{
        .parent = Text2SqlNetwork::kRoot, .token = static_cast<std::size_t>(keyword_id("BOS"))}});
    for (const FormToken& token : tokens) {
        const auto number = token_number(token, input);
        if (!number) return fail(Code::invalid_argument, "a token points to what the input does not have");
        place = network.extend(std::array{Text2SqlNetwork::Branch{.parent = place, .token = *number}});
    }
    const std::span<const float> logits = network.logits(0);
    return std::vector<float>(logits.begin(), logits.end());
}

Result<std::string> text2sql_model_path() {
    constexpr const char* kFile = "text2sql.gguf";
    std::vector<std::filesystem::path> folders;
    if (const char* chosen = std::getenv("QUAESTOR_MODELS"); chosen != nullptr && *chosen != '\0') {
        folders.emplace_back(chosen);
    }
    std::error_code unknown;
    const auto program = std::filesystem::read_symlink("/proc/self/exe", unknown);
    const auto beside = program.parent_path().parent_path() / "share" / "quaestor";
    folders.push_back(beside);
    folders.emplace_back(QUAESTOR_RELEASED_MODELS);
    for (const auto& folder : folders) {
        std::error_code unreadable;
        if (std::filesystem::is_regular_file(folder / kFile, unreadable)) return (folder / kFile).string();
    }
    return fail(
        Code::not_found,
        fmt::format("the trained parser's weights {} are neither in {} nor in QUAESTOR_MODELS", kFile, beside.string()),
        "they are in models/ of the repository; set QUAESTOR_MODELS to the folder that has them");
}

}  // namespace quaestor::native
