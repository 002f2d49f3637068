#include "native/form_tokens.hpp"

#include "native/form_keywords.hpp"
#include "native/joins.hpp"
#include "native/unsupported.hpp"

#include <algorithm>
#include <utility>

namespace quaestor::native {

namespace {

template <class... Functions>
struct Overloaded : Functions... {
    using Functions::operator()...;
};

/// Throws Unsupported.
class TokenWriter {
public:
    explicit TokenWriter(const Schema& schema) : schema_(schema) {}

    void write(const Query& query) {
        add(Keyword::select);
        if (query.distinct) add(Keyword::distinct);
        write(query.select);
        const std::vector<TableId> extra = extra_tables(schema_, query);
        if (!extra.empty()) add(Keyword::from);
        for (const TableId table : extra) tokens_.push_back({FormToken::Kind::table, table});
        write_clause(Keyword::where, query.where);
        if (!query.group.empty()) {
            add(Keyword::group);
            write(query.group);
            write_clause(Keyword::having, query.having);
        }
        if (!query.order.empty()) add(Keyword::order);
        for (const OrderBy& order : query.order) {
            write(order.by);
            add(order.descending ? Keyword::descending : Keyword::ascending);
        }
        if (query.limit) {
            tokens_.push_back({.value = id_of(Keyword::limit, query.limit->kind)});
            std::visit([this](const auto& value) { write(value); }, query.limit->count);
        }
        if (!query.combined) return add(Keyword::end);
        add(Keyword::sets, query.combined->operation);
        write(*query.combined->with);
    }

    [[nodiscard]] std::vector<FormToken> take() { return std::move(tokens_); }

private:
    void add(Keyword keyword) { tokens_.push_back({.value = id_of(keyword)}); }
    template <class Enum>
    void add(Keyword group, Enum value) {
        tokens_.push_back({.value = id_of(group, value)});
    }
    void add_column(ColumnId column) { tokens_.push_back({FormToken::Kind::column, column}); }
    void add_word(std::size_t word) { tokens_.push_back({FormToken::Kind::word, static_cast<int>(word)}); }

    void write_clause(Keyword keyword, const std::optional<Condition>& condition) {
        if (!condition) return;
        add(keyword);
        write(*condition);
    }

    void write(const std::vector<Expression>& expressions) {
        for (const Expression& expression : expressions) write(expression);
    }
    void write(const Expression& expression) {
        std::visit([this](const auto& node) { write(node); }, expression.node);
    }
    void write(const ColumnRef& column) {
        if (column.or_via != 0) throw Unsupported{"a table that either of two keys leads to"};
        if (column.via != 0) {
            add(Keyword::via);
            add_column(column.via);
        }
        add_column(column.column);
    }
    void write(const PartOf& part) {
        add(Keyword::parts, part.part);
        write(part.of);
    }
    void write(const AggregateOf& aggregate) {
        add(Keyword::aggregates, aggregate.aggregate);
        if (aggregate.distinct) add(Keyword::distinct);
        const bool is_calculation = std::holds_alternative<Calculation>(aggregate.of->node);
        if (is_calculation) add(Keyword::open);
        write(*aggregate.of);
        if (is_calculation) add(Keyword::close);
        if (!aggregate.filter) return;
        add(Keyword::filter);
        write(**aggregate.filter);
        add(Keyword::close);
    }
    void write(const Calculation& calculation) {
        write(*calculation.left);
        add(Keyword::arithmetic, calculation.operation);
        write(*calculation.right);
    }
    void write(const Subquery& sub) {
        add(Keyword::sub);
        write(*sub.query);
    }

    void write(const Window&) { throw Unsupported{"a value beside those of other rows"}; }
    void write(const InUnit&) { throw Unsupported{"an amount in another unit"}; }
    void write(const OfEnd&) { throw Unsupported{"a value of either end"}; }

    void write(const Words& words) {
        add_word(words.first);
        add_word(words.last);
    }
    void write(const Constant& constant) {
        const int known = keyword_id(std::string(kConstantMark) + constant.text);
        tokens_.push_back({.value = known >= 0 ? known : id_of(Keyword::count) - 1});
    }
    void write(const OuterColumn& outer) {
        add(Keyword::outer);
        add_column(outer.column);
    }
    void write(const Side& side) {
        std::visit([this](const auto& node) { write(node); }, side);
    }

    void write(const Condition& condition) {
        std::visit([this](const auto& node) { write(node); }, condition.node);
    }
    void write(const Compare& compare) {
        write(compare.left);
        add(Keyword::comparisons, compare.comparison);
        write(compare.right);
    }
    void write(const Match& match) {
        write(match.left);
        add(match.negated ? Keyword::unmatches : Keyword::matches, match.match);
        std::visit([this](const auto& value) { write(value); }, match.pattern);
    }
    void write(const Among& among) {
        write(among.left);
        add(among.negated ? Keyword::not_in : Keyword::in);
        std::visit(Overloaded{[this](const Subquery& sub) { write(sub); },
                              [this](const std::vector<Value>& values) {
                                  for (const Value& value : values) {
                                      std::visit([this](const auto& said) { write(said); }, value);
                                  }
                                  add(Keyword::close);
                              }},
                   among.members);
    }
    void write(const Between& between) {
        write(between.left);
        add(between.negated ? Keyword::not_between : Keyword::between);
        write(between.low);
        write(between.high);
    }
    void write(const IsNull& null) {
        write(null.left);
        add(null.negated ? Keyword::not_null : Keyword::is_null);
    }
    void write(const AllOf& all) {
        for (std::size_t at = 0; at < all.parts.size(); ++at) {
            if (at != 0) add(Keyword::all_of);
            const bool is_choice = std::holds_alternative<AnyOf>(all.parts[at].node);
            if (is_choice) add(Keyword::open);
            write(all.parts[at]);
            if (is_choice) add(Keyword::close);
        }
    }
    void write(const AnyOf& any) {
        for (std::size_t at = 0; at < any.parts.size(); ++at) {
            if (at != 0) add(Keyword::any_of);
            write(any.parts[at]);
        }
    }
    void write(const NotThat& negation) {
        add(Keyword::not_that);
        add(Keyword::open);
        write(*negation.condition);
        add(Keyword::close);
    }

    const Schema& schema_;
    std::vector<FormToken> tokens_;
};

}  // namespace

std::span<const std::string_view> form_keywords() {
    return kKeywordNames;
}

int keyword_id(std::string_view keyword) {
    const auto found = std::ranges::find(kKeywordNames, keyword);
    return found == kKeywordNames.end() ? -1 : static_cast<int>(found - kKeywordNames.begin());
}

Result<std::vector<FormToken>> tokens_of(const Query& query, const Schema& schema) {
    try {
        TokenWriter writer(schema);
        writer.write(query);
        return writer.take();
    } catch (const Unsupported& problem) {
        return fail(Code::unsupported, "the trained parser's language has no words for " + problem.what);
    }
}

}  // namespace quaestor::native
