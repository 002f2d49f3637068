#include "native/reading/form_edits.hpp"

namespace quaestor::native {

namespace {

/// Goes through a form; what is not to be replaced stays.
struct FormEditor {
    std::function<Value(const Value&)> value;
    std::function<ColumnRef(const ColumnRef&)> column;

    void visit(Query& query) {
        for (Expression& item : query.select) visit(item);
        if (query.where) visit(*query.where);
        for (Expression& item : query.group) visit(item);
        if (query.having) visit(*query.having);
        for (OrderBy& order : query.order) visit(order.by);
        if (query.limit) visit(query.limit->count);
        if (query.combined) visit_level(*query.combined->with);
    }

private:
    /// Another level: its columns are its own.
    void visit_level(Query& query) {
        if (value) FormEditor{value, {}}.visit(query);
    }

    void visit(ColumnRef& ref) {
        if (column) ref = column(ref);
    }

    void visit(Expression& expression) {
        if (auto* ref = std::get_if<ColumnRef>(&expression.node)) {
            visit(*ref);
        } else if (auto* part = std::get_if<PartOf>(&expression.node)) {
            visit(part->of);
        } else if (auto* aggregate = std::get_if<AggregateOf>(&expression.node)) {
            visit(*aggregate->of);
            if (aggregate->filter) visit(**aggregate->filter);
        } else if (auto* calculation = std::get_if<Calculation>(&expression.node)) {
            visit(*calculation->left);
            visit(*calculation->right);
        } else if (auto* subquery = std::get_if<Subquery>(&expression.node)) {
            visit_level(*subquery->query);
        } else if (auto* in_unit = std::get_if<InUnit>(&expression.node)) {
            visit(*in_unit->of);
        } else if (auto* of_end = std::get_if<OfEnd>(&expression.node)) {
            visit(of_end->end);
        } else if (auto* window = std::get_if<Window>(&expression.node)) {
            visit(*window->of);
            for (Expression& item : window->along) visit(item);
            for (Expression& item : window->within) visit(item);
        }
    }

    void visit(Value& said) {
        if (value) said = value(said);
    }

    void visit(Side& side) {
        const auto replaced = [this](const Value& said) {
            return std::visit([](const auto& kept) -> Side { return kept; }, value ? value(said) : said);
        };
        if (auto* expression = std::get_if<Expression>(&side)) {
            visit(*expression);
        } else if (const auto* words = std::get_if<Words>(&side)) {
            side = replaced(*words);
        } else if (const auto* constant = std::get_if<Constant>(&side)) {
            side = replaced(*constant);
        }
    }

    void visit(Condition& condition) {
        std::visit([this](auto& node) { visit_node(node); }, condition.node);
    }
    void visit_node(Compare& compare) {
        visit(compare.left);
        visit(compare.right);
    }
    void visit_node(Match& match) {
        visit(match.left);
        visit(match.pattern);
    }
    void visit_node(Among& among) {
        visit(among.left);
        if (auto* subquery = std::get_if<Subquery>(&among.members)) {
            visit_level(*subquery->query);
        } else {
            for (Value& member : std::get<std::vector<Value>>(among.members)) visit(member);
        }
    }
    void visit_node(Between& between) {
        visit(between.left);
        visit(between.low);
        visit(between.high);
    }
    void visit_node(IsNull& is_null) { visit(is_null.left); }
    void visit_node(AllOf& all) {
        for (Condition& part : all.parts) visit(part);
    }
    void visit_node(AnyOf& any) {
        for (Condition& part : any.parts) visit(part);
    }
    void visit_node(NotThat& negated) { visit(*negated.condition); }
};

}  // namespace

Query with_values_replaced(Query form, const std::function<Value(const Value&)>& replace) {
    FormEditor{replace, {}}.visit(form);
    return form;
}

Query with_words_replaced(Query form, const std::function<Value(const Words&)>& replace) {
    return with_values_replaced(std::move(form), [&replace](const Value& value) {
        const auto* words = std::get_if<Words>(&value);
        return words != nullptr ? replace(*words) : value;
    });
}

Query with_columns_replaced(Query form, const std::function<ColumnRef(const ColumnRef&)>& replace) {
    FormEditor{{}, replace}.visit(form);
    return form;
}

}  // namespace quaestor::native
