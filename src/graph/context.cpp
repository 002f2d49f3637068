#include "graph/context.hpp"

#include "graph/engine.hpp"
#include "graph/suspended.hpp"

namespace quaestor::graph {

const std::string& Context::run_id() const {
    return engine_.options_.run_id;
}
const std::string& Context::thread_id() const {
    return engine_.options_.thread_id;
}
std::string_view Context::node() const {
    return engine_.name_of(task_);
}
std::int64_t Context::step() const {
    return engine_.step();
}
const CancelToken& Context::cancel() const {
    return engine_.cancel_;
}
Clock& Context::clock() const {
    return *engine_.options_.clock;
}
Random& Context::random() const {
    return *engine_.options_.random;
}
LogScope Context::log_scope() const {
    return {run_id(), node()};
}
const Item& Context::item() const {
    return *task_.what.item;
}

Task<> Context::token(std::string text) {
    if (engine_.is_heard()) co_await engine_.tell(EventKind::token, task_, json::string(text));
}

Task<> Context::emit(std::string name, json::value data) {
    if (engine_.is_heard()) {
        co_await engine_.tell(EventKind::custom, task_, {{"name", name}, {"data", std::move(data)}});
    }
}

json::value Context::interrupt(json::value question) {
    const std::size_t index = questions_asked_++;
    if (index < task_.answers.size()) return task_.answers[index];
    throw Suspended{std::move(question), ""};
}

void Context::ask_again(json::value question, std::string problem) {
    task_.answers.resize(questions_asked_ - 1);
    throw Suspended{std::move(question), std::move(problem)};
}

}  // namespace quaestor::graph
