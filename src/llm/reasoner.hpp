// Answers typed questions, whoever can: a model, a cache, or the program's own native answer. Every node of every
// workflow asks through it, so that usage is counted, budgets hold, and a tape has it all.
//   auto choice = co_await reasoner.ask<TableChoice>({.question = …}, {.node = "choose_tables", .ledger = &ledger});
// Made once by main() or the server. Threads: ask() may be called from any executor; natives are set before the first.
#pragma once

#include "llm/models.hpp"
#include "llm/prompt.hpp"
#include "llm/semantic_cache.hpp"
#include "llm/usage.hpp"

#include <any>
#include <functional>
#include <map>
#include <string>

namespace quaestor::llm {

/// Who asks, and within which bounds.
struct AskOptions {
    std::string node{};             ///< for the ledger and the trace
    std::string session{};          ///< for the cache of conversations
    std::string depends_on{};       ///< what else the answer depends on, such as a catalogue's fingerprint
    UsageLedger* ledger = nullptr;  ///< outlives the call; none: nothing is counted
    Deadline deadline{};
    CancelToken cancel{};
    DeltaSink on_delta{};
    bool may_use_cache = true;
};

/// How a question was answered.
enum class AnsweredBy { model, cache, native };
BOOST_DESCRIBE_ENUM(AnsweredBy, model, cache, native)

template <class Output>
struct Reply {
    Output output;
    AnsweredBy by = AnsweredBy::native;
    std::string model;  ///< the model's name, "native" or that of the model whose answer was kept
    int rounds = 1;     ///< 2: the first reply did not fit and was repaired
};

class Reasoner {
public:
    /// `models` and `cache` (none: no cache) outlive the reasoner.
    explicit Reasoner(Models& models, SemanticCache* cache = nullptr);

    /// The program's own answer to a prompt: used when no model is configured for it, and in a model's place when that
    /// cannot answer now (its breaker is open, no network) if `is_fallback`.
    template <Prompt P>
    using Native = std::function<Task<Result<typename P::Output>>(const typename P::Input& input, AskOptions options)>;
    template <Prompt P>
    void answer_natively(Native<P> answer, bool is_fallback = true);

    /// The answer, fitting the prompt's output. A reply that does not fit is sent back once with what is wrong. Errors:
    /// Code::unsupported when nobody can answer, Code::limit_exceeded for the budget, the model's fault as an Error.
    template <Prompt P>
    Task<Result<Reply<typename P::Output>>> ask(typename P::Input input, AskOptions options = {});

    /// The same for a prompt that is known by its key: the input as JSON, and more of how the answer came about.
    struct Answer {
        json::value output;
        AnsweredBy by = AnsweredBy::native;
        std::string model;
        int rounds = 1;
        std::optional<ChatRequest> request{};  ///< of a model: what it was sent last
        std::optional<ChatReply> reply{};      ///< and what it said
    };
    Task<Result<Answer>> ask_json(const PromptSpec& spec, json::value input, AskOptions options = {});

    /// Whether a prompt would be answered by a model, and by which chain.
    [[nodiscard]] bool has_model_for(const PromptSpec& spec) const;

private:
    using NativeJson = std::function<Task<Result<json::value>>(json::value input, AskOptions options)>;
    struct NativeEntry {
        std::any answer;         ///< Native<P>
        NativeJson answer_json;  ///< the same, for ask_json()
        bool is_fallback = true;
    };
    /// A question on its way: what it looks like to a model is only written when one is asked.
    struct Question {
        const PromptSpec& spec;
        std::function<Result<std::string>()> rendered;
        std::function<Task<Result<json::value>>()> native;  ///< empty: there is none
        bool is_fallback = true;
        AskOptions options;
    };

    [[nodiscard]] const NativeEntry* native_for(const PromptSpec& spec) const;
    Task<Result<Answer>> answer(Question question);
    Task<Result<Answer>> answer_by_model(const PromptSpec& spec, const std::string& input, const AskOptions& options);
    /// Where the cache has it; nothing when it must not be there.
    [[nodiscard]] std::optional<CachePlace> place_of(const PromptSpec& spec, const std::string& input,
                                                     const AskOptions& options) const;
    Task<std::optional<Answer>> find_kept(const PromptSpec& spec, const std::string& input, const AskOptions& options);
    Task<> keep(const PromptSpec& spec, const std::string& input, const AskOptions& options, const Answer& answer);
    static void count_free(const PromptSpec& spec, std::string_view by, const AskOptions& options);
    /// Whether the native answer may take the place of a model that failed so.
    [[nodiscard]] bool may_stand_in(const PromptSpec& spec, const Error& error, const AskOptions& options) const;
    [[nodiscard]] static Error nobody_answers(const PromptSpec& spec);

    Models& models_;
    SemanticCache* cache_;
    std::map<std::string, NativeEntry, std::less<>> natives_;
};

}  // namespace quaestor::llm

#include "llm/reasoner_impl.hpp"
