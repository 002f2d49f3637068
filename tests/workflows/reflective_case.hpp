// Conversations with the analyst as text, so that adding one needs no compiler; cases/README.md says how they are
// written. Each runs over a small database of its own, a store on disk and a provider that answers as scripted.
// Threads: one.
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace quaestor::workflows::test {

struct ReflectiveCase {
    std::string name;
    std::string place;  ///< "clarify.case:12"
    struct Line {
        int number = 0;
        std::string text;
    };
    std::vector<Line> lines;
};

inline void PrintTo(const ReflectiveCase& one, std::ostream* out) {
    *out << one.place << " (" << one.name << ")";
}

/// All of tests/workflows/cases.
[[nodiscard]] std::vector<ReflectiveCase> read_reflective_cases();
/// For INSTANTIATE_TEST_SUITE_P: letters and digits of the case's name.
[[nodiscard]] std::string test_name_of(const ReflectiveCase& one);
/// Runs it; what is not as expected becomes a failure of the test that is running, with its place.
void run_reflective_case(const ReflectiveCase& one);

}  // namespace quaestor::workflows::test
