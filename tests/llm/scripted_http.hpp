// An Http that answers what a test tells it to, in the words of OpenAI's Chat Completions, and remembers what was sent.
// Threads: one.
#pragma once

#include "base/json.hpp"
#include "net/http.hpp"

#include <fmt/format.h>

#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace quaestor::llm::test {

class ScriptedHttp final : public net::Http {
public:
    ScriptedHttp& says(std::string_view content, std::string_view finish = "stop") {
        const auto event = [](const json::value& value) { return fmt::format("data: {}\n\n", to_text(value)); };
        const json::value delta = {{"content", content}};
        const json::value text = {
            {"model", "served"},
            {"choices", json::array{{{"index", 0}, {"delta", delta}, {"finish_reason", nullptr}}}}};
        const json::value end = {
            {"model", "served"},
            {"choices", json::array{{{"index", 0}, {"delta", json::object()}, {"finish_reason", finish}}}}};
        const json::value usage = {
            {"model", "served"},
            {"choices", json::array()},
            {"usage", {{"prompt_tokens", 1000}, {"completion_tokens", 100}, {"total_tokens", 1100}}}};
        return responds(200, event(text) + event(end) + event(usage) + "data: [DONE]\n\n", "text/event-stream");
    }
    ScriptedHttp& responds(int status, std::string body, std::string type = "application/json") {
        answers_.push_back(net::HttpResponse{status, {{"content-type", std::move(type)}}, std::move(body)});
        return *this;
    }
    ScriptedHttp& fails(Code code) {
        answers_.push_back(Error{code, "as scripted", "", nullptr});
        return *this;
    }

    Task<Result<net::HttpResponse>> stream(net::HttpCall call, net::BodySink sink) override {
        requests.push_back(call.request);
        if (answers_.empty()) co_return fail(Code::invalid_argument, "the script has no more answers");
        std::variant<net::HttpResponse, Error> answer = std::move(answers_.front());
        answers_.pop_front();
        if (auto* error = std::get_if<Error>(&answer)) co_return fail(std::move(*error));
        auto& response = std::get<net::HttpResponse>(answer);
        if (sink && response.is_success()) {
            (void)co_await sink(response.body);
            response.body.clear();
        }
        co_return std::move(response);
    }

    /// The body of request number `index` as JSON.
    [[nodiscard]] json::value sent(std::size_t index) const { return parse_json(requests.at(index).body).value(); }

    std::vector<net::HttpRequest> requests;

private:
    std::deque<std::variant<net::HttpResponse, Error>> answers_;
};

}  // namespace quaestor::llm::test
