#include "llm/embedder.hpp"

#include "base/task.hpp"
#include "llm/llama/llama.hpp"
#include "llm/llama/loaded_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace quaestor::llm {

namespace {

using testing::HasSubstr;
using Texts = std::vector<std::string>;

/// Vectors of the same text in other company differ in their last bits.
constexpr float kSame = 0.9999F;

std::string bundled() {
    const auto path = bundled_embedder_path();
    if (!path) throw std::runtime_error(path.error().describe());
    return *path;
}

class BundledEmbedder : public testing::Test {
protected:
    Embeddings embed(Texts texts) {
        auto rows = run_to_end(embedder->embed(std::move(texts)));
        EXPECT_TRUE(rows) << rows.error().describe();
        return rows ? *rows : Embeddings();
    }
    float closeness(const std::string& left, const std::string& right) {
        const auto rows = embed({left, right});
        return cosine(rows[0], rows[1]);
    }

    std::unique_ptr<Embedder> embedder = std::move(*open_llama_embedder({.path = bundled()}));
};

float length(std::span<const float> row) {
    float sum = 0;
    for (const float value : row) sum += value * value;
    return std::sqrt(sum);
}

std::string words(std::size_t count, const std::string& word) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += word + " ";
    return text;
}

TEST_F(BundledEmbedder, GivesTheSameVectorsAfterARest) {
    const std::string text = "rates were raised by a quarter of a point";
    const auto before = embed({text});
    rest_llama_embedders();
    rest_llama_embedders();
    EXPECT_GT(cosine(before[0], embed({text})[0]), kSame);
}

TEST_F(BundledEmbedder, RestsOnlyWhereNothingIsComputed) {
    const std::string text = words(200, "committee");
    const auto alone = embed({text});
    std::atomic<bool> is_done = false;
    std::thread resting([&] {
        while (!is_done) rest_llama_embedders();
    });
    for (int i = 0; i < 5; ++i) EXPECT_GT(cosine(alone[0], embed({text})[0]), kSame);
    is_done = true;
    resting.join();
}

Texts many_texts() {
    const Texts subjects{"revenue", "a small cat", "the federal funds rate", "naïve café", "数据库", "a 😀 face", ""};
    Texts texts;
    for (std::size_t i = 0; i < 300; ++i) {
        texts.push_back(words(i % 23, "very") + subjects[i % subjects.size()] + " number " + std::to_string(i));
    }
    return texts;
}

TEST_F(BundledEmbedder, KnowsWhatIsCloseInMeaning) {
    const auto rows = embed({"a cat sat on the mat", "a kitten rested on the rug", "the federal funds rate rose"});
    EXPECT_NEAR(cosine(rows[0], rows[1]), 0.617, 0.01);
    EXPECT_NEAR(cosine(rows[0], rows[2]), 0.045, 0.01);
}

TEST_F(BundledEmbedder, HasANameAndDimensions) {
    EXPECT_EQ(embedder->name(), "minilm");
    EXPECT_EQ(embedder->dimensions(), 384U);
    EXPECT_EQ(embed({"x"}).dimensions(), 384U);
}

TEST_F(BundledEmbedder, RowsHaveLengthOne) {
    const auto rows = embed(many_texts());
    ASSERT_EQ(rows.size(), 300U);
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_NEAR(length(rows[i]), 1, 1e-4) << i;
}

TEST_F(BundledEmbedder, ABatchGivesWhatOneByOneGives) {
    const auto texts = many_texts();
    const auto rows = embed(texts);
    for (std::size_t i = 0; i < texts.size(); i += 17) {
        EXPECT_GT(cosine(rows[i], embed({texts[i]})[0]), kSame) << texts[i];
    }
}

TEST_F(BundledEmbedder, TheSameTwiceIsTheSameToTheBit) {
    const auto texts = many_texts();
    const auto first = embed(texts);
    const auto second = embed(texts);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        ASSERT_TRUE(std::ranges::equal(first[i], second[i])) << texts[i];
    }
}

TEST_F(BundledEmbedder, NoTextsGiveNoRows) {
    EXPECT_EQ(embed({}).size(), 0U);
}

TEST_F(BundledEmbedder, TextsWithoutWordsHaveAVectorToo) {
    const auto rows = embed({"", "   \n\t", std::string("\0", 1), "\xFF\xFE"});
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_GT(cosine(rows[0], rows[i]), kSame) << i;
    EXPECT_LT(cosine(rows[0], embed({"the federal funds rate"})[0]), 0.9F);
}

TEST_F(BundledEmbedder, CaseAndAccentsDoNotMatter) {
    EXPECT_GT(closeness("Café NAÏVE São Paulo", "cafe naive sao paulo"), kSame);
}

TEST_F(BundledEmbedder, ReadsChineseCharacterByCharacter) {
    EXPECT_GT(closeness("中 国 人", "中国人"), kSame);
    EXPECT_LT(closeness("中国", "日本"), kSame);
}

TEST_F(BundledEmbedder, AnEmojiIsAWordOfItsOwn) {
    EXPECT_LT(closeness("good 😀 morning", "good morning"), kSame);
    EXPECT_GT(closeness("good 😀 morning", "good morning"), 0.3F);
}

TEST_F(BundledEmbedder, NamesOfControlTokensAreText) {
    EXPECT_LT(closeness("one [SEP] two", "one two"), kSame);
    EXPECT_GT(closeness("one [SEP] two", "one [ sep ] two"), kSame);
}

// 256 tokens, of which two open and close the text.
TEST_F(BundledEmbedder, CutsTextsWhereTheModelWasTrainedTo) {
    const auto head = words(254, "cat");
    EXPECT_GT(closeness(head, head + words(1000, "economy")), kSame);
    EXPECT_LT(closeness(words(253, "cat"), words(253, "cat") + "economy"), 0.99999F);
}

TEST_F(BundledEmbedder, TakesTextsOfAnySize) {
    EXPECT_NEAR(length(embed({std::string(2'000'000, 'x')})[0]), 1, 1e-4);
    EXPECT_NEAR(length(embed({words(500'000, "word")})[0]), 1, 1e-4);
}

TEST_F(BundledEmbedder, CallersShareIt) {
    const auto expected = embed({"one", "two"});
    std::vector<std::jthread> callers;
    std::vector<float> found(8);
    for (std::size_t i = 0; i < found.size(); ++i) {
        callers.emplace_back([&, i] {
            const auto rows = run_to_end(embedder->embed({"one", "two"}));
            found[i] = rows ? std::min(cosine((*rows)[0], expected[0]), cosine((*rows)[1], expected[1])) : 0;
        });
    }
    callers.clear();
    EXPECT_THAT(found, testing::Each(testing::Gt(kSame)));
}

TEST_F(BundledEmbedder, ACancelledCallDoesNotBegin) {
    CancelSource cancel;
    cancel.cancel(CancelReason::user_request);
    const auto rows = run_to_end(embedder->embed({"text"}, cancel.token()));
    ASSERT_FALSE(rows);
    EXPECT_EQ(rows.error().code, Code::cancelled);
}

// Another caller that gets its turn between batches cancels the long one: far from its end, and it ends at once.
TEST_F(BundledEmbedder, CancellingStopsALongCall) {
    CancelSource cancel;
    asio::io_context loop;
    std::optional<Result<Embeddings>> all;
    const auto embed_much = [&]() -> Task<> {
        all = co_await embedder->embed(Texts(20'000, words(200, "much")), cancel.token());
    };
    const auto stop = [&]() -> Task<> {
        const auto rows = co_await embedder->embed({"a short text"});
        EXPECT_TRUE(rows);
        cancel.cancel(CancelReason::client_gone);
    };
    asio::co_spawn(loop, embed_much(), asio::detached);
    asio::co_spawn(loop, stop(), asio::detached);
    loop.run();
    ASSERT_TRUE(all);
    ASSERT_FALSE(*all);
    EXPECT_EQ(all->error().code, Code::cancelled);
    EXPECT_EQ(embed({"still there"}).size(), 1U);
}

TEST(LlamaThreads, AreBoundedWhateverTheSettingsSay) {
    EXPECT_EQ(llama::bounded_threads(0), 1);
    EXPECT_EQ(llama::bounded_threads(2), 2);
    EXPECT_EQ(llama::bounded_threads(1'000'000), static_cast<int>(llama::kThreadsMax));
}

TEST(LlamaFiles, OneFileIsLoadedOnce) {
    const auto path = bundled();
    const auto count_maps = [&] {
        std::ifstream maps("/proc/self/maps");
        std::size_t count = 0;
        for (std::string line; std::getline(maps, line);) count += line.ends_with("minilm.gguf") ? 1 : 0;
        return count;
    };
    auto first = open_llama_embedder({.path = path});
    ASSERT_TRUE(first);
    const auto maps = count_maps();
    const auto folder = std::filesystem::path(path).parent_path();
    const auto second = open_llama_embedder({.path = (folder / ".." / folder.filename() / "minilm.gguf").string()});
    ASSERT_TRUE(second);
    EXPECT_GE(maps, 1U);
    EXPECT_EQ(count_maps(), maps);
}

/// Sets QUAESTOR_MODELS until it goes.
struct ModelsFolder {
    explicit ModelsFolder(const std::string& folder) { setenv("QUAESTOR_MODELS", folder.c_str(), 1); }
    ~ModelsFolder() { unsetenv("QUAESTOR_MODELS"); }
    ModelsFolder(const ModelsFolder&) = delete;
    ModelsFolder& operator=(const ModelsFolder&) = delete;
};

TEST(BundledPath, TheEnvironmentComesFirst) {
    const auto folder = std::filesystem::temp_directory_path() / ("quaestor_models_" + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    std::filesystem::create_symlink(bundled(), folder / "minilm.gguf");
    const ModelsFolder set(folder.string());
    EXPECT_EQ(*bundled_embedder_path(), (folder / "minilm.gguf").string());
    std::filesystem::remove_all(folder);
}

TEST(BundledPath, AFolderWithoutItIsPassedOver) {
    const ModelsFolder set("/nowhere");
    EXPECT_THAT(*bundled_embedder_path(), HasSubstr("share/quaestor/minilm.gguf"));
}

}  // namespace

}  // namespace quaestor::llm
