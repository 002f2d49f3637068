#include "graph/shape.hpp"

#include "base/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace quaestor::graph {

namespace {

/// One way from a node to another, whatever built it.
struct Way {
    std::string_view kind;
    std::string_view from;
    std::string_view to;
};

std::vector<Way> all_ways(const Shape& shape) {
    std::vector<Way> ways;
    for (const auto& edge : shape.edges) ways.push_back({"edge", edge.from, edge.to});
    for (const auto& branch : shape.branches) {
        for (const auto& target : branch.targets) ways.push_back({"branch", branch.from, target});
    }
    for (const auto& fan_out : shape.fan_outs) {
        ways.push_back({"fan_out", fan_out.from, fan_out.worker});
        ways.push_back({"fan_in", fan_out.worker, fan_out.join});
    }
    for (const auto& join : shape.joins) {
        for (const auto& source : join.from) ways.push_back({"join", source, join.to});
    }
    return ways;
}

class MistakeFinder {
public:
    explicit MistakeFinder(const Shape& shape) : shape_(shape), ways_(all_ways(shape)) {
        for (const auto& node : shape.nodes) names_.push_back(node.name);
    }

    std::vector<std::string> find() {
        check_names();
        check_ways();
        check_items();
        check_reachability();
        return std::move(mistakes_);
    }

private:
    void check_names() {
        if (shape_.name.empty()) mistakes_.emplace_back("the graph has no name");
        if (shape_.nodes.empty()) mistakes_.emplace_back("it has no nodes");
        std::set<std::string_view> seen;
        for (const auto& node : shape_.nodes) {
            if (node.name.empty()) {
                mistakes_.emplace_back("a node has no name");
            } else if (node.name == kStart || node.name == kEnd) {
                mistakes_.push_back(fmt::format("a node may not be called {}", node.name));
            } else if (!seen.insert(node.name).second) {
                mistakes_.push_back(fmt::format("node \"{}\" is there twice", node.name));
            }
            if (node.retry.attempts < 1) {
                mistakes_.push_back(
                    fmt::format("node \"{}\" has {} attempts; it needs at least 1", node.name, node.retry.attempts));
            }
        }
    }

    void check_ways() {
        std::set<std::pair<std::string_view, std::string_view>> edges;
        for (const auto& way : ways_) {
            if (way.from == kEnd) mistakes_.push_back(fmt::format("a way leads from END to \"{}\"", way.to));
            if (way.to == kStart) mistakes_.push_back(fmt::format("a way leads from \"{}\" back to START", way.from));
            if (way.from != kStart && way.from != kEnd) check_exists(way.from, way);
            if (way.to != kEnd && way.to != kStart) check_exists(way.to, way);
            if (way.kind == "edge" && !edges.insert({way.from, way.to}).second) {
                mistakes_.push_back(fmt::format("the edge from \"{}\" to \"{}\" is there twice", way.from, way.to));
            }
        }
        for (const auto& branch : shape_.branches) {
            if (branch.targets.empty()) {
                mistakes_.push_back(fmt::format("the branch after \"{}\" declares no targets", branch.from));
            }
        }
        for (const auto& join : shape_.joins) {
            if (join.from.size() < 2) {
                mistakes_.push_back(fmt::format("the join to \"{}\" needs two sources or more; use an edge", join.to));
            }
            if (std::set<std::string_view>(join.from.begin(), join.from.end()).size() < join.from.size()) {
                mistakes_.push_back(fmt::format("the join to \"{}\" names a source twice", join.to));
            }
            if (std::ranges::find(join.from, kStart) != join.from.end()) {
                mistakes_.push_back(fmt::format("the join to \"{}\" waits for START, which has always run", join.to));
            }
            if (join.to == kEnd) mistakes_.emplace_back("a join leads to END; END waits for everything by itself");
        }
        for (const auto& fan_out : shape_.fan_outs) {
            if (fan_out.join == kEnd) {
                mistakes_.push_back(fmt::format("the fan-out after \"{}\" joins at END; name a node", fan_out.from));
            }
        }
    }

    void check_exists(std::string_view name, const Way& way) {
        if (shape_.find(name)) return;
        const auto meant = text::nearest(name, names_);
        mistakes_.push_back(fmt::format("the {} from \"{}\" to \"{}\" names \"{}\", which is no node{}", way.kind,
                                        way.from, way.to, name,
                                        meant ? fmt::format(" (did you mean \"{}\"?)", *meant) : std::string()));
    }

    void check_items() {
        for (const auto& fan_out : shape_.fan_outs) {
            const auto index = shape_.find(fan_out.worker);
            if (!index) continue;
            const auto& taken = shape_.nodes[*index].item_type;
            if (taken != fan_out.item_type) {
                mistakes_.push_back(fmt::format("the fan-out after \"{}\" makes items of type {}, but \"{}\" takes {}",
                                                fan_out.from, fan_out.item_type, fan_out.worker,
                                                taken.empty() ? "none" : taken));
            }
        }
        for (const auto& way : ways_) {
            const auto index = shape_.find(way.to);
            if (index && way.kind != "fan_out" && !shape_.nodes[*index].item_type.empty()) {
                mistakes_.push_back(
                    fmt::format("\"{}\" takes an item and is reached from \"{}\" without one; "
                                "only a fan-out may lead to it",
                                way.to, way.from));
            }
        }
    }

    void check_reachability() {
        if (std::ranges::none_of(ways_, [](const Way& way) { return way.from == kStart; })) {
            mistakes_.emplace_back("nothing leads from START");
            return;
        }
        const auto reached = closure(kStart, [](const Way& way) { return std::pair(way.from, way.to); });
        const auto can_end = closure(kEnd, [](const Way& way) { return std::pair(way.to, way.from); });
        for (const auto& node : shape_.nodes) {
            if (node.name.empty()) continue;
            if (!reached.contains(node.name)) {
                mistakes_.push_back(fmt::format("node \"{}\" cannot be reached from START", node.name));
            }
            if (!can_end.contains(node.name)) {
                mistakes_.push_back(fmt::format("from node \"{}\" there is no way to END", node.name));
            }
        }
    }

    /// Everything reached from `origin` along the ways, in the direction that `ends` gives them.
    template <class Ends>
    std::set<std::string_view> closure(std::string_view origin, Ends ends) const {
        std::set<std::string_view> reached{origin};
        for (bool grew = true; grew;) {
            grew = false;
            for (const auto& way : ways_) {
                const auto [from, to] = ends(way);
                if (reached.contains(from)) grew = reached.insert(to).second || grew;
            }
        }
        return reached;
    }

    const Shape& shape_;
    std::vector<Way> ways_;
    std::vector<std::string> names_;
    std::vector<std::string> mistakes_;
};

/// Node names may hold any characters; Mermaid ids may not.
std::string mermaid_id(const Shape& shape, std::string_view name) {
    if (name == kStart || name == kEnd) return std::string(name);
    return fmt::format("n{}", shape.find(name).value_or(0));
}

/// Node names may hold any characters; one line of text may not.
std::string one_line(std::string_view name) {
    std::string line(name);
    std::ranges::replace_if(line, [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
    return line;
}

std::string mermaid_label(std::string_view name) {
    static const std::map<char, std::string_view> kEntities{
        {'"', "#quot;"}, {'#', "#35;"}, {'<', "#lt;"}, {'>', "#gt;"}, {'&', "#amp;"}};
    std::string label;
    for (const char c : one_line(name)) {
        const auto entity = kEntities.find(c);
        if (entity == kEntities.end()) {
            label += c;
        } else {
            label += entity->second;
        }
    }
    return label;
}

std::string mermaid_arrow(std::string_view kind) {
    if (kind == "branch") return "-.->";
    if (kind == "fan_out") return "== each ==>";
    if (kind == "fan_in" || kind == "join") return "== all ==>";
    return "-->";
}

}  // namespace

std::optional<NodeIndex> Shape::find(std::string_view node) const {
    const auto found = std::ranges::find(nodes, node, &Node::name);
    if (found == nodes.end()) return std::nullopt;
    return static_cast<NodeIndex>(found - nodes.begin());
}

std::vector<std::string> Shape::mistakes() const {
    return MistakeFinder(*this).find();
}

std::string to_mermaid(const Shape& shape) {
    std::string picture = "flowchart TD\n    START([START])\n";
    for (const auto& node : shape.nodes) {
        picture += fmt::format("    {}[\"{}\"]\n", mermaid_id(shape, node.name), mermaid_label(node.name));
    }
    picture += "    END([END])\n";
    for (const auto& way : all_ways(shape)) {
        picture += fmt::format("    {} {} {}\n", mermaid_id(shape, way.from), mermaid_arrow(way.kind),
                               mermaid_id(shape, way.to));
    }
    return picture;
}

json::value to_json(const Shape& shape) {
    json::array nodes;
    for (const auto& node : shape.nodes) {
        json::object entry{{"name", node.name}};
        if (node.retry.attempts > 1) entry.emplace("retry", encode(node.retry));
        if (node.timeout.count() > 0) entry.emplace("timeout_ms", node.timeout.count());
        if (node.is_cached) entry.emplace("cached", true);
        if (!node.item_type.empty()) entry.emplace("item_type", node.item_type);
        nodes.push_back(std::move(entry));
    }
    json::array ways;
    for (const auto& way : all_ways(shape)) {
        ways.push_back({{"kind", way.kind}, {"from", way.from}, {"to", way.to}});
    }
    return {{"name", shape.name}, {"nodes", std::move(nodes)}, {"edges", std::move(ways)}};
}

std::string to_outline(const Shape& shape) {
    std::vector<std::string> order{std::string(kStart)};
    for (const auto& node : shape.nodes) order.push_back(node.name);
    const auto ways = all_ways(shape);
    std::string outline = shape.name + "\n";
    for (const auto& name : order) {
        for (const auto& way : ways) {
            if (way.from != name) continue;
            outline += fmt::format("  {} -> {}{}\n", one_line(way.from), one_line(way.to),
                                   way.kind == "edge" ? std::string() : fmt::format("  ({})", way.kind));
        }
    }
    return outline;
}

}  // namespace quaestor::graph
