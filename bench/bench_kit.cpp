#include "bench_kit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace quaestor::bench {

void give_up(const std::string& why) {
    fmt::print(stderr, "benchmark: {}\n", why);
    std::exit(1);
}

double now_us() {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

void emit(const std::string& variant, const char* metric, const std::vector<double>& values, const char* unit, int n,
          json::object more) {
    json::object line{{"bench", "quaestor/" + variant},
                      {"metric", metric},
                      {"value", median(values)},
                      {"unit", unit},
                      {"n", n},
                      {"min", std::ranges::min(values)},
                      {"max", std::ranges::max(values)},
                      {"rounds", values.size()}};
    for (auto& field : more) line.emplace(field.key(), std::move(field.value()));
    fmt::print("{}\n", to_text(line));
    std::fflush(stdout);
}

TemporaryFolder::TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "quaestor-bench-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) give_up("cannot make a temporary folder");
    path = pattern;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
}

}  // namespace quaestor::bench
