#include "native/reading/wording.hpp"

#include "native/reading/wording_nouns.hpp"
#include "native/reading/wording_phrases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace quaestor::native {

namespace {

std::vector<const Expression*> pointers_to(const std::vector<Expression>& expressions) {
    std::vector<const Expression*> out;
    for (const Expression& expression : expressions) out.push_back(&expression);
    return out;
}

bool is_every_column(const Expression& expression) {
    const auto* ref = std::get_if<ColumnRef>(&expression.node);
    return ref != nullptr && ref->column == 0;
}

bool has_aggregates(const Query& query) {
    return std::ranges::any_of(query.select, has_aggregate);
}

bool is_one_of(const Expression& expression, const std::vector<Expression>& among) {
    return std::ranges::find(among, expression) != among.end();
}

std::string_view joiner_of(SetOperation operation) {
    constexpr std::array<std::string_view, 3> kJoiners{", if it is also ", ", together with ", ", but not "};
    return kJoiners[static_cast<std::size_t>(operation)];
}

/// Whether the words for it name the subject already: "number of singers".
bool names_subject(const Expression& expression) {
    const auto* aggregate = std::get_if<AggregateOf>(&expression.node);
    if (aggregate != nullptr) return aggregate->aggregate == Aggregate::count && !aggregate->distinct;
    const auto* calculation = std::get_if<Calculation>(&expression.node);
    return calculation != nullptr && (names_subject(*calculation->left) || names_subject(*calculation->right));
}

/// The same for what groups must fulfil.
bool names_subject(const Condition& condition) {
    const auto* compare = std::get_if<Compare>(&condition.node);
    return compare != nullptr && names_subject(compare->left);
}

}  // namespace

std::string Phrases::query(const Query& query) {
    if (depth_ >= kWordingDepthMax) return "the result of a further query";
    ++depth_;
    levels_.push_back(names_.subject_of(query));
    std::string text = single(query);
    levels_.pop_back();
    if (query.combined) text += std::string(joiner_of(query.combined->operation)) + this->query(*query.combined->with);
    --depth_;
    return text;
}

std::string Phrases::single(const Query& query) {
    if (!query.group.empty()) return grouped(query);
    if (has_aggregates(query)) return totals(query);
    return query.distinct ? different(query) : listing(query);
}

std::string Phrases::selected(const std::vector<const Expression*>& select) {
    if (select.size() == 1 && is_every_column(*select.front())) return "everything about";
    std::vector<std::string> terms;
    for (const Expression* expression : select) {
        terms.push_back(is_every_column(*expression) ? "all columns" : the(*expression));
    }
    const auto is_column = [](const Expression* one) { return std::holds_alternative<ColumnRef>(one->node); };
    if (std::ranges::all_of(select, is_column)) {
        for (std::size_t at = 1; at < terms.size(); ++at) {
            if (terms[at].starts_with("the ")) terms[at].erase(0, 4);
        }
    }
    return listed(terms);
}

std::string Phrases::needed_tables() const {
    std::string text;
    for (const TableId table : about().also_needed) {
        text += (text.empty() ? " with " : " and ") + with_article(names_.noun(table));
    }
    return text;
}

std::string Phrases::subjects_with(const std::optional<Condition>& where) {
    return plural(noun()) + needed_tables() + (where ? " " + clause(*where) : "");
}

std::string Phrases::listing(const Query& query) {
    std::string text = selected(pointers_to(query.select));
    if (!text.starts_with("everything")) text += " of";
    if (query.limit && query.order.size() == 1) {
        text += " " + superlative(query, noun());
        if (query.where || !about().also_needed.empty()) text += ", among " + subjects_with(query.where);
        return text;
    }
    text += fmt::format(" each {}{}", noun(), needed_tables());
    if (query.where) text += " " + clause(*query.where);
    return text + order_and_limit(query, false);
}

std::string Phrases::different(const Query& query) {
    std::string what;
    if (query.select.size() == 1 && !is_every_column(query.select.front())) {
        what = plural(term(query.select.front()));
    } else {
        std::vector<std::string> terms;
        for (const Expression& one : query.select) terms.push_back(is_every_column(one) ? "all columns" : term(one));
        what = "combinations of " + listed(terms);
    }
    return fmt::format("the different {} of {}", what, subjects_with(query.where)) + order_and_limit(query, false);
}

std::string Phrases::totals(const Query& query) {
    std::string text = selected(pointers_to(query.select));
    const bool is_plain_count = query.select.size() == 1 && counts_rows(query.select.front());
    if (is_plain_count) {
        text += needed_tables() + (query.where ? " " + clause(*query.where) : "");
    } else if (std::ranges::none_of(query.select, [](const Expression& one) { return names_subject(one); })) {
        text += " of " + subjects_with(query.where);
    } else if (query.where || !about().also_needed.empty()) {
        text += ", for " + subjects_with(query.where);
    }
    return text + order_and_limit(query, false);
}

/// "country and year"; the table's noun for its key. `are_hidden`: nothing selected tells the groups apart.
std::string Phrases::group_keys(const Query& query, bool& are_hidden) {
    std::vector<std::string> keys;
    for (const Expression& key : query.group) {
        const auto* ref = std::get_if<ColumnRef>(&key.node);
        const bool is_selected = is_one_of(key, query.select);
        const bool is_identity = ref != nullptr && names_.is_identity(ref->column);
        const bool stands_in = is_identity && std::ranges::any_of(query.select, [&](const Expression& one) {
                                   const auto* shown = std::get_if<ColumnRef>(&one.node);
                                   return shown != nullptr && shown->via == ref->via && shown->column != 0 &&
                                          names_[shown->column].table == names_[ref->column].table;
                               });
        if (!is_selected && !stands_in) are_hidden = true;
        std::string noun = is_identity && !is_selected ? names_.noun(names_[ref->column].table) : "";
        if (!noun.empty() && ref->via != 0 && ref->or_via == 0) noun = names_.role(ref->via);
        keys.push_back(noun.empty() || names_.has_column(about().table, noun) ? term(key) : noun);
    }
    return listed(keys);
}

/// Columns of the very table that is grouped by its key need not say its name again.
std::string Phrases::selected_of_group(const Query& query, const std::vector<const Expression*>& others) {
    const auto* key = query.group.size() == 1 ? std::get_if<ColumnRef>(&query.group.front().node) : nullptr;
    const bool is_own = key != nullptr && key->via == 0 && std::ranges::all_of(others, [&](const Expression* one) {
                            const auto* ref = std::get_if<ColumnRef>(&one->node);
                            return ref != nullptr && ref->via == 0 && ref->column != 0 &&
                                   names_[ref->column].table == names_[key->column].table;
                        });
    if (!is_own) return selected(others);
    levels_.push_back({.table = names_[key->column].table});
    std::string text = selected(others);
    levels_.pop_back();
    return text;
}

std::string Phrases::grouped(const Query& query) {
    bool are_hidden = false;
    const std::string keys = group_keys(query, are_hidden);
    std::vector<const Expression*> others;
    for (const Expression& one : query.select) {
        if (!is_one_of(one, query.group)) others.push_back(&one);
    }
    const bool are_all_shown =
        std::ranges::all_of(query.group, [&](const Expression& key) { return is_one_of(key, query.select); });
    const bool has_top = query.limit && query.order.size() == 1 && !has_aggregates(query);
    const std::string which = has_top ? superlative(query, keys) : "each " + keys;
    std::string text;
    if (others.empty()) {
        text = which;
    } else if (!has_aggregates(query)) {
        text = fmt::format("{} of {}", selected_of_group(query, others), which);
    } else {
        text = fmt::format("{} {} {}", selected(others), are_all_shown ? "by" : "for each", keys);
        if (are_hidden) text += " (which is not shown)";
    }
    const bool names_rows =
        std::ranges::any_of(query.select, [](const Expression& one) { return names_subject(one); }) ||
        (query.having && names_subject(*query.having)) || (has_top && names_subject(query.order.front().by));
    if (query.where || !names_rows || !about().also_needed.empty()) {
        text += (query.where ? ", for " : " of ") + subjects_with(query.where);
    }
    if (query.having) text += ", keeping only those where " + test(*query.having, true);
    if (query.distinct) text += ", each only once";
    const bool is_clear = query.order.size() == 1 && std::ranges::count_if(query.select, has_aggregate) == 1 &&
                          has_aggregate(query.order.front().by) && is_one_of(query.order.front().by, query.select);
    return has_top ? text : text + order_and_limit(query, is_clear);
}

std::string Phrases::direction(const OrderBy& order) const {
    const auto* aggregate = std::get_if<AggregateOf>(&order.by.node);
    if (aggregate != nullptr && aggregate->aggregate == Aggregate::count) {
        return order.descending ? "most first" : "fewest first";
    }
    switch (kind_of(order.by)) {
        case ColumnKind::text:
            return order.descending ? "from Z to A" : "from A to Z";
        case ColumnKind::time:
            return order.descending ? "latest first" : "earliest first";
        default:
            return order.descending ? "highest first" : "lowest first";
    }
}

std::string Phrases::order_and_limit(const Query& query, bool is_order_clear) {
    std::string text;
    for (const OrderBy& order : query.order) {
        if (is_order_clear) {
            text += ", " + direction(order);
            continue;
        }
        text += fmt::format(", {} {}, {}", text.empty() ? "sorted by" : "then by",
                            std::holds_alternative<ColumnRef>(order.by.node) ? term(order.by) : the(order.by),
                            direction(order));
    }
    if (!query.limit) return text;
    const std::size_t count = row_count(query.limit->count);
    const std::string first = count == 1 ? "the first" : fmt::format("the first {}", count);
    switch (query.limit->kind) {
        case Limit::Kind::first:
            return fmt::format("{}, only {}", text, first);
        case Limit::Kind::with_ties:
            return fmt::format("{}, only {} with ties", text, first);
        case Limit::Kind::nth:
            return fmt::format("{}, only the {}", text, place(count));
    }
    return text;
}

/// "highest age", "2nd most concerts".
std::string Phrases::most(const OrderBy& order, std::size_t place) {
    const std::string rank = place <= 1 ? "" : native::place(place) + " ";
    if (counts_rows(order.by))
        return fmt::format("{}{} {}", rank, order.descending ? "most" : "fewest", plural(noun()));
    switch (kind_of(order.by)) {
        case ColumnKind::text:
            return fmt::format("alphabetically {}{} {}", rank, order.descending ? "last" : "first", term(order.by));
        case ColumnKind::time:
            return fmt::format("{}{} {}", rank, order.descending ? "latest" : "earliest", term(order.by));
        default:
            return fmt::format("{}{} {}", rank, order.descending ? "highest" : "lowest", operand(order.by));
    }
}

/// "the singer with the highest age", "the 3 singers with the lowest age".
std::string Phrases::superlative(const Query& query, const std::string& noun) {
    const std::size_t count = row_count(query.limit->count);
    const bool is_nth = query.limit->kind == Limit::Kind::nth;
    const bool has_ties = query.limit->kind == Limit::Kind::with_ties;
    const std::string how = most(query.order.front(), is_nth ? count : 1);
    if (is_nth || (count == 1 && !has_ties)) return fmt::format("the {} with the {}", noun, how);
    if (count == 1) return fmt::format("the {} or {} with the {}", noun, plural(noun), how);
    return fmt::format("the {} {} with the {}{}", count, plural(noun), how, has_ties ? ", ties included" : "");
}

std::string Phrases::subject(const Query& query) const {
    return names_.noun(names_.subject_of(query));
}

std::string Phrases::filtered_subjects(const Query& query) {
    levels_.push_back(names_.subject_of(query));
    std::string text = subjects_with(query.where);
    levels_.pop_back();
    return text;
}

std::string Phrases::measure(const Query& query, const Expression& expression) {
    levels_.push_back(names_.subject_of(query));
    std::string text = term(expression);
    levels_.pop_back();
    return text;
}

std::string Phrases::leading(const Query& query) {
    levels_.push_back(names_.subject_of(query));
    const bool is_nth = query.limit && query.limit->kind == Limit::Kind::nth;
    std::string text = most(query.order.front(), is_nth ? row_count(query.limit->count) : 1);
    levels_.pop_back();
    return text;
}

std::string Phrases::leaders(const Query& query) {
    levels_.push_back(names_.subject_of(query));
    bool are_hidden = false;
    std::string text = superlative(query, query.group.empty() ? noun() : group_keys(query, are_hidden));
    levels_.pop_back();
    return text;
}

std::string Phrases::group_noun(const Query& query) {
    levels_.push_back(names_.subject_of(query));
    bool are_hidden = false;
    std::string text = group_keys(query, are_hidden);
    levels_.pop_back();
    return text;
}

std::string in_words(const Query& form, const Schema& schema, const Spoken& spoken) {
    return Phrases(schema, spoken).query(form);
}

}  // namespace quaestor::native
