// Cases about documents as text; cases/README.md describes the format.
// Plain values.
// Threads: for the test's thread.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace quaestor::retrieval {

struct DocumentCase {
    struct Part {
        std::string what;  ///< "text", "chunk Outlook › Prices"
        std::string text;
    };
    std::string name;
    std::multimap<std::string, std::string> facts;
    std::vector<Part> parts;

    [[nodiscard]] bool has(const std::string& key) const { return facts.contains(key); }
    [[nodiscard]] std::string fact(const std::string& key) const;
    [[nodiscard]] std::string part(const std::string& what) const;
};

[[nodiscard]] std::vector<DocumentCase> read_document_cases(const std::string& file);

}  // namespace quaestor::retrieval
