#include "scripted_provider.hpp"

#include "base/json.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace quaestor::workflows::test {

namespace {

/// Turns of the event loop after which whoever could have come has come.
constexpr int kTurnsWaited = 1'000;

std::string event(const json::value& value) {
    return fmt::format("data: {}\n\n", to_text(value));
}

std::string streamed(const std::string& text) {
    const json::value delta = {{"content", text}};
    const json::value piece = {{"model", "served"},
                               {"choices", json::array{{{"index", 0}, {"delta", delta}, {"finish_reason", nullptr}}}}};
    const json::value end = {
        {"model", "served"},
        {"choices", json::array{{{"index", 0}, {"delta", json::object()}, {"finish_reason", "stop"}}}}};
    const json::value usage = {
        {"model", "served"},
        {"choices", json::array()},
        {"usage", {{"prompt_tokens", 1000}, {"completion_tokens", 100}, {"total_tokens", 1100}}}};
    return event(piece) + event(end) + event(usage) + "data: [DONE]\n\n";
}

std::string input_of(const json::value& request) {
    const auto& messages = request.at("messages").as_array();
    std::string input;
    for (std::size_t at = 1; at < messages.size(); ++at) input += messages[at].at("content").as_string();
    return input;
}

}  // namespace

ScriptedTurn ScriptedProvider::next_turn(const std::string& prompt, const std::string& input) {
    auto& turns = turns_[prompt];
    const auto found =
        std::ranges::find_if(turns, [&](const ScriptedTurn& turn) { return input.contains(turn.only_for); });
    if (found != turns.end()) {
        ScriptedTurn turn = std::move(*found);
        turns.erase(found);
        return turn;
    }
    if (const auto said = defaults_.find(prompt); said != defaults_.end()) {
        return {.only_for = {}, .does = ScriptedTurn::Says{said->second}};
    }
    unexpected_.push_back(fmt::format("{}: {}", prompt, input));
    return {.only_for = {}, .does = ScriptedTurn::Fails{.status = 400, .body = "the script has no turn for this"}};
}

Task<> ScriptedProvider::wait_for_others(const std::string& prompt) {
    if (prompt != held_prompt_) co_return;
    most_together_ = std::max(most_together_, ++together_);
    for (int turn = 0; turn < kTurnsWaited && most_together_ < held_together_; ++turn) {
        co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
    }
    --together_;
}

Task<Result<net::HttpResponse>> ScriptedProvider::stream(net::HttpCall call, net::BodySink sink) {
    const json::value request = parse_json(call.request.body).value();
    const std::string prompt(request.at_pointer("/response_format/json_schema/name").as_string());
    const std::string input = input_of(request);
    inputs_[prompt].push_back(input);
    const ScriptedTurn turn = next_turn(prompt, input);
    co_await wait_for_others(prompt);
    if (const auto* failure = std::get_if<ScriptedTurn::Fails>(&turn.does)) {
        if (failure->status == 0) co_return fail(failure->code, "as scripted");
        co_return net::HttpResponse{failure->status, {{"content-type", "application/json"}}, failure->body};
    }
    const std::string body = streamed(std::get<ScriptedTurn::Says>(turn.does).text);
    if (sink) (void)co_await sink(body);
    co_return net::HttpResponse{200, {{"content-type", "text/event-stream"}}, sink ? "" : body};
}

std::vector<std::string> ScriptedProvider::left_over() const {
    std::vector<std::string> left;
    for (const auto& [prompt, turns] : turns_) {
        if (!turns.empty()) left.push_back(fmt::format("{} ({})", prompt, turns.size()));
    }
    return left;
}

}  // namespace quaestor::workflows::test
