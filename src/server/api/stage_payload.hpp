// What a client is told of a step that ended: the fields of document 001 for its stage, from what the step changed.
// Pure functions over JSON, for all workflows; a step that is not known tells what it changed.
// Threads: safe everywhere.
#pragma once

#include "base/json.hpp"
#include "workflows/common/answer.hpp"

#include <string_view>

namespace quaestor::server {

/// Bytes of one field of a step that nobody knows; larger ones are left out.
inline constexpr std::size_t kFieldBytesMax = 65'536;

/// `update` is the data of a node_end event: {"set": {…}, "replace": {…}}.
[[nodiscard]] json::object stage_payload(std::string_view node, const json::value& update);

/// A query of an answer under the names that document 001 has for its parts, beside our own.
[[nodiscard]] json::object query_payload(const workflows::AskedQuery& query);
[[nodiscard]] json::object query_payload(const json::object& query);

}  // namespace quaestor::server
