#include "native/reading/value_aliases.hpp"

#include "native/words.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace quaestor::native {

namespace {

struct Alias {
    std::string_view about;  ///< a word of the column's name; empty for any column
    std::string_view said;
    std::string_view value;
};

constexpr auto kAliases = std::to_array<Alias>({
#include "native/reading/value_aliases.inc"
});

/// Values of a column for which there are many aliases would all be looked at; such columns hold names, not kinds.
constexpr std::size_t kKindsMax = 300;
constexpr std::size_t kSingularsMax = 40;
constexpr std::size_t kSingularBytesMin = 4;

struct Found {
    ColumnId column = 0;
    const Alias* alias = nullptr;
};

bool is_about(const std::vector<std::string>& name, std::string_view word) {
    return word.empty() || std::ranges::find(name, word) != name.end();
}

/// "pot" where the kinds are "Pots" and "Plants".
void add_singulars(ValueIndex& values, const Schema& schema) {
    std::vector<std::pair<ColumnId, std::string>> found;
    for (std::size_t at = 1; at < schema.columns().size(); ++at) {
        const auto id = static_cast<ColumnId>(at);
        const auto known = values.values_of(id);
        if (known.size() > kSingularsMax) continue;
        for (const KnownValue& value : known) {
            const bool is_word = value.key.size() >= kSingularBytesMin && !value.key.contains(' ');
            const std::string one = is_word ? stem(value.key) : std::string();
            if (is_word && one != value.key && !values.has(one)) found.emplace_back(id, value.key);
        }
    }
    for (const auto& [column, key] : found) values.add_alias(column, stem(key), key);
}

}  // namespace

void add_aliases(ValueIndex& values, const Schema& schema) {
    std::vector<Found> found;
    for (std::size_t at = 1; at < schema.columns().size(); ++at) {
        const auto id = static_cast<ColumnId>(at);
        const auto known = values.values_of(id);
        if (known.empty() || known.size() > kKindsMax) continue;
        const std::vector<std::string> name = stems(schema.columns()[at].words);
        for (const Alias& alias : kAliases) {
            const bool has_value =
                is_about(name, alias.about) && std::ranges::find(known, alias.value, &KnownValue::key) != known.end();
            if (has_value && !values.has(alias.said)) found.push_back({id, &alias});
        }
    }
    for (const auto& [column, alias] : found) values.add_alias(column, alias->said, alias->value);
    add_singulars(values, schema);
}

}  // namespace quaestor::native
