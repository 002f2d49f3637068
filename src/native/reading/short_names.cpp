#include "native/reading/short_names.hpp"

#include "native/words.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace quaestor::native {

namespace {

constexpr auto kShortNames = std::to_array<ShortName>({
#include "native/reading/short_names.inc"
});

/// As tables go by, and with them their columns.
constexpr auto kShortTables = std::to_array<ShortName>(
    {{"dx", "diagnosis"}, {"enc", "encounter"}, {"prov", "provider"}, {"pt", "patient"}, {"rx", "prescription"}});

std::string_view written_for(std::string_view word, std::span<const ShortName> names) {
    const auto found = std::ranges::find(names, word, &ShortName::first);
    return found == names.end() ? std::string_view() : found->second;
}

}  // namespace

ShortNames::ShortNames(const std::vector<SchemaTable>& tables) {
    for (const ShortName& name : kShortTables) {
        if (std::ranges::find(tables, name.first, &SchemaTable::words) != tables.end()) of_tables_.push_back(name);
    }
}

std::string ShortNames::written_out(const std::string& words) const {
    std::string out;
    bool is_shortened = false;
    for (const std::string& word : plain_words(words)) {
        std::string_view written = written_for(word, kShortNames);
        if (written.empty()) written = written_for(word, of_tables_);
        is_shortened |= !written.empty();
        if (!out.empty()) out += ' ';
        out += written.empty() ? std::string_view(word) : written;
    }
    return is_shortened ? out : words;
}

}  // namespace quaestor::native
