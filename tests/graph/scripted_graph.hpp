// The graph of a case file: its nodes do what the script says, call by call.
// Owned by the runner of the case; the compiled graph must not outlive it.
// Threads: one.
#pragma once

#include "case_script.hpp"
#include "graph/graph.hpp"

#include <boost/describe/class.hpp>

#include <map>
#include <string>
#include <vector>

namespace quaestor::graph {

/// The state of every case.
struct CaseState {
    std::vector<std::string> log;    ///< words are added
    int total = 0;                   ///< numbers are summed
    std::string note;                ///< has no reducer
    std::string route;               ///< where branches go: node names between spaces
    std::vector<std::string> items;  ///< what fan-outs hand out

    static int sum(int there, int change) { return there + change; }
    static constexpr auto kReducers = std::tuple{append<&CaseState::log>, reduce<&CaseState::total, &CaseState::sum>};
};
BOOST_DESCRIBE_STRUCT(CaseState, (), (log, total, note, route, items))

class ScriptedGraph {
public:
    explicit ScriptedGraph(CaseScript script) : script_(std::move(script)) {}
    ScriptedGraph(const ScriptedGraph&) = delete;
    ScriptedGraph& operator=(const ScriptedGraph&) = delete;

    [[nodiscard]] Result<CompiledGraph<CaseState>> compile(Clock& clock);

    /// What the action `cancel` cancels: the run that is under way.
    CancelSource cancel;

private:
    struct Scene;

    void declare(Graph<CaseState>& graph, const Phrase& phrase);
    Task<Update<CaseState>> play(std::string node, std::string item, Context& context);
    [[nodiscard]] const Turn& next_turn(const std::string& node, const std::string& item);
    Task<> act(const Phrase& action, Scene& scene);
    void change(const Phrase& action, Scene& scene);

    const CaseScript script_;
    std::map<std::string, std::size_t> calls_;  ///< by node, or "worker(item)"
};

/// `text` cut at spaces.
[[nodiscard]] std::vector<std::string> split_words(std::string_view text);

}  // namespace quaestor::graph
