#include "native/form_keywords.hpp"
#include "native/form_tokens.hpp"

#include <utility>

namespace quaestor::native {

namespace {

/// Reads what the automaton has taken: every token is where it may be.
class TokenReader {
public:
    explicit TokenReader(std::span<const FormToken> tokens) : tokens_(tokens) {}

    Query query() {
        take();
        Query query;
        query.distinct = eat(Keyword::distinct);
        query.select = items();
        if (eat(Keyword::from)) {
            while (peek().kind == FormToken::Kind::table) query.tables.push_back(take().value);
        }
        if (eat(Keyword::where)) query.where = condition();
        if (eat(Keyword::group)) {
            query.group = items();
            if (eat(Keyword::having)) query.having = condition();
        }
        if (eat(Keyword::order)) {
            while (starts_item()) {
                Expression by = item();
                query.order.push_back({std::move(by), take().value == id_of(Keyword::descending)});
            }
        }
        if (const auto kind = eat_one<Limit::Kind>(Keyword::limit, 3)) query.limit = Limit{*kind, value()};
        if (const auto operation = eat_one<SetOperation>(Keyword::sets, 3)) {
            query.combined = Query::Combined{*operation, this->query()};
        } else {
            take();
        }
        return query;
    }

private:
    [[nodiscard]] FormToken peek() const { return at_ < tokens_.size() ? tokens_[at_] : FormToken{}; }
    FormToken take() { return tokens_[at_++]; }

    bool eat(Keyword keyword) {
        const bool is_there = peek() == FormToken{.value = id_of(keyword)};
        if (is_there) ++at_;
        return is_there;
    }
    /// One of the `count` keywords from `first` on, as what it stands for.
    template <class Enum>
    std::optional<Enum> eat_one(Keyword first, int count) {
        const int at = peek().value - id_of(first);
        if (peek().kind != FormToken::Kind::keyword || at < 0 || at >= count) return std::nullopt;
        ++at_;
        return static_cast<Enum>(at);
    }

    [[nodiscard]] bool starts_item() const {
        const auto [kind, id] = peek();
        if (kind == FormToken::Kind::column) return true;
        return kind == FormToken::Kind::keyword &&
               (id == id_of(Keyword::via) || (id >= id_of(Keyword::aggregates) && id < id_of(Keyword::comparisons)));
    }

    std::vector<Expression> items() {
        std::vector<Expression> out;
        while (starts_item()) out.push_back(item());
        return out;
    }

    Expression item() {
        Expression left = operand();
        while (const auto operation = eat_one<Arithmetic>(Keyword::arithmetic, 5)) {
            Expression right = operand();
            left = {Calculation{*operation, std::move(left), std::move(right)}};
        }
        return left;
    }

    Expression operand() {
        if (eat(Keyword::sub)) return {Subquery{query()}};
        const auto aggregate = eat_one<Aggregate>(Keyword::aggregates, 5);
        if (!aggregate) return base();
        const bool distinct = eat(Keyword::distinct);
        const bool is_calculation = eat(Keyword::open);
        AggregateOf out{*aggregate, distinct, is_calculation ? item() : base(), std::nullopt};
        if (is_calculation) take();
        if (eat(Keyword::filter)) {
            out.filter = Box<Condition>(condition());
            take();
        }
        return {std::move(out)};
    }

    Expression base() {
        const auto part = eat_one<DatePart>(Keyword::parts, 5);
        ColumnRef column;
        if (eat(Keyword::via)) column.via = take().value;
        column.column = take().value;
        if (part) return {PartOf{*part, column}};
        return {column};
    }

    Condition condition() {
        std::vector<std::vector<Condition>> choices(1);
        choices.back().push_back(term());
        while (true) {
            if (eat(Keyword::any_of)) {
                choices.emplace_back();
            } else if (!eat(Keyword::all_of)) {
                break;
            }
            choices.back().push_back(term());
        }
        std::vector<Condition> parts;
        for (auto& choice : choices) {
            parts.push_back(choice.size() == 1 ? std::move(choice.front()) : Condition{AllOf{std::move(choice)}});
        }
        return parts.size() == 1 ? std::move(parts.front()) : Condition{AnyOf{std::move(parts)}};
    }

    Condition term() {
        const bool negated = eat(Keyword::not_that);
        if (eat(Keyword::open)) {
            Condition inner = condition();
            take();
            return negated ? Condition{NotThat{std::move(inner)}} : inner;
        }
        Expression left = item();
        if (const auto comparison = eat_one<Comparison>(Keyword::comparisons, 6)) {
            return {Compare{std::move(left), *comparison, side()}};
        }
        if (const auto match = eat_one<TextMatch>(Keyword::matches, 4)) {
            return {Match{std::move(left), *match, false, value()}};
        }
        if (const auto match = eat_one<TextMatch>(Keyword::unmatches, 4)) {
            return {Match{std::move(left), *match, true, value()}};
        }
        return rest_of_test(std::move(left), static_cast<Keyword>(take().value));
    }

    Condition rest_of_test(Expression left, Keyword test) {
        if (test == Keyword::is_null || test == Keyword::not_null) {
            return {IsNull{std::move(left), test == Keyword::not_null}};
        }
        if (test == Keyword::between || test == Keyword::not_between) {
            Side low = side();
            Side high = side();
            return {Between{std::move(left), test == Keyword::not_between, std::move(low), std::move(high)}};
        }
        const bool negated = test == Keyword::not_in;
        if (eat(Keyword::sub)) return {Among{std::move(left), negated, Subquery{query()}}};
        std::vector<Value> values;
        while (!eat(Keyword::close)) values.push_back(value());
        return {Among{std::move(left), negated, std::move(values)}};
    }

    Value value() {
        const FormToken token = take();
        if (token.kind == FormToken::Kind::word) {
            return Words{static_cast<std::size_t>(token.value), static_cast<std::size_t>(take().value)};
        }
        const std::string_view name = kKeywordNames[static_cast<std::size_t>(token.value)];
        return Constant{std::string(name.substr(kConstantMark.size()))};
    }

    Side side() {
        const auto [kind, id] = peek();
        if (kind == FormToken::Kind::word || (kind == FormToken::Kind::keyword && id >= id_of(Keyword::constants))) {
            return std::visit([](auto said) { return Side(std::move(said)); }, value());
        }
        if (eat(Keyword::outer)) return OuterColumn{take().value};
        if (eat(Keyword::sub)) return Expression{Subquery{query()}};
        return base();
    }

    std::span<const FormToken> tokens_;
    std::size_t at_ = 0;
};

/// Whether the automaton takes all of it, with no value that ends before it begins or goes on for too long.
bool is_form(std::span<const FormToken> tokens) {
    GrammarState state;
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        const FormToken& token = tokens[at];
        if (token.value < 0) return false;
        if (state.allowed().word_ends) {
            const int length = token.value - tokens[at - 1].value + 1;
            if (length < 1 || length > kSpanMax) return false;
        }
        if (!state.step(token)) return false;
    }
    return state.is_complete();
}

}  // namespace

Result<Query> form_of(std::span<const FormToken> tokens) {
    if (tokens.size() > kFormTokensMax || !is_form(tokens)) {
        return fail(Code::invalid_argument, "these tokens are no logical form");
    }
    return TokenReader(tokens).query();
}

}  // namespace quaestor::native
