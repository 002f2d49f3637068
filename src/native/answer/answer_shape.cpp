#include "native/answer/answer_shape.hpp"

#include "native/characters.hpp"
#include "native/reading/wording_nouns.hpp"
#include "native/spoken_words.hpp"
#include "native/words.hpp"

#include <algorithm>
#include <array>

namespace quaestor::native {

namespace {

using Role = AnswerColumn::Role;

template <class List>
bool holds(const List& list, std::string_view word) {
    return std::ranges::find(list, word) != list.end();
}

/// "2023", "2023-05", "2023-05-03", "2022-23", with a time behind it.
bool looks_like_time(std::string_view text) {
    constexpr std::size_t kYearDigits = 4;
    if (text.size() < kYearDigits || !std::ranges::all_of(text.substr(0, kYearDigits), is_digit)) return false;
    if (text.size() == kYearDigits) return text.front() == '1' || text.front() == '2';
    return text.size() >= 7 && (text[kYearDigits] == '-' || text[kYearDigits] == '/') && is_digit(text[5]) &&
           is_digit(text[6]);
}

bool holds_times(const data::ResultColumn& column) {
    const std::size_t rows = std::min(column.size(), kJudgedRowsMax);
    if (rows == 0) return false;
    for (std::size_t row = 0; row < rows; ++row) {
        if (column.is_null(row) || !looks_like_time(column.text(row))) return false;
    }
    return true;
}

bool names_a_period(const NumberStyle& style) {
    constexpr auto kPeriods =
        std::to_array<std::string_view>({"year", "season", "month", "quarter", "weekday", "decade"});
    const auto words = plain_words(style.name);
    return !words.empty() && holds(kPeriods, words.back());
}

Role role_of(const data::ResultColumn& column, const NumberStyle& style) {
    using data::ValueKind;
    switch (column.kind()) {
        case ValueKind::date:
        case ValueKind::timestamp:
            return Role::time;
        case ValueKind::text:
            return holds_times(column) ? Role::time : Role::label;
        case ValueKind::integer:
        case ValueKind::number:
        case ValueKind::decimal:
            if (style.is_plain) return names_a_period(style) ? Role::time : Role::identity;
            return Role::measure;
        default:
            return Role::other;
    }
}

}  // namespace

std::optional<std::string> AnswerColumn::calendar_name(std::size_t row) const {
    const auto* part = meaning == nullptr ? nullptr : std::get_if<PartOf>(&meaning->node);
    const auto number = part == nullptr ? std::nullopt : cells->number(row);
    if (!number) return std::nullopt;
    const auto name_among = [&](const auto& names) -> std::optional<std::string> {
        const auto found = std::ranges::find(names, static_cast<int>(*number), &SpokenNumber::number);
        return found == names.end() ? std::nullopt : std::optional(capitalised(std::string(found->word)));
    };
    if (part->part == DatePart::month) return name_among(kMonths);
    return part->part == DatePart::weekday ? name_among(kWeekdays) : std::nullopt;
}

std::string AnswerColumn::say(std::size_t row) const {
    const std::string said = calendar_name(row).value_or(say_value(*cells, row, style));
    return last_names == nullptr ? said : said + " " + say_value(*last_names, row, style);
}

Wish wish_of(std::string_view question) {
    constexpr auto kVerbs = std::to_array<std::string_view>(
        {"is", "are", "was", "were", "do", "does", "did", "has", "have", "had", "can", "could", "will"});
    constexpr auto kThere = std::to_array<std::string_view>({"there", "any"});
    const auto words = plain_words(question.substr(0, std::min<std::size_t>(question.size(), 200)));
    if (words.size() < 2) return Wish::facts;
    if (words[0] == "how" && words[1] == "many") return Wish::count;
    if (!holds(kVerbs, words[0])) return Wish::facts;
    const bool has_any = words[0] != "can" && std::ranges::find(words, "any") != words.end();
    return holds(kThere, words[1]) || has_any || (words.size() > 2 && words[1] == "we" && words[2] == "have")
               ? Wish::existence
               : Wish::truth;
}

std::optional<std::string> counted_noun(std::string_view question) {
    const auto words = plain_words(question.substr(0, std::min<std::size_t>(question.size(), 200)));
    if (words.size() < 3 || words[0] != "how" || words[1] != "many") return std::nullopt;
    const bool stands_alone = words.size() == 3 || is_stop_word(words[3]);
    const bool is_word = !is_stop_word(words[2]) && std::ranges::none_of(words[2], is_digit);
    return stands_alone && is_word ? std::optional(words[2]) : std::nullopt;
}

AnswerShape::AnswerShape(const AnswerInput& input) : result(*input.result) {
    if (input.schema != nullptr && input.spoken != nullptr) form = input.form;
    const bool has_meaning = form != nullptr && form->select.size() == result.columns.size();
    for (std::size_t at = 0; at < result.columns.size(); ++at) {
        AnswerColumn column{.cells = &result.columns[at], .style = style_of(result.columns[at])};
        if (has_meaning) column.meaning = &form->select[at];
        column.role = role_of(*column.cells, column.style);
        columns.push_back(std::move(column));
    }
    join_names();
    for (const AnswerColumn& column : columns) {
        if (column.role == Role::label && label == nullptr) label = &column;
        if (column.role == Role::time && time == nullptr) time = &column;
        if (column.role == Role::measure) measures.push_back(&column);
    }
    for (const AnswerColumn& column : columns) {
        if (label == nullptr && column.role == Role::identity) label = &column;
    }
    find_order();
}

/// First and last name side by side name one person.
void AnswerShape::join_names() {
    constexpr auto kFirst = std::to_array<std::string_view>({"first name", "forename", "given name", "firstname"});
    constexpr auto kLast =
        std::to_array<std::string_view>({"last name", "surname", "family name", "lastname", "second name"});
    const auto is_called = [](const AnswerColumn& column, const auto& names) {
        return column.role == Role::label && holds(names, name_words(column.cells->name()));
    };
    for (std::size_t at = 0; at + 1 < columns.size(); ++at) {
        if (!is_called(columns[at], kFirst) || !is_called(columns[at + 1], kLast)) continue;
        columns[at].last_names = columns[at + 1].cells;
        columns[at].style.name = "name";
        columns.erase(columns.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }
}

void AnswerShape::find_order() {
    if (result.row_count < 2) return;
    if (form != nullptr && !form->combined) {
        if (form->order.empty()) return;
        for (const AnswerColumn* measure : measures) {
            if (measure->meaning == nullptr || !(*measure->meaning == form->order.front().by)) continue;
            ordered = measure;
            descending = form->order.front().descending;
        }
        return;
    }
    for (const AnswerColumn* measure : measures) {
        const auto falls = [measure](std::size_t row) {
            const auto here = measure->cells->number(row);
            const auto next = measure->cells->number(row + 1);
            return here && next && *here >= *next;
        };
        bool is_falling = true;
        for (std::size_t row = 0; row + 1 < result.row_count && is_falling; ++row) is_falling = falls(row);
        const bool is_flat = is_falling && measure->cells->number(0) == measure->cells->number(result.row_count - 1);
        if (is_falling && !is_flat && ordered == nullptr) ordered = measure;
    }
}

}  // namespace quaestor::native
