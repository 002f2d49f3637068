#include "native/logical_form.hpp"

namespace quaestor::native {

bool AggregateOf::operator==(const AggregateOf&) const = default;
bool Calculation::operator==(const Calculation&) const = default;
bool Subquery::operator==(const Subquery&) const = default;
bool Window::operator==(const Window&) const = default;
bool InUnit::operator==(const InUnit&) const = default;
bool AllOf::operator==(const AllOf&) const = default;
bool AnyOf::operator==(const AnyOf&) const = default;
bool NotThat::operator==(const NotThat&) const = default;

namespace {

class ColumnCollector {
public:
    void visit(const Query& query) {
        visit_all(query.select);
        if (query.where) visit(*query.where);
        visit_all(query.group);
        if (query.having) visit(*query.having);
        for (const OrderBy& order : query.order) visit(order.by);
    }
    [[nodiscard]] std::vector<ColumnRef> take() { return std::move(columns_); }

private:
    template <class T>
    void visit_all(const std::vector<T>& parts) {
        for (const T& part : parts) visit(part);
    }
    void visit(const Expression& expression) {
        std::visit([this](const auto& node) { visit(node); }, expression.node);
    }
    void visit(const ColumnRef& column) { columns_.push_back(column); }
    void visit(const PartOf& part) { columns_.push_back(part.of); }
    void visit(const AggregateOf& aggregate) {
        visit(*aggregate.of);
        if (aggregate.filter) visit(**aggregate.filter);
    }
    void visit(const Calculation& calculation) {
        visit(*calculation.left);
        visit(*calculation.right);
    }
    void visit(const Subquery&) {}
    void visit(const InUnit& in_unit) { visit(*in_unit.of); }
    void visit(const OfEnd& of_end) {
        columns_.push_back({of_end.first, 0});
        columns_.push_back({of_end.second, 0});
        columns_.push_back(of_end.end);
    }
    void visit(const Window& window) {
        visit(*window.of);
        visit_all(window.along);
        visit_all(window.within);
    }

    void visit(const Side& side) {
        if (const auto* expression = std::get_if<Expression>(&side)) visit(*expression);
    }
    void visit(const Condition& condition) {
        std::visit([this](const auto& node) { visit(node); }, condition.node);
    }
    void visit(const Compare& compare) {
        visit(compare.left);
        visit(compare.right);
    }
    void visit(const Match& match) { visit(match.left); }
    void visit(const Among& among) { visit(among.left); }
    void visit(const Between& between) {
        visit(between.left);
        visit(between.low);
        visit(between.high);
    }
    void visit(const IsNull& null) { visit(null.left); }
    void visit(const AllOf& all) { visit_all(all.parts); }
    void visit(const AnyOf& any) { visit_all(any.parts); }
    void visit(const NotThat& negation) { visit(*negation.condition); }

    std::vector<ColumnRef> columns_;
};

}  // namespace

std::vector<ColumnRef> columns_in(const Query& query) {
    ColumnCollector collector;
    collector.visit(query);
    return collector.take();
}

}  // namespace quaestor::native
