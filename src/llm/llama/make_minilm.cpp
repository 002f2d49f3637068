// Writes all-MiniLM-L6-v2, as its makers publish it, to a GGUF file that llama.cpp reads. Run once by the build.
// usage: make_minilm FOLDER OUTPUT.gguf       FOLDER holds config.json, tokenizer.json and model.fp16.safetensors
#include "base/error.hpp"
#include "base/json.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gguf.h>
#include <map>
#include <memory>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

using namespace quaestor;

namespace {

/// The model was trained on texts of 256 tokens; of the 512 positions that BERT gave it only those are kept, so that
/// longer texts are cut there, as sentence-transformers does.
constexpr std::uint32_t kTrainedTokens = 256;
constexpr std::uint32_t kMeanPooling = 1;
constexpr std::uint32_t kMostlyF16 = 1;
constexpr std::int32_t kNormalToken = 1;
constexpr std::int32_t kControlToken = 3;
constexpr std::string_view kPhantomSpace = "\u2581";  ///< llama.cpp marks where a word begins, BERT where one goes on
constexpr std::string_view kContinued = "##";

using Gguf = std::unique_ptr<gguf_context, decltype(&gguf_free)>;
using Tensors = std::unique_ptr<ggml_context, decltype(&ggml_free)>;

Result<std::string> read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(file)), {});
    if (!file.is_open() || file.bad()) return fail(Code::not_found, fmt::format("cannot read {}", path.string()));
    return bytes;
}

/// A file of tensors: 8 bytes for the header's length, the header as JSON, then the tensors' bytes.
class Safetensors {
public:
    static Result<Safetensors> read(const std::filesystem::path& path) {
        auto bytes = read_file(path);
        if (!bytes) return fail(bytes.error());
        std::uint64_t header_size = 0;
        if (bytes->size() < sizeof header_size) return fail(Code::corrupt, "the weights have no header");
        std::memcpy(&header_size, bytes->data(), sizeof header_size);
        if (header_size > bytes->size() - sizeof header_size) return fail(Code::corrupt, "the weights are cut short");
        auto header = parse_json(std::string_view(*bytes).substr(sizeof header_size, header_size));
        if (!header) return fail(header.error());
        return Safetensors(std::move(*bytes), header->as_object(), sizeof header_size + header_size);
    }

    /// The first `count` halves of tensor `name`. A copy: in the file they lie at odd addresses.
    [[nodiscard]] Result<std::vector<ggml_fp16_t>> halves(const std::string& name, std::size_t count) const {
        const auto* entry = header_.if_contains(name);
        if (entry == nullptr || entry->at("dtype").as_string() != "F16") {
            return fail(Code::corrupt, fmt::format("the weights have no half-precision tensor {}", name));
        }
        const auto begin = entry->at("data_offsets").at(0).to_number<std::size_t>();
        const auto end = entry->at("data_offsets").at(1).to_number<std::size_t>();
        if (end < begin || end - begin < count * sizeof(ggml_fp16_t) || end > bytes_.size() - data_begin_) {
            return fail(Code::corrupt, fmt::format("tensor {} is smaller than the model's shape", name));
        }
        std::vector<ggml_fp16_t> values(count);
        std::memcpy(values.data(), bytes_.data() + data_begin_ + begin, count * sizeof(ggml_fp16_t));
        return values;
    }

private:
    Safetensors(std::string bytes, json::object header, std::size_t data_begin)
        : bytes_(std::move(bytes)), header_(std::move(header)), data_begin_(data_begin) {}

    std::string bytes_;
    json::object header_;
    std::size_t data_begin_;
};

struct Shape {
    std::uint32_t layers = 0;
    std::uint32_t heads = 0;
    std::uint32_t width = 0;
    std::uint32_t inner_width = 0;
    std::uint32_t words = 0;
    std::uint32_t token_types = 0;
    float epsilon = 0;
};

Shape shape_of(const json::value& config) {
    const auto number = [&](const char* key) { return config.at(key).to_number<std::uint32_t>(); };
    return {.layers = number("num_hidden_layers"),
            .heads = number("num_attention_heads"),
            .width = number("hidden_size"),
            .inner_width = number("intermediate_size"),
            .words = number("vocab_size"),
            .token_types = number("type_vocab_size"),
            .epsilon = config.at("layer_norm_eps").to_number<float>()};
}

void describe_model(gguf_context* gguf, const Shape& shape) {
    gguf_set_val_str(gguf, "general.architecture", "bert");
    gguf_set_val_str(gguf, "general.name", "all-MiniLM-L6-v2");
    gguf_set_val_str(gguf, "general.license", "apache-2.0");
    gguf_set_val_u32(gguf, "general.file_type", kMostlyF16);
    gguf_set_val_u32(gguf, "bert.context_length", kTrainedTokens);
    gguf_set_val_u32(gguf, "bert.embedding_length", shape.width);
    gguf_set_val_u32(gguf, "bert.feed_forward_length", shape.inner_width);
    gguf_set_val_u32(gguf, "bert.block_count", shape.layers);
    gguf_set_val_u32(gguf, "bert.attention.head_count", shape.heads);
    gguf_set_val_f32(gguf, "bert.attention.layer_norm_epsilon", shape.epsilon);
    gguf_set_val_bool(gguf, "bert.attention.causal", false);
    gguf_set_val_u32(gguf, "bert.pooling_type", kMeanPooling);
}

void describe_vocabulary(gguf_context* gguf, const json::value& tokenizer, const Shape& shape) {
    std::vector<std::string> words(shape.words);
    std::vector<std::int32_t> kinds(shape.words, kNormalToken);
    for (const auto& added : tokenizer.at("added_tokens").as_array()) {
        kinds.at(added.at("id").to_number<std::size_t>()) = kControlToken;
    }
    std::map<std::string, std::uint32_t, std::less<>> ids;
    for (const auto& entry : tokenizer.at("model").at("vocab").as_object()) {
        const std::string_view word = entry.key();
        const auto id = entry.value().to_number<std::uint32_t>();
        ids.emplace(word, id);
        if (kinds.at(id) == kControlToken) {
            words[id] = word;
        } else if (word.starts_with(kContinued)) {
            words[id] = word.substr(kContinued.size());
        } else {
            words[id] = fmt::format("{}{}", kPhantomSpace, word);
        }
    }
    std::vector<const char*> texts;
    for (const auto& word : words) texts.push_back(word.c_str());
    gguf_set_val_str(gguf, "tokenizer.ggml.model", "bert");
    gguf_set_val_str(gguf, "tokenizer.ggml.pre", "default");
    gguf_set_val_u32(gguf, "tokenizer.ggml.token_type_count", shape.token_types);
    gguf_set_arr_str(gguf, "tokenizer.ggml.tokens", texts.data(), texts.size());
    gguf_set_arr_data(gguf, "tokenizer.ggml.token_type", GGUF_TYPE_INT32, kinds.data(), kinds.size());
    gguf_set_val_u32(gguf, "tokenizer.ggml.unknown_token_id", ids.at("[UNK]"));
    gguf_set_val_u32(gguf, "tokenizer.ggml.cls_token_id", ids.at("[CLS]"));
    gguf_set_val_u32(gguf, "tokenizer.ggml.bos_token_id", ids.at("[CLS]"));
    gguf_set_val_u32(gguf, "tokenizer.ggml.seperator_token_id", ids.at("[SEP]"));  // spelt so by llama.cpp
    gguf_set_val_u32(gguf, "tokenizer.ggml.padding_token_id", ids.at("[PAD]"));
    gguf_set_val_u32(gguf, "tokenizer.ggml.mask_token_id", ids.at("[MASK]"));
    gguf_set_val_bool(gguf, "tokenizer.ggml.normalizer.lowercase", true);
    gguf_set_val_bool(gguf, "tokenizer.ggml.normalizer.strip_accents", true);
}

struct Copy {
    std::string from;
    std::string to;
    std::int64_t columns = 0;
    std::int64_t rows = 1;
    bool keeps_halves = false;  ///< llama.cpp multiplies by halves, and adds in single precision
};

void plan_pair(std::vector<Copy>& plan, const std::string& from, const std::string& to, std::int64_t columns,
               std::int64_t rows) {
    plan.push_back({from + ".weight", to + ".weight", columns, rows, true});
    plan.push_back({from + ".bias", to + ".bias", rows});
}

void plan_norm(std::vector<Copy>& plan, const std::string& from, const std::string& to, std::int64_t columns) {
    plan.push_back({from + ".weight", to + ".weight", columns});
    plan.push_back({from + ".bias", to + ".bias", columns});
}

std::vector<Copy> plan_copies(const Shape& shape) {
    const std::int64_t width = shape.width;
    std::vector<Copy> plan{
        {"embeddings.word_embeddings.weight", "token_embd.weight", width, shape.words, true},
        {"embeddings.token_type_embeddings.weight", "token_types.weight", width, shape.token_types},
        {"embeddings.position_embeddings.weight", "position_embd.weight", width, kTrainedTokens},
    };
    plan_norm(plan, "embeddings.LayerNorm", "token_embd_norm", width);
    for (std::uint32_t i = 0; i < shape.layers; ++i) {
        const auto from = fmt::format("encoder.layer.{}.", i);
        const auto to = fmt::format("blk.{}.", i);
        plan_pair(plan, from + "attention.self.query", to + "attn_q", width, width);
        plan_pair(plan, from + "attention.self.key", to + "attn_k", width, width);
        plan_pair(plan, from + "attention.self.value", to + "attn_v", width, width);
        plan_pair(plan, from + "attention.output.dense", to + "attn_output", width, width);
        plan_norm(plan, from + "attention.output.LayerNorm", to + "attn_output_norm", width);
        plan_pair(plan, from + "intermediate.dense", to + "ffn_up", width, shape.inner_width);
        plan_pair(plan, from + "output.dense", to + "ffn_down", shape.inner_width, width);
        plan_norm(plan, from + "output.LayerNorm", to + "layer_output_norm", width);
    }
    return plan;
}

Result<> add_tensor(gguf_context* gguf, ggml_context* tensors, const Safetensors& weights, const Copy& copy) {
    const auto count = static_cast<std::size_t>(copy.columns * copy.rows);
    const auto halves = weights.halves(copy.from, count);
    if (!halves) return fail(halves.error());
    const auto type = copy.keeps_halves ? GGML_TYPE_F16 : GGML_TYPE_F32;
    ggml_tensor* tensor = copy.rows == 1 ? ggml_new_tensor_1d(tensors, type, copy.columns)
                                         : ggml_new_tensor_2d(tensors, type, copy.columns, copy.rows);
    ggml_set_name(tensor, copy.to.c_str());
    if (copy.keeps_halves) {
        std::memcpy(ggml_get_data(tensor), halves->data(), count * sizeof(ggml_fp16_t));
    } else {
        ggml_fp16_to_fp32_row(halves->data(), ggml_get_data_f32(tensor), static_cast<std::int64_t>(count));
    }
    gguf_add_tensor(gguf, tensor);
    return {};
}

Result<> convert(const std::filesystem::path& folder, const std::filesystem::path& output) {
    const auto config_text = read_file(folder / "config.json");
    if (!config_text) return fail(config_text.error());
    const auto tokenizer_text = read_file(folder / "tokenizer.json");
    if (!tokenizer_text) return fail(tokenizer_text.error());
    const auto config = parse_json(*config_text);
    if (!config) return fail(config.error());
    const auto tokenizer = parse_json(*tokenizer_text);
    if (!tokenizer) return fail(tokenizer.error());
    const auto weights = Safetensors::read(folder / "model.fp16.safetensors");
    if (!weights) return fail(weights.error());

    constexpr std::size_t kTensorBytesMax = std::size_t{128} << 20;
    const Shape shape = shape_of(*config);
    const Tensors tensors(ggml_init({.mem_size = kTensorBytesMax, .mem_buffer = nullptr, .no_alloc = false}),
                          ggml_free);
    const Gguf gguf(gguf_init_empty(), gguf_free);
    describe_model(gguf.get(), shape);
    describe_vocabulary(gguf.get(), *tokenizer, shape);
    for (const auto& copy : plan_copies(shape)) {
        if (auto added = add_tensor(gguf.get(), tensors.get(), *weights, copy); !added) return added;
    }
    // Under another name first, so that a build that is stopped leaves no half file.
    const std::string unfinished = output.string() + ".new";
    if (!gguf_write_to_file(gguf.get(), unfinished.c_str(), false)) {
        return fail(Code::unavailable, fmt::format("cannot write {}", unfinished));
    }
    std::filesystem::rename(unfinished, output);
    return {};
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 3) {
        fmt::print(stderr, "usage: make_minilm FOLDER OUTPUT.gguf\n");
        return 2;
    }
    try {
        const auto converted = convert(arguments[1], arguments[2]);
        if (converted) return 0;
        fmt::print(stderr, "make_minilm: {}\n", converted.error().describe());
    } catch (const std::exception& error) {
        fmt::print(stderr, "make_minilm: the model is not of the expected shape: {}\n", error.what());
    }
    return 1;
}
