// Runs the crash tests' graph until it is finished or killed, and tells on standard output how far it is.

#include "crash_graph.hpp"

#include <boost/asio/detached.hpp>
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <sys/prctl.h>

namespace quaestor::crash {

namespace {

/// A line at once: the pipe holds it, whatever becomes of this process.
void tell(const std::string& line) {
    fmt::print("{}\n", line);
    std::fflush(stdout);
}

Task<> tell_checkpoints(graph::EventStream& events) {
    while (const auto event = co_await events.next()) {
        if (event->kind != graph::EventKind::checkpoint) continue;
        tell(fmt::format("checkpoint {} {}", event->data.at("id").as_string().c_str(), event->step));
    }
}

graph::AnyResult run(store::Store& store, const std::string& thread_id, graph::Durability durability) {
    asio::io_context loop(1);
    graph::EventStream events(loop.get_executor(), graph::ReaderGone::finish_run, 1);
    graph::RunOptions options;
    options.thread_id = thread_id;
    options.checkpoints = &store.checkpoints();
    options.durability = durability;
    options.events = &events;
    const auto graph = make_graph();
    graph::AnyResult result;
    asio::co_spawn(loop, tell_checkpoints(events), asio::detached);
    asio::co_spawn(loop, run_or_resume(*graph, kRoundsDefault, std::move(options)),
                   [&](const std::exception_ptr& thrown, graph::AnyResult ended) {
                       if (thrown) std::rethrow_exception(thrown);
                       result = std::move(ended);
                   });
    loop.run();
    return result;
}

int report(const Error& error) {
    fmt::print(stderr, "{}\n", error.describe());
    return 1;
}

}  // namespace

}  // namespace quaestor::crash

int main(int count, char** words) {
    using namespace quaestor;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (count != 4) {
        fmt::print(stderr, "usage: crash_child <path or postgres://…> <thread id> <sync|async|exit>\n");
        return 2;
    }
    const auto durability = decode<graph::Durability>(json::value(words[3]));
    if (!durability) return crash::report(durability.error());

    crash::tell("opening");
    const auto store = store::open_store(crash::settings_for(words[1]));
    if (!store) return crash::report(store.error());
    const auto result = crash::run(**store, words[2], *durability);
    if (result.error) return crash::report(*result.error);
    crash::tell(fmt::format("finished {}", to_text(result.state)));
    return 0;
}
