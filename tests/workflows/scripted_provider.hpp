// Stands for a provider of language models: answers each prompt as a script says, in the words of OpenAI's Chat
// Completions, and remembers what it was asked. Prompts are told apart by their keys, so a script need not know in
// which order they come. Threads: one.
#pragma once

#include "net/http.hpp"

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace quaestor::workflows::test {

/// One thing that the provider does when it is asked.
struct ScriptedTurn {
    struct Says {
        std::string text;
    };
    struct Fails {
        int status = 0;  ///< of HTTP; 0: `code` instead, as the network would
        std::string body;
        Code code = Code::unavailable;
    };
    std::string only_for;  ///< a text that the input must hold; empty: any
    std::variant<Says, Fails> does;
};

class ScriptedProvider final : public net::Http {
public:
    void script(const std::string& prompt, ScriptedTurn turn) { turns_[prompt].push_back(std::move(turn)); }
    /// What is said to a prompt for which the script has no turn; without one that is an error.
    void otherwise(const std::string& prompt, std::string text) { defaults_[prompt] = std::move(text); }
    /// Replies to this prompt wait until so many of them are asked for at the same time, or nobody else can go on.
    void hold(std::string prompt, std::size_t together) {
        held_prompt_ = std::move(prompt);
        held_together_ = together;
        most_together_ = 0;
    }
    [[nodiscard]] std::size_t most_together() const { return most_together_; }

    Task<Result<net::HttpResponse>> stream(net::HttpCall call, net::BodySink sink) override;

    /// The inputs that a prompt was asked with, in their order; with what was said before where a reply was sent back.
    [[nodiscard]] const std::vector<std::string>& inputs(const std::string& prompt) { return inputs_[prompt]; }
    void forget() { inputs_.clear(); }
    /// Prompts for which the script had no turn.
    [[nodiscard]] const std::vector<std::string>& unexpected() const { return unexpected_; }
    /// Turns that nobody asked for.
    [[nodiscard]] std::vector<std::string> left_over() const;

private:
    [[nodiscard]] ScriptedTurn next_turn(const std::string& prompt, const std::string& input);
    Task<> wait_for_others(const std::string& prompt);

    std::map<std::string, std::deque<ScriptedTurn>> turns_;
    std::map<std::string, std::string> defaults_;
    std::map<std::string, std::vector<std::string>> inputs_;
    std::vector<std::string> unexpected_;
    std::string held_prompt_;
    std::size_t held_together_ = 0;
    std::size_t together_ = 0;
    std::size_t most_together_ = 0;
};

}  // namespace quaestor::workflows::test
