// Arrays and composite values of PostgreSQL, from the server's text to JSON: {1,NULL,"a,b"} to [1,null,"a,b"], and
// (1,"a b") to {"id":1,"name":"a b"}. Private to data/.
// Threads: pure functions.
#pragma once

#include "data/postgres/values.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace quaestor::data::postgres {

/// The JSON of a value of any type; nothing when the text cannot be one of that type.
[[nodiscard]] std::optional<std::string> to_json(TypeId id, const Types& types, std::string_view text);

}  // namespace quaestor::data::postgres
