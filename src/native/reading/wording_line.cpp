#include "native/reading/wording.hpp"
#include "native/reading/wording_phrases.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

namespace quaestor::native {

namespace {

class FormLine {
public:
    FormLine(const Schema& schema, const Spoken& spoken) : schema_(schema), spoken_(spoken) {}

    [[nodiscard]] std::string query(const Query& query) const {
        std::string line = fmt::format("SELECT {}{}", query.distinct ? "DISTINCT " : "", list(query.select));
        std::vector<std::string> tables;
        for (const TableId table : query.tables)
            tables.push_back(schema_.tables()[static_cast<std::size_t>(table)].name);
        if (!tables.empty()) line += fmt::format(" FROM {}", fmt::join(tables, ", "));
        if (query.where) line += " WHERE " + condition(*query.where);
        if (!query.group.empty()) line += " GROUP " + list(query.group);
        if (query.having) line += " HAVING " + condition(*query.having);
        for (std::size_t at = 0; at < query.order.size(); ++at) {
            const OrderBy& order = query.order[at];
            line += fmt::format("{}{} {}", at == 0 ? " ORDER " : ", ", expression(order.by),
                                order.descending ? "DESC" : "ASC");
        }
        constexpr std::array<std::string_view, 3> kLimits{"LIMIT", "TIES", "NTH"};
        if (query.limit) {
            line += fmt::format(" {} {}", kLimits[static_cast<std::size_t>(query.limit->kind)],
                                said_text(query.limit->count, spoken_));
        }
        constexpr std::array<std::string_view, 3> kSets{"INTERSECT", "UNION", "EXCEPT"};
        if (query.combined) {
            line += fmt::format(" {} {}", kSets[static_cast<std::size_t>(query.combined->operation)],
                                this->query(*query.combined->with));
        }
        return line;
    }

private:
    [[nodiscard]] std::string name(ColumnId id) const {
        if (id == 0) return "*";
        const SchemaColumn& column = schema_.columns()[static_cast<std::size_t>(id)];
        return fmt::format("{}.{}", schema_.tables()[static_cast<std::size_t>(column.table)].name, column.name);
    }
    [[nodiscard]] std::string list(const std::vector<Expression>& expressions) const {
        std::vector<std::string> parts;
        for (const Expression& one : expressions) parts.push_back(expression(one));
        return fmt::format("{}", fmt::join(parts, ", "));
    }
    [[nodiscard]] std::string expression(const Expression& one) const {
        return std::visit([this](const auto& node) { return term(node); }, one.node);
    }
    [[nodiscard]] std::string term(const ColumnRef& ref) const {
        if (ref.via == 0) return name(ref.column);
        const std::string other = ref.or_via == 0 ? "" : " OR " + name(ref.or_via);
        return fmt::format("{}{} > {}", name(ref.via), other, name(ref.column));
    }
    [[nodiscard]] std::string term(const PartOf& part) const {
        constexpr std::array<std::string_view, 5> kParts{"YEAR", "QUARTER", "MONTH", "DAY", "WEEKDAY"};
        return fmt::format("{}({})", kParts[static_cast<std::size_t>(part.part)], term(part.of));
    }
    [[nodiscard]] std::string term(const AggregateOf& aggregate) const {
        constexpr std::array<std::string_view, 5> kNames{"COUNT", "SUM", "AVG", "MIN", "MAX"};
        std::string text = fmt::format("{}({}{})", kNames[static_cast<std::size_t>(aggregate.aggregate)],
                                       aggregate.distinct ? "DISTINCT " : "", expression(*aggregate.of));
        if (aggregate.filter) text += fmt::format(" FILTER ({})", condition(**aggregate.filter));
        return text;
    }
    [[nodiscard]] std::string term(const Calculation& calculation) const {
        constexpr std::array<std::string_view, 5> kSigns{"+", "-", "/", "*", "PERCENT OF"};
        return fmt::format("({} {} {})", expression(*calculation.left),
                           kSigns[static_cast<std::size_t>(calculation.operation)], expression(*calculation.right));
    }
    [[nodiscard]] std::string term(const Window& window) const { return "window " + expression(*window.of); }
    [[nodiscard]] std::string term(const InUnit& in_unit) const {
        return fmt::format("{} IN {}", expression(*in_unit.of), in_unit.conversion->to);
    }
    [[nodiscard]] std::string term(const OfEnd& of_end) const {
        return fmt::format("({} AT {} ELSE {})", name(of_end.first), name(of_end.end.via), name(of_end.second));
    }
    [[nodiscard]] std::string term(const Subquery& sub) const { return fmt::format("({})", query(*sub.query)); }

    /// A text in quotation marks, a number bare.
    [[nodiscard]] std::string value(const Value& value, const Expression& compared) const {
        const std::string said = said_text(value, spoken_);
        if (std::holds_alternative<PartOf>(compared.node))
            return part_value(std::get<PartOf>(compared.node).part, said);
        const ColumnId id = column_of(compared);
        const SchemaColumn& column = schema_.columns()[static_cast<std::size_t>(id)];
        const bool is_text = id != 0 && column.kind == ColumnKind::text;
        if (const auto number = number_of(said); number && !is_text && !column.is_iso_date) return *number;
        const bool has_spelling = is_text && spoken_.values != nullptr && !column.is_iso_date;
        return fmt::format("\"{}\"", has_spelling ? spoken_.values->spelling(id, said).text : said);
    }
    [[nodiscard]] std::string side(const Side& side, const Expression& compared) const {
        if (const auto* words = std::get_if<Words>(&side)) return value(*words, compared);
        if (const auto* constant = std::get_if<Constant>(&side)) return value(*constant, compared);
        if (const auto* outer = std::get_if<OuterColumn>(&side)) return fmt::format("OUTER {}", name(outer->column));
        return expression(std::get<Expression>(side));
    }

    [[nodiscard]] std::string condition(const Condition& condition) const {
        return std::visit([this](const auto& node) { return test(node); }, condition.node);
    }
    [[nodiscard]] std::string test(const Compare& compare) const {
        constexpr std::array<std::string_view, 6> kSigns{"=", "!=", ">", "<", ">=", "<="};
        return fmt::format("{} {} {}", expression(compare.left), kSigns[static_cast<std::size_t>(compare.comparison)],
                           side(compare.right, compare.left));
    }
    [[nodiscard]] std::string test(const Match& match) const {
        constexpr std::array<std::string_view, 4> kNames{"CONTAINS", "STARTS WITH", "ENDS WITH", "LIKE"};
        return fmt::format("{} {}{} \"{}\"", expression(match.left), match.negated ? "NOT " : "",
                           kNames[static_cast<std::size_t>(match.match)], said_text(match.pattern, spoken_));
    }
    [[nodiscard]] std::string test(const Among& among) const {
        const std::string start = expression(among.left) + (among.negated ? " NOT IN " : " IN ");
        if (const auto* sub = std::get_if<Subquery>(&among.members)) return start + term(*sub);
        std::vector<std::string> members;
        for (const Value& member : std::get<std::vector<Value>>(among.members)) {
            members.push_back(value(member, among.left));
        }
        return fmt::format("{}({})", start, fmt::join(members, ", "));
    }
    [[nodiscard]] std::string test(const Between& between) const {
        return fmt::format("{} {}BETWEEN {} AND {}", expression(between.left), between.negated ? "NOT " : "",
                           side(between.low, between.left), side(between.high, between.left));
    }
    [[nodiscard]] std::string test(const IsNull& null) const {
        return expression(null.left) + (null.negated ? " IS NOT NULL" : " IS NULL");
    }
    [[nodiscard]] std::string joined(const std::vector<Condition>& parts, std::string_view joiner) const {
        std::vector<std::string> texts;
        for (const Condition& part : parts) texts.push_back(condition(part));
        return fmt::format("({})", fmt::join(texts, joiner));
    }
    [[nodiscard]] std::string test(const AllOf& all) const { return joined(all.parts, " AND "); }
    [[nodiscard]] std::string test(const AnyOf& any) const { return joined(any.parts, " OR "); }
    [[nodiscard]] std::string test(const NotThat& negation) const {
        return fmt::format("NOT ({})", condition(*negation.condition));
    }

    const Schema& schema_;
    const Spoken& spoken_;
};

}  // namespace

std::string form_line(const Query& form, const Schema& schema, const Spoken& spoken) {
    return FormLine(schema, spoken).query(form);
}

}  // namespace quaestor::native
