// A compiled graph whose state type is not known: everything goes in and out as JSON. For command line, server and
// tests. The registry holds the graphs of a program by name. Threads: immutable; runs may go on at the same time.
#pragma once

#include "graph/engine.hpp"
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
    [[nodiscard]] Task<AnyResult> run_json(json::value input, RunOptions options) const;
    [[nodiscard]] Task<AnyResult> resume_json(RunOptions options, Answers answers) const;
    [[nodiscard]] Task<Result<std::string>> fork_json(std::string checkpoint_id, json::value change,
                                                      RunOptions options) const;

protected:
    /// What a run holds on to: its state, and the engine that works on it.
    class OpenRun {
    public:
        virtual ~OpenRun() = default;
        [[nodiscard]] virtual StateBox& box() = 0;
        [[nodiscard]] virtual Engine& engine() = 0;
    };

    explicit AnyGraph(const Plan& plan) : plan_(&plan) {}

    /// A run whose slot 0 holds `update`, in the form of Update::to_json().
    [[nodiscard]] virtual Result<std::unique_ptr<OpenRun>> open_json(const json::value& update,
                                                                     RunOptions options) const = 0;
    [[nodiscard]] static Task<Result<std::string>> fork(std::unique_ptr<OpenRun> run, std::string checkpoint_id);

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
