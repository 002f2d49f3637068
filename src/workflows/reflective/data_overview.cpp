#include "workflows/reflective/data_overview.hpp"

#include "native/answer/saying.hpp"
#include "native/words.hpp"
#include "workflows/common/small_talk.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace quaestor::workflows::reflective {

namespace {

constexpr double kNamedLink = 0.95;

/// What such a question is about; the rest of it is words around.
const WordSet kParts{"table", "tables", "column", "columns", "field", "fields", "schema", "data", "database"};
const WordSet kAround{"what",    "which",    "list",  "show",     "me",        "the",      "all",    "are",
                      "is",      "there",    "do",    "does",     "you",       "have",     "has",    "in",
                      "your",    "this",     "that",  "tell",     "about",     "know",     "can",    "i",
                      "see",     "of",       "names", "a",        "it",        "contain",  "and",    "with",
                      "explain", "describe", "give",  "please",   "available", "contains", "my",     "our",
                      "here",    "kind",     "sort",  "overview", "an",        "columns",  "stored", "structure"};
/// "Show me the data" may be a wish for rows.
const WordSet kAsking{"table",  "tables", "column", "columns",  "field",
                      "fields", "schema", "what",   "describe", "overview"};

bool names_data(const native::Link& link) {
    const bool is_data = link.kind == native::LinkKind::table || link.kind == native::LinkKind::column ||
                         link.kind == native::LinkKind::value;
    return is_data && link.score >= kNamedLink;
}

/// Tables that are called by their names; nothing when a word is of another kind of question.
std::optional<std::set<native::TableId>> tables_named(const native::LinkedQuestion& question) {
    std::set<native::TableId> named;
    std::vector<bool> is_table(question.words.size());
    for (const native::Link& link : question.links) {
        if (!names_data(link) || link.kind != native::LinkKind::table) continue;
        named.insert(link.table);
        for (std::size_t at = link.first; at <= link.last; ++at) is_table[at] = true;
    }
    for (std::size_t at = 0; at < question.words.size(); ++at) {
        const std::string word = native::fold(question.word(at));
        const bool is_mark = native::plain_words(word).empty();
        const bool is_part = kParts.contains(word);
        if (is_part && is_table[at]) return std::nullopt;
        if (!is_mark && !is_part && !is_table[at] && !kAround.contains(word)) return std::nullopt;
    }
    return named;
}

std::string described(native::TableId table, const native::Knowledge& knowledge) {
    const native::Schema& schema = knowledge.schema();
    std::vector<std::string> columns;
    for (const native::ColumnId id : schema.columns_of(table)) {
        columns.push_back(native::escaped(schema.columns()[static_cast<std::size_t>(id)].name));
    }
    const std::size_t shown = std::min(columns.size(), kColumnsInOverview);
    const std::string more = columns.size() > shown ? fmt::format(" and {} more", columns.size() - shown) : "";
    const auto rows = knowledge.described_table(table).rows;
    return fmt::format("- **{}**{}: {}{}", native::escaped(schema.tables()[static_cast<std::size_t>(table)].name),
                       rows ? fmt::format(" ({} rows)", *rows) : "",
                       fmt::join(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(shown), ", "), more);
}

}  // namespace

std::optional<std::string> data_overview(const native::LinkedQuestion& question, const native::Knowledge& knowledge) {
    const auto words = native::plain_words(question.text);
    if (!any_among(words, kParts) || !any_among(words, kAsking)) return std::nullopt;
    const auto named = tables_named(question);
    if (!named) return std::nullopt;
    const auto count = static_cast<native::TableId>(knowledge.schema().tables().size());
    std::string text =
        named->empty() ? fmt::format("There {} {} table{}:\n", count == 1 ? "is" : "are", count, count == 1 ? "" : "s")
                       : "";
    std::size_t listed = 0;
    for (native::TableId table = 0; table < count && listed < kTablesInOverview; ++table) {
        if (!named->empty() && !named->contains(table)) continue;
        text += (text.empty() ? "" : "\n") + described(table, knowledge);
        ++listed;
    }
    if (named->empty() && listed < static_cast<std::size_t>(count)) {
        text +=
            fmt::format("\n\nand {} more. Name a table to see its columns.", static_cast<std::size_t>(count) - listed);
    }
    return text;
}

}  // namespace quaestor::workflows::reflective
