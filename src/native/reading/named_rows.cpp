#include "native/reading/named_rows.hpp"

#include "native/reading/name_parts.hpp"

#include <algorithm>
#include <array>

namespace quaestor::native {

namespace {

bool speaks_of_keys(const LinkedQuestion& question) {
    static constexpr std::array<std::string_view, 7> kKeyWords{"id",   "ids", "identifier", "number",
                                                               "code", "key", "isbn"};
    for (std::size_t at = 0; at < question.words.size(); ++at) {
        if (std::ranges::find(kKeyWords, stem(fold(question.word(at)))) != kKeyWords.end()) return true;
    }
    return false;
}

/// The table whose row a key stands for; nothing for a column that is no key by itself.
std::optional<TableId> meant_by(ColumnId column, const rules::SchemaView& view) {
    if (column == 0) return std::nullopt;
    if (const auto target = view.target_of(column)) return target;
    const TableId own = view.table_of(column);
    if (view.primary(own) == column) return own;
    return std::nullopt;
}

/// What to show in the place of an expression; nothing when it stays.
std::vector<Expression> names_for(const Expression& shown, const rules::SchemaView& view) {
    const auto* ref = std::get_if<ColumnRef>(&shown.node);
    if (ref == nullptr) return {};
    const auto table = meant_by(ref->column, view);
    if (!table || !view.has_names(*table)) return {};
    const TableId own = view.table_of(ref->column);
    // Over several keys to the same table, the one that is shown says which way.
    const bool is_one_of_several = *table != own && view.keys_between(own, *table).size() > 1;
    std::vector<Expression> names;
    for (const ColumnId label : view.labels(*table)) {
        names.push_back({ColumnRef{label, is_one_of_several ? ref->column : *table == own ? ref->via : 0}});
    }
    return names;
}

/// Links that say a column's whole name.
constexpr double kNamedScore = 0.95;

bool is_named(ColumnId column, const LinkedQuestion& question) {
    return std::ranges::any_of(question.links, [column](const Link& link) {
        return link.kind == LinkKind::column && link.column == column && link.score >= kNamedScore;
    });
}

/// The column that holds a whole name, where halves are shown that nobody asked for.
std::optional<ColumnId> whole_name(const ColumnRef& half, const LinkedQuestion& question,
                                   const rules::SchemaView& view) {
    if (half.column == 0) return std::nullopt;
    const ColumnId other = other_half(half.column, view.schema());
    if (other == 0 || is_named(half.column, question) || is_named(other, question)) return std::nullopt;
    const auto labels = view.labels(view.table_of(half.column));
    const bool has_one = labels.size() == 1 && labels[0] != half.column && labels[0] != other;
    return has_one ? std::optional(labels[0]) : std::nullopt;
}

/// Two halves of a name become the name.
std::vector<Expression> with_whole_names(std::vector<Expression> select, const LinkedQuestion& question,
                                         const rules::SchemaView& view) {
    std::vector<Expression> out;
    for (Expression& shown : select) {
        if (auto* ref = std::get_if<ColumnRef>(&shown.node)) {
            ref->column = whole_name(*ref, question, view).value_or(ref->column);
        }
        if (std::ranges::find(out, shown) == out.end()) out.push_back(std::move(shown));
    }
    return out;
}

}  // namespace

Query with_names_shown(Query form, const LinkedQuestion& question, const rules::SchemaView& view) {
    if (speaks_of_keys(question)) return form;
    std::vector<Expression> select;
    for (const Expression& shown : form.select) {
        auto names = names_for(shown, view);
        if (names.empty()) names.push_back(shown);
        for (Expression& name : names) {
            if (std::ranges::find(select, name) == select.end()) select.push_back(std::move(name));
        }
    }
    form.select = with_whole_names(std::move(select), question, view);
    if (form.combined) *form.combined->with = with_names_shown(std::move(*form.combined->with), question, view);
    return form;
}

}  // namespace quaestor::native
