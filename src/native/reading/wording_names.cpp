#include "native/reading/wording_names.hpp"

#include "native/joins.hpp"
#include "native/reading/wording_nouns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>

namespace quaestor::native {

namespace {

/// Endings of keys that say nothing of what they lead to.
constexpr auto kKeyEndings = std::to_array<std::string_view>({" id", " code", " key", " number", " no", " ref"});

/// Units at the end of a column's name, that a sentence says behind its numbers.
constexpr auto kNamedUnits =
    std::to_array<std::string_view>({" usd", " eur", " gbp", " kg", " km", " cm", " mm", " kmh", " mph"});

std::string without_unit(const std::string& words) {
    for (const std::string_view unit : kNamedUnits) {
        if (!words.ends_with(unit)) continue;
        const std::string shorter = words.substr(0, words.size() - unit.size());
        return shorter.ends_with(" in") ? shorter.substr(0, shorter.size() - 3) : shorter;
    }
    return words;
}

bool speaks_of(const Schema& schema, const Query& query, TableId table) {
    return std::ranges::any_of(columns_in(query), [&](const ColumnRef& ref) {
        return ref.column != 0 && ref.via == 0 && schema.table_of(ref.column) == table;
    });
}

}  // namespace

RowSubject WordingNames::subject_of(const Query& query) const {
    const auto plan = join_plan(schema_, columns_in(query), query.tables);
    if (!plan) return {};
    std::set<JoinNode> led_to;
    for (const JoinStep& step : *plan) {
        if (!step.there || !step.on) continue;
        const bool leads_here = std::ranges::any_of(schema_.keys(), [&step](const ForeignKey& key) {
            return key.from == step.on->first && key.to == step.on->second;
        });
        led_to.insert(leads_here ? step.node : *step.there);
    }
    RowSubject subject;
    for (const JoinStep& step : *plan) {
        if (!led_to.contains(step.node)) subject.combined.push_back(step.node.table);
        if (step.node.via == 0 && led_to.contains(step.node) && !speaks_of(schema_, query, step.node.table) &&
            std::ranges::find(query.tables, step.node.table) != query.tables.end()) {
            subject.also_needed.push_back(step.node.table);
        }
    }
    if (subject.combined.empty()) subject.combined.push_back(plan->front().node.table);
    if (subject.combined.size() == 1) subject.table = subject.combined.front();
    return subject;
}

std::string WordingNames::noun(TableId table) const {
    const SchemaTable& own = schema_.tables()[static_cast<std::size_t>(table)];
    const std::string words = singular(own.words);
    const auto same = std::ranges::count_if(
        schema_.tables(), [&words](const SchemaTable& other) { return singular(other.words) == words; });
    if (same == 1 && !words.empty()) return words;
    return own.schema.empty() ? own.name : own.schema + "." + own.name;
}

std::string WordingNames::noun(const RowSubject& subject) const {
    if (subject.table >= 0) return noun(subject.table);
    if (subject.combined.empty()) return "row";
    std::vector<std::string> nouns;
    for (const TableId table : subject.combined) nouns.push_back(noun(table));
    return "combination of " + listed(nouns);
}

std::string WordingNames::own_words(ColumnId id) const {
    const SchemaColumn& own = (*this)[id];
    const auto is_only = [&](const std::string& words, auto change) {
        return std::ranges::count_if(schema_.columns_of(own.table),
                                     [&](ColumnId other) { return change((*this)[other].words) == words; }) == 1;
    };
    if (const std::string words = without_unit(own.words); !words.empty() && is_only(words, without_unit)) return words;
    return !own.words.empty() && is_only(own.words, std::identity()) ? own.words : own.name;
}

bool WordingNames::has_column(TableId table, std::string_view words) const {
    return table >= 0 &&
           std::ranges::any_of(schema_.columns_of(table), [&](ColumnId id) { return (*this)[id].words == words; });
}

bool WordingNames::is_identity(ColumnId id) const {
    if (id == 0 || !(*this)[id].is_primary) return false;
    return std::ranges::count_if(schema_.columns_of((*this)[id].table),
                                 [&](ColumnId other) { return (*this)[other].is_primary; }) == 1;
}

std::string WordingNames::role(ColumnId key) const {
    std::string words = own_words(key);
    for (const std::string_view ending : kKeyEndings) {
        if (words.size() > ending.size() && words.ends_with(ending)) {
            words.resize(words.size() - ending.size());
            break;
        }
    }
    return words;
}

/// Whose column it is, for one that is not the subject's own.
std::string WordingNames::owner(const ColumnRef& ref, const RowSubject& subject) const {
    const std::string table = noun(schema_.table_of(ref.column));
    if (ref.via == 0 || ref.or_via != 0) return table;
    const std::string words = role(ref.via);
    if (schema_.table_of(ref.via) == subject.table) return words;
    const auto same = std::ranges::count_if(
        schema_.keys(), [&](const ForeignKey& key) { return key.from != ref.via && role(key.from) == words; });
    return same == 0 ? words : fmt::format("{} {}", noun(schema_.table_of(ref.via)), words);
}

std::string WordingNames::column(const ColumnRef& ref, const RowSubject& subject) const {
    if (ref.column == 0) return "row";
    const std::string words = own_words(ref.column);
    if (ref.via == 0 && schema_.table_of(ref.column) == subject.table) return words;
    const std::string whose = owner(ref, subject);
    const bool is_of_other = ref.via != 0 && ref.or_via == 0 && schema_.table_of(ref.via) != subject.table;
    if (is_of_other && whose == noun(schema_.table_of(ref.column))) {
        return fmt::format("{} of the {} by {}", words, whose, own_words(ref.via));
    }
    std::string name = words.starts_with(whose + " ") ? words : whose + " " + words;
    if (!has_column(subject.table, name)) return name;
    return fmt::format("{} of the {}", words, whose);
}

}  // namespace quaestor::native
