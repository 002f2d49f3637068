#include "native/sql_writer.hpp"
#include "workflows/reflective/native.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quaestor::workflows::reflective {

namespace {

constexpr std::size_t kSuggestionsMax = 3;

/// A test of a text column for one value.
struct TextFilter {
    native::ColumnId column = 0;
    std::string value;
};

std::optional<TextFilter> filter_in(const native::Condition& condition) {
    if (const auto* all = std::get_if<native::AllOf>(&condition.node)) {
        for (const auto& part : all->parts) {
            if (auto found = filter_in(part)) return found;
        }
        return std::nullopt;
    }
    const auto* compare = std::get_if<native::Compare>(&condition.node);
    if (compare == nullptr || compare->comparison != native::Comparison::equal) return std::nullopt;
    const auto* column = std::get_if<native::ColumnRef>(&compare->left.node);
    const auto* value = std::get_if<native::Constant>(&compare->right);
    if (column == nullptr || value == nullptr) return std::nullopt;
    return TextFilter{column->column, value->text};
}

/// "How about Boston?": the same of another value that the column has.
std::optional<std::string> about_another(const native::Knowledge& knowledge, const native::Query& form) {
    if (!form.where) return std::nullopt;
    const auto filter = filter_in(*form.where);
    if (!filter || filter->column == 0) return std::nullopt;
    if (knowledge.schema().columns()[static_cast<std::size_t>(filter->column)].kind != native::ColumnKind::text) {
        return std::nullopt;
    }
    for (const auto& other : knowledge.values().values_of(filter->column)) {
        if (other.spelling != filter->value) return fmt::format("How about {}?", other.spelling);
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
    if (const auto form = native::read_sql(finding.sql, analyst.knowledge().schema())) {
        add(about_another(analyst.knowledge(), *form));
        add(more_of_them(*form));
        add(over_time(analyst.knowledge(), *form));
    }
    for (const auto& example : analyst.info().examples) {
        if (example != finding.question) add(example);
    }
    return questions;
}

}  // namespace quaestor::workflows::reflective
