// What the training code says about texts, values and schemas (*.jsonl), which the C++ must say too.
// Files are read whole.
// Threads: for one thread.
#pragma once

#include "base/json.hpp"
#include "native/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace quaestor::native {

/// The rows of a file beside this one.
inline std::vector<json::value> golden_rows(const std::string& name) {
    std::ifstream file(QUAESTOR_TEST_DIR "/words/" + name);
    std::vector<json::value> rows;
    for (std::string line; std::getline(file, line);) rows.push_back(parse_json(line).value());
    if (rows.empty()) throw std::runtime_error(fmt::format("{} has no rows", name));
    return rows;
}

template <typename T>
T field(const json::value& row, std::string_view name) {
    return json::value_to<T>(row.at(name));
}

/// Text as it is, or its bytes where they are no UTF-8.
inline std::string golden_text(const json::value& row) {
    if (row.as_object().contains("text")) return field<std::string>(row, "text");
    const auto hex = field<std::string>(row, "hex");
    std::string bytes;
    for (std::size_t at = 0; at < hex.size(); at += 2) {
        unsigned char byte = 0;
        std::from_chars(hex.data() + at, hex.data() + at + 2, byte, 16);
        bytes += static_cast<char>(byte);
    }
    return bytes;
}

/// With the vocabulary of the encoder that training starts from.
inline const WordPiece& minilm_pieces() {
    static const WordPiece kPieces = [] {
        std::ifstream file(QUAESTOR_MINILM "/tokenizer.json", std::ios::binary);
        const std::string text((std::istreambuf_iterator<char>(file)), {});
        const auto tokenizer = parse_json(text).value();
        const auto& ids = tokenizer.at("model").at("vocab").as_object();
        std::vector<std::string> vocabulary(ids.size());
        for (const auto& entry : ids) vocabulary.at(entry.value().to_number<std::size_t>()) = entry.key();
        return WordPiece(vocabulary);
    }();
    return kPieces;
}

}  // namespace quaestor::native
