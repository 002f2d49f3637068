#include "native/reading/form_profile.hpp"

namespace quaestor::native {

namespace {

class Profiler {
public:
    explicit Profiler(const Schema& schema) : schema_(schema) {}

    FormProfile profile(const Query& form) {
        out_.outputs = static_cast<int>(form.select.size());
        for (const Expression& item : form.select) {
            if (const auto* column = std::get_if<ColumnRef>(&item.node)) out_.shown.push_back(column->column);
        }
        add(form);
        return std::move(out_);
    }

private:
    void add(const Query& query) {
        ++out_.levels;
        out_.is_distinct |= query.distinct;
        out_.is_grouped |= !query.group.empty();
        for (const Expression& item : query.select) add(item);
        for (const TableId table : query.tables) out_.tables.insert(table);
        if (query.where) add(*query.where);
        for (const Expression& item : query.group) add(item);
        if (query.having) add(*query.having);
        for (const OrderBy& order : query.order) {
            add(order.by);
            ++(order.descending ? out_.descending : out_.ascending);
        }
        if (query.limit) {
            out_.is_limited = true;
            add(query.limit->count);
        }
        if (query.combined) {
            ++out_.combinations;
            out_.negations += query.combined->operation == SetOperation::except ? 1 : 0;
            add(*query.combined->with);
        }
    }

    void add(const Expression& expression) {
        ++out_.parts;
        std::visit([this](const auto& node) { add_node(node); }, expression.node);
    }
    void add(const Condition& condition) {
        ++out_.parts;
        std::visit([this](const auto& node) { add_node(node); }, condition.node);
    }
    void add(const Value& value) {
        std::visit([this](const auto& said) { add_side(said); }, value);
    }
    void add(const Side& side) {
        std::visit([this](const auto& said) { add_side(said); }, side);
    }
    void add_side(const Words& words) { out_.words.push_back(words); }
    void add_side(const Constant&) { ++out_.constants; }
    void add_side(const OuterColumn& outer) { add_column(outer.column); }
    void add_side(const Expression& expression) { add(expression); }

    void add_column(ColumnId column) {
        if (column == 0) return;
        out_.columns.insert(column);
        out_.tables.insert(schema_.table_of(column));
    }
    void add_compared(const Expression& expression) {
        if (const auto* column = std::get_if<ColumnRef>(&expression.node)) out_.compared.insert(column->column);
        add(expression);
    }

    void add_node(const ColumnRef& ref) {
        add_column(ref.column);
        out_.through += ref.via != 0 ? 1 : 0;
        out_.either_ends += ref.or_via != 0 ? 1 : 0;
    }
    void add_node(const PartOf& part) {
        ++out_.date_parts;
        if (part.of.column != 0) out_.dated.insert(part.of.column);
        add_node(part.of);
    }
    void add_node(const AggregateOf& aggregate) {
        ++out_.aggregates[static_cast<std::size_t>(aggregate.aggregate)];
        out_.is_distinct |= aggregate.distinct;
        out_.counts_distinct |= aggregate.distinct;
        const bool is_measure = aggregate.aggregate == Aggregate::sum || aggregate.aggregate == Aggregate::avg;
        const auto* column = std::get_if<ColumnRef>(&aggregate.of->node);
        if (is_measure && column != nullptr && column->column != 0) out_.measured.insert(column->column);
        add(*aggregate.of);
        if (aggregate.filter) add(**aggregate.filter);
    }
    void add_node(const Calculation& calculation) {
        ++out_.arithmetic;
        const bool is_share =
            calculation.operation == Arithmetic::divide || calculation.operation == Arithmetic::percent;
        out_.shares += is_share ? 1 : 0;
        out_.differences += calculation.operation == Arithmetic::minus ? 1 : 0;
        const auto* left = std::get_if<ColumnRef>(&calculation.left->node);
        const auto* right = std::get_if<ColumnRef>(&calculation.right->node);
        const bool is_product = calculation.operation == Arithmetic::multiply && left != nullptr && right != nullptr;
        if (is_product) out_.products.emplace_back(left->column, right->column);
        add(*calculation.left);
        add(*calculation.right);
    }
    void add_node(const Subquery& subquery) { add(*subquery.query); }
    void add_node(const InUnit& in_unit) { add(*in_unit.of); }
    void add_node(const OfEnd& of_end) {
        // The other column says the same, and nobody has to say the key.
        add_column(of_end.first);
        out_.of_ends.insert(of_end.first);
        ++out_.either_ends;
        out_.tables.insert(schema_.table_of(of_end.end.column));
    }
    void add_node(const Window& window) {
        ++out_.windows;
        add(*window.of);
        for (const Expression& item : window.along) add(item);
        for (const Expression& item : window.within) add(item);
    }

    void add_node(const Compare& compare) {
        ++out_.comparisons[static_cast<std::size_t>(compare.comparison)];
        out_.negations += compare.comparison == Comparison::unequal ? 1 : 0;
        add_compared(compare.left);
        add(compare.right);
    }
    void add_node(const Match& match) {
        ++out_.matches;
        out_.negations += match.negated ? 1 : 0;
        if (const auto* column = std::get_if<ColumnRef>(&match.left.node)) out_.matched.insert(column->column);
        add_compared(match.left);
        add(match.pattern);
    }
    void add_node(const Among& among) {
        out_.negations += among.negated ? 1 : 0;
        add_compared(among.left);
        if (const auto* values = std::get_if<std::vector<Value>>(&among.members)) {
            out_.alternatives += static_cast<int>(values->size()) - 1;
            for (const Value& value : *values) add(value);
        } else {
            add_node(std::get<Subquery>(among.members));
        }
    }
    void add_node(const Between& between) {
        ++out_.ranges;
        out_.negations += between.negated ? 1 : 0;
        add_compared(between.left);
        add(between.low);
        add(between.high);
    }
    void add_node(const IsNull& test) {
        ++out_.null_tests;
        out_.negations += test.negated ? 0 : 1;
        add_compared(test.left);
    }
    void add_node(const AllOf& all) {
        for (const Condition& part : all.parts) add(part);
    }
    void add_node(const AnyOf& any) {
        out_.alternatives += static_cast<int>(any.parts.size()) - 1;
        for (const Condition& part : any.parts) add(part);
    }
    void add_node(const NotThat& negated) {
        ++out_.negations;
        add(*negated.condition);
    }

    const Schema& schema_;
    FormProfile out_;
};

}  // namespace

FormProfile profile_of(const Query& form, const Schema& schema) {
    return Profiler(schema).profile(form);
}

}  // namespace quaestor::native
