#include "data/case_file.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace quaestor::data {

namespace {

[[noreturn]] void complain(const std::string& place, const std::string& what) {
    fmt::print(stderr, "{}: {}\n", place, what);
    std::exit(1);
}

std::string trimmed(const std::string& text) {
    const auto begin = text.find_first_not_of(" \t\n");
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\n") + 1 - begin);
}

/// Replaces ${N*text} by N times the text.
std::string expanded(const std::string& sql, const std::string& place) {
    std::string result;
    for (std::size_t at = 0; at < sql.size();) {
        const auto begin = sql.find("${", at);
        result += sql.substr(at, begin - at);
        if (begin == std::string::npos) break;
        const auto star = sql.find('*', begin);
        const auto end = sql.find('}', begin);
        if (star == std::string::npos || end == std::string::npos || star > end) complain(place, "expected ${N*text}");
        const int times = std::atoi(sql.substr(begin + 2, star - begin - 2).c_str());
        for (int i = 0; i < times; ++i) result += sql.substr(star + 1, end - star - 1);
        at = end + 1;
    }
    return result;
}

}  // namespace

std::string SqlCase::fact(const std::string& key) const {
    const auto found = facts.find(key);
    return found == facts.end() ? "" : found->second;
}

std::vector<SqlCase> read_cases(const std::string& file) {
    std::ifstream stream(std::filesystem::path(QUAESTOR_CASES_DIR) / file);
    if (!stream) complain(file, "cannot be read");
    std::vector<SqlCase> cases;
    bool in_head = false;
    int number = 0;
    for (std::string line; std::getline(stream, line);) {
        ++number;
        if (line.starts_with("--- ")) {
            cases.push_back(
                {.name = line.substr(4), .place = fmt::format("{}:{}", file, number), .facts = {}, .sql = {}});
            in_head = true;
        } else if (cases.empty()) {
            continue;
        } else if (in_head && line.empty()) {
            in_head = false;
        } else if (in_head) {
            const auto colon = line.find(": ");
            if (colon == std::string::npos) complain(cases.back().place, "expected `key: value`, got " + line);
            cases.back().facts[line.substr(0, colon)] = line.substr(colon + 2);
        } else {
            cases.back().sql += line + "\n";
        }
    }
    for (SqlCase& sql_case : cases) sql_case.sql = expanded(trimmed(sql_case.sql), sql_case.place);
    if (cases.empty()) complain(file, "holds no case");
    return cases;
}

std::string test_name_of(const SqlCase& sql_case) {
    std::string name;
    bool upper = true;
    for (const char c : sql_case.name) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
            name += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
            upper = false;
        } else {
            upper = true;
        }
    }
    return name + "_" + sql_case.place.substr(sql_case.place.rfind(':') + 1);
}

}  // namespace quaestor::data
