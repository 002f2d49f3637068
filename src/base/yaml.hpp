// YAML as JSON: configuration, glossaries and evaluation banks are written in YAML and then decoded like any JSON.
// Plain scalars become null, booleans and numbers where they look like one; quoted ones stay text.
// Threads: pure functions.
#pragma once

#include "base/json.hpp"

#include <cstddef>
#include <string_view>

namespace quaestor {

/// Nodes and bytes of text a document may have once its aliases are followed; bounds on what a small file can blow up
/// to. The document itself may not be larger either.
inline constexpr std::size_t kYamlNodesMax = 100'000;
inline constexpr std::size_t kYamlBytesMax = 4 * 1024 * 1024;

/// Reads one YAML document; an empty one is null. The error says line and column.
[[nodiscard]] Result<json::value> parse_yaml(std::string_view text);

}  // namespace quaestor
