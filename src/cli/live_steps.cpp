#include "cli/live_steps.hpp"

#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <unistd.h>

namespace quaestor::cli {

namespace {

constexpr std::string_view kWipeLine = "\r\x1b[2K";

void redraw(std::string_view line) {
    fmt::print(stderr, "{}{}", kWipeLine, line);
    std::fflush(stderr);
}

}  // namespace

std::string step_line(const graph::Event& node_end) {
    const bool went_well =
        node_end.status == graph::NodeStatus::success || node_end.status == graph::NodeStatus::cached;
    return fmt::format("{} {:<20} {:>8.1f} ms{}",
                       styled(went_well ? "✓" : "•", went_well ? Style::green : Style::yellow), node_end.node,
                       node_end.latency_ms.value_or(0),
                       went_well ? std::string() : fmt::format("  {}", encode(*node_end.status).as_string().c_str()));
}

store::Listener live_steps(bool quiet) {
    if (quiet || isatty(STDERR_FILENO) != 1) return {};
    return [](const graph::Event& event) {
        switch (event.kind) {
            case graph::EventKind::node_start:
                redraw(fmt::format("… {}", event.node));
                break;
            case graph::EventKind::node_end:
                redraw(step_line(event) + "\n");
                break;
            case graph::EventKind::run_end:
                redraw("");
                break;
            default:
                break;
        }
    };
}

}  // namespace quaestor::cli
