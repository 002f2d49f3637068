// The JSON Schema that a model's reply must fit, made from the reply's C++ type: strict (every field required, no
// others, an optional may be null), in the order of the struct, with an explanation for fields and for each value of an
// enum.
//   struct Verdict {
//       std::string reasoning;                       // first: a model that thinks before it chooses chooses better
//       Kind kind;
//       static constexpr auto kExplained = std::array{llm::Explained{"kind", "what is asked for"}};
//   };
//   constexpr auto explain(std::type_identity<Kind>) {
//       return std::array{llm::Explained{"sum", "a total over a time"}, llm::Explained{"rank", "the first few of
//       many"}};
//   }
// Threads: pure functions.
#pragma once

#include "base/json.hpp"

#include <string_view>

namespace quaestor::llm {

/// A field or a value of an enum, and what it means, in a sentence.
struct Explained {
    std::string_view name;
    std::string_view meaning;
};

/// Takes what decode() takes apart from maps, json::value and variants, which no provider can be held to; they do not
/// compile. An enum's description has a line for each value: "- sum : a total over a time".
template <class T>
[[nodiscard]] json::value output_schema();

}  // namespace quaestor::llm

#include "llm/output_schema_impl.hpp"
