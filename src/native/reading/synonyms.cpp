#include "native/reading/synonyms.hpp"

#include "native/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace quaestor::native {

namespace {

/// Words of a description that can be said instead of a name.
constexpr std::size_t kSynonymWordsMax = 4;
constexpr std::size_t kDescriptionPartsMax = 4;
/// Entries of a glossary that are read, and bytes of what one means.
constexpr std::size_t kGlossaryMax = 1'000;
constexpr std::size_t kMeaningBytesMax = 400;

bool is_name_part(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           static_cast<unsigned char>(c) >= 0x80;
}

/// Tables and columns by what a person writes for them: "orders", "orders.amount".
class NamedThings {
public:
    explicit NamedThings(const Schema& schema) : schema_(schema) {}

    [[nodiscard]] TableId table(std::string_view name) const {
        const auto& tables = schema_.tables();
        const auto found = std::ranges::find(tables, lower(name), [](const SchemaTable& t) { return lower(t.name); });
        return found == tables.end() ? -1 : static_cast<TableId>(found - tables.begin());
    }

    /// "table.column", or the name of only one column; 0 when it is none.
    [[nodiscard]] ColumnId column(std::string_view name) const {
        const auto dot = name.rfind('.');
        const TableId owner = dot == std::string_view::npos ? -1 : table(name.substr(0, dot));
        if (dot != std::string_view::npos && owner < 0) return 0;
        const std::string wanted = lower(dot == std::string_view::npos ? name : name.substr(dot + 1));
        ColumnId found = 0;
        for (std::size_t at = 1; at < schema_.columns().size(); ++at) {
            const SchemaColumn& column = schema_.columns()[at];
            if (lower(column.name) != wanted || (owner >= 0 && column.table != owner)) continue;
            if (found != 0) return 0;
            found = static_cast<ColumnId>(at);
        }
        return found;
    }

    /// "sum of orders.amount" as people say it: "sum of amount of order".
    [[nodiscard]] std::string spoken(std::string_view meaning) const {
        std::string out;
        for (std::size_t at = 0; at < meaning.size();) {
            std::size_t end = at;
            while (end < meaning.size() && is_name_part(meaning[end])) ++end;
            if (end == at) {
                out += meaning[at++];
                continue;
            }
            out += spoken_name(meaning.substr(at, end - at));
            at = end;
        }
        return out;
    }

private:
    [[nodiscard]] std::string spoken_name(std::string_view name) const {
        const ColumnId id = column(name);
        if (id == 0 || !name.contains('.')) return name.contains('_') ? name_words(name) : std::string(name);
        const auto& found = schema_.columns()[static_cast<std::size_t>(id)];
        return fmt::format("{} of {}", found.words, schema_.tables()[static_cast<std::size_t>(found.table)].words);
    }

    const Schema& schema_;
};

void add_glossary(const data::Catalog& catalog, const Schema& schema, std::vector<Synonym>& out) {
    const NamedThings named(schema);
    for (const auto& [words, meaning] : catalog.glossary) {
        Synonym synonym{.stems = stems(words), .stands_for = {}};
        if (synonym.stems.empty() || meaning.empty() || meaning.size() > kMeaningBytesMax) continue;
        synonym.table = named.table(meaning);
        if (synonym.table < 0) synonym.column = named.column(meaning);
        if (synonym.column != 0) synonym.table = schema.table_of(synonym.column);
        if (synonym.table < 0) synonym.stands_for = named.spoken(meaning);
        out.push_back(std::move(synonym));
        if (out.size() >= kGlossaryMax) return;
    }
}

/// The parts of a description between marks, and what stands in brackets: "Points per game (PPG), scoring average" has
/// three. A longer list is one of what the thing is made of.
std::vector<std::string_view> parts_of(std::string_view description) {
    std::vector<std::string_view> parts;
    while (!description.empty()) {
        const std::size_t end = std::min(description.find_first_of(",;:()"), description.size());
        const std::string_view part = description.substr(0, end);
        const bool is_formula = part.find_first_of("/*=+0123456789") != std::string_view::npos;
        if (!is_formula && !stems(part).empty()) parts.push_back(part);
        description.remove_prefix(std::min(end + 1, description.size()));
    }
    if (parts.size() > kDescriptionPartsMax) parts.resize(1);
    return parts;
}

/// What a description calls a thing, where it is as short as a name and says something else.
void add_description(std::string_view description, std::string_view name, const Synonym& meant,
                     std::vector<Synonym>& out) {
    for (const std::string_view part : parts_of(description)) {
        Synonym called = meant;
        called.stems = stems(part);
        if (called.stems.size() <= kSynonymWordsMax && called.stems != stems(name)) out.push_back(std::move(called));
    }
}

}  // namespace

std::vector<Synonym> synonyms_in(const data::Catalog& catalog, const Schema& schema) {
    std::vector<Synonym> out;
    add_glossary(catalog, schema, out);
    TableId table = 0;
    ColumnId column = 0;
    for (const data::CatalogTable& described : catalog.tables) {
        const auto& name = schema.tables()[static_cast<std::size_t>(table)].words;
        add_description(described.description, name, {.stems = {}, .table = table, .stands_for = {}}, out);
        for (const data::CatalogColumn& part : described.columns) {
            ++column;
            add_description(part.description, schema.columns()[static_cast<std::size_t>(column)].words,
                            {.stems = {}, .table = table, .column = column, .stands_for = {}}, out);
        }
        ++table;
    }
    return out;
}

std::vector<SaidSynonym> synonyms_said(std::string_view question, const std::vector<WordSpan>& words,
                                       const std::vector<Synonym>& synonyms) {
    std::vector<std::string> said;
    for (const auto& [begin, end] : words) said.push_back(stem(fold(question.substr(begin, end - begin))));
    std::vector<SaidSynonym> found;
    for (const Synonym& synonym : synonyms) {
        for (auto rest = std::ranges::search(said, synonym.stems); !rest.empty();
             rest = std::ranges::search(rest.end(), said.end(), synonym.stems.begin(), synonym.stems.end())) {
            const auto first = static_cast<std::size_t>(rest.begin() - said.begin());
            found.push_back({first, first + synonym.stems.size() - 1, &synonym});
        }
    }
    std::ranges::sort(found, {}, [](const SaidSynonym& each) {
        const auto longest_first = -static_cast<std::ptrdiff_t>(each.last - each.first);
        return std::tuple(longest_first, each.first, each.synonym);
    });
    std::vector<SaidSynonym> kept;
    for (const SaidSynonym& each : found) {
        const auto overlaps = [&each](const SaidSynonym& other) {
            const bool is_same = each.first == other.first && each.last == other.last;
            return !is_same && each.first <= other.last && other.first <= each.last;
        };
        if (std::ranges::none_of(kept, overlaps)) kept.push_back(each);
    }
    return kept;
}

}  // namespace quaestor::native
