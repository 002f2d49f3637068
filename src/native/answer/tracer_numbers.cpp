#include "native/answer/answer_writer.hpp"
#include "native/answer/tracer.hpp"
#include "native/characters.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace quaestor::native {

namespace {

/// Digits that make it unlikely that two numbers of a table are the same by chance.
constexpr std::size_t kTellingDigits = 4;

std::size_t digits_in(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, is_digit));
}

}  // namespace

bool fits(const Mark& mark, double value) {
    const auto is_near = [&mark](double other) {
        return std::abs(mark.value - other) <= mark.tolerance + 1e-9 * std::max(1.0, std::abs(other));
    };
    constexpr double kFractionMax = 1.5;
    return is_near(value) || (mark.is_percent && std::abs(value) <= kFractionMax && is_near(100 * value));
}

bool fits_size(const Mark& mark, double value) {
    return fits(mark, value) || (!mark.has_sign && fits(mark, -value));
}

Tracer::Found Tracer::cell_in(const Rows& rows, const Mark& mark, const SentenceContext& context) const {
    const auto is_mentioned = [&context](const IndexedColumn& column) {
        return std::ranges::find(context.columns, &column) != context.columns.end();
    };
    const MarkedSentence& sentence = answer_.sentences[mark.sentence];
    const auto cell = static_cast<std::size_t>(std::ranges::upper_bound(sentence.cell_begins, mark.begin) -
                                               sentence.cell_begins.begin());
    Found found;
    for (const RowPlace& row : rows) {
        const auto columns = index_.columns_of(row.result);
        const bool is_aligned = columns.size() == sentence.cell_begins.size() && cell > 0;
        for (const IndexedColumn& column : columns) {
            if (is_aligned && column.column != cell - 1) continue;
            const bool is_number = column.has_number(row.row) && fits(mark, column.numbers[row.row]);
            const bool is_year = mark.is_bare && row.row < column.days.size() &&
                                 static_cast<double>(column.days[row.row] / 10'000) == std::trunc(mark.value);
            const CellPlace place{row.result, row.row, column.column};
            if (!is_number && !is_year) continue;
            if (is_mentioned(column) || is_aligned) return Trace{Origin::cell, {place}};
            if (!found) found = Trace{Origin::cell, {place}};
        }
    }
    return found;
}

/// Where the sentence names no rows: all cells of a small result; of a larger one only numbers that are unlikely to be
/// the same by chance.
Tracer::Found Tracer::cell_anywhere(const Mark& mark, const SentenceContext& context) const {
    for (std::size_t result = 0; result < index_.results().size(); ++result) {
        const std::size_t rows = index_.results()[result]->row_count;
        if (rows > kListedRowsMax) continue;
        Rows all;
        for (std::size_t row = 0; row < rows; ++row) all.push_back({result, row});
        if (auto found = cell_in(all, mark, context)) return found;
    }
    if (digits_in(slice(mark)) < kTellingDigits) return std::nullopt;
    for (const IndexedColumn* column : columns(context)) {
        const auto at = std::ranges::lower_bound(column->sorted, mark.value - mark.tolerance, {},
                                                 &std::pair<double, std::size_t>::first);
        if (at != column->sorted.end() && fits(mark, at->first)) {
            return Trace{Origin::cell, {{column->result, at->second, column->column}}};
        }
    }
    for (const RowPlace& row : mark.is_bare ? rows_of_time(mark) : Rows{}) {
        if (auto found = cell_in({row}, mark, context)) return found;
    }
    return std::nullopt;
}

/// A line of a table with a cell for each column of a result: nothing in it is computed.
bool Tracer::shows_result(const MarkedSentence& sentence) const {
    return sentence.kind == MarkedSentence::Kind::table_row &&
           std::ranges::any_of(index_.results(), [&sentence](const data::ResultSet* result) {
               return result->columns.size() == sentence.cell_begins.size();
           });
}

/// A number that is part of a text in a cell, together with the words it stands behind: "Boeing 747".
Tracer::Found Tracer::part_of_text(const Rows& rows, const Mark& mark, const SentenceContext& context) const {
    const auto number =
        std::ranges::find_if(context.words, [&mark](const FoldedWord& word) { return word.end > mark.begin; });
    if (number == context.words.end()) return std::nullopt;
    std::size_t begin = mark.begin;
    if (number != context.words.begin()) begin = std::prev(number)->begin;
    for (const Mark& name : answer_.marks) {
        if (name.kind == Mark::Kind::name && name.end <= mark.begin && mark.begin - name.end <= 1) begin = name.begin;
    }
    std::vector<std::string> keys{joined_words(folded_words(answer_.plain, begin, mark.end))};
    if (digits_in(slice(mark)) >= 3) keys.push_back(number->text);
    for (const std::string& key : keys) {
        for (const KnownText* text : index_.containing(key)) {
            const auto cell = std::ranges::find_if(text->cells, [&rows](const CellPlace& place) {
                return rows.empty() || std::ranges::binary_search(rows, RowPlace{place.result, place.row});
            });
            if (cell != text->cells.end()) return Trace{Origin::cell, {*cell}};
        }
    }
    return std::nullopt;
}

/// "Region 7" where the cells of that name are "Region 4" and "Region 5": the number belongs to the name, and is wrong.
bool Tracer::contradicts_name(const Mark& mark) const {
    const auto name = std::ranges::find_if(answer_.marks, [&mark](const Mark& one) {
        return one.kind == Mark::Kind::name && !one.is_quoted && one.end + 1 == mark.begin;
    });
    if (name == answer_.marks.end() || !mark.is_bare) return false;
    const std::string key = joined_words(folded_words(answer_.plain, name->begin, name->end));
    const auto texts = index_.containing(key);
    return !texts.empty() && std::ranges::all_of(texts, [&](const KnownText* text) {
        const std::size_t at = text->words.find(key) + key.size();
        const std::string_view rest = std::string_view(text->words).substr(std::min(at + 1, text->words.size()));
        return !rest.empty() && is_digit(rest.front()) && rest != slice(mark);
    });
}

/// "There are 12 …": a statement of how many, not of a cell among many.
bool Tracer::is_stated_count(const Mark& mark, const SentenceContext& context) const {
    constexpr auto kBetween =
        std::to_array<std::string_view>({"are", "is", "were", "was", "more", "than", "only", "about", "least", "at"});
    auto at = std::ranges::find_if(context.words, [&mark](const FoldedWord& word) { return word.end > mark.begin; });
    while (at != context.words.begin()) {
        --at;
        if (at->text == "there" || at->text == "here") return mark.is_bare;
        if (std::ranges::find(kBetween, at->text) == kBetween.end()) return false;
    }
    return false;
}

Tracer::Found Tracer::number_in_cells(const Mark& mark, const SentenceContext& context, const Rows* pinned) const {
    if (is_stated_count(mark, context)) {
        Rows single;
        for (std::size_t result = 0; result < index_.results().size(); ++result) {
            if (index_.results()[result]->row_count == 1) single.push_back({result, 0});
        }
        return cell_in(single, mark, context);
    }
    const Rows& rows = pinned != nullptr ? *pinned : context.rows;
    auto found = rows.empty() ? cell_anywhere(mark, context) : cell_in(rows, mark, context);
    return found ? found : part_of_text(rows, mark, context);
}

Tracer::Trace Tracer::trace_number(const Mark& mark, const SentenceContext& context) const {
    if (auto found = inside_name(mark, context)) return *found;
    if (contradicts_name(mark)) return {};
    const Rows* pinned = pinned_rows(mark, context);
    if (auto found = number_in_cells(mark, context, pinned)) return *found;
    if (shows_result(answer_.sentences[mark.sentence])) return {};
    if (is_stated_count(mark, context)) {
        if (auto found = count(mark, context)) return *found;
        if (auto found = in_question(mark)) return *found;
        return in_passages(mark).value_or(Trace{});
    }
    if (pinned != nullptr) {
        if (auto found = share(mark, context)) return *found;
        if (auto found = pairs(mark, context)) return *found;
        return in_passages(mark).value_or(Trace{});
    }
    if (mark.is_bare && slice(mark).size() == kTellingDigits) {
        if (const Rows years = rows_of_time(mark); !years.empty()) {
            if (auto found = cell_in({years.front()}, mark, context)) return *found;
        }
    }
    if (auto found = derived(mark, context)) return *found;
    const bool is_in_table = answer_.sentences[mark.sentence].kind == MarkedSentence::Kind::table_row;
    if (!is_in_table) {
        if (auto found = in_question(mark)) return *found;
    }
    return in_passages(mark).value_or(Trace{});
}

}  // namespace quaestor::native
