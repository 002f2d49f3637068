// The typed part of asking: from a prompt's types to JSON and back. What needs no types is in reasoner.cpp.
// A private header of llm/; include reasoner.hpp. Threads: as Reasoner.
#pragma once

#include "llm/reasoner.hpp"

#include <utility>

namespace quaestor::llm {

template <Prompt P>
void Reasoner::answer_natively(Native<P> answer, bool is_fallback) {
    NativeJson answer_json = [answer](json::value input, AskOptions options) -> Task<Result<json::value>> {
        auto typed = decode<typename P::Input>(input);
        if (!typed) co_return fail(std::move(typed.error()));
        const auto output = co_await answer(*typed, std::move(options));
        if (!output) co_return fail(output.error());
        co_return encode(*output);
    };
    natives_.insert_or_assign(spec_of<P>().key, NativeEntry{std::move(answer), std::move(answer_json), is_fallback});
}

template <Prompt P>
Task<Result<Reply<typename P::Output>>> Reasoner::ask(typename P::Input input, AskOptions options) {
    using Output = typename P::Output;
    Question question{.spec = spec_of<P>(),
                      .rendered = [&] { return Result<std::string>(rendered<P>(input)); },
                      .native = {},
                      .options = options};
    if (const NativeEntry* entry = native_for(question.spec)) {
        question.is_fallback = entry->is_fallback;
        question.native = [&, entry]() -> Task<Result<json::value>> {
            const auto output = co_await std::any_cast<const Native<P>&>(entry->answer)(input, options);
            if (!output) co_return fail(output.error());
            co_return encode(*output);
        };
    }
    auto given = co_await answer(std::move(question));
    if (!given) co_return fail(std::move(given.error()));
    auto output = decode<Output>(given->output);
    if (!output) co_return fail(std::move(output.error()));
    co_return Reply<Output>{std::move(*output), given->by, std::move(given->model), given->rounds};
}

}  // namespace quaestor::llm
