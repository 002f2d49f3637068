#include "workflows/reflective/filters.hpp"

#include "base/text.hpp"
#include "data/sql_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>

namespace quaestor::workflows::reflective {

namespace {

using data::SqlToken;
using Kind = SqlToken::Kind;
using Tokens = std::span<const SqlToken>;

constexpr std::size_t kNearShown = 3;
/// A column with no more values than this is told whole.
constexpr std::size_t kFewValues = 6;

/// What stands between the quotes of a token; doubled quotes stand for one.
std::string unquoted(std::string_view token) {
    if (token.size() < 2 || (token.front() != '\'' && token.front() != '"')) return std::string(token);
    std::string text;
    for (std::size_t at = 1; at + 1 < token.size(); ++at) {
        text += token[at];
        if (token[at] == token.front()) ++at;
    }
    return text;
}

bool is_word(const SqlToken& token, std::string_view word) {
    return token.kind == Kind::word && text::fold(token.text) == word;
}

/// The texts that a column is held against from here on: `= 'a'` or `IN ('a', 'b')`.
std::vector<std::string> compared_texts(Tokens rest) {
    if (rest.size() >= 2 && rest[0].text == "=" && rest[1].kind == Kind::text) return {unquoted(rest[1].text)};
    std::vector<std::string> texts;
    if (rest.size() < 3 || !is_word(rest[0], "in") || rest[1].text != "(") return texts;
    for (const auto& token : rest.subspan(2)) {
        if (token.kind == Kind::text) texts.push_back(unquoted(token.text));
        if (token.kind != Kind::text && token.text != ",") break;
    }
    return texts;
}

/// The one column of that name in the tables of a query; 0 when there is none, or several.
native::ColumnId column_named(const native::Knowledge& knowledge, const std::string& name,
                              const std::vector<std::string>& tables) {
    const auto& schema = knowledge.schema();
    native::ColumnId found = 0;
    for (std::size_t id = 1; id < schema.columns().size(); ++id) {
        const auto column = static_cast<native::ColumnId>(id);
        if (text::fold(schema.columns()[id].name) != text::fold(name)) continue;
        const auto& table = schema.tables()[static_cast<std::size_t>(schema.table_of(column))];
        if (std::ranges::find(tables, table.name) == tables.end()) continue;
        if (found != 0) return 0;
        found = column;
    }
    return found;
}

std::vector<Filter> all_filters(const native::Knowledge& knowledge, Tokens tokens,
                                const std::vector<std::string>& tables) {
    std::vector<Filter> filters;
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        if (tokens[at].kind != Kind::word && tokens[at].kind != Kind::quoted_name) continue;
        for (auto& value : compared_texts(tokens.subspan(at + 1))) {
            const auto column = column_named(knowledge, unquoted(tokens[at].text), tables);
            if (column != 0) filters.push_back({column, std::move(value)});
        }
    }
    return filters;
}

/// Words with which a comparison in a query need not hold for its rows.
bool may_be_loose(const SqlToken& token) {
    static constexpr std::array<std::string_view, 11> kLoose{"or",   "union",  "not",   "case",   "exists", "left",
                                                             "full", "except", "right", "filter", "in"};
    return std::ranges::any_of(kLoose, [&](std::string_view word) { return is_word(token, word); });
}

std::vector<std::string> near_values(const native::ValueIndex& values, const Filter& filter) {
    const auto spelling = values.spelling(filter.column, filter.value);
    auto near = spelling.nearest;
    if (spelling.certainty != native::Spelling::Certainty::unknown) near.insert(near.begin(), spelling.text);
    const auto all = values.values_of(filter.column);
    if (near.empty() && all.size() <= kFewValues) {
        for (const auto& known : all) near.emplace_back(known.spelling);
        return near;
    }
    if (near.size() > kNearShown) near.resize(kNearShown);
    return near;
}

std::string sentence_on(const native::Knowledge& knowledge, const Filter& filter) {
    const auto& column = knowledge.schema().columns()[static_cast<std::size_t>(filter.column)];
    std::string sentence = fmt::format("there is no \"{}\" in {}", filter.value, column.name);
    const auto near = near_values(knowledge.values(), filter);
    if (!near.empty()) sentence += fmt::format("; there is \"{}\"", fmt::join(near, "\", \""));
    return sentence;
}

}  // namespace

std::vector<Filter> filters_of(const native::Knowledge& knowledge, std::string_view sql,
                               const std::vector<std::string>& tables) {
    const auto tokens = data::tokens_of(sql, knowledge.dialect());
    const auto selects = std::ranges::count_if(tokens, [](const SqlToken& token) { return is_word(token, "select"); });
    if (selects != 1 || std::ranges::any_of(tokens, may_be_loose)) return {};
    return all_filters(knowledge, tokens, tables);
}

std::vector<MissingValue> missing_values(const native::Knowledge& knowledge, std::string_view sql,
                                         const std::vector<std::string>& tables) {
    std::vector<MissingValue> missing;
    const auto tokens = data::tokens_of(sql, knowledge.dialect());
    for (const auto& filter : all_filters(knowledge, tokens, tables)) {
        if (!knowledge.knows_every_value(filter.column)) continue;
        const auto values = knowledge.values().values_of(filter.column);
        const bool is_there = std::ranges::find(values, filter.value, &native::KnownValue::spelling) != values.end();
        if (!values.empty() && !is_there) missing.push_back({filter.value, sentence_on(knowledge, filter)});
    }
    return missing;
}

}  // namespace quaestor::workflows::reflective
