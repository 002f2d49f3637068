#include "native/sql_writer.hpp"
#include "workflows/reflective/filters.hpp"
#include "workflows/reflective/native.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quaestor::workflows::reflective {

namespace {

constexpr std::size_t kSuggestionsMax = 3;
/// A longer value is no name to ask about.
constexpr std::size_t kNameBytesMax = 40;

/// "How about Boston?": the same of another value that the column has.
std::optional<std::string> about_another(const native::Knowledge& knowledge, const Finding& finding) {
    for (const auto& filter : filters_of(knowledge, finding.sql, finding.tables)) {
        const auto& column = knowledge.schema().columns()[static_cast<std::size_t>(filter.column)];
        if (column.kind != native::ColumnKind::text) continue;
        for (const auto& other : knowledge.values().values_of(filter.column)) {
            const bool is_short = other.spelling.size() <= kNameBytesMax;
            if (other.spelling != filter.value && is_short) return fmt::format("How about {}?", other.spelling);
        }
    }
    return std::nullopt;
}

/// "And by season?": the same over time, where a table of the query has a column that says when.
std::optional<std::string> over_time(const native::Knowledge& knowledge, const native::Query& form) {
    const bool is_figure = form.group.empty() && std::ranges::any_of(form.select, [](const native::Expression& item) {
                               return std::holds_alternative<native::AggregateOf>(item.node);
                           });
    if (!is_figure) return std::nullopt;
    const auto& schema = knowledge.schema();
    for (const auto& used : native::columns_in(form)) {
        if (used.column == 0) continue;
        for (const auto near : schema.columns_of(schema.table_of(used.column))) {
            const auto& column = schema.columns()[static_cast<std::size_t>(near)];
            const auto words = native::stems(column.words);
            const bool says_when =
                std::ranges::find(words, "year") != words.end() || std::ranges::find(words, "season") != words.end();
            if (says_when && !column.is_primary) return fmt::format("And by {}?", column.words);
        }
    }
    return std::nullopt;
}

std::optional<std::string> more_of_them(const native::Query& form) {
    if (!form.limit || form.order.empty()) return std::nullopt;
    const auto* count = std::get_if<native::Constant>(&form.limit->count);
    if (count == nullptr || count->text != "1") return std::nullopt;
    return "Show the top 10 instead.";
}

}  // namespace

std::vector<std::string> next_questions(const Analyst& analyst, const Finding& finding) {
    std::vector<std::string> questions;
    const auto add = [&](std::optional<std::string> question) {
        if (question && questions.size() < kSuggestionsMax) questions.push_back(std::move(*question));
    };
    add(about_another(analyst.knowledge(), finding));
    if (const auto form = native::read_sql(finding.sql, analyst.knowledge().schema())) {
        add(more_of_them(*form));
        add(over_time(analyst.knowledge(), *form));
    }
    for (const auto& example : analyst.info().examples) {
        if (example != finding.question) add(example);
    }
    return questions;
}

}  // namespace quaestor::workflows::reflective
