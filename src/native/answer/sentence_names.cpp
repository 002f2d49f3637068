#include "native/answer/circumstances.hpp"
#include "native/answer/sentences.hpp"
#include "native/reading/wording_nouns.hpp"

#include <algorithm>
#include <set>

namespace quaestor::native {

namespace {

/// "team name" → "team"; "name" alone names nothing.
std::string without_name(const std::string& words) {
    for (const std::string_view ending : {" name", " title"}) {
        if (words.ends_with(ending)) return words.substr(0, words.size() - ending.size());
    }
    return words == "name" || words == "title" ? "row" : words;
}

bool are_different(const data::ResultColumn& column) {
    std::set<std::string> seen;
    for (std::size_t row = 0; row < column.size(); ++row) {
        if (column.is_null(row) || !seen.insert(column.text(row)).second) return false;
    }
    return true;
}

}  // namespace

std::string Sentences::row_noun() const {
    if (!is_one_query()) {
        const bool has_names =
            shape_.form == nullptr && shape_.label != nullptr && shape_.label->role == AnswerColumn::Role::label;
        if (!has_names || !are_different(*shape_.label->cells)) return "row";
        return escaped(singular(without_name(shape_.label->style.name)));
    }
    const Query& form = *shape_.form;
    if (form.group.size() <= 1 && shape_.label != nullptr && are_different(*shape_.label->cells)) {
        if (std::string named = named_by(*shape_.label); !named.empty()) return named;
    }
    std::string noun;
    if (form.group.size() == 1) {
        noun = phrase([&](Phrases& phrases) { return phrases.group_noun(form); });
    } else if (form.group.empty() && !form.distinct) {
        noun = phrase([&](Phrases& phrases) { return phrases.subject(form); });
    } else if (form.distinct && form.select.size() == 1) {
        noun = phrase([&](Phrases& phrases) { return phrases.measure(form, form.select.front()); });
    }
    return noun.empty() ? "row" : noun;
}

std::string Sentences::circumstances() const {
    if (!is_one_query()) return {};
    const auto found = circumstances_of(*shape_.form, *input_.schema, *input_.spoken, input_.question);
    return found ? " " + escaped_words(behind_measure(*found)) : "";
}

std::string Sentences::named_by(const AnswerColumn& column) const {
    const auto* ref = column.meaning == nullptr ? nullptr : std::get_if<ColumnRef>(&column.meaning->node);
    if (ref == nullptr || ref->column == 0 || column.cells->kind() != data::ValueKind::text) return {};
    const WordingNames names(*input_.schema);
    const std::string& words = names[ref->column].words;
    if (words != "name" && !words.ends_with(" name") && words != "title") return {};
    const bool is_half = words.contains("first") || words.contains("last");
    if (is_half && column.last_names == nullptr) return {};
    return escaped_words(ref->via != 0 && ref->or_via == 0 ? names.role(ref->via)
                                                           : names.noun(names[ref->column].table));
}

std::string Sentences::counted_key(const AnswerColumn& column) const {
    const auto* aggregate = column.meaning == nullptr ? nullptr : std::get_if<AggregateOf>(&column.meaning->node);
    if (aggregate == nullptr || aggregate->aggregate != Aggregate::count || !aggregate->distinct) return {};
    const auto* ref = std::get_if<ColumnRef>(&aggregate->of->node);
    if (ref == nullptr || ref->column == 0 || !shape_.form->group.empty()) return {};
    const WordingNames names(*input_.schema);
    const auto& keys = input_.schema->keys();
    const auto key = std::ranges::find(keys, ref->column, &ForeignKey::from);
    if (key != keys.end()) return escaped_words(names.noun(names[key->to].table));
    return names.is_identity(ref->column) ? escaped_words(names.noun(names[ref->column].table)) : "";
}

std::string Sentences::name_of(const AnswerColumn& column) const {
    const auto* aggregate = column.meaning == nullptr ? nullptr : std::get_if<AggregateOf>(&column.meaning->node);
    if (aggregate == nullptr || aggregate->filter) return escaped(column.style.name);
    const std::string name = phrase([&](Phrases& phrases) { return phrases.measure(*shape_.form, *column.meaning); });
    return name.empty() ? escaped(column.style.name) : name;
}

}  // namespace quaestor::native
