#include "llm/llama/llama.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <gguf.h>
#include <iterator>
#include <memory>
#include <string>

namespace quaestor::llm {

namespace {

using testing::HasSubstr;

class OpenLlama : public testing::Test {
protected:
    OpenLlama() { std::filesystem::create_directory(folder_); }
    ~OpenLlama() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::string& name, const std::string& bytes) {
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
        return (folder_ / name).string();
    }
    /// Both ways to open a file fail alike.
    static void expect_failure(const std::string& path, Code code, const std::string& words) {
        const auto embedder = open_llama_embedder({.path = path});
        ASSERT_FALSE(embedder);
        EXPECT_EQ(embedder.error().code, code) << embedder.error().describe();
        EXPECT_THAT(embedder.error().describe(), HasSubstr(words));
        EXPECT_FALSE(embedder.error().hint.empty());
        const auto chat = open_llama_chat({.path = path});
        ASSERT_FALSE(chat);
        EXPECT_EQ(chat.error().code, code) << chat.error().describe();
    }

    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / ("quaestor_open_llama_" + std::to_string(getpid()));
};

std::string bundled_bytes() {
    std::ifstream file(*bundled_embedder_path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(OpenLlama, NoFile) {
    expect_failure((folder_ / "gone.gguf").string(), Code::not_found, "there is no model file");
}

TEST_F(OpenLlama, AFolder) {
    expect_failure(folder_.string(), Code::permission_denied, "cannot read");
}

TEST_F(OpenLlama, AnEmptyFile) {
    expect_failure(write("empty.gguf", ""), Code::corrupt, "is no GGUF file");
}

TEST_F(OpenLlama, AFileOfAnotherKind) {
    expect_failure(write("text.gguf", "These are weights, honestly."), Code::corrupt, "is no GGUF file");
}

TEST_F(OpenLlama, AFileThatEndsInItsHead) {
    expect_failure(write("head.gguf", bundled_bytes().substr(0, 1000)), Code::corrupt, "cannot load");
}

TEST_F(OpenLlama, AFileThatEndsInItsWeights) {
    const auto bytes = bundled_bytes();
    expect_failure(write("cut.gguf", bytes.substr(0, bytes.size() / 2)), Code::corrupt, "cannot load");
}

TEST_F(OpenLlama, AFileWithoutWeights) {
    const std::unique_ptr<gguf_context, decltype(&gguf_free)> gguf(gguf_init_empty(), gguf_free);
    gguf_set_val_str(gguf.get(), "general.architecture", "bert");
    const auto path = (folder_ / "bare.gguf").string();
    ASSERT_TRUE(gguf_write_to_file(gguf.get(), path.c_str(), false));
    expect_failure(path, Code::corrupt, "cannot load");
}

TEST_F(OpenLlama, AnArchitectureThatNobodyKnows) {
    const std::unique_ptr<gguf_context, decltype(&gguf_free)> gguf(gguf_init_empty(), gguf_free);
    gguf_set_val_str(gguf.get(), "general.architecture", "perceptron");
    const auto path = (folder_ / "perceptron.gguf").string();
    ASSERT_TRUE(gguf_write_to_file(gguf.get(), path.c_str(), false));
    expect_failure(path, Code::unsupported, "unknown model architecture: 'perceptron'");
}

TEST_F(OpenLlama, AnEmbeddingModelDoesNotChat) {
    const auto chat = open_llama_chat({.path = *bundled_embedder_path()});
    ASSERT_FALSE(chat);
    EXPECT_EQ(chat.error().code, Code::unsupported);
    EXPECT_THAT(chat.error().describe(), HasSubstr("does not chat"));
}

TEST_F(OpenLlama, ALanguageModelDoesNotEmbed) {
    if (!std::filesystem::exists(QUAESTOR_TEST_MODEL)) GTEST_SKIP() << "needs a model: script/test --with-models";
    const auto embedder = open_llama_embedder({.path = QUAESTOR_TEST_MODEL});
    ASSERT_FALSE(embedder);
    EXPECT_EQ(embedder.error().code, Code::unsupported);
    EXPECT_THAT(embedder.error().describe(), HasSubstr("is no embedding model"));
}

TEST_F(OpenLlama, AFailureLeavesNothingBehind) {
    const auto path = write("later.gguf", "not yet");
    EXPECT_FALSE(open_llama_embedder({.path = path}));
    write("later.gguf", bundled_bytes());
    EXPECT_TRUE(open_llama_embedder({.path = path}));
}

}  // namespace

}  // namespace quaestor::llm
