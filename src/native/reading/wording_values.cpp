#include "native/lower.hpp"
#include "native/reading/wording_nouns.hpp"
#include "native/reading/wording_phrases.hpp"
#include "native/spoken_words.hpp"

#include <charconv>

namespace quaestor::native {

namespace {

/// Shorter numbers may be years or other names.
constexpr std::size_t kGroupedDigitsMin = 5;

std::string in_quotes(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
    return out + '"';
}

/// A number of a month or weekday as its name; other parts as they are.
template <std::size_t Size>
std::string spoken_name(const std::array<SpokenNumber, Size>& names, const std::string& number) {
    for (const auto& [word, value] : names) {
        if (std::to_string(value) == number) return capitalised(std::string(word));
    }
    return number;
}

std::string part_name(DatePart part, const std::string& number) {
    if (part == DatePart::month) return spoken_name(kMonths, number);
    if (part == DatePart::weekday) return spoken_name(kWeekdays, number);
    return number;
}

std::string number_or_quoted(const std::string& text) {
    const auto number = number_of(text);
    if (!number) return in_quotes(text);
    const std::size_t digits = std::min(number->find('.'), number->size());
    return digits >= kGroupedDigitsMin ? with_thousands(*number) : *number;
}

}  // namespace

std::string said_text(const Value& value, const Spoken& spoken) {
    if (const auto* constant = std::get_if<Constant>(&value)) return constant->text;
    const auto [first, last] = std::get<Words>(value);
    const bool is_inside =
        first <= last && last < spoken.words.size() && spoken.words[last].end <= spoken.question.size();
    if (!is_inside) return "?";
    const std::size_t begin = spoken.words[first].begin;
    return std::string(spoken.question.substr(begin, spoken.words[last].end - begin));
}

std::string Phrases::said(const Value& value) const {
    return said_text(value, spoken_);
}

std::string Phrases::value(const Value& value, const Expression& compared) const {
    const std::string text = said(value);
    if (const auto* part = std::get_if<PartOf>(&compared.node))
        return part_name(part->part, part_value(part->part, text));
    const ColumnId id = column_of(compared);
    if (id == 0) return number_or_quoted(text);
    const SchemaColumn& column = names_[id];
    if (column.kind == ColumnKind::boolean) {
        const auto truth = truth_of(text);
        return truth ? (*truth ? "yes" : "no") : in_quotes(text);
    }
    if (column.kind == ColumnKind::number) return number_or_quoted(text);
    if (column.is_iso_date || column.kind == ColumnKind::time) return text;
    return in_quotes(spoken_.values == nullptr ? text : spoken_.values->spelling(id, text).text);
}

std::size_t Phrases::row_count(const Value& value) const {
    const std::string number = number_of(said(value)).value_or("1");
    std::size_t count = 1;
    std::from_chars(number.data(), number.data() + number.size(), count);
    return count;
}

}  // namespace quaestor::native
