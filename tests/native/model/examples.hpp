// Stored questions as the trained parser reads them; golden.jsonl has what the reference in training/ makes of them.
// Plain values, read once.
// Threads: pure functions.
#pragma once

#include "base/json.hpp"
#include "native/beam_search.hpp"
#include "native/text2sql_model.hpp"

#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

namespace quaestor::native {

struct Example {
    std::string question;
    Schema schema{{}, {}, {}};  ///< nothing but its keys
    ModelInput input;
    std::vector<FormToken> target;
    std::vector<std::vector<float>> logits;  ///< before each of the first tokens of the target
    std::vector<FormCandidate> candidates;
};

inline ModelInput input_of(const json::object& arrays) {
    ModelInput input;
    input.ids = json::value_to<std::vector<int>>(arrays.at("ids"));
    input.items = json::value_to<std::vector<int>>(arrays.at("item"));
    input.segments = json::value_to<std::vector<int>>(arrays.at("segment"));
    input.features = json::value_to<std::vector<int>>(arrays.at("feature"));
    input.kinds = json::value_to<std::vector<int>>(arrays.at("kinds"));
    input.columns = json::value_to<std::vector<int>>(arrays.at("columns"));
    input.tables = json::value_to<std::vector<int>>(arrays.at("tables"));
    input.words = json::value_to<std::size_t>(arrays.at("words"));
    for (const char relation : json::value_to<std::string>(arrays.at("relations"))) {
        input.relations.push_back(static_cast<std::uint8_t>(relation - '0'));
    }
    return input;
}

inline Schema schema_with_keys(const json::object& example) {
    std::vector<SchemaColumn> columns(json::value_to<std::size_t>(example.at("column_count")));
    for (std::size_t at = 1; at < columns.size(); ++at) columns[at] = {.table = 0, .name = "c" + std::to_string(at)};
    std::vector<ForeignKey> keys;
    for (const auto& [from, to] : json::value_to<std::vector<std::pair<int, int>>>(example.at("keys"))) {
        keys.push_back({from, to});
    }
    return Schema({{.schema = "", .name = "t", .words = "t"}}, std::move(columns), std::move(keys));
}

inline std::vector<FormToken> tokens_from(const json::value& numbers, const ModelInput& input) {
    std::vector<FormToken> tokens;
    for (const auto number : json::value_to<std::vector<std::size_t>>(numbers)) {
        tokens.push_back(numbered_token(number, input));
    }
    return tokens;
}

inline std::vector<Example> read_examples(const std::string& path) {
    std::vector<Example> examples;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const json::object from = json::parse(line).as_object();
        Example example{.question = json::value_to<std::string>(from.at("question")),
                        .schema = schema_with_keys(from),
                        .input = input_of(from.at("arrays").as_object())};
        if (from.contains("target")) {
            example.target = tokens_from(from.at("target"), example.input);
            example.logits = json::value_to<std::vector<std::vector<float>>>(from.at("logits"));
            for (const json::value& candidate : from.at("candidates").as_array()) {
                example.candidates.push_back({.score = json::value_to<double>(candidate.at("score")),
                                              .tokens = tokens_from(candidate.at("tokens"), example.input)});
            }
        }
        examples.push_back(std::move(example));
    }
    return examples;
}

}  // namespace quaestor::native
