#include "native/reading/shared_names.hpp"

#include "native/reading/form_edits.hpp"
#include "native/reading/form_profile.hpp"
#include "native/reading/name_parts.hpp"
#include "native/reading/rules/schema_view.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace quaestor::native {

namespace {

constexpr std::chrono::milliseconds kNamesTime{2'000};
/// Names that are offered. A value of more rows is a kind of them, not the name of one, unless it is a family's.
constexpr std::size_t kNamesMax = 3;
/// Different values of a column, as a share of its rows, for it to name them.
constexpr double kNamingShare = 0.5;

bool is_shown(const Query& form, TableId table, const Schema& schema) {
    return std::ranges::any_of(form.select, [&](const Expression& item) {
        const auto* column = std::get_if<ColumnRef>(&item.node);
        return column != nullptr && column->column != 0 && schema.table_of(column->column) == table;
    });
}

/// The column by which rows are told apart, where `column` nearly does so; 0: it is no name.
ColumnId better_label(const Knowledge& knowledge, const rules::SchemaView& view, ColumnId column) {
    if (column == 0) return 0;
    const TableId table = view.table_of(column);
    const auto labels = view.labels(table);
    if (labels.size() != 1 || labels.front() == column || !view.has_names(table)) return 0;
    const auto rows = knowledge.described_table(table).rows;
    const auto distinct = knowledge.described(column).distinct;
    const bool is_naming =
        rows && distinct && *rows > 0 && static_cast<double>(*distinct) >= kNamingShare * static_cast<double>(*rows);
    const bool is_family_name = name_part(view.column(column)) == NamePart::last;
    return is_naming || is_family_name ? labels.front() : 0;
}

/// Whether first and last name are both said: then one is meant.
bool has_other_half(const Candidate& candidate, ColumnId half, const Schema& schema) {
    const ColumnId other = other_half(half, schema);
    return other != 0 && std::ranges::any_of(candidate.written.values,
                                             [other](const UsedValue& value) { return value.column == other; });
}

std::string names_sql(const Knowledge& knowledge, const UsedValue& value, ColumnId label) {
    const data::CatalogTable& table = knowledge.described_table(knowledge.schema().table_of(value.column));
    return fmt::format("SELECT DISTINCT {} FROM {} WHERE {} = {} ORDER BY 1 LIMIT {}",
                       data::quote_name(knowledge.described(label).name), data::quote_name(table.schema, table.name),
                       data::quote_name(knowledge.described(value.column).name), data::quote_text(value.written.text),
                       kNamesMax + 1);
}

}  // namespace

Task<Result<std::optional<SharedName>>> shared_name(data::Source& source, const Knowledge& knowledge,
                                                    const Candidate& candidate, const CancelToken& cancel) {
    const rules::SchemaView view(knowledge);
    // Rows of one table are looked for by what they have in common; only of another's rows one is meant.
    if (profile_of(candidate.proposal.form, view.schema()).tables.size() < 2) co_return std::nullopt;
    for (const UsedValue& value : candidate.written.values) {
        const ColumnId label = better_label(knowledge, view, value.column);
        if (label == 0 || has_other_half(candidate, value.column, view.schema()) ||
            is_shown(candidate.proposal.form, view.table_of(label), view.schema()))
            continue;
        const data::QueryLimits limits{.rows = kNamesMax + 1, .timeout = kNamesTime};
        const auto found = co_await source.query(names_sql(knowledge, value, label), limits, cancel);
        if (cancel.cancelled()) co_return fail(cancel.error());
        if (!found || found->row_count < 2) continue;
        const bool is_family_name = name_part(view.column(value.column)) == NamePart::last;
        if (found->row_count > kNamesMax && !is_family_name) continue;
        SharedName shared{value.said, value.column, label, {}};
        const std::size_t offered = std::min(found->row_count, kNamesMax);
        for (std::size_t row = 0; row < offered; ++row) shared.names.push_back(found->columns[0].text(row));
        co_return shared;
    }
    co_return std::nullopt;
}

Query about_one(const Query& form, const SharedName& shared, const std::string& name, const LinkedQuestion& question) {
    Query meant = with_columns_replaced(form, [&](const ColumnRef& ref) {
        return ref.column == shared.column ? ColumnRef{shared.label, ref.via, ref.or_via} : ref;
    });
    return with_values_replaced(std::move(meant), [&](const Value& value) {
        const auto* words = std::get_if<Words>(&value);
        const std::string_view said = words != nullptr ? question.span(words->first, words->last)
                                                       : std::string_view(std::get<Constant>(value).text);
        return said == shared.said ? Value(Constant{name}) : value;
    });
}

}  // namespace quaestor::native
