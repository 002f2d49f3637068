#include "scripted_graph.hpp"

#include <boost/describe/enum_from_string.hpp>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

namespace quaestor::graph {

namespace {

int to_number(std::string_view text) {
    int number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

template <class Enum>
Enum to_enum(const std::string& name) {
    Enum value{};
    if (!boost::describe::enum_from_string(name.c_str(), value)) throw std::invalid_argument("no such name: " + name);
    return value;
}

NodePolicy<CaseState> policy_of(const Phrase& node) {
    NodePolicy<CaseState> policy;
    policy.retry.attempts = to_number(node.get("retry", "1"));
    policy.retry.delay = std::chrono::milliseconds(to_number(node.get("delay", "10")));
    policy.retry.jitter = 0;
    policy.timeout = std::chrono::milliseconds(to_number(node.get("timeout", "0")));
    if (node.has("cached")) policy.cache_key = [](const CaseState& state) { return state.note; };
    return policy;
}

void replace_all(std::string& text, std::string_view name, std::string_view value) {
    for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + value.size())) {
        text.replace(at, name.size(), value);
    }
}

}  // namespace

/// One call of a node.
struct ScriptedGraph::Scene {
    Context& context;
    std::string item;
    std::string answer;
    Update<CaseState> update;

    /// The words of an action as one text, with {item}, {answer} and {attempt} filled in.
    [[nodiscard]] std::string text_of(const Phrase& action, std::size_t from = 0) const {
        auto text = fmt::format(
            "{}", fmt::join(action.words.begin() + static_cast<std::ptrdiff_t>(from), action.words.end(), " "));
        replace_all(text, "{item}", item);
        replace_all(text, "{answer}", answer);
        replace_all(text, "{attempt}", std::to_string(context.attempt()));
        return text;
    }
};

std::vector<std::string> split_words(std::string_view text) {
    std::istringstream stream{std::string(text)};
    return {std::istream_iterator<std::string>(stream), {}};
}

Result<CompiledGraph<CaseState>> ScriptedGraph::compile(Clock& clock) {
    Graph<CaseState> graph("case");
    for (const auto& phrase : script_.graph) declare(graph, phrase);
    return graph.compile(clock);
}

void ScriptedGraph::declare(Graph<CaseState>& graph, const Phrase& phrase) {
    const auto& words = phrase.words;
    const auto& name = words.at(0);
    if (phrase.verb == "node") {
        graph.node(
            name, [this, name](const CaseState&, Context& context) { return play(name, "", context); },
            policy_of(phrase));
    } else if (phrase.verb == "worker") {
        graph.node(
            name,
            [this, name](const CaseState&, const std::string& item, Context& context) {
                return play(name, item, context);
            },
            policy_of(phrase));
    } else if (phrase.verb == "edge") {
        for (std::size_t i = 1; i < words.size(); ++i) graph.edge(words[i - 1], words[i]);
    } else if (phrase.verb == "branch") {
        graph.branch(name, [](const CaseState& state) { return split_words(state.route); },
                     {words.begin() + 1, words.end()});
    } else if (phrase.verb == "fan_out") {
        graph.fan_out(name, [](const CaseState& state) { return state.items; }, words.at(1), {.join = words.at(2)});
    } else {
        graph.join({words.begin(), words.end() - 1}, words.back());
    }
}

Task<Update<CaseState>> ScriptedGraph::play(std::string node, std::string item, Context& context) {
    Scene scene{context, std::move(item), {}, {}};
    for (const auto& action : next_turn(node, scene.item)) co_await act(action, scene);
    co_return std::move(scene.update);
}

/// The n-th call plays the n-th turn; after the last turn it stays at the last.
const Turn& ScriptedGraph::next_turn(const std::string& node, const std::string& item) {
    static const Turn kNothing;
    auto found = script_.turns.find(fmt::format("{}({})", node, item));
    if (found == script_.turns.end()) found = script_.turns.find(node);
    if (found == script_.turns.end()) return kNothing;
    const auto call = calls_[found->first]++;
    return found->second[std::min(call, found->second.size() - 1)];
}

Task<> ScriptedGraph::act(const Phrase& action, Scene& scene) {
    const auto text = scene.text_of(action);
    if (action.verb == "token") {
        co_await scene.context.token(text);
    } else if (action.verb == "emit") {
        co_await scene.context.emit(action.words.at(0), json::string(scene.text_of(action, 1)));
    } else if (action.verb == "wait") {
        co_await scene.context.clock().sleep_for(std::chrono::milliseconds(to_number(text)));
    } else if (action.verb == "ask") {
        const auto answer = scene.context.interrupt(json::string(text));
        scene.answer = answer.is_string() ? std::string(answer.get_string()) : to_text(answer);
    } else if (action.verb == "ask_number") {
        scene.answer = std::to_string(scene.context.interrupt<int>(text));
    } else if (action.verb == "cancel") {
        cancel.cancel(to_enum<CancelReason>(text));
    } else if (action.verb == "throw") {
        throw std::runtime_error(text);
    } else {
        change(action, scene);
    }
}

void ScriptedGraph::change(const Phrase& action, Scene& scene) {
    const auto text = scene.text_of(action);
    if (action.verb == "log") {
        scene.update.add<&CaseState::log>(text);
    } else if (action.verb == "forget") {
        scene.update.replace<&CaseState::log>({});
    } else if (action.verb == "add") {
        scene.update.set<&CaseState::total>(to_number(text));
    } else if (action.verb == "note") {
        scene.update.set<&CaseState::note>(text);
    } else if (action.verb == "route") {
        scene.update.set<&CaseState::route>(text);
    } else if (action.verb == "items") {
        scene.update.set<&CaseState::items>(action.words);
    } else if (action.verb == "fail") {
        scene.update = Error{to_enum<Code>(action.words.at(0)), scene.text_of(action, 1)};
    } else {
        throw std::invalid_argument("no such action: " + action.verb);
    }
}

}  // namespace quaestor::graph
