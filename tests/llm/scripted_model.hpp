// A ChatModel that says what a test tells it to, and remembers what it was asked; and small things that tests of
// models share. Threads: one.
#pragma once

#include "llm/chat.hpp"
#include "resilience/cancellation.hpp"

#include <boost/asio/this_coro.hpp>

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace quaestor::llm::test {

inline ChatReply reply_of(std::string content, Usage usage = {.input_tokens = 100, .output_tokens = 10}) {
    return {.message = assistant(std::move(content)), .finish = FinishReason::stop, .usage = usage, .model = "as-told"};
}

class ScriptedModel final : public ChatModel {
public:
    using Turn = std::function<Task<ModelResult<ChatReply>>(const ChatRequest& request, const CallOptions& options)>;

    explicit ScriptedModel(std::string name = "test/scripted") : name_(std::move(name)) {}

    ScriptedModel& says(std::string content) {
        return does([content](const ChatRequest&, const CallOptions&) -> Task<ModelResult<ChatReply>> {
            co_return reply_of(content);
        });
    }
    ScriptedModel& replies(ChatReply reply) {
        return does(
            [reply](const ChatRequest&, const CallOptions&) -> Task<ModelResult<ChatReply>> { co_return reply; });
    }
    ScriptedModel& fails(Fault with, std::optional<Duration> retry_after = {}) {
        const ModelError error = fault(with, name_, "as scripted", retry_after).error();
        return does([error](const ChatRequest&, const CallOptions&) -> Task<ModelResult<ChatReply>> {
            co_return std::unexpected(error);
        });
    }
    /// Tells one piece and then fails.
    ScriptedModel& breaks_off_after(std::string piece, Fault with) {
        const ModelError error = fault(with, name_, "as scripted").error();
        return does([piece, error](const ChatRequest&, const CallOptions& options) -> Task<ModelResult<ChatReply>> {
            if (options.on_delta) co_await options.on_delta(TextDelta{piece});
            co_return std::unexpected(error);
        });
    }
    /// Says nothing until the clock of the test has moved on by `time`.
    ScriptedModel& takes(Clock& clock, Duration time, std::string content) {
        return does([&clock, time, content](const ChatRequest&, const CallOptions&) -> Task<ModelResult<ChatReply>> {
            co_await clock.sleep_for(time);
            co_return reply_of(content);
        });
    }
    ScriptedModel& does(Turn turn) {
        turns_.push_back(std::move(turn));
        return *this;
    }

    [[nodiscard]] const std::string& name() const override { return name_; }
    Task<ModelResult<ChatReply>> chat(ChatRequest request, CallOptions options) override {
        requests.push_back(request);
        if (turns_.empty()) co_return fault(Fault::bad_request, name_, "the script has no more turns");
        const Turn turn = std::move(turns_.front());
        turns_.pop_front();
        co_return co_await turn(request, options);
    }

    std::vector<ChatRequest> requests;

private:
    std::string name_;
    std::deque<Turn> turns_;
};

/// Owned by whoever guards it; the test keeps looking at it.
struct Scripted {
    std::unique_ptr<ScriptedModel> owned = std::make_unique<ScriptedModel>();
    ScriptedModel& model = *owned;
};

}  // namespace quaestor::llm::test
