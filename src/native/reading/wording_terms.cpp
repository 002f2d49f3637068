#include "native/reading/wording.hpp"
#include "native/reading/wording_nouns.hpp"
#include "native/reading/wording_phrases.hpp"
#include "native/result_names.hpp"

#include <fmt/format.h>

#include <array>

namespace quaestor::native {

ColumnId column_of(const Expression& expression) {
    const Expression* inner = &expression;
    if (const auto* aggregate = std::get_if<AggregateOf>(&expression.node)) {
        if (aggregate->aggregate == Aggregate::min || aggregate->aggregate == Aggregate::max) inner = &*aggregate->of;
    }
    if (const auto* of_end = std::get_if<OfEnd>(&inner->node)) return of_end->first;
    const auto* ref = std::get_if<ColumnRef>(&inner->node);
    return ref == nullptr ? 0 : ref->column;
}

bool has_aggregate(const Expression& expression) {
    if (std::holds_alternative<AggregateOf>(expression.node)) return true;
    const auto* calculation = std::get_if<Calculation>(&expression.node);
    return calculation != nullptr && (has_aggregate(*calculation->left) || has_aggregate(*calculation->right));
}

bool counts_rows(const Expression& expression) {
    const auto* aggregate = std::get_if<AggregateOf>(&expression.node);
    if (aggregate == nullptr || aggregate->aggregate != Aggregate::count || aggregate->filter) return false;
    const auto* ref = std::get_if<ColumnRef>(&aggregate->of->node);
    return ref != nullptr && ref->column == 0;
}

bool Phrases::is_date(const Expression& expression) const {
    return names_[column_of(expression)].is_iso_date;
}

ColumnKind Phrases::kind_of(const Expression& expression) const {
    if (std::holds_alternative<PartOf>(expression.node)) return ColumnKind::number;
    const ColumnId id = column_of(expression);
    if (id == 0) return ColumnKind::number;
    if (names_[id].is_iso_date) return ColumnKind::time;
    return names_[id].is_amount() ? ColumnKind::number : names_[id].kind;
}

std::string Phrases::term(const Expression& expression) {
    return std::visit([this](const auto& node) { return term(node); }, expression.node);
}

std::string Phrases::the(const Expression& expression) {
    if (const auto* sub = std::get_if<Subquery>(&expression.node)) return term(*sub);
    return "the " + term(expression);
}

std::string Phrases::term(const ColumnRef& ref) {
    return names_.column(ref, about());
}

std::string Phrases::term(const Window& window) {
    constexpr std::array kKinds{"running total", "previous value", "change", "change in per cent", "rank"};
    return fmt::format("{} of {}", kKinds[static_cast<std::size_t>(window.kind)], term(*window.of));
}

std::string Phrases::term(const InUnit& in_unit) {
    return fmt::format("{} in {}", term(*in_unit.of), in_unit.conversion->to);
}

std::string Phrases::term(const OfEnd& of_end) {
    return shared_words(names_.schema(), of_end);
}

std::string Phrases::term(const PartOf& part) {
    constexpr std::array<std::string_view, 5> kParts{"year", "quarter", "month", "day of the month", "weekday"};
    return fmt::format("{} of {}", kParts[static_cast<std::size_t>(part.part)], term(part.of));
}

std::string Phrases::count_term(const AggregateOf& aggregate) {
    const auto* ref = std::get_if<ColumnRef>(&aggregate.of->node);
    if (ref != nullptr && ref->column == 0) return "number of " + plural(noun());
    if (aggregate.distinct) return "number of different " + plural(term(*aggregate.of));
    return fmt::format("number of {} with a recorded {}", plural(noun()), term(*aggregate.of));
}

std::string Phrases::term(const AggregateOf& aggregate) {
    const ColumnKind kind = kind_of(*aggregate.of);
    const bool is_time = kind == ColumnKind::time;
    const bool is_text = kind == ColumnKind::text;
    const bool is_highest = aggregate.aggregate == Aggregate::max;
    std::string text;
    switch (aggregate.aggregate) {
        case Aggregate::count:
            text = count_term(aggregate);
            break;
        case Aggregate::sum:
        case Aggregate::avg:
            text = aggregate.aggregate == Aggregate::sum ? "total " : "average ";
            text += (aggregate.distinct ? "of the different values of " : "") + operand(*aggregate.of);
            break;
        case Aggregate::min:
        case Aggregate::max:
            text = is_time   ? (is_highest ? "latest " : "earliest ")
                   : is_text ? (is_highest ? "alphabetically last " : "alphabetically first ")
                             : (is_highest ? "highest " : "lowest ");
            text += operand(*aggregate.of);
            break;
    }
    if (aggregate.filter) text += fmt::format(" (only {} {})", plural(noun()), clause(**aggregate.filter));
    return text;
}

std::string Phrases::operand(const Expression& expression) {
    const bool is_calculation = std::holds_alternative<Calculation>(expression.node);
    return is_calculation ? fmt::format("({})", term(expression)) : term(expression);
}

std::string Phrases::term(const Calculation& calculation) {
    constexpr std::array<std::string_view, 5> kJoiners{"plus", "minus", "divided by", "times", "as a percentage of"};
    const bool is_nested = std::holds_alternative<Calculation>(calculation.right->node);
    const std::string right = is_nested ? operand(*calculation.right) : the(*calculation.right);
    if (calculation.operation == Arithmetic::minus && is_date(*calculation.left) && is_date(*calculation.right)) {
        return fmt::format("days from {} to the {}", right, operand(*calculation.left));
    }
    return fmt::format("{} {} {}", operand(*calculation.left),
                       kJoiners[static_cast<std::size_t>(calculation.operation)], right);
}

std::string Phrases::term(const Subquery& sub) {
    return query(*sub.query);
}

}  // namespace quaestor::native
