// The shape of a graph without its types: nodes, the ways between them, and what a builder may have got wrong.
// Built by Graph<State>, kept immutable inside a compiled graph.
// Threads: immutable after compile().
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"
#include "resilience/retry.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::graph {

/// Where every run begins and where it ends; names to use in edges, not nodes of their own.
inline constexpr std::string_view kStart = "START";
inline constexpr std::string_view kEnd = "END";

/// Position of a node in Shape::nodes. kEnd has no index.
using NodeIndex = std::uint32_t;

struct Shape {
    struct Node {
        std::string name;
        RetrySettings retry;
        std::chrono::milliseconds timeout{0};  ///< 0: none
        bool is_cached = false;
        std::string item_type;  ///< what a fan-out worker takes besides the state; empty for other nodes
    };
    struct Edge {
        std::string from;
        std::string to;
    };
    /// A function of the state picks among the targets.
    struct Branch {
        std::string from;
        std::vector<std::string> targets;
    };
    /// A function of the state makes one task per item, all of one worker node; then comes the join.
    struct FanOut {
        std::string from;
        std::string worker;
        std::string join;
        std::string item_type;
    };
    /// The target runs once all the sources have run.
    struct Join {
        std::vector<std::string> from;
        std::string to;
    };

    std::string name;
    std::vector<Node> nodes;
    std::vector<Edge> edges;
    std::vector<Branch> branches;
    std::vector<FanOut> fan_outs;
    std::vector<Join> joins;

    [[nodiscard]] std::optional<NodeIndex> find(std::string_view node) const;

    /// Every mistake, each a sentence; empty when the graph can run.
    [[nodiscard]] std::vector<std::string> mistakes() const;
};

/// For documents and web pages: a Mermaid flowchart.
[[nodiscard]] std::string to_mermaid(const Shape& shape);
/// For programs: nodes with their policies, and ways with their kinds.
[[nodiscard]] json::value to_json(const Shape& shape);
/// For a terminal: one line a way.
[[nodiscard]] std::string to_outline(const Shape& shape);

}  // namespace quaestor::graph
