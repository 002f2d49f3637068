#include "llm/embedder.hpp"
#include "llm/protocol.hpp"
#include "llm/providers/wire.hpp"
#include "resilience/deadline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

namespace quaestor::llm {

namespace {

/// About the 8,191 tokens that their models read, also of texts whose characters are tokens of their own.
constexpr std::size_t kEmbeddedBytesMax = std::size_t{16} << 10;
constexpr std::size_t kDimensionsMax = 65'536;

/// The beginning of a text, not cut inside a character. They refuse an empty one; a space has a vector.
std::string fitted(std::string text) {
    if (text.empty()) return " ";
    if (text.size() <= kEmbeddedBytesMax) return text;
    std::size_t end = kEmbeddedBytesMax;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    text.resize(end);
    return text;
}

class HttpEmbedder final : public Embedder {
public:
    HttpEmbedder(HttpEmbedderSettings settings, net::Http& http)
        : settings_(std::move(settings)),
          protocol_(openai_protocol({.name = settings_.name,
                                     .model = settings_.model,
                                     .base_url = settings_.base_url,
                                     .key = settings_.key})),
          http_(http) {}

    [[nodiscard]] const std::string& name() const override { return settings_.name; }
    [[nodiscard]] std::size_t dimensions() const override { return dimensions_.load(); }
    Task<Result<Embeddings>> embed(std::vector<std::string> texts, CancelToken cancel) override;

private:
    Task<Result<>> embed_batch(std::span<std::string> texts, const CancelToken& cancel, std::vector<float>& values);
    Result<> read_reply(std::string_view body, std::size_t expected, std::vector<float>& values);
    Result<> read_vector(const json::array& numbers, std::span<float> row) const;
    Result<> learn_dimensions(std::size_t found);
    [[nodiscard]] std::unexpected<Error> malformed(std::string_view what) const;

    const HttpEmbedderSettings settings_;
    const std::unique_ptr<Protocol> protocol_;  ///< reads their errors
    net::Http& http_;
    std::atomic<std::size_t> dimensions_ = 0;
};

Task<Result<Embeddings>> HttpEmbedder::embed(std::vector<std::string> texts, CancelToken cancel) {
    std::vector<float> values;
    const std::size_t batch = std::max<std::size_t>(settings_.batch, 1);
    for (std::size_t at = 0; at < texts.size(); at += batch) {
        const auto part = std::span(texts).subspan(at, std::min(batch, texts.size() - at));
        if (auto embedded = co_await embed_batch(part, cancel, values); !embedded) co_return fail(embedded.error());
    }
    co_return Embeddings(dimensions(), std::move(values));
}

Task<Result<>> HttpEmbedder::embed_batch(std::span<std::string> texts, const CancelToken& cancel,
                                         std::vector<float>& values) {
    json::array input;
    for (std::string& text : texts) input.emplace_back(fitted(std::move(text)));
    const json::object body{{"model", settings_.model}, {"input", std::move(input)}, {"encoding_format", "float"}};
    net::HttpCall call{.request = wire::post(wire::address(protocol_->endpoint(), "", "/embeddings"), body),
                       .deadline = Deadline::after(system_clock(), settings_.timeout),
                       .cancel = cancel};
    wire::add_key(call.request, "authorization", "Bearer ", settings_.key);

    const auto response = co_await http_.send(std::move(call));
    if (!response) co_return fail(fault_from(settings_.name, response.error()).error);
    if (!response->is_success()) co_return fail(protocol_->error_of(*response).error);
    co_return read_reply(response->body, texts.size(), values);
}

/// Rows come with their index, in any order.
Result<> HttpEmbedder::read_reply(std::string_view body, std::size_t expected, std::vector<float>& values) {
    const auto reply = parse_json(body);
    const json::array* rows = reply && reply->is_object() ? wire::array_at(reply->get_object(), "data") : nullptr;
    if (!rows) return malformed("the reply holds no vectors");
    if (rows->size() != expected) return malformed(fmt::format("{} vectors came for {} texts", rows->size(), expected));

    const std::size_t before = values.size();
    std::vector<bool> is_there(expected);
    for (std::size_t at = 0; at < expected; ++at) {
        const json::object* row = (*rows)[at].if_object();
        const json::array* numbers = row ? wire::array_at(*row, "embedding") : nullptr;
        if (!numbers) return malformed("a row of the reply holds no vector");
        if (auto learnt = learn_dimensions(numbers->size()); !learnt) return learnt;
        values.resize(before + expected * numbers->size());

        const auto place = row->contains("index") ? static_cast<std::size_t>(wire::count_at(*row, "index")) : at;
        if (place >= expected || is_there[place]) return malformed("the rows of the reply are numbered wrongly");
        is_there[place] = true;
        const auto target = std::span(values).subspan(before + place * numbers->size(), numbers->size());
        if (auto read = read_vector(*numbers, target); !read) return read;
    }
    return {};
}

Result<> HttpEmbedder::read_vector(const json::array& numbers, std::span<float> row) const {
    for (std::size_t at = 0; at < row.size(); ++at) {
        const json::value& number = numbers[at];
        row[at] = number.is_number() ? static_cast<float>(number.to_number<double>()) : NAN;
        if (!std::isfinite(row[at])) return malformed("a vector holds something that is no number");
    }
    normalise(row);
    return {};
}

Result<> HttpEmbedder::learn_dimensions(std::size_t found) {
    if (found == 0 || found > kDimensionsMax) return malformed(fmt::format("a vector of {} dimensions came", found));
    std::size_t known = 0;
    if (dimensions_.compare_exchange_strong(known, found) || known == found) return {};
    return malformed(fmt::format("a vector of {} dimensions came, where others have {}", found, known));
}

std::unexpected<Error> HttpEmbedder::malformed(std::string_view what) const {
    return fail(fault(Fault::malformed, settings_.name, std::string(what)).error().error);
}

}  // namespace

std::unique_ptr<Embedder> http_embedder(HttpEmbedderSettings settings, net::Http& http) {
    return std::make_unique<HttpEmbedder>(std::move(settings), http);
}

}  // namespace quaestor::llm
