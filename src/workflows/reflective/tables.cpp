#include "workflows/reflective/tables.hpp"

#include "base/text.hpp"
#include "data/dialect.hpp"
#include "native/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <queue>
#include <set>

namespace quaestor::workflows::reflective {

namespace {

constexpr std::size_t kColumnsInLine = 12;
constexpr std::size_t kDescriptionBytes = 160;
constexpr std::size_t kSamplesShown = 5;
constexpr std::size_t kSampleBytes = 40;
constexpr double kWordsWeight = 0.5;

/// The tables' numbers, that with the highest score first.
std::vector<std::size_t> best_first(const std::vector<double>& scores) {
    std::vector<std::size_t> order(scores.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, [&](std::size_t left, std::size_t right) {
        return scores[left] != scores[right] ? scores[left] > scores[right] : left < right;
    });
    return order;
}

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
    const auto& catalog = analyst.knowledge().catalog();
    std::vector<std::string> texts;
    for (const auto& table : catalog.tables) texts.push_back(table_line(catalog, table));
    texts.push_back(question);
    const auto vectors = co_await (*embedder)->embed(std::move(texts), std::move(cancel));
    if (!vectors) co_return std::vector<double>();
    std::vector<double> scores;
    const std::size_t last = vectors->size() - 1;
    for (std::size_t at = 0; at < last; ++at) scores.push_back(llm::cosine((*vectors)[at], (*vectors)[last]));
    co_return scores;
}

/// One line, whatever is in it: what ends a line or controls a terminal becomes a space.
std::string one_line(std::string_view text) {
    static constexpr std::array<std::string_view, 3> kLineEnds{"\u0085", "\u2028", "\u2029"};
    std::string line(text);
    for (const auto end : kLineEnds) {
        for (auto at = line.find(end); at != std::string::npos; at = line.find(end)) line.replace(at, end.size(), " ");
    }
    std::ranges::replace_if(line, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
    return line;
}

bool is_reserved(const std::string& name) {
    static const std::set<std::string, std::less<>> kReserved{
        "all",   "and",  "as",    "by",    "case", "check",  "desc",   "end",  "from",  "group",  "having", "in",
        "index", "join", "limit", "not",   "null", "offset", "on",     "or",   "order", "over",   "select", "set",
        "table", "then", "to",    "union", "user", "using",  "values", "when", "where", "window", "with"};
    return kReserved.contains(text::fold(name));
}

/// As it has to stand in a query: in quotes unless it is a plain word.
std::string written_name(const data::Catalog& catalog, const std::string& name) {
    const bool folds_case = catalog.dialect == data::Dialect::postgres;
    const auto is_plain = [&](char c) {
        return (c >= 'a' && c <= 'z') || c == '_' || (c >= '0' && c <= '9') || (!folds_case && c >= 'A' && c <= 'Z');
    };
    const bool starts_well = !name.empty() && (name[0] < '0' || name[0] > '9');
    if (starts_well && std::ranges::all_of(name, is_plain) && !is_reserved(name)) return name;
    return one_line(data::quote_name(name));
}

std::string written_names(const data::Catalog& catalog, const std::vector<std::string>& names) {
    std::vector<std::string> written;
    for (const auto& name : names) written.push_back(written_name(catalog, name));
    return fmt::format("{}", fmt::join(written, ", "));
}

std::string column_line(const data::Catalog& catalog, const data::CatalogColumn& column) {
    std::string line = fmt::format("  {} {},", written_name(catalog, column.name), column.type);
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
    return one_line(line);
}

/// The columns, as far as `bytes` go; of the rest it is said how many they are.
std::string column_lines(const data::Catalog& catalog, const data::CatalogTable& table, std::size_t bytes) {
    std::string text;
    std::size_t shown = 0;
    for (const auto& column : table.columns) {
        const std::string line = column_line(catalog, column) + "\n";
        if (text.size() + line.size() > bytes) break;
        text += line;
        ++shown;
    }
    const std::size_t left = table.columns.size() - shown;
    if (left > 0) text += fmt::format("  -- and {} more columns\n", left);
    return text;
}

std::string create_table(const data::Catalog& catalog, const data::CatalogTable& table, std::size_t bytes) {
    std::string text = "\n";
    if (!table.description.empty()) {
        text += one_line("-- " + text::shorten(table.description, kDescriptionBytes)) + "\n";
    }
    const bool is_default = table.schema.empty() || table.schema == catalog.default_schema;
    text += fmt::format("CREATE TABLE {}{} (\n", is_default ? "" : written_name(catalog, table.schema) + ".",
                        written_name(catalog, table.name));
    text += column_lines(catalog, table, bytes);
    if (!table.primary_key.empty()) {
        text += fmt::format("  PRIMARY KEY ({}),\n", written_names(catalog, table.primary_key));
    }
    for (const auto& key : table.foreign_keys) {
        text += fmt::format("  FOREIGN KEY ({}) REFERENCES {} ({}),\n", written_names(catalog, key.columns),
                            written_name(catalog, key.table), written_names(catalog, key.target_columns));
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

std::string table_line(const data::Catalog& catalog, const data::CatalogTable& table) {
    std::vector<std::string> columns;
    for (const auto& column : table.columns) {
        if (columns.size() == kColumnsInLine) break;
        columns.push_back(column.name);
    }
    const std::string about = text::shorten(table.description, kDescriptionBytes);
    return one_line(fmt::format("{}: {}{}{}", table_name(catalog, table), about, about.empty() ? "" : ". ",
                                fmt::join(columns, ", ")));
}

std::vector<std::string> table_lines(const data::Catalog& catalog, const std::string& question) {
    std::vector<std::size_t> order(catalog.tables.size());
    std::iota(order.begin(), order.end(), 0);
    if (order.size() > kTablesListed) {
        order = best_first(word_scores(catalog, question));
        order.resize(kTablesListed);
    }
    std::vector<std::string> lines;
    for (const auto at : order) lines.push_back(table_line(catalog, catalog.tables[at]));
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
    std::vector<std::string> names;
    for (const auto at : best_first(scores)) {
        if (names.size() == kCandidateTables) break;
        names.push_back(table_name(catalog, catalog.tables[at]));
    }
    co_return names;
}

std::vector<std::string> with_joining(const data::Catalog& catalog, const std::vector<std::string>& chosen,
                                      const std::vector<std::string>& candidates) {
    std::vector<const data::CatalogTable*> tables;
    const auto add = [&](const data::CatalogTable* table) {
        if (table != nullptr && std::ranges::find(tables, table) == tables.end()) tables.push_back(table);
    };
    bool is_sure = !chosen.empty();
    for (const auto& name : chosen) {
        const auto* table = catalog.find_table(name);
        is_sure = is_sure && table != nullptr;
        if (tables.size() < kSelectedTables) add(table);
    }
    if (!is_sure) {
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
    const std::size_t bytes = kSchemaBytesMax / std::max<std::size_t>(tables.size(), 1);
    for (const auto& name : tables) {
        const auto* table = catalog.find_table(name);
        if (table == nullptr) continue;
        text += create_table(catalog, *table, bytes);
    }
    return text;
}

}  // namespace quaestor::workflows::reflective
