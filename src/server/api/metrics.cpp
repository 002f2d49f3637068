#include "server/api/metrics.hpp"

#include <fmt/format.h>

#include <iterator>

namespace quaestor::server {

namespace {

/// The place for `labels`; a map that is full counts the rest together.
template <class Value>
Value& place_for(std::map<std::string, Value>& values, const std::string& labels, const std::string& other) {
    const auto found = values.find(labels);
    if (found != values.end()) return found->second;
    return values.size() < kMetricNamesMax ? values[labels] : values[other];
}

void write_head(std::string& out, std::string_view name, std::string_view kind, std::string_view help) {
    fmt::format_to(std::back_inserter(out), "# HELP {0} {2}\n# TYPE {0} {1}\n", name, kind, help);
}

void write_line(std::string& out, std::string_view name, std::string_view labels, double value) {
    if (labels.empty()) {
        fmt::format_to(std::back_inserter(out), "{} {}\n", name, value);
    } else {
        fmt::format_to(std::back_inserter(out), "{}{{{}}} {}\n", name, labels, value);
    }
}

}  // namespace

std::string label_value(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '\\' || c == '"') escaped += '\\';
        escaped += c == '\n' ? std::string("\\n") : std::string(1, c);
    }
    return escaped;
}

void Metrics::Histogram::add(double seconds) {
    for (std::size_t at = 0; at < kLatencyBounds.size(); ++at) {
        if (seconds <= kLatencyBounds[at]) ++buckets[at];
    }
    ++count;
    sum += seconds;
}

void Metrics::request(std::string_view method, std::string_view route, int status, double seconds) {
    const std::string labels =
        fmt::format("method=\"{}\",route=\"{}\",status=\"{}\"", method, label_value(route), status);
    const std::string route_label = fmt::format("route=\"{}\"", label_value(route));
    const std::lock_guard lock(mutex_);
    ++place_for(requests_, labels, R"(method="other",route="other",status="other")");
    place_for(request_times_, route_label, R"(route="other")").add(seconds);
}

void Metrics::node(std::string_view node, double seconds) {
    const std::string labels = fmt::format("node=\"{}\"", label_value(node));
    const std::lock_guard lock(mutex_);
    place_for(node_times_, labels, R"(node="other")").add(seconds);
}

void Metrics::run(std::string_view agent, std::string_view status, double seconds,
                  const workflows::UsageSummary& usage) {
    const std::string agent_label = fmt::format("agent=\"{}\"", label_value(agent));
    const std::string labels = fmt::format("{},status=\"{}\"", agent_label, label_value(status));
    const std::lock_guard lock(mutex_);
    ++place_for(runs_, labels, R"(agent="other",status="other")");
    place_for(run_times_, agent_label, R"(agent="other")").add(seconds);
    Usage& total = place_for(usage_, agent_label, R"(agent="other")");
    total.calls += static_cast<std::uint64_t>(usage.llm_calls);
    total.input_tokens += static_cast<std::uint64_t>(usage.input_tokens);
    total.output_tokens += static_cast<std::uint64_t>(usage.output_tokens);
    total.cost_usd += usage.cost_usd;
}

void Metrics::write(std::string& out, std::string_view name, const std::map<std::string, Histogram>& histograms) {
    for (const auto& [labels, histogram] : histograms) {
        for (std::size_t at = 0; at < kLatencyBounds.size(); ++at) {
            write_line(out, fmt::format("{}_bucket", name), fmt::format("{},le=\"{}\"", labels, kLatencyBounds[at]),
                       static_cast<double>(histogram.buckets[at]));
        }
        write_line(out, fmt::format("{}_bucket", name), fmt::format("{},le=\"+Inf\"", labels),
                   static_cast<double>(histogram.count));
        write_line(out, fmt::format("{}_sum", name), labels, histogram.sum);
        write_line(out, fmt::format("{}_count", name), labels, static_cast<double>(histogram.count));
    }
}

std::string Metrics::text(const std::vector<Gauge>& gauges) const {
    std::string out;
    const std::lock_guard lock(mutex_);
    write_head(out, "quaestor_requests_total", "counter", "Requests by route and status.");
    for (const auto& [labels, count] : requests_) {
        write_line(out, "quaestor_requests_total", labels, static_cast<double>(count));
    }
    write_head(out, "quaestor_request_seconds", "histogram", "Time until a reply was ready.");
    write(out, "quaestor_request_seconds", request_times_);
    write_head(out, "quaestor_runs_total", "counter", "Questions by agent and how they ended.");
    for (const auto& [labels, count] : runs_)
        write_line(out, "quaestor_runs_total", labels, static_cast<double>(count));
    write_head(out, "quaestor_run_seconds", "histogram", "Time from question to answer.");
    write(out, "quaestor_run_seconds", run_times_);
    write_head(out, "quaestor_node_seconds", "histogram", "Time of one step.");
    write(out, "quaestor_node_seconds", node_times_);
    write_head(out, "quaestor_llm_calls_total", "counter", "Calls of language models.");
    for (const auto& [labels, usage] : usage_) {
        write_line(out, "quaestor_llm_calls_total", labels, static_cast<double>(usage.calls));
    }
    write_head(out, "quaestor_llm_tokens_total", "counter", "Tokens to and from language models.");
    for (const auto& [labels, usage] : usage_) {
        write_line(out, "quaestor_llm_tokens_total", labels + R"(,direction="input")",
                   static_cast<double>(usage.input_tokens));
        write_line(out, "quaestor_llm_tokens_total", labels + R"(,direction="output")",
                   static_cast<double>(usage.output_tokens));
    }
    write_head(out, "quaestor_llm_cost_usd_total", "counter", "What language models have cost, in US dollars.");
    for (const auto& [labels, usage] : usage_) write_line(out, "quaestor_llm_cost_usd_total", labels, usage.cost_usd);
    std::string_view last;
    for (const auto& gauge : gauges) {
        if (gauge.name != last) write_head(out, gauge.name, gauge.is_counter ? "counter" : "gauge", gauge.help);
        last = gauge.name;
        write_line(out, gauge.name, gauge.labels, gauge.value);
    }
    return out;
}

}  // namespace quaestor::server
