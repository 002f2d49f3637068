#include "workflows/common/chart.hpp"

#include "base/text.hpp"
#include "workflows/common/chart_wish.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

namespace quaestor::workflows {

namespace {

using data::ValueKind;

constexpr std::string_view kVegaLite = "https://vega.github.io/schema/vega-lite/v5.json";
constexpr std::size_t kLinesMax = 8;
/// Fewer points than this say nothing about how two measures go together.
constexpr std::size_t kPointsMin = 4;

enum class Role { time, measure, category, other };

struct Axis {
    std::size_t column = 0;
    Role role = Role::other;
    bool is_date = false;  ///< a real date, which Vega-Lite can space by time
};

bool ends_with_word(const std::string& name, std::span<const std::string_view> words) {
    return std::ranges::any_of(words, [&](std::string_view word) { return name == word || name.ends_with(word); });
}

bool names_time(const std::string& name) {
    static constexpr std::array<std::string_view, 7> kTimes{"year", "season", "month", "quarter",
                                                            "week", "date",   "day"};
    return ends_with_word(name, kTimes);
}

bool names_identity(const std::string& name) {
    static constexpr std::array<std::string_view, 4> kIdentities{"id", "_key", "code", "number"};
    return ends_with_word(name, kIdentities);
}

Axis axis_of(const ResultTable& table, std::size_t at) {
    const TableColumn& column = table.columns[at];
    const std::string name = text::fold(column.name);
    if (column.kind == ValueKind::date || column.kind == ValueKind::timestamp) return {at, Role::time, true};
    if (data::is_numeric(column.kind)) {
        if (names_time(name)) return {at, Role::time, false};
        return {at, names_identity(name) ? Role::other : Role::measure, false};
    }
    if (column.kind == ValueKind::text) return {at, names_time(name) ? Role::time : Role::category, false};
    return {at, column.kind == ValueKind::boolean ? Role::category : Role::other, false};
}

std::vector<Axis> axes_of(const ResultTable& table) {
    std::vector<Axis> axes;
    for (std::size_t at = 0; at < table.columns.size(); ++at) axes.push_back(axis_of(table, at));
    return axes;
}

const Axis* first(const std::vector<Axis>& axes, Role role) {
    const auto found = std::ranges::find(axes, role, &Axis::role);
    return found == axes.end() ? nullptr : &*found;
}

std::vector<const Axis*> all(const std::vector<Axis>& axes, Role role) {
    std::vector<const Axis*> found;
    for (const Axis& axis : axes) {
        if (axis.role == role) found.push_back(&axis);
    }
    return found;
}

std::size_t distinct(const ResultTable& table, std::size_t column) {
    std::set<std::string> values;
    for (const json::array& row : table.rows) values.insert(to_text(row[column]));
    return values.size();
}

/// Names of fields as Vega-Lite takes them: points and brackets would reach into objects.
std::string field_of(const ResultTable& table, std::size_t column) {
    std::string name = table.columns[column].name;
    for (char& character : name) {
        if (character == '.' || character == '[' || character == ']' || character == '\\') character = ' ';
    }
    return name;
}

json::object encoded(const ResultTable& table, std::size_t column, std::string_view type) {
    return {{"field", field_of(table, column)}, {"type", type}, {"title", table.columns[column].name}};
}

json::object with_data(const ResultTable& table, std::string_view mark, json::object encoding) {
    json::array values;
    for (const json::array& row : table.rows) {
        json::object value;
        for (std::size_t at = 0; at < table.columns.size(); ++at) value[field_of(table, at)] = row[at];
        values.push_back(std::move(value));
    }
    json::object spec{{"$schema", kVegaLite}};
    spec["data"] = json::object{{"values", std::move(values)}};
    spec["mark"] = json::object{{"type", mark}, {"tooltip", true}};
    spec["encoding"] = std::move(encoding);
    return spec;
}

std::optional<json::object> line_chart(const ResultTable& table, const std::vector<Axis>& axes) {
    const Axis* time = first(axes, Role::time);
    const Axis* measure = first(axes, Role::measure);
    if (time == nullptr || measure == nullptr || distinct(table, time->column) < 2) return std::nullopt;
    json::object encoding{{"x", encoded(table, time->column, time->is_date ? "temporal" : "ordinal")},
                          {"y", encoded(table, measure->column, "quantitative")}};
    if (const Axis* category = first(axes, Role::category)) {
        if (distinct(table, category->column) > kLinesMax) return std::nullopt;
        encoding["color"] = encoded(table, category->column, "nominal");
    }
    return with_data(table, "line", std::move(encoding));
}

std::optional<json::object> bar_chart(const ResultTable& table, const std::vector<Axis>& axes) {
    const Axis* category = first(axes, Role::category);
    if (category == nullptr) category = first(axes, Role::time);
    const Axis* measure = first(axes, Role::measure);
    if (category == nullptr || measure == nullptr || table.rows.size() > kBarsMax) return std::nullopt;
    json::object across = encoded(table, category->column, "nominal");
    across["sort"] = nullptr;  // the order of the rows is part of the answer
    return with_data(table, "bar", {{"x", encoded(table, measure->column, "quantitative")}, {"y", std::move(across)}});
}

std::optional<json::object> point_chart(const ResultTable& table, const std::vector<Axis>& axes) {
    const auto measures = all(axes, Role::measure);
    if (measures.size() < 2 || table.rows.size() < kPointsMin) return std::nullopt;
    return with_data(table, "point",
                     {{"x", encoded(table, measures[0]->column, "quantitative")},
                      {"y", encoded(table, measures[1]->column, "quantitative")}});
}

/// "How do points and rebounds go together?" wants to be seen as points.
bool asks_for_relation(std::string_view question) {
    static constexpr std::array<std::string_view, 3> kRelating{"correlation", "versus", "against"};
    const auto words = text::words(text::fold(question));
    return std::ranges::find_first_of(words, kRelating) != words.end();
}

/// The kind that the question names, where the rows can be drawn so. Slices of a pie are drawn as bars, which can be
/// compared.
std::optional<json::object> wished_chart(const ResultTable& table, const std::vector<Axis>& axes,
                                         std::string_view question) {
    const auto wish = chart_wish(question);
    const ChartKind kind = wish ? wish->kind : ChartKind::any;
    if (kind == ChartKind::scatter || asks_for_relation(question)) return point_chart(table, axes);
    if (kind == ChartKind::bar || kind == ChartKind::pie) return bar_chart(table, axes);
    return std::nullopt;
}

}  // namespace

std::optional<json::object> chart_for(const ResultTable& table, std::string_view question) {
    const bool is_whole =
        std::ranges::all_of(table.rows, [&](const json::array& row) { return row.size() == table.columns.size(); });
    if (!is_whole || table.rows.size() < 2 || table.rows.size() > kChartRowsMax) return std::nullopt;
    const auto axes = axes_of(table);
    if (auto wished = wished_chart(table, axes, question)) return wished;
    if (auto lines = line_chart(table, axes)) return lines;
    const bool compares_measures = all(axes, Role::measure).size() == 2 && table.rows.size() > kBarsMax;
    if (compares_measures) return point_chart(table, axes);
    if (auto bars = bar_chart(table, axes)) return bars;
    return point_chart(table, axes);
}

}  // namespace quaestor::workflows
