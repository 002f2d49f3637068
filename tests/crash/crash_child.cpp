#include "crash_graph.hpp"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <string>
#include <sys/prctl.h>

namespace quaestor::crash {

namespace {

/// Writes a line at once: the pipe keeps it, whatever becomes of this process.
void tell(const std::string& line) {
    fmt::print("{}\n", line);
    std::fflush(stdout);
}

void tell_checkpoint(const graph::Event& event) {
    if (event.kind != graph::EventKind::checkpoint) return;
    tell(fmt::format("checkpoint {} {}", event.data.at("id").as_string().c_str(), event.step));
}

Result<> run(const std::string& location, const std::string& thread_id, const std::string& durability) {
    auto when = decode<graph::Durability>(json::value(durability));
    if (!when) return fail(when.error());
    tell("opening");
    const auto store = store::open_store(settings_for(location));
    if (!store) return fail(store.error());

    graph::RunOptions options;
    options.thread_id = thread_id;
    options.checkpoints = &(*store)->checkpoints();
    options.durability = *when;
    const auto result = run_or_resume(options, kRounds, tell_checkpoint);
    if (result.error) return fail(*result.error);
    tell(fmt::format("finished {}", to_text(result.state)));
    return {};
}

}  // namespace

}  // namespace quaestor::crash

/// Runs the crash tests' graph until it is finished or killed, and tells on standard output how far it is.
int main(int count, char** words) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (count != 4) {
        fmt::print(stderr, "usage: crash_child <path, or postgres://…> <thread id> <sync|async|exit>\n");
        return 2;
    }
    const auto ran = quaestor::crash::run(words[1], words[2], words[3]);
    if (ran) return 0;
    fmt::print(stderr, "{}\n", ran.error().describe());
    return 1;
}
