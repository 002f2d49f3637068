#include "native/reading/correct_shares.hpp"

#include "native/reading/form_profile.hpp"
#include "native/reading/left_out.hpp"
#include "native/reading/rules/conditions.hpp"
#include "native/reading/rules/schema_view.hpp"

#include <algorithm>
#include <array>

namespace quaestor::native {

namespace {

bool is_count_of_rows(const Expression& expression) {
    const auto* aggregate = std::get_if<AggregateOf>(&expression.node);
    const auto* of = aggregate != nullptr ? std::get_if<ColumnRef>(&aggregate->of->node) : nullptr;
    return of != nullptr && aggregate->aggregate == Aggregate::count && of->column == 0 && !aggregate->filter;
}

/// Where in the question the value of a condition stands; nothing for what compares with no words.
std::optional<std::size_t> said_at(const Condition& condition) {
    const auto* compare = std::get_if<Compare>(&condition.node);
    const auto* words = compare != nullptr ? std::get_if<Words>(&compare->right) : nullptr;
    return words != nullptr ? std::optional(words->first) : std::nullopt;
}

const ColumnRef* compared_column(const Condition& condition) {
    if (const auto* compare = std::get_if<Compare>(&condition.node)) return std::get_if<ColumnRef>(&compare->left.node);
    if (const auto* between = std::get_if<Between>(&condition.node)) return std::get_if<ColumnRef>(&between->left.node);
    return nullptr;
}

/// The count in a share of rows whose part is a time.
AggregateOf* count_in_time(Expression& expression, const rules::SchemaView& view) {
    auto* share = std::get_if<Calculation>(&expression.node);
    if (share == nullptr || share->operation != Arithmetic::percent) return nullptr;
    auto* part = std::get_if<AggregateOf>(&share->left->node);
    const ColumnRef* column = part != nullptr && part->filter ? compared_column(**part->filter) : nullptr;
    return column != nullptr && column->column != 0 && view.says_when(column->column) ? part : nullptr;
}

/// "were in 2024", "came in May".
bool is_told_of_rows(const LinkedQuestion& question) {
    constexpr auto kTelling = std::to_array<std::string_view>(
        {"was", "were", "are", "is", "been", "came", "come", "happened", "took", "fell", "placed", "made", "from"});
    return std::ranges::any_of(question.links, [&](const Link& link) {
        const bool has_two_before = link.kind == LinkKind::date && link.first > 1;
        return has_two_before && std::ranges::find(kTelling, fold(question.word(link.first - 2))) != kTelling.end();
    });
}

/// The time and what was said of the rows change places; nothing where the form is not such a share, or where the time
/// is the part.
std::optional<Query> with_share_in_time(const Query& form, const LinkedQuestion& question, const Knowledge& knowledge) {
    if (form.combined || !form.where || is_told_of_rows(question)) return std::nullopt;
    std::vector<Condition> parts{*form.where};
    if (const auto* all = std::get_if<AllOf>(&form.where->node)) parts = all->parts;
    const auto last = std::ranges::max_element(parts, {}, [](const Condition& part) { return said_at(part); });
    if (!said_at(*last)) return std::nullopt;
    const rules::SchemaView view(knowledge);
    Query out = form;
    std::optional<Condition> time;
    const auto swap_part = [&](Expression& expression) {
        AggregateOf* count = count_in_time(expression, view);
        if (count == nullptr) return;
        time = **count->filter;
        count->filter = Box<Condition>(*last);
    };
    for (Expression& shown : out.select) swap_part(shown);
    for (OrderBy& order : out.order) swap_part(order.by);
    if (!time) return std::nullopt;
    *last = std::move(*time);
    out.where = rules::joined(std::move(parts));
    return out;
}

/// The share in place of the count: what was said last of the rows is the part. Nothing where it counts no rows that
/// fit something.
std::optional<Query> with_share(const Query& form, const LinkedQuestion& question, const Schema& schema) {
    if (form.combined || !form.where || !leaves_out_share(form, question, schema)) return std::nullopt;
    std::vector<Condition> parts{*form.where};
    if (const auto* all = std::get_if<AllOf>(&form.where->node)) parts = all->parts;
    const auto last = std::ranges::max_element(parts, {}, [](const Condition& part) { return said_at(part); });
    if (!said_at(*last)) return std::nullopt;
    Condition part = std::move(*last);
    parts.erase(last);

    const Expression rows{ColumnRef{}};
    const Expression share{Calculation{Arithmetic::percent,
                                       Expression{AggregateOf{Aggregate::count, false, rows, Box<Condition>(part)}},
                                       Expression{AggregateOf{Aggregate::count, false, rows, {}}}}};
    Query out = form;
    out.where = rules::joined(std::move(parts));
    for (Expression& shown : out.select) {
        if (is_count_of_rows(shown)) shown = share;
    }
    for (OrderBy& order : out.order) {
        if (is_count_of_rows(order.by)) order.by = share;
    }
    const bool is_shared = profile_of(out, schema).shares > 0;
    return is_shared ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace

void correct_shares(std::vector<Proposal>& trained, const LinkedQuestion& question, const Knowledge& knowledge) {
    for (Proposal& proposal : trained) {
        auto better = with_share(proposal.form, question, knowledge.schema());
        if (!better) better = with_share_in_time(proposal.form, question, knowledge);
        if (better) proposal.form = std::move(*better);
    }
}

}  // namespace quaestor::native
