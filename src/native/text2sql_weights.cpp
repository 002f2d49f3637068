#include "native/text2sql_weights.hpp"

#include "native/form_tokens.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <gguf.h>
#include <map>
#include <mutex>
#include <openssl/evp.h>
#include <optional>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace quaestor::native {

namespace {

constexpr std::uint32_t kFormat = 1;
/// More than any size or number of layers that makes sense.
constexpr std::uint32_t kSizeMax = 65'536;
constexpr const char* kFetchAgain = "take models/text2sql.gguf from the repository again";

Result<std::span<const std::byte>> map_file(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        if (errno == ENOENT || errno == ENOTDIR) {
            return fail(Code::not_found, fmt::format("there is no file {} with the parser's weights", path),
                        "check the path, or set QUAESTOR_MODELS to the folder that has text2sql.gguf");
        }
        return fail(Code::permission_denied, fmt::format("cannot read {}: {}", path, std::strerror(errno)),
                    "it must be a file that you may read");
    }
    struct stat status{};
    const bool is_file = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
    const auto size = is_file ? static_cast<std::size_t>(status.st_size) : 0;
    void* start = is_file ? ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    ::close(file);
    if (start == MAP_FAILED) {
        return fail(Code::corrupt, fmt::format("{} is no file with the parser's weights", path), kFetchAgain);
    }
    return std::span(static_cast<const std::byte*>(start), size);
}

struct FreeGguf {
    void operator()(gguf_context* context) const { gguf_free(context); }
};
using GgufPtr = std::unique_ptr<gguf_context, FreeGguf>;

}  // namespace

void Embedding::add_to(std::span<float> sum, std::size_t row) const {
    const std::int8_t* from = values + row * width;
    for (std::size_t at = 0; at < width; ++at) sum[at] += static_cast<float>(from[at]) * scales[row];
}

Text2SqlWeights::~Text2SqlWeights() {
    if (!mapped_.empty()) ::munmap(const_cast<std::byte*>(mapped_.data()), mapped_.size());
}

/// Finds every tensor in a mapped file and checks its shape. The first fault is kept, and what follows it is empty.
class WeightsReader {
public:
    explicit WeightsReader(const std::string& path) : path_(path) {}

    Result<std::shared_ptr<const Text2SqlWeights>> read() {
        auto mapped = map_file(path_);
        if (!mapped) return fail(mapped.error());
        const std::shared_ptr<Text2SqlWeights> weights(new Text2SqlWeights);
        weights->mapped_ = file_ = *mapped;
        if (auto opened = open(); !opened) return fail(opened.error());
        if (auto fits = check_version(); !fits) return fail(fits.error());
        if (auto whole = check_sum(); !whole) return fail(whole.error());
        read_sizes(*weights);
        if (!fault_) read_tensors(*weights);
        if (fault_) return corrupt(*fault_);
        return weights;
    }

private:
    std::unexpected<Error> corrupt(std::string_view why) const {
        return fail(Code::corrupt, fmt::format("{} does not hold the parser's weights: {}", path_, why), kFetchAgain);
    }
    void note(std::string why) {
        if (!fault_) fault_ = std::move(why);
    }

    Result<> open() {
        constexpr std::string_view kMagic = GGUF_MAGIC;
        if (file_.size() < kMagic.size() || std::memcmp(file_.data(), kMagic.data(), kMagic.size()) != 0) {
            return corrupt("it is no GGUF file");
        }
        gguf_.reset(gguf_init_from_buffer(file_.data(), file_.size(), {.no_alloc = true, .ctx = nullptr}));
        if (!gguf_) return corrupt("it is cut short or damaged");
        data_ = gguf_get_data_offset(gguf_.get());
        for (std::int64_t at = 0; at < gguf_get_n_tensors(gguf_.get()); ++at) {
            if (data_ + gguf_get_tensor_offset(gguf_.get(), at) + gguf_get_tensor_size(gguf_.get(), at) >
                file_.size()) {
                return corrupt("it is cut short");
            }
        }
        return {};
    }

    std::int64_t key(const char* name, gguf_type type) {
        const std::int64_t found = gguf_find_key(gguf_.get(), name);
        if (found >= 0 && gguf_get_kv_type(gguf_.get(), found) == type) return found;
        note(fmt::format("it has no {}", name));
        return -1;
    }
    std::size_t number(const char* name) {
        const std::int64_t found = key(name, GGUF_TYPE_UINT32);
        const std::uint32_t value = found < 0 ? 0 : gguf_get_val_u32(gguf_.get(), found);
        if (value == 0 || value > kSizeMax) note(fmt::format("its {} is out of range", name));
        return std::min(value, kSizeMax);
    }
    std::string text(const char* name) {
        const std::int64_t found = key(name, GGUF_TYPE_STRING);
        return found < 0 ? std::string() : gguf_get_val_str(gguf_.get(), found);
    }
    std::vector<std::string> texts(const char* name) {
        std::vector<std::string> out;
        const std::int64_t found = key(name, GGUF_TYPE_ARRAY);
        if (found < 0 || gguf_get_arr_type(gguf_.get(), found) != GGUF_TYPE_STRING) return out;
        for (std::size_t at = 0; at < gguf_get_arr_n(gguf_.get(), found); ++at) {
            out.emplace_back(gguf_get_arr_str(gguf_.get(), found, at));
        }
        return out;
    }

    Result<> check_version() {
        if (text("general.architecture") != "text2sql") return corrupt("it is another kind of model");
        const bool knows_format = number("text2sql.format") == kFormat;
        const bool knows_grammar = std::ranges::equal(texts("text2sql.keywords"), form_keywords()) &&
                                   number("text2sql.span_max") == std::size_t{kSpanMax};
        if (fault_) return corrupt(*fault_);
        if (knows_format && knows_grammar) return {};
        return fail(Code::unsupported,
                    fmt::format("{} was made for another version of the {}", path_,
                                knows_format ? "grammar of queries" : "file format"),
                    "use the weights that came with this program");
    }

    Result<> check_sum() {
        const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> digest(EVP_MD_CTX_new(), EVP_MD_CTX_free);
        EVP_DigestInit_ex(digest.get(), EVP_sha256(), nullptr);
        for (std::int64_t at = 0; at < gguf_get_n_tensors(gguf_.get()); ++at) {
            EVP_DigestUpdate(digest.get(), file_.data() + data_ + gguf_get_tensor_offset(gguf_.get(), at),
                             gguf_get_tensor_size(gguf_.get(), at));
        }
        std::array<unsigned char, EVP_MAX_MD_SIZE> sum{};
        unsigned int size = 0;
        EVP_DigestFinal_ex(digest.get(), sum.data(), &size);
        if (text("text2sql.data_sha256") == fmt::format("{:02x}", fmt::join(sum.begin(), sum.begin() + size, ""))) {
            return {};
        }
        return corrupt("its checksum differs");
    }

    void read_sizes(Text2SqlWeights& to) {
        to.width = number("text2sql.width");
        to.encoder_heads = number("text2sql.encoder_heads");
        to.heads = number("text2sql.heads");
        to.relations = number("text2sql.relations");
        to.encoder.resize(number("text2sql.encoder_layers"));
        to.relation.resize(number("text2sql.relation_layers"));
        to.decoder.resize(number("text2sql.decoder_layers"));
        to.vocabulary = texts("text2sql.vocabulary");
        if (fault_) return;
        // Heads are computed in whole lanes.
        if (to.width % (to.encoder_heads * kLanes) != 0 || to.width % (to.heads * kLanes) != 0) {
            note("its heads do not divide its width");
        }
    }

    /// A tensor of `rows` rows; a row size of 0 takes what is there.
    template <class T>
    const T* tensor(const std::string& name, ggml_type type, std::size_t& columns, std::size_t& rows) {
        const std::int64_t found = gguf_find_tensor(gguf_.get(), name.c_str());
        if (found < 0 || gguf_get_tensor_type(gguf_.get(), found) != type) {
            note(fmt::format("it has no {}", name));
            return nullptr;
        }
        const std::int64_t* sizes = gguf_get_tensor_ne(gguf_.get(), found);
        const auto has_columns = static_cast<std::size_t>(sizes[0]);
        const auto has_rows = static_cast<std::size_t>(sizes[1]);
        if ((columns != 0 && has_columns != columns) || (rows != 0 && has_rows != rows) || sizes[2] != 1) {
            note(fmt::format("{} has another shape", name));
        }
        columns = has_columns;
        rows = has_rows;
        const std::byte* start = file_.data() + data_ + gguf_get_tensor_offset(gguf_.get(), found);
        return reinterpret_cast<const T*>(start);
    }
    const float* floats(const std::string& name, std::size_t columns, std::size_t rows = 1) {
        return tensor<float>(name, GGML_TYPE_F32, columns, rows);
    }

    Linear linear(const std::string& name, std::size_t inputs, std::size_t outputs) {
        Linear out{.inputs = inputs, .outputs = outputs};
        out.values = tensor<std::int8_t>(name + ".weight", GGML_TYPE_I8, out.inputs, out.outputs);
        if (out.inputs % kLanes != 0 || out.outputs % kTileColumns != 0) note(name + " has an odd size");
        out.scales = floats(name + ".weight.scale", out.outputs);
        out.bias = floats(name + ".bias", out.outputs);
        return out;
    }
    Embedding embedding(const std::string& name, std::size_t rows = 0) {
        Embedding out{.rows = rows, .width = width_};
        out.values = tensor<std::int8_t>(name + ".weight", GGML_TYPE_I8, out.width, out.rows);
        out.scales = floats(name + ".weight.scale", out.rows);
        return out;
    }
    Norm norm(const std::string& name, float epsilon) {
        return {.weight = {floats(name + ".weight", width_), width_},
                .bias = {floats(name + ".bias", width_), width_},
                .epsilon = epsilon};
    }

    void read_tensors(Text2SqlWeights& to) {
        width_ = to.width;
        to.word = embedding("word", to.vocabulary.size());
        to.position = embedding("position");
        to.segment = {floats("segment.weight", width_, to.kSegments), to.kSegments * width_};
        to.feature = embedding("feature");
        to.norm = norm("norm", kEncoderEpsilon);
        for (std::size_t at = 0; at < to.encoder.size(); ++at) to.encoder[at] = encoder(fmt::format("encoder.{}.", at));
        to.kind = {floats("kind.weight", width_, to.kKinds), to.kKinds * width_};
        for (std::size_t at = 0; at < to.relation.size(); ++at) {
            to.relation[at] = relation(fmt::format("relation.{}.", at), to);
        }
        to.item_norm = norm("item_norm", kEpsilon);
        to.keyword = embedding("keyword", kFormKeywords);
        to.step = embedding("step");
        to.pointed = linear("pointed", width_, width_);
        for (std::size_t at = 0; at < to.decoder.size(); ++at) to.decoder[at] = decoder(fmt::format("decoder.{}.", at));
        to.decoder_norm = norm("decoder_norm", kEpsilon);
        to.to_keyword = linear("to_keyword", width_, round_up(kFormKeywords, kTileColumns));
        to.to_query = linear("to_query", width_, width_);
        to.to_key = linear("to_key", width_, width_);
    }

    EncoderLayer encoder(const std::string& name) {
        EncoderLayer out{.qkv = linear(name + "qkv", width_, 3 * width_),
                         .output = linear(name + "output", width_, width_),
                         .norm1 = norm(name + "norm1", kEncoderEpsilon),
                         .inner = linear(name + "inner", width_, 0),
                         .outer = {},
                         .norm2 = norm(name + "norm2", kEncoderEpsilon)};
        out.outer = linear(name + "outer", out.inner.outputs, width_);
        return out;
    }

    RelationLayer relation(const std::string& name, const Text2SqlWeights& sizes) {
        const std::size_t head = width_ / sizes.heads;
        const std::size_t by_head = sizes.relations * head;
        const std::size_t by_relation = sizes.relations * sizes.heads;
        RelationLayer out{.norm1 = norm(name + "norm1", kEpsilon),
                          .qkv = linear(name + "qkv", width_, 3 * width_),
                          .output = linear(name + "output", width_, width_),
                          .relation_key = {floats(name + "relation_key", head, sizes.relations), by_head},
                          .relation_value = {floats(name + "relation_value", head, sizes.relations), by_head},
                          .relation_bias = {floats(name + "relation_bias", sizes.relations, sizes.heads), by_relation},
                          .norm2 = norm(name + "norm2", kEpsilon),
                          .inner = linear(name + "inner", width_, 0),
                          .outer = {}};
        out.outer = linear(name + "outer", out.inner.outputs, width_);
        return out;
    }

    DecoderLayer decoder(const std::string& name) {
        DecoderLayer out{.norm1 = norm(name + "norm1", kEpsilon),
                         .qkv = linear(name + "qkv", width_, 3 * width_),
                         .output = linear(name + "output", width_, width_),
                         .norm2 = norm(name + "norm2", kEpsilon),
                         .cross_query = linear(name + "cross_query", width_, width_),
                         .cross_kv = linear(name + "cross_kv", width_, 2 * width_),
                         .cross_output = linear(name + "cross_output", width_, width_),
                         .norm3 = norm(name + "norm3", kEpsilon),
                         .inner = linear(name + "inner", width_, 0),
                         .outer = {}};
        out.outer = linear(name + "outer", out.inner.outputs, width_);
        return out;
    }

    static constexpr float kEncoderEpsilon = 1e-12F;
    static constexpr float kEpsilon = 1e-5F;

    const std::string& path_;
    std::span<const std::byte> file_;
    GgufPtr gguf_;
    std::size_t data_ = 0;  ///< where the tensors begin
    std::size_t width_ = 0;
    std::optional<std::string> fault_;
};

Result<std::shared_ptr<const Text2SqlWeights>> Text2SqlWeights::load(const std::string& path) {
    // Held while a file is read, so that two who want the same one read it once.
    static std::mutex mutex;
    static std::map<std::string, std::weak_ptr<const Text2SqlWeights>> loaded;
    std::error_code no_such_file;
    const auto canonical = std::filesystem::weakly_canonical(path, no_such_file).string();
    const std::lock_guard lock(mutex);
    std::erase_if(loaded, [](const auto& entry) { return entry.second.expired(); });
    if (const auto found = loaded.find(canonical); found != loaded.end()) {
        if (auto weights = found->second.lock()) return weights;
    }
    auto weights = WeightsReader(path).read();
    if (weights) loaded[canonical] = *weights;
    return weights;
}

}  // namespace quaestor::native
