// Graphs made by chance from a seed: rows of blocks with loops, branches, parallel ways, fan-outs and questions. What
// they do depends only on the state, so every undisturbed run of one graph ends alike. Owned by the test; the compiled
// graph must not outlive it. Threads: one.
#pragma once

#include "graph/graph.hpp"

#include <boost/describe/class.hpp>

#include <map>
#include <string>
#include <vector>

namespace quaestor::graph {

/// What was done, in order and by node: an effect that is lost or comes twice shows here.
struct Tally {
    std::vector<std::string> log;
    std::map<std::string, int> counts;

    static std::map<std::string, int> sum(std::map<std::string, int> there, const std::map<std::string, int>& change) {
        for (const auto& [name, count] : change) there[name] += count;
        return there;
    }
    [[nodiscard]] int count(const std::string& name) const {
        const auto found = counts.find(name);
        return found == counts.end() ? 0 : found->second;
    }

    static constexpr auto kReducers = std::tuple{append<&Tally::log>, reduce<&Tally::counts, &Tally::sum>};
};
BOOST_DESCRIBE_STRUCT(Tally, (), (log, counts))

class RandomGraph {
public:
    explicit RandomGraph(std::uint64_t seed);
    [[nodiscard]] const CompiledGraph<Tally>& graph() const { return compiled_; }

private:
    CompiledGraph<Tally> build();
    /// Each adds a block behind `last` and returns the name of its last node.
    std::string add_node(std::string_view last, int questions);
    std::string add_loop(std::string_view last);
    std::string add_branch(std::string_view last);
    std::string add_parallel(std::string_view last);
    std::string add_fan_out(std::string_view last, int questions);

    std::string declare(int questions = 0);
    [[nodiscard]] int chance(int bound);

    SeededRandom random_;
    int nodes_ = 0;
    Graph<Tally> building_{"random"};
    CompiledGraph<Tally> compiled_;
};

}  // namespace quaestor::graph
