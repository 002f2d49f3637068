#include "native/answer/sentences.hpp"
#include "native/characters.hpp"
#include "native/lower.hpp"
#include "native/reading/wording_nouns.hpp"
#include "native/spoken_words.hpp"
#include "native/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace quaestor::native {

namespace {

/// A key that orders points in time: a date as text, a year as a number.
std::pair<double, std::string> time_key(const data::ResultColumn& column, std::size_t row) {
    return {column.number(row).value_or(0), column.text(row)};
}

bool begins_a_month(const std::string& text) {
    constexpr std::string_view kFirst = "-01";
    return text.size() >= 10 && text.substr(7, 3) == kFirst;
}

}  // namespace

/// "in 2019", "on May 3, 2023", "in May 2023" where every row is the first of a month, "in May", "in quarter 2".
std::string Sentences::when(std::size_t row) const {
    if (const auto name = shape_.time->calendar_name(row)) {
        const bool is_month = find_spoken(kMonths, fold(*name)).has_value();
        return (is_month ? "in " : "on ") + *name;
    }
    const data::ResultColumn& cells = *shape_.time->cells;
    const std::string text = cells.text(row);
    const auto date = say_date(text);
    if (!date) {
        const bool is_part = cells.number(row) && text.size() <= 2;
        return is_part ? fmt::format("in {} {}", shape_.time->style.name, text) : "in " + escaped(text);
    }
    bool are_months = true;
    for (std::size_t at = 0; at < std::min(cells.size(), kJudgedRowsMax); ++at) {
        are_months = are_months && (cells.is_null(at) || begins_a_month(cells.text(at)));
    }
    const std::size_t space = date->find(' ');
    return are_months ? fmt::format("in {} {}", date->substr(0, space), text.substr(0, 4)) : "on " + *date;
}

std::string Sentences::change(const AnswerColumn& measure, std::size_t first, std::size_t last) const {
    const double from = measure.cells->number(first).value_or(0);
    const double to = measure.cells->number(last).value_or(0);
    std::string text = fmt::format("{} went from {} {} to {} {}", capitalised(name_of(measure)), measure.say(first),
                                   when(first), measure.say(last), when(last));
    if (from == to) return text + ", which is no change.";
    text += fmt::format(", {} {}", to > from ? "up" : "down", difference(to, from, measure.style));
    NumberStyle percent;
    percent.after = " %";
    const bool has_growth = from > 0 && !measure.style.is_percent();
    return text + (has_growth ? fmt::format(" ({}).", say_number(100 * std::abs(to - from) / from, percent)) : ".");
}

/// Several series side by side: where they are at the end. None for more than a sentence can list.
Draft Sentences::series_of_each() const {
    const data::ResultColumn& times = *shape_.time->cells;
    std::set<std::pair<std::string, std::string>> points;
    std::size_t last = 0;
    for (std::size_t row = 0; row < shape_.result.row_count; ++row) {
        if (times.is_null(row) || !points.emplace(shape_.label->cells->text(row), times.text(row)).second) return {};
        if (time_key(times, row) > time_key(times, last)) last = row;
    }
    std::vector<std::string> items;
    const AnswerColumn& measure = *shape_.measures.front();
    for (std::size_t row = 0; row < shape_.result.row_count; ++row) {
        if (times.text(row) != times.text(last)) continue;
        items.push_back(fmt::format("{} {}", shape_.label->say(row), measure.say(row)));
    }
    if (items.size() < 2 || items.size() > kListedRowsMax) return {};
    const std::string text = fmt::format("{} {}: {}.", capitalised(name_of(measure)), when(last), listed(items));
    return {.texts = {text, how_many_rows() + "."}, .wants_table = true};
}

Draft Sentences::series() const {
    const AnswerColumn& measure = *shape_.measures.front();
    if (shape_.label != nullptr && shape_.label->role == AnswerColumn::Role::label) return series_of_each();
    std::vector<std::size_t> rows;
    std::set<std::string> times;
    for (std::size_t row = 0; row < shape_.result.row_count; ++row) {
        if (shape_.time->cells->is_null(row)) return {};
        times.insert(shape_.time->cells->text(row));
        if (measure.cells->number(row)) rows.push_back(row);
    }
    if (rows.size() < 3 || times.size() != shape_.result.row_count) return {};
    std::ranges::sort(rows, {}, [this](std::size_t row) { return time_key(*shape_.time->cells, row); });
    std::string text = change(measure, rows.front(), rows.back());
    const auto peak = std::ranges::max_element(rows, {}, [&](std::size_t row) { return *measure.cells->number(row); });
    const auto same = std::ranges::count_if(
        rows, [&](std::size_t row) { return measure.cells->number(row) == measure.cells->number(*peak); });
    if (same == 1 && *peak != rows.front() && *peak != rows.back()) {
        text += fmt::format(" The peak was {} {}.", measure.say(*peak), when(*peak));
    }
    return {.texts = {text, how_many_rows() + "."}, .wants_table = true};
}

}  // namespace quaestor::native
