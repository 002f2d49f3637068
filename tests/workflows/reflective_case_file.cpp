#include "reflective_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

namespace quaestor::workflows::test {

namespace {

void add_cases_of(const std::filesystem::path& path, std::vector<ReflectiveCase>& cases) {
    std::ifstream file(path);
    int number = 0;
    bool is_in_case = false;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (line.starts_with("--- ")) {
            cases.push_back({line.substr(4), fmt::format("{}:{}", path.filename().string(), number), {}});
            is_in_case = true;
        } else if (is_in_case && !line.empty() && !line.starts_with('#')) {
            cases.back().lines.push_back({number, line});
        }
    }
}

}  // namespace

std::vector<ReflectiveCase> read_reflective_cases() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(QUAESTOR_TEST_DIR) / "cases")) {
        if (entry.path().extension() == ".case") files.push_back(entry.path());
    }
    std::ranges::sort(files);
    std::vector<ReflectiveCase> cases;
    for (const auto& file : files) add_cases_of(file, cases);
    return cases;
}

std::string test_name_of(const ReflectiveCase& one) {
    std::string name;
    bool begins_word = true;
    for (const char c : one.name) {
        const bool is_letter = std::isalnum(static_cast<unsigned char>(c)) != 0;
        if (is_letter) name += begins_word ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
        begins_word = !is_letter;
    }
    return name;
}

}  // namespace quaestor::workflows::test
