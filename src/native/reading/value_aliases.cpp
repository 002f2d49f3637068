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
/// Names that people shorten, and to how many letters.
constexpr std::size_t kClippedBytesMin = 8;
constexpr std::size_t kClippedBytes = 3;
constexpr auto kNameWords = std::to_array<std::string_view>({"name", "nickname", "team", "club"});

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

/// "Mavs" for "Mavericks", "Niners" for "49ers": what people make of a long plural, and of a number.
std::string short_name(std::string_view key) {
    constexpr auto kDigits = std::to_array<std::string_view>(
        {"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"});
    if (key.contains(' ')) return {};
    const std::size_t letters = key.find_first_not_of("0123456789");
    if (letters != 0 && letters != std::string_view::npos && key.size() > letters + 2) {
        std::string said(kDigits[static_cast<std::size_t>(key[letters - 1] - '0')]);
        if (said.back() == key[letters]) said.pop_back();
        return said.append(key.substr(letters));
    }
    if (key.size() < kClippedBytesMin || !key.ends_with('s')) return {};
    return std::string(key.substr(0, kClippedBytes)) + "s";
}

void add_short_names(ValueIndex& values, const Schema& schema) {
    struct ShortName {
        ColumnId column = 0;
        std::string said;
        std::string key;
    };
    std::vector<ShortName> found;
    for (std::size_t at = 1; at < schema.columns().size(); ++at) {
        const auto id = static_cast<ColumnId>(at);
        const auto known = values.values_of(id);
        const std::vector<std::string> name = stems(schema.columns()[at].words);
        const bool has_names = std::ranges::any_of(
            kNameWords, [&](std::string_view word) { return std::ranges::find(name, word) != name.end(); });
        if (!has_names || known.size() > kKindsMax) continue;
        for (const KnownValue& value : known) {
            const std::string said = short_name(value.key);
            const auto has_same = [&](const KnownValue& other) { return short_name(other.key) == said; };
            if (said.empty() || values.has(said) || std::ranges::count_if(known, has_same) > 1) continue;
            found.push_back({id, said, std::string(value.key)});
        }
    }
    for (const auto& [column, said, key] : found) values.add_alias(column, said, key);
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
    add_short_names(values, schema);
}

}  // namespace quaestor::native
