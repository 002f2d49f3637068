// A compiled graph whose state type is not known: everything goes in and out as JSON. For command line, server and
// tests. The registry holds the graphs of a program by name. Threads: immutable; runs may go on at the same time.
#pragma once

#include "graph/plan.hpp"
#include "graph/run.hpp"

#include <memory>
#include <string>
#include <vector>

namespace quaestor::graph {

struct AnyResult : RunOutcome {
    json::object state;
};

class AnyGraph {
public:
    virtual ~AnyGraph() = default;

    [[nodiscard]] const std::string& name() const { return plan_->shape.name; }
    [[nodiscard]] const Shape& shape() const { return plan_->shape; }
    /// JSON Schema of the state.
    [[nodiscard]] virtual json::value state_schema() const = 0;

    /// As CompiledGraph's; `input` and `change` are objects of state fields.
    [[nodiscard]] virtual Task<AnyResult> run_json(json::value input, RunOptions options) const = 0;
    [[nodiscard]] virtual Task<AnyResult> resume_json(RunOptions options, Answers answers) const = 0;
    [[nodiscard]] virtual Task<Result<std::string>> fork_json(std::string checkpoint_id, json::value change,
                                                              RunOptions options) const = 0;

protected:
    explicit AnyGraph(const Plan& plan) : plan_(&plan) {}

private:
    const Plan* plan_;
};

/// Graphs by name, in the order in which they were added.
class GraphRegistry {
public:
    void add(std::shared_ptr<const AnyGraph> graph) { graphs_.push_back(std::move(graph)); }
    [[nodiscard]] const std::vector<std::shared_ptr<const AnyGraph>>& all() const { return graphs_; }
    /// Code::not_found suggests the nearest name.
    [[nodiscard]] Result<std::shared_ptr<const AnyGraph>> find(std::string_view name) const;

private:
    std::vector<std::shared_ptr<const AnyGraph>> graphs_;
};

}  // namespace quaestor::graph
