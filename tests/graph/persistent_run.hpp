// Runs a graph to its end however often it is stopped on the way: answers its questions, and resumes it after failures.
// Owned by the test.
// Threads: one.
#pragma once

#include "random_graph.hpp"
#include "test_loop.hpp"

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <utility>

namespace quaestor::graph {

struct PersistentRun {
    /// Calls of run() and resume() after which a run that does not end is given up.
    static constexpr int kCallsMax = 200;

    TestLoop& loop;
    const CompiledGraph<Tally>& graph;
    CheckpointStore& store;                        ///< where everything is stored, past all disturbances
    std::function<RunOptions(int call)> options;   ///< for each call of run() or resume(); all on one thread
    std::function<void(const RunOutcome&)> check;  ///< looks at how each call ended

    /// The state at the end.
    Tally run_to_the_end() {
        Answers answers;
        std::optional<SavedCheckpoint> saved;
        for (int call = 0; call < kCallsMax; ++call) {
            const auto how = options(call);
            const auto result =
                loop.run(saved ? graph.resume(how, std::exchange(answers, {})) : graph.run(Tally(), how));
            check(result);
            saved = loop.run(store.get(how.thread_id)).value();
            if (saved && is_at_its_end(*saved)) return decode<Tally>(saved->state).value();
            if (result.status == RunStatus::interrupted) answers = answers_to(result.interrupts);
        }
        throw std::logic_error("the run does not end");
    }

private:
    static bool is_at_its_end(const SavedCheckpoint& saved) {
        const auto* next = saved.position.at("next").if_array();
        return next != nullptr && next->empty();
    }

    /// An answer depends on the question only, not on when it is given.
    static Answers answers_to(const std::vector<Interrupt>& questions) {
        Answers answers;
        for (const auto& question : questions) answers[question.id] = fmt::format("re {}", to_text(question.question));
        return answers;
    }
};

}  // namespace quaestor::graph
