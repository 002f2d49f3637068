#include "native/reading/rules/form_conditions.hpp"

#include <algorithm>

namespace quaestor::native::rules {

namespace {

/// The column that a condition compares with values; nothing for one that compares otherwise.
const ColumnRef* compared_column(const Condition& condition) {
    const Expression* left = nullptr;
    if (const auto* compare = std::get_if<Compare>(&condition.node)) {
        if (!std::holds_alternative<OuterColumn>(compare->right)) left = &compare->left;
    } else if (const auto* between = std::get_if<Between>(&condition.node)) {
        left = &between->left;
    } else if (const auto* among = std::get_if<Among>(&condition.node)) {
        if (std::holds_alternative<std::vector<Value>>(among->members)) left = &among->left;
    }
    if (left == nullptr) return nullptr;
    if (const auto* part = std::get_if<PartOf>(&left->node)) return &part->of;
    return std::get_if<ColumnRef>(&left->node);
}

class TestFinder {
public:
    explicit TestFinder(const std::function<bool(ColumnId)>& fits) : fits_(fits) {}

    void visit(Query& query) {
        for (Expression& item : query.select) visit(item);
        if (query.where) visit(*query.where);
        if (query.having) visit(*query.having);
        for (OrderBy& order : query.order) visit(order.by);
        if (query.combined) visit(*query.combined->with);
    }
    [[nodiscard]] std::vector<ColumnTest> take() { return std::move(found_); }

private:
    void visit(Expression& expression) {
        if (auto* aggregate = std::get_if<AggregateOf>(&expression.node)) {
            if (aggregate->filter) visit(**aggregate->filter);
        } else if (auto* calculation = std::get_if<Calculation>(&expression.node)) {
            visit(*calculation->left);
            visit(*calculation->right);
        } else if (auto* sub = std::get_if<Subquery>(&expression.node)) {
            visit(*sub->query);
        } else if (auto* window = std::get_if<Window>(&expression.node)) {
            visit(*window->of);
        }
    }
    void visit(Condition& condition) {
        const ColumnRef* column = compared_column(condition);
        if (column != nullptr && fits_(column->column)) return found_.push_back({*column, &condition});
        if (auto* all = std::get_if<AllOf>(&condition.node)) {
            for (Condition& part : all->parts) visit(part);
        } else if (auto* any = std::get_if<AnyOf>(&condition.node)) {
            for (Condition& part : any->parts) visit(part);
        } else if (auto* negation = std::get_if<NotThat>(&condition.node)) {
            visit(*negation->condition);
        } else if (auto* among = std::get_if<Among>(&condition.node)) {
            if (auto* sub = std::get_if<Subquery>(&among->members)) visit(*sub->query);
        }
    }

    const std::function<bool(ColumnId)>& fits_;
    std::vector<ColumnTest> found_;
};

void replace_measure(Expression& expression, const std::function<void(Expression&)>& replace) {
    if (auto* calculation = std::get_if<Calculation>(&expression.node)) {
        replace_measure(*calculation->left, replace);
        replace_measure(*calculation->right, replace);
    } else if (auto* window = std::get_if<Window>(&expression.node)) {
        replace_measure(*window->of, replace);
    } else if (auto* sub = std::get_if<Subquery>(&expression.node)) {
        for (Expression& item : sub->query->select) replace_measure(item, replace);
    } else {
        replace(expression);
    }
}

}  // namespace

std::vector<ColumnTest> tests_of(Query& query, const std::function<bool(ColumnId)>& fits) {
    TestFinder finder(fits);
    finder.visit(query);
    return finder.take();
}

void drop_tests(Query& query, const std::function<bool(ColumnId)>& fits) {
    if (!query.where) return;
    const auto is_dropped = [&fits](const Condition& condition) {
        const ColumnRef* column = compared_column(condition);
        return column != nullptr && fits(column->column);
    };
    if (is_dropped(*query.where)) {
        query.where.reset();
    } else if (auto* all = std::get_if<AllOf>(&query.where->node)) {
        std::erase_if(all->parts, is_dropped);
        if (all->parts.size() == 1) {
            Condition only = std::move(all->parts.front());
            query.where = std::move(only);
        }
    }
}

void replace_measures(Query& query, const std::function<void(Expression&)>& replace) {
    for (Expression& item : query.select) replace_measure(item, replace);
    for (OrderBy& order : query.order) replace_measure(order.by, replace);
}

}  // namespace quaestor::native::rules
