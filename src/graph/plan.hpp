// A shape resolved for running: names became indices, and each node knows its ways out. Routing needs nothing else but
// the functions of the state. Owned by the compiled graph. Threads: Plan is immutable; a Position belongs to one run.
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"
#include "graph/shape.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace quaestor::graph {

class StateBox;

/// One item of a fan-out, as the engine sees it.
class Item {
public:
    virtual ~Item() = default;
    [[nodiscard]] virtual json::value to_json() const = 0;
};

/// A node that is to run, with the item it is to work on.
struct Scheduled {
    NodeIndex node = 0;
    std::shared_ptr<const Item> item;
};

/// The ways out of one node, or of START.
struct Exits {
    std::vector<NodeIndex> edges;       ///< END is no entry here: it schedules nothing
    std::vector<std::size_t> branches;  ///< indices into Shape::branches
    std::vector<std::size_t> fan_outs;  ///< indices into Shape::fan_outs
    std::vector<std::size_t> joins;     ///< indices into Shape::joins
};

struct Plan {
    explicit Plan(Shape shape);

    Shape shape;
    std::vector<Exits> exits;  ///< by node
    Exits start;
    std::vector<NodeIndex> join_targets;     ///< by join
    std::vector<NodeIndex> fan_out_workers;  ///< by fan-out
    std::vector<NodeIndex> fan_out_joins;    ///< by fan-out
};

/// Where a run stands: which nodes just ran (none: START), and which joins were waiting for others before they did.
struct Position {
    std::vector<NodeIndex> after;
    std::vector<std::vector<NodeIndex>> arrived;  ///< by join: sources that have run

    /// The nodes that follow, by edges, branches, fan-outs and joins, each node once and each fan-out item once;
    /// remembers what arrived at joins that still wait. Fails when a function names a node it did not declare, or
    /// throws.
    [[nodiscard]] Result<std::vector<Scheduled>> next(const Plan& plan, StateBox& state);
    /// Only what next() does to `arrived`: for a position that was read back with its successors.
    void settle_joins(const Plan& plan);
};

/// As kept in a checkpoint: {"after", "arrived", "next"}. `next` is a list of tasks, or null while it is undecided.
[[nodiscard]] json::value to_json(const Plan& plan, const Position& position, json::value next);
[[nodiscard]] json::value to_json(const Plan& plan, const Scheduled& task, const json::storage_ptr& storage);

/// And back. Code::corrupt, saying what is missing, when the graph has changed since.
[[nodiscard]] Result<Position> read_position(const Plan& plan, const json::value& saved);
[[nodiscard]] Result<std::optional<std::vector<Scheduled>>> read_next(const Plan& plan, StateBox& state,
                                                                      const json::value& saved);

}  // namespace quaestor::graph
