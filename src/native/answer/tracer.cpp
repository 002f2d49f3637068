#include "native/answer/tracer.hpp"

#include "native/answer/answer_writer.hpp"
#include "native/characters.hpp"
#include "native/words.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace quaestor::native {

namespace {

bool is_same_date(const Mark& mark, int year, int month, int day) {
    const auto agrees = [](int said, int there) { return said == 0 || said == there; };
    if (!agrees(mark.year, year)) return false;
    return (agrees(mark.month, month) && agrees(mark.day, day)) ||
           (mark.day_may_be_month && mark.month == day && mark.day == month);
}

}  // namespace

std::vector<Claim> Tracer::claims(std::string_view text) const {
    std::vector<Claim> out;
    std::optional<std::size_t> sentence;
    SentenceContext context;
    Rows shown;
    for (const Mark& mark : answer_.marks) {
        if (sentence != mark.sentence) {
            sentence = mark.sentence;
            context = context_of(mark.sentence, shown);
        }
        Trace found = trace(mark, context);
        if (!is_claim(mark, found, context)) continue;
        if (found.cells.size() > kClaimCellsMax) found.cells.resize(kClaimCellsMax);
        const std::size_t begin = answer_.origin[mark.begin];
        const std::size_t end = answer_.origin[mark.end];
        if (is_said_too_often(found, mark, out)) found = {};
        out.push_back({begin, end, std::string(text.substr(begin, end - begin)), found.origin, std::move(found.cells),
                       found.passage});
    }
    return out;
}

/// A list of the only column's cells has none of them twice, unless the result has.
bool Tracer::is_said_too_often(const Trace& trace, const Mark& mark, const std::vector<Claim>& before) const {
    if (trace.origin != Origin::cell || trace.cells.empty() || mark.kind == Mark::Kind::name) return false;
    const CellPlace& cell = trace.cells.front();
    const data::ResultSet& result = *index_.results()[cell.result];
    if (result.columns.size() != 1 || result.row_count < 2 || result.row_count > kListedRowsMax) return false;
    const IndexedColumn& column = index_.columns_of(cell.result).front();
    const bool is_day = cell.row < column.days.size() && column.days[cell.row] != 0;
    if (!column.has_number(cell.row) && !is_day) return false;
    const std::size_t begin = answer_.origin[answer_.sentences[mark.sentence].begin];
    const auto said = std::ranges::count_if(before, [&](const Claim& claim) {
        return claim.begin >= begin && claim.origin == Origin::cell && !claim.cells.empty() &&
               claim.cells.front().row == cell.row;
    });
    const std::string text = result.columns.front().text(cell.row);
    std::ptrdiff_t there = 0;
    for (std::size_t row = 0; row < result.row_count; ++row) there += result.columns.front().text(row) == text ? 1 : 0;
    return said >= there;
}

Tracer::Trace Tracer::trace(const Mark& mark, const SentenceContext& context) const {
    switch (mark.kind) {
        case Mark::Kind::number:
            return trace_number(mark, context);
        case Mark::Kind::ordinal:
            return trace_ordinal(mark, context);
        case Mark::Kind::date:
            return trace_date(mark, context);
        case Mark::Kind::literal:
            return trace_literal(mark, context);
        case Mark::Kind::name:
            return trace_name(mark, context);
    }
    return {};
}

/// "third" is a place only where the sentence ranks; the number of a row that opens a line of a table is none.
bool Tracer::is_claim(const Mark& mark, const Trace& trace, const SentenceContext& context) const {
    if (trace.origin != Origin::none) return true;
    const MarkedSentence& sentence = answer_.sentences[mark.sentence];
    if (mark.kind == Mark::Kind::ordinal) return is_digit(slice(mark).front()) || context.has(Cue::ranking);
    if (mark.kind == Mark::Kind::name) return !is_no_name(mark, folded_words(answer_.plain, mark.begin, mark.end));
    const bool is_first_cell = sentence.cell_begins.size() > 1 && mark.begin < sentence.cell_begins[1];
    return !(is_first_cell && mark.is_bare && mark.value == static_cast<double>(sentence.table_line));
}

Tracer::Found Tracer::inside_name(const Mark& mark, const SentenceContext& context) const {
    for (const NamedRows& named : context.named) {
        if (!named.is_time && named.begin <= mark.begin && mark.end <= named.end)
            return Trace{Origin::cell, {named.cell}};
    }
    return std::nullopt;
}

Tracer::Trace Tracer::trace_ordinal(const Mark& mark, const SentenceContext& context) const {
    if (auto found = inside_name(mark, context)) return *found;
    for (const RowPlace& row : context.rows) {
        if (static_cast<double>(row.row + 1) == mark.value) return {Origin::rank, {{row.result, row.row, 0}}};
        for (const IndexedColumn* column : columns(context)) {
            if (column->result != row.result || !column->has_number(row.row)) continue;
            const double value = column->numbers[row.row];
            const auto [first, last] =
                std::ranges::equal_range(column->sorted, value, {}, &std::pair<double, std::size_t>::first);
            const auto below = first - column->sorted.begin();
            const auto above = column->sorted.end() - last;
            if (static_cast<double>(below + 1) == mark.value || static_cast<double>(above + 1) == mark.value) {
                return {Origin::rank, {{row.result, row.row, column->column}}};
            }
        }
    }
    if (auto found = in_question(mark)) return *found;
    return in_passages(mark).value_or(Trace{});
}

Tracer::Trace Tracer::trace_date(const Mark& mark, const SentenceContext& context) const {
    if (auto found = inside_name(mark, context)) return *found;
    for (const IndexedColumn& column : index_.columns()) {
        for (std::size_t row = 0; row < column.days.size(); ++row) {
            const int day = column.days[row];
            if (day == 0 || !is_same_date(mark, day / 10'000, day / 100 % 100, day % 100)) continue;
            const bool is_table = answer_.sentences[mark.sentence].kind == MarkedSentence::Kind::table_row;
            const bool is_named = std::ranges::binary_search(context.rows, RowPlace{column.result, row});
            if (is_named || !is_table) return {Origin::cell, {{column.result, row, column.column}}};
        }
    }
    if (auto found = in_question(mark)) return *found;
    return in_passages(mark).value_or(Trace{});
}

/// Found as it is written: "2022-23", "12:30".
Tracer::Trace Tracer::trace_literal(const Mark& mark, const SentenceContext& context) const {
    if (auto found = inside_name(mark, context)) return *found;
    const std::string key = joined_words(folded_words(answer_.plain, mark.begin, mark.end));
    for (const KnownText* text : index_.containing(key)) {
        const auto is_named = [&context](const CellPlace& cell) {
            return context.rows.empty() || std::ranges::binary_search(context.rows, RowPlace{cell.result, cell.row});
        };
        const auto cell = std::ranges::find_if(text->cells, is_named);
        if (cell != text->cells.end()) return {Origin::cell, {*cell}};
    }
    if (auto found = in_question(mark)) return *found;
    return in_passages(mark).value_or(Trace{});
}

Tracer::Trace Tracer::trace_name(const Mark& mark, const SentenceContext& context) const {
    for (const NamedRows& named : context.named) {
        if (named.begin <= mark.begin && mark.end <= named.end) return {Origin::cell, {named.cell}};
    }
    const std::vector<FoldedWord> words = folded_words(answer_.plain, mark.begin, mark.end);
    if (words.empty()) return {Origin::question};
    if (const auto texts = index_.containing(joined_words(words)); !texts.empty())
        return {Origin::cell, {texts.front()->cells.front()}};
    if (auto found = name_in_row(words)) return *found;
    if (auto found = in_question(mark)) return *found;
    return in_passages(mark).value_or(Trace{});
}

/// Each word in a cell of the same row: "Boston Celtics" from a city and a nickname.
Tracer::Found Tracer::name_in_row(const std::vector<FoldedWord>& words) const {
    if (words.size() < 2) return std::nullopt;
    Rows rows;
    CellPlace first;
    for (std::size_t at = 0; at < words.size(); ++at) {
        Rows here;
        for (const KnownText* text : index_.containing(words[at].text)) {
            for (const CellPlace& cell : text->cells) here.push_back({cell.result, cell.row});
            if (at == 0) first = text->cells.front();
        }
        std::ranges::sort(here);
        Rows both;
        if (at == 0) both = here;
        if (at > 0) std::ranges::set_intersection(rows, here, std::back_inserter(both));
        if (both.empty()) return std::nullopt;
        rows = std::move(both);
    }
    return Trace{Origin::cell, {{rows.front().result, rows.front().row, first.column}}};
}

/// A capital word that nothing knows may still be one of the answer's own: a column, or a word that only opens its
/// sentence.
bool Tracer::is_no_name(const Mark& mark, const std::vector<FoldedWord>& words) const {
    if (mark.is_quoted) return false;
    const auto is_column_word = [this](const FoldedWord& word) { return index_.names_column(stem(word.text)); };
    if (std::ranges::all_of(words, is_column_word)) return true;
    if (!mark.opens_sentence) return false;
    const std::string& word = words.front().text;
    if (word.ends_with("ly") || word.ends_with("ing")) return true;
    const auto is_stem = [&word](const FoldedWord& other) { return stem(other.text) == stem(word); };
    const auto said = folded_words(index_.question().words, 0, index_.question().words.size());
    if (std::ranges::any_of(said, is_stem)) return true;
    const std::string_view plain = answer_.plain;
    for (std::size_t at = plain.find(word); at != std::string_view::npos; at = plain.find(word, at + 1)) {
        if (at == 0 || plain[at - 1] == ' ') return true;
    }
    return false;
}

bool Tracer::says(const KnownProse& prose, const Mark& mark) const {
    if (mark.kind == Mark::Kind::name || mark.kind == Mark::Kind::literal) {
        const auto words = folded_words(answer_.plain, mark.begin, mark.end);
        if (words.empty()) return false;
        return prose.words.find(" " + joined_words(words) + " ") != std::string::npos;
    }
    return std::ranges::any_of(prose.marked.marks, [&mark](const Mark& other) {
        const bool is_number = mark.kind == Mark::Kind::number || mark.kind == Mark::Kind::ordinal;
        if (is_number) return other.kind == mark.kind && fits(mark, other.value);
        return other.kind == Mark::Kind::date && is_same_date(mark, other.year, other.month, other.day);
    });
}

Tracer::Found Tracer::in_question(const Mark& mark) const {
    return says(index_.question(), mark) ? Found(Trace{Origin::question}) : std::nullopt;
}

Tracer::Found Tracer::in_passages(const Mark& mark) const {
    for (std::size_t at = 0; at < index_.passages().size(); ++at) {
        if (says(index_.passages()[at], mark)) return Trace{Origin::passage, {}, at};
    }
    return std::nullopt;
}

}  // namespace quaestor::native
