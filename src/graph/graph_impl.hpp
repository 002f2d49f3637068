// Bodies of graph.hpp: adapting the functions a builder is given to the few shapes the engine runs.
// Included by graph.hpp only.
// Threads: see graph.hpp.
#pragma once

#include "graph/graph.hpp"

#include <boost/type_index.hpp>

#include <tuple>
#include <type_traits>

namespace quaestor::graph {

namespace detail {

/// Parameters and result of a function, function pointer or lambda.
template <class F>
struct Signature : Signature<decltype(&F::operator())> {};
template <class R, class... Args>
struct Signature<R (*)(Args...)> {
    using Result = R;
    using Parameters = std::tuple<std::remove_cvref_t<Args>...>;
};
template <class R, class C, class... Args>
struct Signature<R (C::*)(Args...) const> : Signature<R (*)(Args...)> {};
template <class R, class C, class... Args>
struct Signature<R (C::*)(Args...)> : Signature<R (*)(Args...)> {};

/// The item type in (State, Item) or (State, Item, Context); void when a node takes none.
template <class Parameters>
struct ItemParameter {
    using type = void;
};
template <class State, class Second, class... Rest>
struct ItemParameter<std::tuple<State, Second, Rest...>> {
    using type = std::conditional_t<std::is_same_v<Second, Context>, void, Second>;
};

/// As a person would write it: the compiler's name for a namespace without one is left out.
template <class T>
std::string type_name() {
    constexpr std::string_view kUnnamed = "(anonymous namespace)::";
    std::string name = boost::typeindex::type_id<T>().pretty_name();
    for (auto at = name.find(kUnnamed); at != std::string::npos; at = name.find(kUnnamed))
        name.erase(at, kUnnamed.size());
    return name;
}

/// Calls `body` with as many of state, item and context as it takes.
template <class State, class Body>
auto call_body(Body& body, const State& state, Context& context) {
    using Item = typename ItemParameter<typename Signature<Body>::Parameters>::type;
    if constexpr (std::is_void_v<Item>) {
        if constexpr (std::is_invocable_v<Body&, const State&, Context&>) {
            return body(state, context);
        } else {
            return body(state);
        }
    } else {
        const Item& item = static_cast<const TypedItem<Item>&>(context.item()).value;
        if constexpr (std::is_invocable_v<Body&, const State&, const Item&, Context&>) {
            return body(state, item, context);
        } else {
            return body(state, item);
        }
    }
}

/// `body` as a coroutine of (state, context), without a frame of its own when it is one already.
template <class State, class Body>
std::function<Task<Update<State>>(const State&, Context&)> as_node(Body body) {
    using Returned = decltype(call_body(body, std::declval<const State&>(), std::declval<Context&>()));
    if constexpr (std::is_same_v<Returned, Task<Update<State>>>) {
        return [body](const State& state, Context& context) mutable { return call_body(body, state, context); };
    } else {
        static_assert(std::is_convertible_v<Returned, Update<State>>,
                      "a node returns Update<State> or Task<Update<State>>");
        return [body](const State& state, Context& context) mutable -> Task<Update<State>> {
            co_return call_body(body, state, context);
        };
    }
}

template <class Item>
Result<std::shared_ptr<const graph::Item>> restore_item(const json::value& value) {
    auto item = decode<Item>(value);
    if (!item) return fail(item.error());
    return std::make_shared<TypedItem<Item>>(std::move(*item));
}

}  // namespace detail

template <class State>
template <class Body>
Graph<State>& Graph<State>::node(std::string name, Body body, NodePolicy<State> policy) {
    using Item = typename detail::ItemParameter<typename detail::Signature<Body>::Parameters>::type;
    NodeBody<State> node;
    Shape::Node info{.name = std::move(name), .retry = policy.retry, .timeout = policy.timeout};
    if constexpr (!std::is_void_v<Item>) {
        info.item_type = detail::type_name<Item>();
        node.restore_item = &detail::restore_item<Item>;
    }
    info.is_cached = static_cast<bool>(policy.cache_key);
    node.call = detail::as_node<State>(std::move(body));
    node.cache_key = std::move(policy.cache_key);
    node.cache_settings = policy.cache;
    shape_.nodes.push_back(std::move(info));
    bodies_.push_back(std::move(node));
    return *this;
}

template <class State>
template <class Route>
Graph<State>& Graph<State>::branch(std::string_view from, Route route, std::vector<std::string> targets) {
    shape_.branches.push_back({std::string(from), std::move(targets)});
    branches_.push_back([route](const State& state, std::vector<std::string>& chosen) {
        auto result = route(state);
        if constexpr (std::is_convertible_v<decltype(result), std::string_view>) {
            chosen.emplace_back(std::string_view(result));
        } else {
            for (auto& target : result) chosen.emplace_back(std::string_view(target));
        }
    });
    return *this;
}

template <class State>
template <class Split>
Graph<State>& Graph<State>::fan_out(std::string_view from, Split split, std::string_view worker,
                                    FanOutOptions options) {
    using Item = typename std::invoke_result_t<Split&, const State&>::value_type;
    shape_.fan_outs.push_back(
        {std::string(from), std::string(worker), std::move(options.join), detail::type_name<Item>()});
    splits_.push_back([split](const State& state, std::vector<std::shared_ptr<const graph::Item>>& items) {
        for (auto&& item : split(state)) items.push_back(std::make_shared<TypedItem<Item>>(std::move(item)));
    });
    return *this;
}

template <class State>
Result<CompiledGraph<State>> Graph<State>::compile(Clock& clock) {
    if (auto mistakes = shape_.mistakes(); !mistakes.empty()) {
        return fail(Code::invalid_argument,
                    fmt::format("graph {} cannot run: {}", shape_.name, fmt::join(mistakes, "; ")),
                    "mend the calls that built it; every mistake is listed");
    }
    for (auto& body : bodies_) {
        if (body.cache_key) {
            body.cache = std::make_shared<NodeCache>(body.cache_settings, clock);
        }
    }
    return CompiledGraph<State>(std::make_shared<const Program<State>>(
        Program<State>{Plan(std::move(shape_)), std::move(bodies_), std::move(branches_), std::move(splits_)}));
}

/// What a run holds on to. It is made before the coroutine that uses it, which so keeps one pointer and no copies.
template <class State>
struct CompiledGraph<State>::Session final : AnyGraph::OpenRun {
    Session(std::shared_ptr<const Program<State>> compiled, Update<State> update, RunOptions options)
        : program_(std::move(compiled)), box_(*program_), engine_(program_->plan, box_, std::move(options)) {
        box_.put_update(std::move(update));
    }

    [[nodiscard]] TypedBox<State>& box() override { return box_; }
    [[nodiscard]] Engine& engine() override { return engine_; }

    /// Becomes the result in the place where it is wanted; a suspended run then keeps no room for it on the way.
    struct Ending {
        Session& session;
        operator RunResult<State>() const { return {session.engine_.outcome(), session.box_.take_state()}; }
    };

    static Task<RunResult<State>> start(std::unique_ptr<Session> session) {
        co_await session->engine_.start();
        co_return Ending{*session};
    }
    static Task<RunResult<State>> resume(std::unique_ptr<Session> session, Answers answers) {
        co_await session->engine_.resume(std::move(answers));
        co_return Ending{*session};
    }

private:
    std::shared_ptr<const Program<State>> program_;
    TypedBox<State> box_;
    Engine engine_;
};

template <class State>
std::unique_ptr<typename CompiledGraph<State>::Session> CompiledGraph<State>::open(Update<State> input,
                                                                                   RunOptions options) const {
    return std::make_unique<Session>(program_, std::move(input), std::move(options));
}

template <class State>
Result<std::unique_ptr<AnyGraph::OpenRun>> CompiledGraph<State>::open_json(const json::value& update,
                                                                           RunOptions options) const {
    auto read = Update<State>::from_json(update, UnknownFields::refuse);
    if (!read) return fail(read.error());
    return open(std::move(*read), std::move(options));
}

}  // namespace quaestor::graph
