// PostgreSQL's types and how their text becomes values of a result: arrays and composite values become JSON. Private
// to data/.
// Threads: pure functions; values are immutable once made.
#pragma once

#include "base/error.hpp"
#include "data/postgres/connection.hpp"
#include "data/result_set.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace quaestor::data::postgres {

using TypeId = std::uint32_t;

struct Type {
    std::string name;
    ValueKind kind = ValueKind::other;
    TypeId element = 0;    ///< of an array
    char delimiter = ',';  ///< between elements of an array of this type
    bool is_row = false;
    std::vector<std::pair<std::string, TypeId>> fields;  ///< of a row; none when they are not known
};

/// The types that a result needs, with those of which they are made.
using Types = std::map<TypeId, Type>;

/// Looks up types; what is not among the engine's own is asked of the server. A type that is gone is no error.
[[nodiscard]] Answer<Types> learn_types(const std::vector<TypeId>& ids, Connection& connection,
                                        const Patience& patience);

/// True when all can be known without asking the server.
[[nodiscard]] bool are_builtin(const std::vector<TypeId>& ids);

/// The type's name as the server writes it, with length or precision: "numeric(10,2)".
[[nodiscard]] std::string name_of(const Type& type, TypeId id, int modifier);

/// Adds the server's text for a value. Code::corrupt when it is no value of the type.
[[nodiscard]] Result<> add_value(ResultColumn& column, TypeId id, const Types& types, std::string_view text);

}  // namespace quaestor::data::postgres
