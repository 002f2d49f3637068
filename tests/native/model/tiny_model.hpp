// A network of random weights, small enough for every test: its file, and questions for it. Files are in a folder of
// the test's own that goes with the object. Threads: one at a time.
#pragma once

#include "native/form_tokens.hpp"
#include "native/text2sql_model.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ggml.h>
#include <gguf.h>
#include <memory>
#include <openssl/evp.h>
#include <random>
#include <string>
#include <vector>

namespace quaestor::native {

/// What may differ from a good file.
struct TinyFile {
    std::string architecture = "text2sql";
    std::uint32_t format = 1;
    std::vector<std::string> keywords{form_keywords().begin(), form_keywords().end()};
    bool has_right_sum = true;
    std::string left_out{};  ///< a tensor
};

class TinyModel {
public:
    TinyModel() {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = std::filesystem::path(testing::TempDir()) /
                  fmt::format("tiny_{}_{}", ::getpid(), test == nullptr ? "none" : test->name());
        std::filesystem::create_directories(folder_);
    }
    TinyModel(const TinyModel&) = delete;
    TinyModel& operator=(const TinyModel&) = delete;
    ~TinyModel() { std::filesystem::remove_all(folder_); }

    std::string write(const TinyFile& file = {}) {
        context_.reset(ggml_init({.mem_size = std::size_t{4} << 20, .mem_buffer = nullptr, .no_alloc = false}));
        gguf_.reset(gguf_init_empty());
        add_tensors();
        const auto set_number = [this](const char* name, std::uint32_t value) {
            gguf_set_val_u32(gguf_.get(), fmt::format("text2sql.{}", name).c_str(), value);
        };
        gguf_set_val_str(gguf_.get(), "general.architecture", file.architecture.c_str());
        set_number("format", file.format);
        set_number("width", kWidth);
        set_number("encoder_heads", 2);
        set_number("heads", 2);
        set_number("relations", kRelations);
        set_number("span_max", kSpanMax);
        for (const char* layers : {"encoder_layers", "relation_layers", "decoder_layers"}) set_number(layers, kLayers);
        set_texts("text2sql.keywords", file.keywords);
        set_texts("text2sql.vocabulary", vocabulary());
        gguf_set_val_str(gguf_.get(), "text2sql.data_sha256",
                         file.has_right_sum ? add_to_file(file.left_out).c_str() : "0");
        if (!file.has_right_sum) add_to_file(file.left_out);
        const std::string path = (folder_ / "tiny.gguf").string();
        EXPECT_TRUE(gguf_write_to_file(gguf_.get(), path.c_str(), false));
        return path;
    }

    [[nodiscard]] std::shared_ptr<Text2SqlModel> open(std::size_t threads = 2) {
        auto opened = Text2SqlModel::open(write(), threads);
        EXPECT_TRUE(opened) << opened.error().describe();
        return *opened;
    }

    /// Columns 0, 3, 5, 6 and tables 0, 2 of a schema whose column 5 is a foreign key.
    [[nodiscard]] static ModelInput input(unsigned seed = 1) {
        std::mt19937 random(seed);
        ModelInput input;
        input.words = 7;
        input.columns = {0, 3, 5, 6};
        input.tables = {0, 2};
        input.kinds = {0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2};
        for (int piece = 0; piece < 23; ++piece) {
            input.ids.push_back(static_cast<int>(random() % vocabulary().size()));
            input.items.push_back(static_cast<int>(random() % 14) - 1);
            input.segments.push_back(piece < 10 ? 0 : 1);
            input.features.push_back(static_cast<int>(random() % kFeatures));
        }
        for (std::size_t pair = 0; pair < input.item_count() * input.item_count(); ++pair) {
            input.relations.push_back(static_cast<std::uint8_t>(random() % kRelations));
        }
        return input;
    }
    [[nodiscard]] static Schema schema() {
        std::vector<SchemaColumn> columns(7);
        for (std::size_t at = 1; at < columns.size(); ++at) {
            columns[at] = {.table = static_cast<int>(at) % 3, .name = fmt::format("c{}", at), .words = "c"};
        }
        return Schema({{"", "a", "a"}, {"", "b", "b"}, {"", "c", "c"}}, std::move(columns), {{5, 3}});
    }

private:
    static constexpr std::size_t kWidth = 32;
    static constexpr std::size_t kInner = 48;
    static constexpr std::size_t kLayers = 2;
    static constexpr std::size_t kRelations = 9;
    static constexpr unsigned kFeatures = 6;

    struct Free {
        void operator()(ggml_context* context) const { ggml_free(context); }
        void operator()(gguf_context* context) const { gguf_free(context); }
    };

    static std::vector<std::string> vocabulary() {
        return {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "*", ":", ",", "(", ")", "one", "two", "three"};
    }

    void set_texts(const char* key, const std::vector<std::string>& texts) {
        std::vector<const char*> pointers;
        for (const std::string& text : texts) pointers.push_back(text.c_str());
        gguf_set_arr_str(gguf_.get(), key, pointers.data(), pointers.size());
    }
    float* add_floats(const std::string& name, std::size_t columns, std::size_t rows, float mean, float spread) {
        ggml_tensor* tensor = ggml_new_tensor_2d(context_.get(), GGML_TYPE_F32, static_cast<std::int64_t>(columns),
                                                 static_cast<std::int64_t>(rows));
        ggml_set_name(tensor, name.c_str());
        auto* values = static_cast<float*>(tensor->data);
        std::normal_distribution<float> normal(mean, spread);
        for (std::size_t at = 0; at < columns * rows; ++at) values[at] = normal(random_);
        return values;
    }
    void add_bytes(const std::string& name, std::size_t columns, std::size_t rows) {
        ggml_tensor* tensor = ggml_new_tensor_2d(context_.get(), GGML_TYPE_I8, static_cast<std::int64_t>(columns),
                                                 static_cast<std::int64_t>(rows));
        ggml_set_name(tensor, name.c_str());
        auto* values = static_cast<std::int8_t*>(tensor->data);
        for (std::size_t at = 0; at < columns * rows; ++at) {
            values[at] = static_cast<std::int8_t>(static_cast<int>(random_() % 255) - 127);
        }
        add_floats(name + ".scale", rows, 1, 0.004F, 0.0003F);
    }
    float* add_linear(const std::string& name, std::size_t inputs, std::size_t outputs) {
        add_bytes(name + ".weight", inputs, outputs);
        return add_floats(name + ".bias", outputs, 1, 0.F, 0.1F);
    }
    void add_norm(const std::string& name) {
        add_floats(name + ".weight", kWidth, 1, 1.F, 0.1F);
        add_floats(name + ".bias", kWidth, 1, 0.F, 0.1F);
    }
    void add_feed_forward(const std::string& name) {
        add_linear(name + "inner", kWidth, kInner);
        add_linear(name + "outer", kInner, kWidth);
    }

    void add_tensors() {
        add_bytes("word.weight", kWidth, vocabulary().size());
        add_bytes("position.weight", kWidth, 40);
        add_bytes("feature.weight", kWidth, kFeatures);
        add_bytes("keyword.weight", kWidth, kFormKeywords);
        add_bytes("step.weight", kWidth, 96);
        add_floats("segment.weight", kWidth, 2, 0.F, 0.1F);
        add_floats("kind.weight", kWidth, 4, 0.F, 0.1F);
        for (const char* norm : {"norm", "item_norm", "decoder_norm"}) add_norm(norm);
        for (const char* linear : {"pointed", "to_query", "to_key"}) add_linear(linear, kWidth, kWidth);
        // Forms come to their end.
        add_linear("to_keyword", kWidth, kFormKeywords)[keyword_id("END")] = 6.F;
        for (std::size_t at = 0; at < kLayers; ++at) add_layers(std::to_string(at) + ".");
    }
    void add_layers(const std::string& at) {
        for (const std::string& name : {"encoder." + at, "relation." + at, "decoder." + at}) {
            add_linear(name + "qkv", kWidth, 3 * kWidth);
            add_linear(name + "output", kWidth, kWidth);
            add_norm(name + "norm1");
            add_norm(name + "norm2");
            add_feed_forward(name);
        }
        add_floats("relation." + at + "relation_key", kWidth / 2, kRelations, 0.F, 0.3F);
        add_floats("relation." + at + "relation_value", kWidth / 2, kRelations, 0.F, 0.3F);
        add_floats("relation." + at + "relation_bias", kRelations, 2, 0.F, 0.3F);
        add_norm("decoder." + at + "norm3");
        add_linear("decoder." + at + "cross_query", kWidth, kWidth);
        add_linear("decoder." + at + "cross_kv", kWidth, 2 * kWidth);
        add_linear("decoder." + at + "cross_output", kWidth, kWidth);
    }

    /// Returns the checksum.
    std::string add_to_file(const std::string& left_out) {
        const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> digest(EVP_MD_CTX_new(), EVP_MD_CTX_free);
        EVP_DigestInit_ex(digest.get(), EVP_sha256(), nullptr);
        for (ggml_tensor* tensor = ggml_get_first_tensor(context_.get()); tensor != nullptr;
             tensor = ggml_get_next_tensor(context_.get(), tensor)) {
            if (tensor->name == left_out) continue;
            gguf_add_tensor(gguf_.get(), tensor);
            EVP_DigestUpdate(digest.get(), tensor->data, ggml_nbytes(tensor));
        }
        std::array<unsigned char, EVP_MAX_MD_SIZE> sum{};
        unsigned int size = 0;
        EVP_DigestFinal_ex(digest.get(), sum.data(), &size);
        return fmt::format("{:02x}", fmt::join(sum.begin(), sum.begin() + size, ""));
    }

    std::filesystem::path folder_;
    std::mt19937 random_{7};
    std::unique_ptr<ggml_context, Free> context_;
    std::unique_ptr<gguf_context, Free> gguf_;
};

}  // namespace quaestor::native
