#include "native/result_names.hpp"

#include "native/lower.hpp"

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

namespace quaestor::native {

namespace {

/// Longer names are cut by PostgreSQL.
constexpr std::size_t kNameBytesMax = 63;

class Namer {
public:
    explicit Namer(const Schema& schema) : schema_(schema) {}

    [[nodiscard]] std::string name(const Expression& expression) const {
        return std::visit([this](const auto& node) { return name(node); }, expression.node);
    }
    [[nodiscard]] const SchemaColumn& column(const ColumnRef& ref) const {
        return schema_.columns()[static_cast<std::size_t>(ref.column)];
    }

private:
    [[nodiscard]] std::string name(const ColumnRef& ref) const { return column(ref).words; }
    [[nodiscard]] std::string name(const PartOf& part) const {
        constexpr std::array<std::string_view, 5> kNames{"year", "quarter", "month", "day", "weekday"};
        return std::string(kNames[static_cast<std::size_t>(part.part)]);
    }
    [[nodiscard]] std::string name(const AggregateOf& aggregate) const {
        const auto* ref = std::get_if<ColumnRef>(&aggregate.of->node);
        const bool is_time = ref != nullptr && column(*ref).kind == ColumnKind::time;
        const std::string of = name(*aggregate.of);
        switch (aggregate.aggregate) {
            case Aggregate::count:
                if (ref != nullptr && ref->column == 0) return "count";
                return (aggregate.distinct ? "count of different " : "count of ") + of;
            case Aggregate::sum:
                return "total " + of;
            case Aggregate::avg:
                return "average " + of;
            case Aggregate::min:
                return (is_time ? "earliest " : "lowest ") + of;
            case Aggregate::max:
                return (is_time ? "latest " : "highest ") + of;
        }
        return of;
    }
    [[nodiscard]] std::string name(const Calculation& calculation) const {
        constexpr std::array<std::string_view, 5> kJoiners{"plus", "minus", "per", "times", "as percent of"};
        return fmt::format("{} {} {}", name(*calculation.left),
                           kJoiners[static_cast<std::size_t>(calculation.operation)], name(*calculation.right));
    }
    [[nodiscard]] std::string name(const Subquery& sub) const {
        return sub.query->select.empty() ? "result" : name(sub.query->select.front());
    }
    [[nodiscard]] std::string name(const Window& window) const {
        constexpr std::array<std::string_view, 5> kNames{"running", "previous", "change of", "change in percent of",
                                                         "rank by"};
        return fmt::format("{} {}", kNames[static_cast<std::size_t>(window.kind)], name(*window.of));
    }

    [[nodiscard]] std::string name(const InUnit& in_unit) const {
        std::string of = name(*in_unit.of);
        const std::size_t space = of.rfind(' ');
        const bool has_unit = space != std::string::npos && unit_conversion(of, in_unit.conversion->to) != nullptr;
        if (has_unit) of.resize(space);
        return fmt::format("{} {}", of, in_unit.conversion->to);
    }
    [[nodiscard]] std::string name(const OfEnd& of_end) const { return shared_words(schema_, of_end); }

    const Schema& schema_;
};

}  // namespace

std::string shared_words(const Schema& schema, const OfEnd& of_end) {
    const auto words = [&schema](ColumnId id) {
        std::vector<std::string> out;
        boost::split(out, schema.columns()[static_cast<std::size_t>(id)].words, boost::is_any_of(" "));
        return out;
    };
    const std::vector<std::string> first = words(of_end.first);
    const std::vector<std::string> second = words(of_end.second);
    const auto has = [](const std::vector<std::string>& list, const std::string& word) {
        return std::ranges::find(list, word) != list.end();
    };
    std::vector<std::string> shared;
    for (const std::string& word : first) {
        if (has(second, word)) shared.push_back(word);
    }
    // "points away" in rows in which it stands at home.
    const std::vector<std::string> here = words(of_end.end.via);
    const std::vector<std::string> there = words(of_end.end.or_via);
    const bool is_opposite =
        std::ranges::any_of(first, [&](const std::string& word) { return has(there, word) && !has(here, word); });
    return fmt::format("{}{}", is_opposite ? "opposing " : "", fmt::join(shared.empty() ? first : shared, " "));
}

std::vector<std::string> result_names(const std::vector<Expression>& select, const Schema& schema) {
    const Namer namer(schema);
    std::multiset<std::string> plain;
    for (const Expression& expression : select) {
        if (const auto* ref = std::get_if<ColumnRef>(&expression.node)) plain.insert(lower(namer.column(*ref).name));
    }
    std::set<std::string> taken;
    std::vector<std::string> names;
    for (const Expression& expression : select) {
        std::string name = namer.name(expression);
        if (const auto* ref = std::get_if<ColumnRef>(&expression.node); ref != nullptr && ref->column != 0) {
            const SchemaColumn& column = namer.column(*ref);
            const bool is_alone = plain.count(lower(column.name)) == 1;
            name = is_alone ? column.name
                            : schema.tables()[static_cast<std::size_t>(column.table)].words + " " + column.words;
        }
        if (name.empty() || name.size() > kNameBytesMax) name = "result";
        const std::string first_choice = name;
        for (int number = 2; !taken.insert(lower(name)).second; ++number) {
            name = fmt::format("{} {}", first_choice, number);
        }
        names.push_back(name);
    }
    return names;
}

}  // namespace quaestor::native
