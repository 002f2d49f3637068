// How a prompt's struct becomes a PromptSpec.
// A private header of llm/; include prompt.hpp. Threads: pure; a spec is made by whoever asks for it first.
#pragma once

#include "base/json_schema.hpp"
#include "llm/prompt.hpp"

#include <algorithm>

namespace quaestor::llm {

namespace detail {

/// What every provider takes as the name of a schema or tool.
consteval bool is_shape_name(std::string_view name) {
    const auto allowed = [](char byte) {
        return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
               byte == '_' || byte == '-';
    };
    return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, allowed);
}

/// `output` as a strict schema wants it: with null where an optional is empty, which encode() leaves out.
[[nodiscard]] json::value with_nulls(const json::value& output, const json::value& schema);

template <Prompt P>
std::vector<PromptSpec::Shown> shown_examples(const json::value& schema) {
    std::vector<PromptSpec::Shown> shown;
    if constexpr (requires { P::examples(); }) {
        for (const Example<P>& example : P::examples()) {
            const json::value output = with_nulls(encode(example.output), schema);
            shown.push_back({.input = rendered<P>(example.input), .output = to_text(output)});
        }
    }
    return shown;
}

template <Prompt P>
PromptSpec make_spec() {
    static_assert(is_shape_name(P::kKey), "a prompt's key has letters, digits, _ and -, at most 64");
    PromptSpec spec;
    spec.key = P::kKey;
    spec.tier = P::kTier;
    spec.instructions = P::kInstructions;
    if constexpr (requires { P::kHoldsConversation; }) spec.holds_conversation = P::kHoldsConversation;
    spec.input_schema = json_schema<typename P::Input>();
    spec.output = {.name = spec.key, .schema = output_schema<typename P::Output>()};
    spec.examples = shown_examples<P>(spec.output.schema);
    spec.render = [](const json::value& value) -> Result<std::string> {
        const auto input = decode<typename P::Input>(value, UnknownFields::refuse);
        if (!input) return fail(input.error());
        return rendered<P>(*input);
    };
    spec.check = [](const json::value& value) -> Result<> {
        const auto output = decode<typename P::Output>(value);
        if (!output) return fail(output.error());
        return {};
    };
    return spec;
}

}  // namespace detail

template <Prompt P>
const PromptSpec& spec_of() {
    static const PromptSpec spec = detail::make_spec<P>();
    return spec;
}

template <Prompt P>
std::string rendered(const typename P::Input& input) {
    if constexpr (requires { P::render(input); }) {
        return P::render(input);
    } else {
        return to_text(encode(input));
    }
}

}  // namespace quaestor::llm
