#include "native/reading/choosing_use.hpp"

#include "native/characters.hpp"
#include "native/reading/name_parts.hpp"

#include <algorithm>

namespace quaestor::native {

namespace {

using View = CandidateView;

double as_number(bool value) {
    return value ? 1 : 0;
}

bool is_key(const View& view, ColumnId column) {
    const Schema& schema = view.question.knowledge.schema();
    if (column == 0) return false;
    return schema.columns()[static_cast<std::size_t>(column)].is_primary ||
           std::ranges::any_of(schema.keys(), [column](const ForeignKey& key) { return key.from == column; });
}

}  // namespace

double shown_keys(const View& view) {
    double count = 0;
    for (const ColumnId column : view.form.shown) {
        const auto found = view.question.column_scores.find(column);
        const bool is_said = found != view.question.column_scores.end() && found->second >= kSureScore;
        count += as_number(is_key(view, column) && !is_said);
    }
    return count;
}

double shown_names(const View& view) {
    const Schema& schema = view.question.knowledge.schema();
    return static_cast<double>(std::ranges::count_if(view.form.shown, [&](ColumnId id) {
        if (id == 0) return false;
        const SchemaColumn& column = schema.columns()[static_cast<std::size_t>(id)];
        const std::string& table = schema.tables()[static_cast<std::size_t>(column.table)].words;
        const bool is_name = column.words.contains("name") || column.words.contains("title") ||
                             column.words.contains(stem(table)) || table.contains(column.words);
        return is_name && !is_key(view, id);
    }));
}

double half_names(const View& view) {
    return static_cast<double>(std::ranges::count_if(view.form.shown, [&](ColumnId shown) {
        const ColumnId other = shown == 0 ? 0 : other_half(shown, view.question.knowledge.schema());
        const auto said = view.question.column_scores.find(shown);
        const bool is_asked = said != view.question.column_scores.end() && said->second >= kSureScore;
        return other != 0 && !is_asked && std::ranges::find(view.form.shown, other) == view.form.shown.end();
    }));
}

double mixed_combination(const View& view) {
    const Query& form = view.candidate.proposal.form;
    if (!form.combined || form.combined->with->select.size() != form.select.size()) return 0;
    const Schema& schema = view.question.knowledge.schema();
    for (std::size_t at = 0; at < form.select.size(); ++at) {
        const auto* left = std::get_if<ColumnRef>(&form.select[at].node);
        const auto* right = std::get_if<ColumnRef>(&form.combined->with->select[at].node);
        if ((left == nullptr) != (right == nullptr)) return 1;
        if (left == nullptr || right == nullptr || left->column == right->column) continue;
        const bool is_joined = std::ranges::any_of(schema.keys(), [&](const ForeignKey& key) {
            return (key.from == left->column && key.to == right->column) ||
                   (key.to == left->column && key.from == right->column);
        });
        if (!is_joined) return 1;
    }
    return 0;
}

double measured_keys(const View& view) {
    const auto is_measured_key = [&view](const Expression& expression) {
        if (const auto* column = std::get_if<ColumnRef>(&expression.node)) return is_key(view, column->column);
        const auto* aggregate = std::get_if<AggregateOf>(&expression.node);
        if (aggregate == nullptr || aggregate->aggregate == Aggregate::count) return false;
        const auto* of = std::get_if<ColumnRef>(&aggregate->of->node);
        return of != nullptr && is_key(view, of->column);
    };
    const Query& form = view.candidate.proposal.form;
    const auto ordered = std::ranges::count_if(form.order, is_measured_key, &OrderBy::by);
    const auto shown = std::ranges::count_if(form.select, [&](const Expression& item) {
        return std::holds_alternative<AggregateOf>(item.node) && is_measured_key(item);
    });
    return static_cast<double>(ordered + shown);
}

double tables_unsaid(const View& view) {
    return static_cast<double>(std::ranges::count_if(view.form.tables, [&](TableId table) {
        if (view.question.table_scores.contains(table)) return false;
        const auto belongs = [&](ColumnId column) {
            return view.question.knowledge.schema().table_of(column) == table;
        };
        return std::ranges::none_of(view.form.columns, [&](ColumnId column) {
            return belongs(column) &&
                   (view.question.column_scores.contains(column) || view.question.value_columns.contains(column));
        });
    }));
}

double names_unused(const View& view) {
    return static_cast<double>(std::ranges::count_if(view.question.names, [&](const SaidSpan& span) {
        const auto has = [](const auto& set, const auto& of) {
            return std::ranges::any_of(set, [&of](const auto& each) { return of.contains(each); });
        };
        return !has(span.columns, view.form.columns) && !has(span.tables, view.form.tables);
    }));
}

double misplaced_values(const View& view) {
    double count = 0;
    for (const auto* spans : {&view.question.values, &view.question.likely_values}) {
        for (const SaidSpan& span : *spans) {
            const bool is_placed =
                std::ranges::any_of(span.columns, [&](ColumnId column) { return view.form.compared.contains(column); });
            count += as_number(view.uses(span) && !is_placed);
        }
    }
    return count;
}

double spellings(const View& view, Spelling::Certainty certainty) {
    return static_cast<double>(std::ranges::count_if(
        view.candidate.written.values, [&](const UsedValue& value) { return value.written.certainty == certainty; }));
}

double values_of_another_kind(const View& view) {
    const Schema& schema = view.question.knowledge.schema();
    return static_cast<double>(std::ranges::count_if(view.candidate.written.values, [&](const UsedValue& value) {
        if (value.column == 0 || value.written.text.empty()) return false;
        const SchemaColumn& column = schema.columns()[static_cast<std::size_t>(value.column)];
        const bool is_measured =
            column.kind == ColumnKind::number || column.kind == ColumnKind::time || column.is_iso_date;
        const char first = value.written.text.front();
        return is_measured && !is_digit(first) && first != '-' && first != '.';
    }));
}

}  // namespace quaestor::native
