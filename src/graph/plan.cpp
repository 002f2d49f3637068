#include "graph/plan.hpp"

#include "graph/engine.hpp"

#include <boost/describe/class.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace quaestor::graph {

namespace {

Exits& exits_from(Plan& plan, const std::string& node) {
    return node == kStart ? plan.start : plan.exits[*plan.shape.find(node)];
}

/// Collects what runs next: plain nodes once each, fan-out items one by one.
class Schedule {
public:
    explicit Schedule(const Plan& plan) : plan_(plan) {}

    void add(NodeIndex node) {
        const bool is_there =
            std::ranges::any_of(tasks_, [&](const Scheduled& task) { return task.node == node && !task.item; });
        if (!is_there) tasks_.push_back({node, nullptr});
    }
    void add(NodeIndex node, std::shared_ptr<const Item> item) { tasks_.push_back({node, std::move(item)}); }
    /// The join of a fan-out that made no tasks.
    void add_join(NodeIndex join) { joins_.push_back(join); }

    /// A join waits when another fan-out that leads to it made tasks.
    std::vector<Scheduled> take() {
        for (const NodeIndex join : joins_) {
            const bool comes_later = std::ranges::any_of(tasks_, [&](const Scheduled& task) {
                return task.item && std::ranges::count(plan_.exits[task.node].edges, join) > 0;
            });
            if (!comes_later) add(join);
        }
        return std::move(tasks_);
    }

private:
    const Plan& plan_;
    std::vector<Scheduled> tasks_;
    std::vector<NodeIndex> joins_;
};

Result<> follow_branch(const Plan& plan, std::size_t index, StateBox& state, Schedule& schedule) {
    const auto& branch = plan.shape.branches[index];
    std::vector<std::string> chosen;
    state.choose(index, chosen);
    for (const auto& target : chosen) {
        if (std::ranges::find(branch.targets, target) == branch.targets.end()) {
            return fail(Code::internal,
                        fmt::format("the branch after \"{}\" chose \"{}\", which is not among its targets ({})",
                                    branch.from, target, fmt::join(branch.targets, ", ")),
                        "declare the target where the branch is built, or mend the function that chooses");
        }
        if (target != kEnd) schedule.add(*plan.shape.find(target));
    }
    return {};
}

Result<> follow_fan_out(const Plan& plan, std::size_t index, StateBox& state, Schedule& schedule) {
    std::vector<std::shared_ptr<const Item>> items;
    state.split(index, items);
    if (items.size() > kFanOutMax) {
        return fail(Code::limit_exceeded, fmt::format("the fan-out after \"{}\" made {} tasks; at most {} are allowed",
                                                      plan.shape.fan_outs[index].from, items.size(), kFanOutMax));
    }
    for (auto& item : items) schedule.add(plan.fan_out_workers[index], std::move(item));
    if (items.empty()) schedule.add_join(plan.fan_out_joins[index]);
    return {};
}

Result<> follow(const Plan& plan, const Exits& exits, StateBox& state, Schedule& schedule) {
    for (const NodeIndex node : exits.edges) schedule.add(node);
    for (const std::size_t branch : exits.branches) {
        if (auto followed = follow_branch(plan, branch, state, schedule); !followed) return followed;
    }
    for (const std::size_t fan_out : exits.fan_outs) {
        if (auto followed = follow_fan_out(plan, fan_out, state, schedule); !followed) return followed;
    }
    return {};
}

json::value names_of(const Plan& plan, const std::vector<NodeIndex>& nodes, const json::storage_ptr& storage) {
    json::array names(storage);
    for (const NodeIndex node : nodes) names.emplace_back(plan.shape.nodes[node].name);
    return names;
}

struct SavedTask {
    std::string node;
    std::optional<json::value> item;
};
BOOST_DESCRIBE_STRUCT(SavedTask, (), (node, item))

struct SavedPosition {
    std::vector<std::string> after;
    std::vector<std::vector<std::string>> arrived;
    std::optional<std::vector<SavedTask>> next;
};
BOOST_DESCRIBE_STRUCT(SavedPosition, (), (after, arrived, next))

constexpr const char* kChangedGraphHint = "the graph has changed since; start a new thread, or run the older version";

Result<NodeIndex> index_of(const Plan& plan, const std::string& name) {
    if (const auto node = plan.shape.find(name)) return *node;
    return fail(Code::corrupt,
                fmt::format("the checkpoint names node \"{}\", which graph {} does not have", name, plan.shape.name),
                kChangedGraphHint);
}

Result<std::vector<NodeIndex>> indices_of(const Plan& plan, const std::vector<std::string>& names) {
    std::vector<NodeIndex> indices;
    for (const auto& name : names) {
        auto index = index_of(plan, name);
        if (!index) return fail(index.error());
        indices.push_back(*index);
    }
    return indices;
}

}  // namespace

Plan::Plan(Shape built) : shape(std::move(built)), exits(shape.nodes.size()) {
    for (const auto& edge : shape.edges) {
        if (edge.to != kEnd) exits_from(*this, edge.from).edges.push_back(*shape.find(edge.to));
    }
    for (std::size_t i = 0; i < shape.branches.size(); ++i) {
        exits_from(*this, shape.branches[i].from).branches.push_back(i);
    }
    for (std::size_t i = 0; i < shape.fan_outs.size(); ++i) {
        const auto& fan_out = shape.fan_outs[i];
        exits_from(*this, fan_out.from).fan_outs.push_back(i);
        fan_out_workers.push_back(*shape.find(fan_out.worker));
        fan_out_joins.push_back(*shape.find(fan_out.join));
        auto& after_worker = exits[fan_out_workers.back()].edges;
        if (std::ranges::find(after_worker, fan_out_joins.back()) == after_worker.end()) {
            after_worker.push_back(fan_out_joins.back());
        }
    }
    for (std::size_t i = 0; i < shape.joins.size(); ++i) {
        join_targets.push_back(*shape.find(shape.joins[i].to));
        for (const auto& source : shape.joins[i].from) exits_from(*this, source).joins.push_back(i);
    }
}

void Position::settle_joins(const Plan& plan) {
    for (const NodeIndex node : after) {
        for (const std::size_t join : plan.exits[node].joins) {
            auto& there = arrived[join];
            if (std::ranges::find(there, node) == there.end()) there.push_back(node);
        }
    }
    for (std::size_t join = 0; join < arrived.size(); ++join) {
        if (arrived[join].size() == plan.shape.joins[join].from.size()) arrived[join].clear();
    }
}

Result<std::vector<Scheduled>> Position::next(const Plan& plan, StateBox& state) {
    Schedule schedule(plan);
    if (after.empty()) {
        if (auto followed = follow(plan, plan.start, state, schedule); !followed) return fail(followed.error());
        return schedule.take();
    }
    for (const NodeIndex node : after) {
        if (auto followed = follow(plan, plan.exits[node], state, schedule); !followed) return fail(followed.error());
    }
    for (std::size_t join = 0; join < arrived.size(); ++join) {
        const auto& sources = plan.shape.joins[join].from;
        const auto has_run = [&](const std::string& name) {
            const NodeIndex node = *plan.shape.find(name);
            return std::ranges::find(after, node) != after.end() ||
                   std::ranges::find(arrived[join], node) != arrived[join].end();
        };
        const auto just_ran = [&](const std::string& name) {
            return std::ranges::find(after, *plan.shape.find(name)) != after.end();
        };
        if (std::ranges::any_of(sources, just_ran) && std::ranges::all_of(sources, has_run)) {
            schedule.add(plan.join_targets[join]);
        }
    }
    return schedule.take();
}

json::value to_json(const Plan& plan, const Position& position, json::value next) {
    const auto storage = next.storage();
    json::object result(storage);
    result.reserve(3);
    result.emplace("after", names_of(plan, position.after, storage));
    if (std::ranges::any_of(position.arrived, [](const auto& nodes) { return !nodes.empty(); })) {
        json::array arrived(storage);
        for (const auto& nodes : position.arrived) arrived.push_back(names_of(plan, nodes, storage));
        result.emplace("arrived", std::move(arrived));
    }
    result.emplace("next", std::move(next));
    return result;
}

json::value to_json(const Plan& plan, const Scheduled& task, const json::storage_ptr& storage) {
    json::object result(storage);
    result.reserve(2);
    result.emplace("node", plan.shape.nodes[task.node].name);
    if (task.item) result.emplace("item", task.item->to_json());
    return result;
}

Result<Position> read_position(const Plan& plan, const json::value& saved) {
    auto names = decode<SavedPosition>(saved);
    if (!names) return fail(names.error());
    Position position;
    auto after = indices_of(plan, names->after);
    if (!after) return fail(after.error());
    position.after = std::move(*after);
    position.arrived.resize(plan.shape.joins.size());
    for (std::size_t join = 0; join < std::min(names->arrived.size(), position.arrived.size()); ++join) {
        auto arrived = indices_of(plan, names->arrived[join]);
        if (!arrived) return fail(arrived.error());
        position.arrived[join] = std::move(*arrived);
    }
    return position;
}

Result<std::optional<std::vector<Scheduled>>> read_next(const Plan& plan, StateBox& state, const json::value& saved) {
    auto names = decode<SavedPosition>(saved);
    if (!names) return fail(names.error());
    if (!names->next) return std::nullopt;
    std::vector<Scheduled> next;
    for (const auto& task : *names->next) {
        auto node = index_of(plan, task.node);
        if (!node) return fail(node.error());
        if (plan.shape.nodes[*node].item_type.empty() == task.item.has_value()) {
            return fail(Code::corrupt,
                        fmt::format("the checkpoint schedules node \"{}\" {} an item", task.node,
                                    task.item ? "with" : "without"),
                        kChangedGraphHint);
        }
        Scheduled scheduled{*node, nullptr};
        if (task.item) {
            auto item = state.restore_item(*node, *task.item);
            if (!item) return fail(item.error());
            scheduled.item = std::move(*item);
        }
        next.push_back(std::move(scheduled));
    }
    return next;
}

}  // namespace quaestor::graph
