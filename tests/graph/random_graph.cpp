#include "random_graph.hpp"

#include <boost/asio/post.hpp>
#include <fmt/format.h>

#include <stdexcept>

namespace quaestor::graph {

namespace {

constexpr int kBlocksMax = 5;
constexpr int kRoundsMax = 4;
constexpr int kWaysMax = 3;
constexpr int kItemsMax = 5;

/// Works: lets others run, asks what it has to ask, and notes what it has done.
Task<Update<Tally>> work(std::string name, int questions, const Tally& state, Context& context) {
    co_await asio::post(asio::use_awaitable);
    auto entry = fmt::format("{}:{}", name, state.count(name));
    for (int i = 0; i < questions; ++i) entry += " " + to_text(context.interrupt(json::string(entry)));
    co_return Update<Tally>().add<&Tally::log>(std::move(entry)).set<&Tally::counts>({{std::move(name), 1}});
}

}  // namespace

RandomGraph::RandomGraph(std::uint64_t seed) : random_(seed), compiled_(build()) {}

int RandomGraph::chance(int bound) {
    return static_cast<int>(random_.below(static_cast<std::uint64_t>(bound)));
}

CompiledGraph<Tally> RandomGraph::build() {
    std::string last = add_node(kStart, 0);
    for (int blocks = 1 + chance(kBlocksMax); blocks > 0; --blocks) {
        switch (chance(6)) {
            case 0:
                last = add_loop(last);
                break;
            case 1:
                last = add_branch(last);
                break;
            case 2:
                last = add_parallel(last);
                break;
            case 3:
                last = add_fan_out(last, 0);
                break;
            case 4:
                last = add_fan_out(last, 1);
                break;
            default:
                last = add_node(last, chance(3));
        }
    }
    building_.edge(last, kEnd);
    auto compiled = building_.compile();
    if (!compiled) throw std::logic_error(compiled.error().describe());
    return std::move(*compiled);
}

std::string RandomGraph::declare(int questions) {
    auto name = fmt::format("n{}", ++nodes_);
    building_.node(name, [name, questions](const Tally& state, Context& context) {
        return work(name, questions, state, context);
    });
    return name;
}

std::string RandomGraph::add_node(std::string_view last, int questions) {
    auto name = declare(questions);
    building_.edge(last, name);
    return name;
}

std::string RandomGraph::add_loop(std::string_view last) {
    const auto again = add_node(last, chance(2));
    const auto out = declare();
    const int rounds = 1 + chance(kRoundsMax);
    building_.branch(again, [=](const Tally& state) { return state.count(again) < rounds ? again : out; },
                     {again, out});
    return out;
}

std::string RandomGraph::add_branch(std::string_view last) {
    const auto left = declare();
    const auto right = declare(1);
    const auto out = declare();
    building_.branch(last, [=](const Tally& state) { return state.log.size() % 2 == 0 ? left : right; }, {left, right});
    building_.edge(left, out).edge(right, out);
    return out;
}

/// Ways of different lengths, joined.
std::string RandomGraph::add_parallel(std::string_view last) {
    std::vector<std::string> ends;
    for (int ways = 2 + chance(kWaysMax); ways > 0; --ways) {
        std::string end(last);
        for (int length = 1 + chance(3); length > 0; --length) end = add_node(end, chance(4) == 0 ? 1 : 0);
        ends.push_back(std::move(end));
    }
    auto out = declare();
    building_.join(std::move(ends), out);
    return out;
}

std::string RandomGraph::add_fan_out(std::string_view last, int questions) {
    auto worker = fmt::format("w{}", ++nodes_);
    building_.node(worker, [worker, questions](const Tally& state, const int& item, Context& context) {
        return work(fmt::format("{}({})", worker, item), item % 2 == 0 ? questions : 0, state, context);
    });
    auto out = declare();
    std::vector<int> items(static_cast<std::size_t>(chance(kItemsMax + 1)));
    for (std::size_t i = 0; i < items.size(); ++i) items[i] = static_cast<int>(i);
    building_.fan_out(last, [items](const Tally&) { return items; }, worker, {.join = out});
    return out;
}

}  // namespace quaestor::graph
