// A Prompt is one small typed question that a workflow asks of whoever can answer it. It is a struct:
//   struct TableChoice {
//       static constexpr std::string_view kKey = "table_choice";
//       static constexpr Tier kTier = Tier::lightweight;       // unless configuration says otherwise
//       static constexpr std::string_view kInstructions = "Choose the tables that …";
//       struct Input { std::string question; std::vector<std::string> tables; };    // described
//       struct Output { std::string reasoning; std::vector<std::string> tables; };  // described
//       static std::vector<Example<TableChoice>> examples();                        // may be left out
//       static std::string render(const Input& input);                              // may be left out: JSON
//       static constexpr bool kHoldsConversation = true;                            // may be left out: false
//   };
// Threads: pure.
#pragma once

#include "llm/chat.hpp"
#include "llm/output_schema.hpp"

#include <boost/describe/enum.hpp>

#include <concepts>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::llm {

/// How much a question asks of a model. Which models stand behind a tier is configuration.
enum class Tier { frontier, lightweight };
BOOST_DESCRIBE_ENUM(Tier, frontier, lightweight)

template <class P>
struct Example {
    typename P::Input input;
    typename P::Output output;
};

template <class P>
concept Prompt = requires {
    { P::kKey } -> std::convertible_to<std::string_view>;
    { P::kTier } -> std::convertible_to<Tier>;
    { P::kInstructions } -> std::convertible_to<std::string_view>;
    typename P::Input;
    typename P::Output;
};

/// A prompt without its types: what is needed to ask it. Made once for each prompt.
struct PromptSpec {
    std::string key;
    Tier tier = Tier::lightweight;
    std::string instructions;
    bool holds_conversation = false;  ///< its input is somebody's conversation: answers are not shared between sessions
    json::value input_schema;
    OutputShape output;
    struct Shown {
        std::string input;
        std::string output;
    };
    std::vector<Shown> examples;
    /// Renders an input given as JSON, for `quaestor prompt`; an error names what does not fit.
    std::function<Result<std::string>(const json::value& input)> render;
    /// Whether an output that fits the schema fits its C++ type too: the range of a number, the form of a time.
    std::function<Result<>(const json::value& output)> check;
};

template <Prompt P>
[[nodiscard]] const PromptSpec& spec_of();

/// What the input looks like to a model.
template <Prompt P>
[[nodiscard]] std::string rendered(const typename P::Input& input);

/// The messages that ask it: instructions as system, examples as turns of user and assistant, then the input. What
/// stands in the input is data: the instructions say so, and it comes in a message of its own.
[[nodiscard]] std::vector<Message> messages_for(const PromptSpec& spec, std::string_view rendered_input);

/// All prompts of the program, so that they can be listed and asked by key. Filled by main().
class PromptBook {
public:
    template <Prompt P>
    void add() {
        add(spec_of<P>());
    }
    void add(const PromptSpec& spec);
    /// Code::not_found with the nearest key.
    [[nodiscard]] Result<const PromptSpec*> find(std::string_view key) const;
    [[nodiscard]] std::vector<const PromptSpec*> all() const;

private:
    std::vector<const PromptSpec*> specs_;
};

}  // namespace quaestor::llm

#include "llm/prompt_impl.hpp"
