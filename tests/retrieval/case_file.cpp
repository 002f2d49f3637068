#include "case_file.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace quaestor::retrieval {

namespace {

/// \xNN as the byte, so that a case can hold what is no text.
std::string with_bytes(const std::string& text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        if (text.compare(at, 2, "\\x") == 0 && at + 4 <= text.size()) {
            out += static_cast<char>(std::stoi(text.substr(at + 2, 2), nullptr, 16));
            at += 4;
        } else {
            out += text[at++];
        }
    }
    return out;
}

void without_last_lines(std::string& text) {
    while (text.ends_with('\n')) text.pop_back();
}

}  // namespace

std::string DocumentCase::fact(const std::string& key) const {
    const auto found = facts.find(key);
    return found == facts.end() ? std::string() : found->second;
}

std::string DocumentCase::part(const std::string& what) const {
    for (const Part& part : parts) {
        if (part.what == what) return part.text;
    }
    return {};
}

std::vector<DocumentCase> read_document_cases(const std::string& file) {
    std::ifstream stream(std::string(QUAESTOR_TEST_DIR) + "/cases/" + file);
    EXPECT_TRUE(stream) << file << " cannot be read";
    std::vector<DocumentCase> cases;
    for (std::string line; std::getline(stream, line);) {
        if (line.starts_with("=== ")) {
            cases.push_back({.name = line.substr(4), .facts = {}, .parts = {}});
        } else if (cases.empty()) {
            continue;
        } else if (line.starts_with("--- ")) {
            cases.back().parts.push_back({line.substr(4), {}});
        } else if (!cases.back().parts.empty()) {
            cases.back().parts.back().text += line + "\n";
        } else if (const auto colon = line.find(':'); colon != std::string::npos) {
            const auto value = line.find_first_not_of(' ', colon + 1);
            cases.back().facts.emplace(line.substr(0, colon), value == std::string::npos ? "" : line.substr(value));
        }
    }
    for (DocumentCase& one : cases) {
        for (DocumentCase::Part& part : one.parts) {
            without_last_lines(part.text);
            if (part.what == "input") part.text = with_bytes(part.text);
        }
    }
    EXPECT_FALSE(cases.empty()) << file << " has no cases";
    return cases;
}

}  // namespace quaestor::retrieval
