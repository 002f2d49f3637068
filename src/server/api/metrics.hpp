// Figures of the server for Prometheus: requests, runs, steps, tokens, money, caches, breakers, connections.
// Owned by the Service; what is counted here only grows, what others know is asked when the text is made.
// Threads: all members may be called from any thread.
#pragma once

#include "workflows/common/answer.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace quaestor::server {

/// Upper bounds of the buckets of a latency, in seconds.
inline constexpr std::array kLatencyBounds{0.001, 0.005, 0.01, 0.025, 0.05, 0.1,  0.25,
                                           0.5,   1.0,   2.5,  5.0,   10.0, 30.0, 120.0};
/// Names that a figure may have at once; more are counted as "other".
inline constexpr std::size_t kMetricNamesMax = 1'000;

/// A figure of somebody else, at the moment when the text is made.
struct Gauge {
    std::string name;  ///< "quaestor_runs_running"
    std::string help;
    std::string labels;  ///< as they stand between braces: agent="nba"; empty: none
    double value = 0;
    bool is_counter = false;
};

/// As Prometheus wants a label's value: quotes, backslashes and line breaks escaped.
[[nodiscard]] std::string label_value(std::string_view text);

class Metrics {
public:
    void request(std::string_view method, std::string_view route, int status, double seconds);
    void node(std::string_view node, double seconds);
    void run(std::string_view agent, std::string_view status, double seconds, const workflows::UsageSummary& usage);

    /// The text of /metrics.
    [[nodiscard]] std::string text(const std::vector<Gauge>& gauges) const;

private:
    struct Histogram {
        std::array<std::uint64_t, kLatencyBounds.size()> buckets{};
        std::uint64_t count = 0;
        double sum = 0;
        void add(double seconds);
    };
    struct Usage {
        std::uint64_t calls = 0;
        std::uint64_t input_tokens = 0;
        std::uint64_t output_tokens = 0;
        double cost_usd = 0;
    };
    static void write(std::string& out, std::string_view name, const std::map<std::string, Histogram>& histograms);

    mutable std::mutex mutex_;
    std::map<std::string, std::uint64_t> requests_;  ///< by labels
    std::map<std::string, Histogram> request_times_;
    std::map<std::string, std::uint64_t> runs_;
    std::map<std::string, Histogram> run_times_;
    std::map<std::string, Histogram> node_times_;
    std::map<std::string, Usage> usage_;  ///< by agent
};

}  // namespace quaestor::server
