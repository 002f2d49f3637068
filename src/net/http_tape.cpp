#include "net/http_tape.hpp"

#include "base/text.hpp"
#include "net/base64.hpp"
#include "net/url.hpp"

#include <boost/algorithm/string/predicate.hpp>

#include <utility>

namespace quaestor::net {

namespace {

constexpr std::string_view kKind = "http";

/// Bytes on the tape: text as it is, anything else (such as a piece that ends within a character) in base64.
struct Bytes {
    std::string bytes;
};

json::value encode_json(const Bytes& value) {
    if (text::is_utf8(value.bytes)) return json::string(value.bytes);
    return json::object{{"base64", base64(value.bytes)}};
}

Result<Bytes> decode_json(std::type_identity<Bytes>, const json::value& value) {
    if (const auto* text = value.if_string()) return Bytes{std::string(*text)};
    const auto* object = value.if_object();
    const auto* encoded = object == nullptr ? nullptr : object->if_contains("base64");
    auto bytes = encoded != nullptr && encoded->is_string() ? from_base64(std::string_view(encoded->get_string()))
                                                            : std::optional<std::string>();
    if (!bytes) return fail(Code::corrupt, "expected a string, or an object with base64");
    return Bytes{std::move(*bytes)};
}

struct TapedRequest {
    std::string method;
    std::string url;
    Bytes body;
};
BOOST_DESCRIBE_STRUCT(TapedRequest, (), (method, url, body))

struct TapedAnswer {
    int status = 0;
    std::vector<HttpHeader> headers;
    std::vector<Bytes> pieces;  ///< what went to the sink, before the error if there is one
    Bytes body;
    std::optional<Error> error;
};
BOOST_DESCRIBE_STRUCT(TapedAnswer, (), (status, headers, pieces, body, error))

bool is_credential(const HttpHeader& header) {
    return boost::algorithm::iequals(header.name, "Set-Cookie");
}

Task<Result<HttpResponse>> record(Tape& tape, Http& inner, json::value request, HttpCall call, BodySink sink) {
    TapedAnswer answer;
    BodySink listening;
    if (sink) {
        listening = [&](std::string_view piece) -> Task<bool> {
            answer.pieces.push_back({std::string(piece)});
            co_return co_await sink(piece);
        };
    }
    auto response = co_await inner.stream(std::move(call), std::move(listening));
    if (response) {
        answer.status = response->status;
        answer.headers = response->headers;
        std::erase_if(answer.headers, is_credential);
        answer.body = {response->body};
    } else {
        answer.error = response.error();
    }
    if (auto kept = tape.keep(kKind, request, encode(answer)); !kept) co_return fail(std::move(kept.error()));
    co_return response;
}

Task<Result<HttpResponse>> replay(Tape& tape, json::value request, BodySink sink) {
    const auto taken = tape.take(kKind, request);
    if (!taken) co_return fail(taken.error());
    auto answer = decode<TapedAnswer>(*taken);
    if (!answer) co_return fail(Error{Code::corrupt, "an answer on the tape makes no sense"}.because(answer.error()));
    HttpResponse response{answer->status, std::move(answer->headers), std::move(answer->body.bytes)};
    if (sink && response.is_success() && !response.body.empty())
        answer->pieces.push_back({std::exchange(response.body, {})});
    for (const Bytes& piece : answer->pieces) {
        if (!sink) {
            response.body += piece.bytes;
        } else if (!co_await sink(piece.bytes)) {
            co_return response;
        }
    }
    if (answer->error) co_return fail(std::move(*answer->error));
    co_return response;
}

}  // namespace

Task<Result<HttpResponse>> HttpOnTape::stream(HttpCall call, BodySink sink) {
    auto url = without_secrets(call.request.url);
    if (!url) co_return fail(std::move(url.error()));
    json::value request = encode(TapedRequest{call.request.method, std::move(*url), {call.request.body}});
    if (tape_->is_replay()) co_return co_await replay(*tape_, std::move(request), std::move(sink));
    co_return co_await record(*tape_, *inner_, std::move(request), std::move(call), std::move(sink));
}

}  // namespace quaestor::net
