// What a node may ask of the runtime while it runs: who it is, how long it has, a way to tell, and a way to ask a
// person. Made by the runtime for each attempt; valid until the node returns. Threads: use it on the node's own
// executor.
#pragma once

#include "base/clock.hpp"
#include "base/ids.hpp"
#include "base/json.hpp"
#include "base/log.hpp"
#include "base/task.hpp"
#include "resilience/cancellation.hpp"
#include "resilience/deadline.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace quaestor::graph {

class Engine;
class Item;
struct ActiveTask;

class Context {
public:
    [[nodiscard]] const std::string& run_id() const;
    [[nodiscard]] const std::string& thread_id() const;
    [[nodiscard]] std::string_view node() const;
    [[nodiscard]] std::int64_t step() const;
    /// From 1; above it the node is being retried.
    [[nodiscard]] int attempt() const { return attempt_; }

    /// The earlier of the run's deadline and the node's timeout: hand it on to every outside call.
    [[nodiscard]] Deadline deadline() const { return deadline_; }
    [[nodiscard]] const CancelToken& cancel() const;
    [[nodiscard]] Clock& clock() const;
    [[nodiscard]] Random& random() const;
    /// For log lines: this run and this node.
    [[nodiscard]] LogScope log_scope() const;

    /// Tells the listener of a piece of text, such as a language model's next word.
    Task<> token(std::string text);
    /// Tells the listener of anything else.
    Task<> emit(std::string name, json::value data);

    /// Asks a person. The first time, the run is suspended here and the node starts over when it is resumed; then this
    /// call returns the answer at once. So what stands before it runs twice and must be harmless. Several calls in one
    /// node are matched in order. It suspends by an exception that is no std::exception: let it pass.
    [[nodiscard]] json::value interrupt(json::value question);

    /// The same with types. An answer that does not fit Answer is asked for again, saying what was wrong with it.
    template <class Answer, class Question>
    [[nodiscard]] Answer interrupt(const Question& question) {
        auto answer = decode<Answer>(interrupt(encode(question)));
        if (!answer) ask_again(encode(question), answer.error().message);
        return std::move(*answer);
    }

    /// The item of a fan-out task; nodes that take one are handed it typed.
    [[nodiscard]] const Item& item() const;

private:
    friend class Engine;
    Context(Engine& engine, ActiveTask& task, int attempt, Deadline deadline)
        : engine_(engine), task_(task), attempt_(attempt), deadline_(deadline) {}
    [[noreturn]] void ask_again(json::value question, std::string problem);

    Engine& engine_;
    ActiveTask& task_;
    int attempt_;
    Deadline deadline_;
    std::size_t questions_asked_ = 0;
};

}  // namespace quaestor::graph
