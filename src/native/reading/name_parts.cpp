#include "native/reading/name_parts.hpp"

#include "native/words.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace quaestor::native {

NamePart name_part(const SchemaColumn& column) {
    constexpr auto kFirst = std::to_array<std::string_view>({"first", "given", "forename", "fore"});
    constexpr auto kLast = std::to_array<std::string_view>({"last", "family", "surname", "sur"});
    const auto words = plain_words(column.words);
    const bool is_name = words.size() == 1 || std::ranges::find(words, "name") != words.end();
    if (!is_name || column.kind != ColumnKind::text) return NamePart::none;
    const auto has = [&words](const auto& list) {
        return std::ranges::any_of(words,
                                   [&list](const auto& word) { return std::ranges::find(list, word) != list.end(); });
    };
    return has(kFirst) ? NamePart::first : has(kLast) ? NamePart::last : NamePart::none;
}

ColumnId other_half(ColumnId half, const Schema& schema) {
    const NamePart part = name_part(schema.columns()[static_cast<std::size_t>(half)]);
    if (part == NamePart::none) return 0;
    for (const ColumnId other : schema.columns_of(schema.table_of(half))) {
        const NamePart there = name_part(schema.columns()[static_cast<std::size_t>(other)]);
        if (there != NamePart::none && there != part) return other;
    }
    return 0;
}

}  // namespace quaestor::native
