// A case file as data: the graph it describes, what its nodes do, and the commands with what is expected of them.
// The format is described in cases/README.md.
// Threads: plain values.
#pragma once

#include "base/error.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::graph {

/// A verb and its words: "fail unavailable down", "node fetch retry=3", "run step_limit=2".
struct Phrase {
    std::string verb;
    std::vector<std::string> words;

    /// The value of the word `key=value`, or `otherwise`.
    [[nodiscard]] std::string get(std::string_view key, std::string_view otherwise = "") const;
    /// True when `word` is there by itself.
    [[nodiscard]] bool has(std::string_view word) const;
};

/// What a node does in one call.
using Turn = std::vector<Phrase>;

struct CaseCommand {
    Phrase what;
    std::size_t line = 0;  ///< in the file, from 0
    std::vector<std::string> expected;
};

struct CaseScript {
    std::vector<std::string> lines;  ///< the file as it was read
    std::vector<Phrase> graph;
    std::map<std::string, std::vector<Turn>> turns;  ///< by node, or "worker(item)"
    std::vector<CaseCommand> commands;
};

[[nodiscard]] Result<CaseScript> parse_case(std::string_view text);

}  // namespace quaestor::graph
