// Puts our figures beside the peer's, prints the ratios as a table and keeps it all as JSON with the machine's facts.
// What was measured earlier and not again stays as it was, with the day of then.
// usage: bench_report NAME OURS.jsonl PEER.jsonl RESULT.json
#include "base/clock.hpp"
#include "base/json.hpp"
#include "cli/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <sys/utsname.h>
#include <thread>
#include <vector>

using namespace quaestor;

namespace {

/// One line of a benchmark's output.
struct Figure {
    std::string bench;  ///< "program/variant"
    double value = 0;
    std::string unit;
    double min = 0;
    double max = 0;
    std::optional<double> at_most;  ///< the bar, where it is not a ratio

    [[nodiscard]] std::string variant() const { return bench.substr(bench.find('/') + 1); }
    /// A rate is better when it is higher, a time or a size when it is lower.
    [[nodiscard]] bool more_is_better() const { return unit.ends_with("/s"); }
};
BOOST_DESCRIBE_STRUCT(Figure, (), (bench, value, unit, min, max, at_most))

/// What the project asks of itself, by variant: how many times better than the peer.
const std::map<std::string, double> kBars{
    {"linear", 1000}, {"loop", 1000}, {"fanout", 300}, {"memory", 300}, {"sqlite", 40},   {"postgres", 10}, {"rss", 30},
    {"guard", 10},    {"embed", 0.8}, {"hybrid", 3},   {"flushed", 3},  {"together", 10}, {"health", 4}};

std::vector<Figure> read_figures(const char* path) {
    std::ifstream file(path);
    std::vector<Figure> figures;
    for (std::string line; std::getline(file, line);) {
        auto parsed = parse_json(line);
        if (!parsed) continue;
        if (auto figure = decode<Figure>(*parsed)) figures.push_back(std::move(*figure));
    }
    return figures;
}

std::string first_match(const char* path, std::string_view key) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with(key)) return line.substr(std::min(line.size(), line.find(':') + 2));
    }
    return {};
}

json::object machine_facts() {
    utsname names{};
    uname(&names);
    return {{"date", to_iso8601(system_clock().wall())},
            {"architecture", names.machine},
            {"kernel", names.release},
            {"processor", first_match("/proc/cpuinfo", "model name")},
            {"cores", std::thread::hardware_concurrency()},
            {"memory", first_match("/proc/meminfo", "MemTotal")}};
}

/// The best peer at what `ours` measures.
const Figure* best_of(const std::vector<Figure>& peers, const Figure& ours) {
    const Figure* best = nullptr;
    for (const auto& peer : peers) {
        if (peer.variant() != ours.variant()) continue;
        const bool is_better =
            best == nullptr || (ours.more_is_better() ? peer.value > best->value : peer.value < best->value);
        if (is_better) best = &peer;
    }
    return best;
}

std::optional<double> ratio(const Figure& ours, const Figure* peer) {
    if (peer == nullptr) return std::nullopt;
    return ours.more_is_better() ? ours.value / peer->value : peer->value / ours.value;
}

std::string as_times(double ratio) {
    return ratio < 10 ? fmt::format("{:.2g}×", ratio) : fmt::format("{:.0f}×", ratio);
}

json::array compare(const std::vector<Figure>& ours, const std::vector<Figure>& peers, cli::Table& table) {
    json::array results;
    for (const auto& figure : ours) {
        json::object result{
            {"variant", figure.variant()}, {"date", to_iso8601(system_clock().wall())}, {"ours", encode(figure)}};
        const Figure* const peer = best_of(peers, figure);
        const auto times = ratio(figure, peer);
        const auto bar = kBars.find(figure.variant());
        std::vector<cli::Table::Cell> row{figure.variant(), fmt::format("{:.2f} {}", figure.value, figure.unit), "", "",
                                          ""};
        if (peer != nullptr) {
            result.emplace("peer", encode(*peer));
            row[2] = fmt::format("{:.2f}", peer->value);
        }
        if (times) {
            result.emplace("ratio", *times);
            row[3] = as_times(*times);
        }
        if (times && bar != kBars.end()) {
            result.emplace("bar", bar->second);
            result.emplace("holds", *times >= bar->second);
            row[4] = fmt::format("{} {}", as_times(bar->second), *times >= bar->second ? "✓" : "✗");
        }
        if (figure.at_most) {
            const bool holds = figure.value <= *figure.at_most;
            result.emplace("holds", holds);
            row[4] = fmt::format("≤ {:g} {}", *figure.at_most, holds ? "✓" : "✗");
        }
        results.push_back(std::move(result));
        table.rows.push_back(std::move(row));
    }
    return results;
}

/// The results in `path` of variants that are not among the new ones.
json::array kept_results(const char* path, const json::array& fresh) {
    std::ifstream file(path);
    const auto earlier = parse_json(std::string(std::istreambuf_iterator<char>(file), {}));
    json::array kept;
    if (!earlier || !earlier->is_object() || !earlier->get_object().contains("results")) return kept;
    for (const auto& result : earlier->at("results").as_array()) {
        const bool is_new = std::ranges::any_of(
            fresh, [&](const json::value& each) { return each.at("variant") == result.at("variant"); });
        if (!is_new) kept.push_back(result);
    }
    return kept;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 5) {
        fmt::print(stderr, "usage: bench_report NAME OURS.jsonl PEER.jsonl RESULT.json\n");
        return 2;
    }
    cli::Table table{.columns = {{"variant"}, {"Quaestor", true}, {"peer", true}, {"ratio", true}, {"bar", true}},
                     .rows = {}};
    auto results = compare(read_figures(arguments[2]), read_figures(arguments[3]), table);
    for (const auto& earlier : kept_results(arguments[4], results)) results.push_back(earlier);
    std::ofstream file(arguments[4]);
    file << to_pretty_text({{"bench", arguments[1]}, {"machine", machine_facts()}, {"results", std::move(results)}})
         << "\n";
    if (!file.flush()) {
        fmt::print(stderr, "bench_report: cannot write {}\n", arguments[4]);
        return 1;
    }
    fmt::print("{}\nkept in {}\n", cli::draw(table, cli::terminal_width()), arguments[4]);
}
