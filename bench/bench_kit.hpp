// What the benchmark programs share: measuring rounds and printing a figure as one JSON line.
// Threads: for main()'s thread.
#pragma once

#include "base/error.hpp"
#include "base/json.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace quaestor::bench {

/// Stops the benchmark: a wrong result must never become a figure.
[[noreturn]] void give_up(const std::string& why);

template <class T>
T checked(Result<T> result) {
    if (!result) give_up(result.error().describe());
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// Microseconds on a clock that never goes back.
[[nodiscard]] double now_us();

[[nodiscard]] double median(std::vector<double> values);

/// One figure of `variant`: the median over the rounds, with min and max beside it, and `more` fields.
void emit(const std::string& variant, const char* metric, const std::vector<double>& values, const char* unit, int n,
          json::object more = {});

/// A folder that goes with the program.
struct TemporaryFolder {
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    std::filesystem::path path;
};

}  // namespace quaestor::bench
