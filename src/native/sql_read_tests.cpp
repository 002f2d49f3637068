#include "native/read_periods.hpp"
#include "native/sql_parser.hpp"
#include "native/unsupported.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace quaestor::native {

namespace {

constexpr std::array<std::string_view, 11> kTests{
    "=", "!=", ">", "<", ">=", "<=", "LIKE", "ILIKE", "IN", "BETWEEN", "IS"};

/// The same the other way round.
Comparison mirrored(Comparison comparison) {
    switch (comparison) {
        case Comparison::greater:
            return Comparison::less;
        case Comparison::less:
            return Comparison::greater;
        case Comparison::greater_equal:
            return Comparison::less_equal;
        case Comparison::less_equal:
            return Comparison::greater_equal;
        case Comparison::equal:
        case Comparison::unequal:
            return comparison;
    }
    std::unreachable();
}

/// Adds a part, its own parts where it is of the same kind: so that equal meanings are read alike.
template <class Group>
void add_flat(std::vector<Condition>& parts, Condition part) {
    if (auto* group = std::get_if<Group>(&part.node)) {
        std::ranges::move(group->parts, std::back_inserter(parts));
    } else {
        parts.push_back(std::move(part));
    }
}

template <class Group>
Condition group_of(std::vector<Condition> parts) {
    return parts.size() == 1 ? std::move(parts.front()) : Condition{Group{std::move(parts)}};
}

/// The opposite: dates outside of a period have a comparison of their own.
Condition negated(Condition condition) {
    if (auto* compare = std::get_if<Compare>(&condition.node); compare && compare->comparison == Comparison::equal) {
        compare->comparison = Comparison::unequal;
        return condition;
    }
    if (auto* between = std::get_if<Between>(&condition.node); between && !between->negated) {
        between->negated = true;
        return condition;
    }
    return {NotThat{std::move(condition)}};
}

/// A pattern without the marks at its ends, and what they mean.
struct Pattern {
    std::string text;
    TextMatch match = TextMatch::like;
};
Pattern pattern_of(std::string_view written, std::optional<char> escape) {
    std::string plain;
    bool has_inner_marks = false;
    bool has_escaped_marks = false;
    const bool is_open_left = written.starts_with('%');
    bool is_open_right = false;
    for (std::size_t at = is_open_left ? 1 : 0; at < written.size(); ++at) {
        if (escape && written[at] == *escape && at + 1 < written.size()) {
            has_escaped_marks = has_escaped_marks || written[++at] != *escape;
        } else if (written[at] == '%' && at + 1 == written.size()) {
            is_open_right = true;
            continue;
        } else {
            has_inner_marks = has_inner_marks || written[at] == '%' || written[at] == '_';
        }
        plain += written[at];
    }
    if (written == "%") return {"", TextMatch::contains};
    if (has_inner_marks) {
        if (has_escaped_marks) throw Unsupported{"a pattern that has marks in both meanings"};
        return {(is_open_left ? "%" : "") + plain + (is_open_right ? "%" : ""), TextMatch::like};
    }
    if (is_open_left) return {plain, is_open_right ? TextMatch::contains : TextMatch::ends_with};
    return {plain, is_open_right ? TextMatch::starts_with : TextMatch::like};
}

}  // namespace

Condition SqlParser::condition() {
    const Deeper deeper(*this);
    std::vector<Condition> choices;
    do {
        std::vector<Condition> parts;
        do {
            add_flat<AllOf>(parts, term());
        } while (eat("AND"));
        add_flat<AnyOf>(choices, group_of<AllOf>(std::move(parts)));
    } while (eat("OR"));
    return group_of<AnyOf>(std::move(choices));
}

/// Whether the bracket here holds a condition rather than an expression or a query.
bool SqlParser::opens_condition() const {
    int depth = 0;
    int skipped_at = 0;  // depth of a query or filter whose conditions are its own; 0: none
    int choices = 0;     // CASE … END that are open
    for (std::size_t at = at_; at < tokens_.size(); ++at) {
        const std::string& key = tokens_[at].key;
        if (key == "(") {
            ++depth;
            const bool is_own =
                at + 1 < tokens_.size() && (tokens_[at + 1].key == "SELECT" || tokens_[at + 1].key == "WHERE");
            if (skipped_at == 0 && is_own) skipped_at = depth;
        } else if (key == ")") {
            if (depth == skipped_at) skipped_at = 0;
            if (--depth == 0) return false;
        } else if (key == "CASE" || key == "END") {
            choices += key == "CASE" ? 1 : -1;
        } else if (skipped_at == 0 && choices == 0 && std::ranges::find(kTests, key) != kTests.end()) {
            return true;
        }
    }
    return false;
}

Condition SqlParser::term() {
    const Deeper deeper(*this);
    if (eat("NOT")) return negated(term());
    if (peek() == "(" && opens_condition()) {
        ++at_;
        Condition inner = with_periods(condition(), schema_);
        need(")");
        return inner;
    }
    const std::size_t start = at_;
    if (is_name() && peek(1) != "(" && peek() != "CASE" && !alias()) {
        const auto found = reference();
        if (const auto* outer = std::get_if<OuterColumn>(&found)) {
            const auto comparison = eat_one({"=", "!=", ">", "<", ">=", "<="});
            if (!comparison) throw unexpected();
            return {Compare{item(), mirrored(static_cast<Comparison>(*comparison)), *outer}};
        }
    }
    at_ = start;
    return test(item());
}

Condition SqlParser::test(Expression left) {
    if (const auto comparison = eat_one({"=", "!=", ">", "<", ">=", "<="})) {
        return {Compare{std::move(left), static_cast<Comparison>(*comparison), side()}};
    }
    if (eat("IS")) {
        const bool negated = eat("NOT");
        need("NULL");
        return {IsNull{std::move(left), negated}};
    }
    const bool negated = eat("NOT");
    if (eat_one({"LIKE", "ILIKE"})) return match(std::move(left), negated);
    if (eat("IN")) return among(std::move(left), negated);
    if (!eat("BETWEEN")) throw unexpected();
    Side low = side();
    need("AND");
    Side high = side();
    return {Between{std::move(left), negated, std::move(low), std::move(high)}};
}

Condition SqlParser::match(Expression left, bool negated) {
    const std::optional<Constant> written = literal();
    if (!written) throw Unsupported{"a pattern that is no text"};
    std::optional<char> escape;
    if (eat("ESCAPE")) {
        const std::string mark = take().text;
        if (mark.size() != 1) throw Unsupported{"an escape of more than one character"};
        escape = mark.front();
    }
    auto [text, shape] = pattern_of(written->text, escape);
    return {Match{std::move(left), shape, negated, Constant{std::move(text)}}};
}

Condition SqlParser::among(Expression left, bool negated) {
    if (peek() == "(" && peek(1) == "SELECT") return {Among{std::move(left), negated, subquery()}};
    need("(");
    std::vector<Value> values;
    do {
        auto value = literal();
        if (!value) throw Unsupported{"a list of what is no value"};
        values.emplace_back(*std::move(value));
    } while (eat(","));
    need(")");
    return {Among{std::move(left), negated, std::move(values)}};
}

/// A name in double quotes is a text where no column has it, as SQLite has it.
std::optional<Constant> SqlParser::literal() {
    if (kind() == SqlToken::Kind::text || kind() == SqlToken::Kind::number) return Constant{take().text};
    if (peek() == "-" && kind(1) == SqlToken::Kind::number) {
        ++at_;
        return Constant{"-" + take().text};
    }
    const bool is_typed = (peek() == "DATE" || peek() == "TIMESTAMP") && kind(1) == SqlToken::Kind::text;
    if (is_typed) {
        ++at_;
        return Constant{take().text};
    }
    if (eat("TRUE")) return Constant{"1"};
    if (eat("FALSE")) return Constant{"0"};
    const bool is_quoted = at_ < tokens_.size() && kind() == SqlToken::Kind::quoted && peek(1) != ".";
    if (is_quoted && scopes_.back().find(tokens_[at_].text).column == 0) return Constant{take().text};
    return std::nullopt;
}

Side SqlParser::side() {
    if (auto value = literal()) return *std::move(value);
    if (peek() == "(" && peek(1) == "SELECT") return Expression{subquery()};
    if (is_name() && peek(1) != "(" && peek() != "CASE") {
        const std::size_t start = at_;
        const auto found = reference();
        if (const auto* outer = std::get_if<OuterColumn>(&found)) return *outer;
        at_ = start;
    }
    return item();
}

Subquery SqlParser::subquery() {
    need("(");
    Subquery sub{query()};
    need(")");
    return sub;
}

}  // namespace quaestor::native
