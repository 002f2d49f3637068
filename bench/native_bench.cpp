// The trained parser: how long a question takes to become candidates, and how much memory it needs.
// usage: native_bench WEIGHTS EXAMPLES...
//   WEIGHTS    text2sql.gguf
//   EXAMPLES   files of questions like tests/native/model/large.jsonl, which is about a schema of 20 tables
#include "bench_kit.hpp"
#include "native/model/examples.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace quaestor;
using namespace quaestor::bench;
using namespace quaestor::native;

namespace {

constexpr int kRounds = 25;
constexpr std::size_t kThreads = 2;
constexpr std::size_t kBeam = 8;

double resident_megabytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmRSS:")) return std::stod(line.substr(line.find_first_of("0123456789"))) / 1024;
    }
    give_up("cannot read how much memory this program has");
}

double quantile(std::vector<double> values, double share) {
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

double milliseconds_for(Text2SqlModel& model, const Example& example) {
    const double began = now_us();
    if (checked(model.propose(example.input, example.schema, kBeam)).empty()) give_up("no candidate at all");
    return (now_us() - began) / 1000;
}

void measure(Text2SqlModel& model, const std::string& path) {
    const auto examples = read_examples(path);
    if (examples.empty()) give_up("no examples in " + path);
    std::vector<double> medians;
    std::vector<double> slow;
    for (int round = 0; round < kRounds; ++round) {
        std::vector<double> times;
        for (const Example& example : examples) times.push_back(milliseconds_for(model, example));
        medians.push_back(quantile(times, 0.5));
        slow.push_back(quantile(times, 0.99));
    }
    const std::string name = std::filesystem::path(path).stem().string();
    const auto count = static_cast<int>(examples.size());
    emit("native_" + name, "warm_p50", medians, "ms", count, {{"threads", kThreads}});
    emit("native_" + name, "warm_p99", slow, "ms", count, {{"threads", kThreads}});
}

}  // namespace

int main(int count, char** arguments) {
    if (count < 3) give_up("usage: native_bench WEIGHTS EXAMPLES...");
    const auto first = read_examples(arguments[2]);
    if (first.empty()) give_up(fmt::format("no examples in {}", arguments[2]));
    const double before = resident_megabytes();
    const double began = now_us();
    const auto model = checked(Text2SqlModel::open(arguments[1], kThreads));
    emit("native", "open", {(now_us() - began) / 1000}, "ms", 1);
    emit("native", "cold", {milliseconds_for(*model, first.front())}, "ms", 1);
    for (int at = 2; at < count; ++at) measure(*model, arguments[at]);
    emit("native", "resident", {resident_megabytes() - before}, "MB", 1);
    return 0;
}
