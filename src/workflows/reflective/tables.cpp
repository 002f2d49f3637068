#include "workflows/reflective/tables.hpp"

#include "base/text.hpp"
#include "native/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <queue>
#include <set>

namespace quaestor::workflows::reflective {

namespace {

constexpr std::size_t kColumnsInLine = 12;
constexpr std::size_t kDescriptionBytes = 160;
constexpr std::size_t kSamplesShown = 5;
constexpr std::size_t kSampleBytes = 40;
constexpr double kWordsWeight = 0.5;

struct Scored {
    double score = 0;
    std::size_t table = 0;
};

/// How many of the question's words a table's text has; rare words count more.
std::vector<double> word_scores(const data::Catalog& catalog, const std::string& question) {
    std::vector<std::set<std::string>> texts;
    std::map<std::string, int> tables_with;
    for (const auto& table : catalog.tables) {
        std::set<std::string> words;
        for (const auto& word : native::stems(native::name_words(table.name))) words.insert(word);
        for (const auto& word : native::stems(table.description)) words.insert(word);
        for (const auto& column : table.columns) {
            for (const auto& word : native::stems(native::name_words(column.name))) words.insert(word);
        }
        for (const auto& word : words) ++tables_with[word];
        texts.push_back(std::move(words));
    }
    std::vector<double> scores(catalog.tables.size());
    for (const auto& word : native::stems(question)) {
        if (native::is_stop_word(word)) continue;
        for (std::size_t at = 0; at < texts.size(); ++at) {
            if (texts[at].contains(word)) scores[at] += 1.0 / tables_with[word];
        }
    }
    const double most = std::max(1e-9, *std::ranges::max_element(scores));
    for (double& score : scores) score /= most;
    return scores;
}

/// Nothing when there is no embedder: words alone decide then.
Task<std::vector<double>> meaning_scores(Analyst& analyst, const std::string& question, CancelToken cancel) {
    auto embedder = co_await analyst.models().embedder();
    if (!embedder) co_return std::vector<double>();
    auto texts = table_lines(analyst.knowledge().catalog());
    texts.push_back(question);
    const auto vectors = co_await (*embedder)->embed(std::move(texts), std::move(cancel));
    if (!vectors) co_return std::vector<double>();
    std::vector<double> scores;
    const std::size_t last = vectors->size() - 1;
    for (std::size_t at = 0; at < last; ++at) scores.push_back(llm::cosine((*vectors)[at], (*vectors)[last]));
    co_return scores;
}

std::string column_line(const data::CatalogColumn& column) {
    std::string line = fmt::format("  {} {}", column.name, column.type);
    std::vector<std::string> notes;
    if (!column.description.empty()) notes.push_back(text::shorten(column.description, kDescriptionBytes));
    if (!column.samples.empty()) {
        json::array samples;
        for (const auto& sample : column.samples) {
            if (samples.size() == kSamplesShown) break;
            samples.emplace_back(text::shorten(sample, kSampleBytes));
        }
        notes.push_back("values such as " + to_text(samples));
    } else if (column.min && column.max) {
        notes.push_back(fmt::format("from {} to {}", *column.min, *column.max));
    }
    if (!notes.empty()) line += fmt::format("  -- {}", fmt::join(notes, "; "));
    // A comment of the database must not end the line it stands in.
    std::ranges::replace(line, '\n', ' ');
    return line;
}

std::string create_table(const data::Catalog& catalog, const data::CatalogTable& table) {
    std::string text;
    if (!table.description.empty()) text += "-- " + text::shorten(table.description, kDescriptionBytes) + "\n";
    std::ranges::replace(text, '\n', ' ');
    text += fmt::format("\nCREATE TABLE {} (\n", table_name(catalog, table));
    for (const auto& column : table.columns) text += column_line(column) + "\n";
    if (!table.primary_key.empty()) text += fmt::format("  PRIMARY KEY ({})\n", fmt::join(table.primary_key, ", "));
    for (const auto& key : table.foreign_keys) {
        text += fmt::format("  FOREIGN KEY ({}) REFERENCES {} ({})\n", fmt::join(key.columns, ", "), key.table,
                            fmt::join(key.target_columns, ", "));
    }
    return text + ")\n";
}

/// Tables that a foreign key joins, either way.
std::vector<const data::CatalogTable*> neighbours(const data::Catalog& catalog, const data::CatalogTable& table) {
    std::vector<const data::CatalogTable*> found;
    const auto points_to = [](const data::CatalogTable& from, const data::CatalogTable& to) {
        return std::ranges::any_of(from.foreign_keys, [&](const data::ForeignKey& key) {
            return key.table == to.name && (key.schema.empty() || key.schema == to.schema);
        });
    };
    for (const auto& other : catalog.tables) {
        if (&other != &table && (points_to(table, other) || points_to(other, table))) found.push_back(&other);
    }
    return found;
}

/// The tables on a shortest way from one of `from` to `to`; none when there is no way.
std::vector<const data::CatalogTable*> way_to(const data::Catalog& catalog,
                                              const std::vector<const data::CatalogTable*>& from,
                                              const data::CatalogTable* to) {
    std::map<const data::CatalogTable*, const data::CatalogTable*> came_from;
    std::queue<const data::CatalogTable*> next;
    for (const auto* table : from) {
        came_from[table] = nullptr;
        next.push(table);
    }
    for (; !next.empty() && !came_from.contains(to); next.pop()) {
        for (const auto* other : neighbours(catalog, *next.front())) {
            if (came_from.try_emplace(other, next.front()).second) next.push(other);
        }
    }
    std::vector<const data::CatalogTable*> way;
    if (!came_from.contains(to)) return way;
    for (const auto* at = came_from[to]; at != nullptr && came_from[at] != nullptr; at = came_from[at])
        way.push_back(at);
    return way;
}

}  // namespace

std::string table_name(const data::Catalog& catalog, const data::CatalogTable& table) {
    const bool is_default = table.schema.empty() || table.schema == catalog.default_schema;
    return is_default ? table.name : table.schema + "." + table.name;
}

std::string table_line(const data::CatalogTable& table) {
    std::vector<std::string> columns;
    for (const auto& column : table.columns) {
        if (columns.size() == kColumnsInLine) break;
        columns.push_back(column.name);
    }
    const std::string about = text::shorten(table.description, kDescriptionBytes);
    return fmt::format("{}: {}{}{}", table.name, about, about.empty() ? "" : ". ", fmt::join(columns, ", "));
}

std::vector<std::string> table_lines(const data::Catalog& catalog) {
    std::vector<std::string> lines;
    for (const auto& table : catalog.tables) lines.push_back(table_line(table));
    return lines;
}

Task<std::vector<std::string>> candidate_tables(Analyst& analyst, std::string question, CancelToken cancel) {
    const data::Catalog& catalog = analyst.knowledge().catalog();
    if (catalog.tables.empty()) co_return std::vector<std::string>();
    auto scores = word_scores(catalog, question);
    if (analyst.has_model() && catalog.tables.size() > kCandidateTables) {
        const auto meaning = co_await meaning_scores(analyst, question, std::move(cancel));
        for (std::size_t at = 0; at < meaning.size(); ++at) scores[at] = kWordsWeight * scores[at] + meaning[at];
    }
    std::vector<Scored> order;
    for (std::size_t at = 0; at < scores.size(); ++at) order.push_back({scores[at], at});
    std::ranges::sort(order, [](const Scored& left, const Scored& right) {
        return left.score != right.score ? left.score > right.score : left.table < right.table;
    });
    std::vector<std::string> names;
    for (const Scored& scored : order) {
        if (names.size() == kCandidateTables) break;
        names.push_back(table_name(catalog, catalog.tables[scored.table]));
    }
    co_return names;
}

std::vector<std::string> with_joining(const data::Catalog& catalog, const std::vector<std::string>& chosen,
                                      const std::vector<std::string>& candidates) {
    std::vector<const data::CatalogTable*> tables;
    const auto add = [&](const data::CatalogTable* table) {
        if (table != nullptr && std::ranges::find(tables, table) == tables.end()) tables.push_back(table);
    };
    for (const auto& name : chosen) {
        if (tables.size() < kSelectedTables) add(catalog.find_table(name));
    }
    if (tables.empty()) {
        for (const auto& name : candidates) {
            if (tables.size() < kSelectedTables) add(catalog.find_table(name));
        }
    }
    for (std::size_t at = 1; at < tables.size(); ++at) {
        const std::vector<const data::CatalogTable*> before(tables.begin(),
                                                            tables.begin() + static_cast<std::ptrdiff_t>(at));
        for (const auto* table : way_to(catalog, before, tables[at])) add(table);
    }
    std::vector<std::string> names;
    for (const auto* table : tables) names.push_back(table_name(catalog, *table));
    return names;
}

std::string schema_text(const data::Catalog& catalog, const std::vector<std::string>& tables) {
    std::string text;
    for (const auto& name : tables) {
        const auto* table = catalog.find_table(name);
        if (table == nullptr) continue;
        const std::string described = create_table(catalog, *table);
        if (text.size() + described.size() > kSchemaBytesMax) break;
        text += described;
    }
    return text;
}

}  // namespace quaestor::workflows::reflective
