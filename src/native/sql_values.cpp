#include "native/sql_values.hpp"

#include "native/spoken_values.hpp"
#include "native/unsupported.hpp"

#include <algorithm>
#include <charconv>

namespace quaestor::native {

using data::Dialect;

namespace {

constexpr std::size_t kRowsMax = 1'000'000'000;

bool is_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// "-12.5"
bool is_plain_number(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    const std::size_t point = text.find('.');
    return is_digits(text.substr(0, point)) && (point == std::string_view::npos || is_digits(text.substr(point + 1)));
}

/// The column whose values an expression gives, also as the lowest or highest of them; 0 when it calculates.
ColumnId plain_column(const Expression& expression) {
    const Expression* inner = &expression;
    if (const auto* aggregate = std::get_if<AggregateOf>(&expression.node)) {
        if (aggregate->aggregate == Aggregate::min || aggregate->aggregate == Aggregate::max) inner = &*aggregate->of;
    }
    if (const auto* of_end = std::get_if<OfEnd>(&inner->node)) return of_end->first;
    const auto* column = std::get_if<ColumnRef>(&inner->node);
    return column == nullptr ? 0 : column->column;
}

Spelling sure(std::string text) {
    return {.text = std::move(text), .certainty = Spelling::Certainty::exact};
}

}  // namespace

bool SqlValues::gives_dates(const Expression& expression) const {
    return column(plain_column(expression)).is_iso_date;
}

bool SqlValues::gives_texts(const Expression& expression) const {
    const ColumnId id = plain_column(expression);
    return id != 0 && column(id).kind == ColumnKind::text;
}

TextAmount SqlValues::amount_of(const Expression& expression) const {
    const ColumnId id = plain_column(expression);
    return id == 0 ? TextAmount::none : column(id).amount;
}

std::string SqlValues::amount(const Value& value, const Expression& compared) {
    const std::string text = said(value);
    const ColumnId id = plain_column(compared);
    std::string written = number_of(text).value_or("");
    const bool is_feet = amount_of(compared) == TextAmount::feet_inches && written.size() == 1;
    if (written.empty()) return literal(value, compared);
    if (is_feet) written += " * 12";
    note(text, id, sure(written));
    return written;
}

std::string SqlValues::said(const Value& value) const {
    if (const auto* constant = std::get_if<Constant>(&value)) return constant->text;
    const auto [first, last] = std::get<Words>(value);
    if (first > last || last >= spoken_.words.size() || spoken_.words[last].end > spoken_.question.size()) {
        throw Unsupported{"a value stands outside the question"};
    }
    const std::size_t begin = spoken_.words[first].begin;
    return std::string(spoken_.question.substr(begin, spoken_.words[last].end - begin));
}

void SqlValues::note(const std::string& text, ColumnId column, Spelling written) {
    used_.push_back({text, column, std::move(written)});
}

std::string SqlValues::literal(const Value& value, const Expression& compared) {
    const std::string text = said(value);
    if (const auto* part = std::get_if<PartOf>(&compared.node)) {
        std::string number = part_value(part->part, text);
        note(text, part->of.column, sure(number));
        return number;
    }
    const ColumnId id = plain_column(compared);
    if (id == 0) return number_or_text(text, 0);
    const ColumnKind kind = column(id).kind;
    if (kind == ColumnKind::boolean || (kind == ColumnKind::text && is_flag(id))) return truth(id, text);
    if (kind == ColumnKind::number) return number_or_text(text, id);
    Spelling spelling{.text = text};
    if (spoken_.values != nullptr) spelling = spoken_.values->spelling(id, text);
    const std::string written = spelling.text;
    note(text, id, std::move(spelling));
    return is_plain_number(written) && kind != ColumnKind::text ? written : data::quote_text(written);
}

std::string SqlValues::number_or_text(const std::string& text, ColumnId column) {
    std::optional<std::string> number = number_of(text);
    // A flag that is kept as 1 and 0.
    if (!number && column != 0 && (text == "yes" || text == "no")) number = text == "yes" ? "1" : "0";
    note(text, column, number ? sure(*number) : Spelling{.text = text});
    return number ? *number : data::quote_text(text);
}

bool SqlValues::is_flag(ColumnId column) const {
    if (spoken_.values == nullptr) return false;
    const auto& known = spoken_.values->values_of(column);
    return !known.empty() && known.size() <= 2 &&
           std::ranges::all_of(known, [](const auto& entry) { return truth_of(entry.key).has_value(); });
}

std::string SqlValues::truth(ColumnId id, const std::string& text) {
    const std::optional<bool> truth = truth_of(text);
    if (!truth) {
        note(text, id, {.text = text});
        return data::quote_text(text);
    }
    if (spoken_.values != nullptr) {
        for (const auto& [key, stored] : spoken_.values->values_of(id)) {
            if (truth_of(key) != truth) continue;
            note(text, id, sure(std::string(stored)));
            return data::quote_text(stored);
        }
    }
    const bool is_number = dialect_ == Dialect::sqlite || column(id).kind != ColumnKind::boolean;
    std::string written = is_number ? (*truth ? "1" : "0") : (*truth ? "TRUE" : "FALSE");
    note(text, id, sure(written));
    return written;
}

std::string SqlValues::pattern(const Value& value, const Expression& matched) {
    std::string text = said(value);
    note(text, plain_column(matched), sure(text));
    return text;
}

std::size_t SqlValues::row_count(const Value& value) {
    const std::string text = said(value);
    const std::string number = number_of(text).value_or("");
    std::size_t count = 1;
    if (is_digits(number)) {
        const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), count);
        count = error == std::errc() ? std::min(count, kRowsMax) : kRowsMax;
    }
    note(text, 0, sure(std::to_string(count)));
    return count;
}

std::optional<SqlValues::Days> SqlValues::days(const Expression& compared, std::span<const Side* const> sides) {
    if (!gives_dates(compared)) return std::nullopt;
    const ColumnId id = plain_column(compared);
    std::vector<std::string> texts;
    for (const Side* side : sides) {
        if (const auto* words = std::get_if<Words>(side)) {
            texts.push_back(said(*words));
        } else if (const auto* constant = std::get_if<Constant>(side)) {
            texts.push_back(constant->text);
        } else {
            return std::nullopt;
        }
    }
    std::optional<int> year;
    for (auto text = texts.rbegin(); text != texts.rend() && !year; ++text) year = year_in(*text);
    std::vector<Period> periods;
    for (const std::string& text : texts) {
        const std::optional<Period> period = period_of(text, year);
        if (!period) return std::nullopt;
        periods.push_back(*period);
    }
    for (std::size_t at = 0; at < texts.size(); ++at) {
        note(texts[at], id, sure(periods[at].first + "/" + periods[at].after));
    }
    return Days{id, periods.front(), periods.back()};
}

}  // namespace quaestor::native
