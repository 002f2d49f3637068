// An agent is a workflow bound to its data: it can be asked by name, whichever workflow it is. Made by main() or the
// server from the configuration; lives as long as its source. Threads: immutable; runs may go on at the same time.
#pragma once

#include "base/error.hpp"
#include "base/task.hpp"
#include "graph/any_graph.hpp"
#include "store/recorded_run.hpp"
#include "store/store.hpp"
#include "workflows/common/answer.hpp"

#include <memory>
#include <string>
#include <vector>

namespace quaestor::workflows {

struct AgentInfo {
    std::string name;      ///< "nba"
    std::string workflow;  ///< "reflective"
    std::string about;     ///< one sentence: what it can be asked; says so when the data is synthetic
    std::string source;    ///< the database or corpus, as a person named it
    std::vector<std::string> examples;
};
BOOST_DESCRIBE_STRUCT(AgentInfo, (), (name, workflow, about, source, examples))

class Agent {
public:
    virtual ~Agent() = default;
    [[nodiscard]] virtual const AgentInfo& info() const = 0;
    [[nodiscard]] virtual const graph::AnyGraph& graph() const = 0;
    /// The fields of the state that a new question sets; what a conversation remembers is left alone.
    [[nodiscard]] virtual json::object input(std::string_view question) const = 0;
    /// The answer, from how a run ended. Trace, usage, ids and times are filled in by ask().
    [[nodiscard]] virtual Answer answer(const graph::AnyResult& result) const = 0;
    /// How well a question fits what this agent knows, 0 to 1, for the router.
    virtual Task<double> fit(std::string question) const = 0;
};

/// The input of a new question for a workflow's state: everything as it is at the beginning, but for what the
/// conversation remembers and what it has cost.
template <class State>
[[nodiscard]] json::object fresh_input(std::string_view question) {
    State fresh;
    fresh.question = question;
    json::object fields = encode(fresh).as_object();
    fields.erase("history");
    fields.erase("usage");
    return fields;
}

/// For a run that failed: what happened, and what to do.
void tell_failure(const graph::AnyResult& result, Answer& answer);

inline constexpr std::size_t kQuestionBytesMax = 8'000;

struct AskRequest {
    std::string question;
    std::string thread_id;      ///< empty: a new one
    graph::RunOptions options;  ///< limits, deadline, cancellation
    store::Listener listener;
    json::object input;  ///< what was set beside the question; of it the fields that the workflow's state has are used
};

/// The run of a thread that waits for a person, if its last one does.
Task<Result<std::optional<store::RunRecord>>> waiting_run(store::Store& store, const Agent& agent,
                                                          std::string thread_id);

/// Asks, recorded in the store. When the thread's last run waits for an answer to a clarification, the question is that
/// answer (an option's number, an option's text, or free text) and the run goes on, unless it is plainly another
/// question. The question is kept in the conversation before the run begins, the answer when it has ended. An error
/// only where nothing could be recorded; a run that failed is an Answer that says why.
Task<Result<Answer>> ask(const Agent& agent, store::Store& store, AskRequest request);

/// Goes on with a run that stopped in the middle, as when its process was killed: from its last checkpoint, or from its
/// beginning where it has none. Of `request` options and listener count.
Task<Result<Answer>> go_on(const Agent& agent, store::Store& store, store::RunRecord run, AskRequest request);

/// A question, and when it was asked.
struct AskedQuestion {
    AskedQuestion(std::string said, Clock& by) : question(std::move(said)), clock(by), began(by.now()) {}
    std::string question;
    Clock& clock;
    Instant began;
};
/// The answer from how a run ended, kept in the conversation: the end of ask(), for runs that were resumed otherwise.
Task<Result<Answer>> keep_answer(const Agent& agent, store::Store& store, const graph::AnyResult& result,
                                 AskedQuestion asked);

/// A question that can be worked with: text, not empty, within bounds. Code::invalid_argument says what is wrong.
[[nodiscard]] Result<std::string> usable_question(std::string_view question);

}  // namespace quaestor::workflows
