#include "native/answer/answer_writer.hpp"
#include "native/answer/tracer.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace quaestor::native {

namespace {

/// Rows that are compared with each other.
constexpr std::size_t kComparedRowsMax = 12;
/// Columns of a row that are compared although the sentence mentions none of them.
constexpr std::size_t kUnmentionedColumnsMax = 4;

CellPlace cell_of(const IndexedColumn& column, std::size_t row) {
    return {column.result, row, column.column};
}

}  // namespace

std::vector<const IndexedColumn*> Tracer::columns(const SentenceContext& context) const {
    const auto has_numbers = [](const IndexedColumn* column) { return column->count > 0; };
    std::vector<const IndexedColumn*> out;
    std::ranges::copy_if(context.columns, std::back_inserter(out), has_numbers);
    if (!out.empty()) return out;
    for (const IndexedColumn& column : index_.columns()) {
        if (column.count > 0) out.push_back(&column);
    }
    return out;
}

Tracer::Found Tracer::derived(const Mark& mark, const SentenceContext& context) const {
    if (auto found = count(mark, context)) return found;
    if (auto found = extreme(mark, context)) return found;
    if (auto found = of_columns(mark, context)) return found;
    if (auto found = share(mark, context)) return found;
    if (auto found = pairs(mark, context)) return found;
    return pairs_across(mark, context);
}

Tracer::Found Tracer::count(const Mark& mark, const SentenceContext& context) const {
    if (!mark.is_bare) return std::nullopt;
    const auto is_it = [&mark](std::size_t amount) { return mark.value == static_cast<double>(amount); };
    const bool is_word = mark.tolerance == 0;
    if (is_word && context.groups.size() > 1 && is_it(context.groups.size())) return Trace{Origin::row_count};
    if (!context.has(Cue::counting) && !context.has(Cue::different)) return std::nullopt;
    for (const data::ResultSet* result : index_.results()) {
        if (is_it(result->row_count)) return Trace{Origin::row_count};
    }
    for (const Rows& group : context.groups) {
        if (group.size() > 1 && is_it(group.size())) return Trace{Origin::row_count};
    }
    for (const IndexedColumn* column : columns(context)) {
        const auto tied = [column](std::size_t row) {
            return static_cast<std::size_t>(
                std::ranges::count(column->sorted, column->numbers[row], &std::pair<double, std::size_t>::first));
        };
        const std::size_t highest = tied(column->highest);
        const std::size_t lowest = tied(column->lowest);
        if (highest > 1 && is_it(highest)) return Trace{Origin::row_count, {cell_of(*column, column->highest)}};
        if (lowest > 1 && is_it(lowest)) return Trace{Origin::row_count, {cell_of(*column, column->lowest)}};
    }
    return std::nullopt;
}

Tracer::Found Tracer::extreme(const Mark& mark, const SentenceContext& context) const {
    if (!context.has(Cue::extreme)) return std::nullopt;
    for (const IndexedColumn* column : columns(context)) {
        for (const std::size_t row : {column->highest, column->lowest}) {
            if (fits(mark, column->numbers[row])) return Trace{Origin::extreme, {cell_of(*column, row)}};
        }
    }
    return std::nullopt;
}

/// The sum or average of a column, or of the rows that are named.
Tracer::Found Tracer::of_columns(const Mark& mark, const SentenceContext& context) const {
    if (!context.has(Cue::summing) && !context.has(Cue::averaging)) return std::nullopt;
    const auto judge = [&](double sum, std::size_t count, std::vector<CellPlace> cells) -> Found {
        if (count < 2) return std::nullopt;
        if (context.has(Cue::summing) && fits(mark, sum)) return Trace{Origin::sum, std::move(cells)};
        const bool is_average = context.has(Cue::averaging) && fits(mark, sum / static_cast<double>(count));
        return is_average ? Found(Trace{Origin::average, std::move(cells)}) : std::nullopt;
    };
    for (const IndexedColumn* column : columns(context)) {
        if (auto found = judge(column->sum, column->count, {})) return found;
        double sum = 0;
        std::vector<CellPlace> cells;
        for (const RowPlace& row : context.rows) {
            if (row.result != column->result || !column->has_number(row.row)) continue;
            sum += column->numbers[row.row];
            cells.push_back(cell_of(*column, row.row));
        }
        const std::size_t count = cells.size();
        if (auto found = judge(sum, count, std::move(cells))) return found;
    }
    return std::nullopt;
}

Tracer::Found Tracer::share(const Mark& mark, const SentenceContext& context) const {
    if (!mark.is_percent || !context.has(Cue::sharing)) return std::nullopt;
    for (const IndexedColumn* column : columns(context)) {
        if (column->sum == 0) continue;
        double group = 0;
        for (const RowPlace& row : compared_rows(*column, context)) {
            const double value = column->numbers[row.row];
            group += value;
            if (fits(mark, 100 * value / column->sum)) return Trace{Origin::share, {cell_of(*column, row.row)}};
        }
        if (context.rows.size() > 1 && fits(mark, 100 * group / column->sum)) return Trace{Origin::share};
    }
    return std::nullopt;
}

/// The rows of a column that a sentence may compare: those it names; where it names one or none, those beside it in the
/// order of the column, and the ends.
Tracer::Rows Tracer::compared_rows(const IndexedColumn& column, const SentenceContext& context) const {
    Rows rows;
    const auto add = [&](std::size_t row) {
        const RowPlace place{column.result, row};
        if (column.has_number(row) && std::ranges::find(rows, place) == rows.end() && rows.size() < kComparedRowsMax)
            rows.push_back(place);
    };
    for (const RowPlace& row : context.rows) {
        if (row.result == column.result) add(row.row);
    }
    if (rows.size() > 1 || column.numbers.empty()) return rows;
    if (rows.size() == 1) {
        const std::pair key(column.numbers[rows.front().row], rows.front().row);
        const auto at = std::ranges::lower_bound(column.sorted, key);
        if (at != column.sorted.begin()) add(std::prev(at)->second);
        if (at != column.sorted.end() && std::next(at) != column.sorted.end()) add(std::next(at)->second);
    }
    for (const std::size_t row :
         {std::size_t{0}, std::size_t{1}, column.numbers.size() - 1, column.highest, column.lowest})
        add(row);
    return rows;
}

/// Difference, growth or ratio of two numbers, where the sentence has a word for it.
Tracer::Found Tracer::pair(const Mark& mark, const SentenceContext& context, double left, double right) const {
    if (context.has(Cue::comparing) && !mark.is_ratio) {
        if (fits_size(mark, left - right)) return Trace{Origin::difference};
        if (mark.is_percent && left != 0 && fits_size(mark, 100 * (right - left) / left)) return Trace{Origin::growth};
        if (mark.is_percent && right != 0 && fits_size(mark, 100 * (left - right) / right))
            return Trace{Origin::growth};
    }
    const bool may_divide = mark.is_ratio || mark.is_percent || (context.has(Cue::multiplying) && !mark.is_bare);
    if (!may_divide) return std::nullopt;
    for (const auto& [above, below] : {std::pair(left, right), std::pair(right, left)}) {
        if (below == 0) continue;
        const double quotient = above / below;
        const bool is_spoken = mark.is_ratio && mark.tolerance == 0 && std::abs(quotient - mark.value) < 0.1;
        if (is_spoken || (!mark.is_percent && fits(mark, quotient))) return Trace{Origin::ratio};
        if (mark.is_percent && context.has(Cue::sharing) &&
            std::abs(mark.value - 100 * quotient) <= mark.tolerance + 1e-9)
            return Trace{Origin::ratio};
    }
    return std::nullopt;
}

Tracer::Found Tracer::pairs(const Mark& mark, const SentenceContext& context) const {
    for (const IndexedColumn* column : columns(context)) {
        const Rows rows = compared_rows(*column, context);
        for (std::size_t left = 0; left < rows.size(); ++left) {
            for (std::size_t right = left + 1; right < rows.size(); ++right) {
                auto found = pair(mark, context, column->numbers[rows[left].row], column->numbers[rows[right].row]);
                if (!found) continue;
                found->cells = {cell_of(*column, rows[left].row), cell_of(*column, rows[right].row)};
                return found;
            }
        }
    }
    return std::nullopt;
}

/// Two columns of one row; and one row each of two results, in columns of the same name.
Tracer::Found Tracer::pairs_across(const Mark& mark, const SentenceContext& context) const {
    std::vector<std::pair<const IndexedColumn*, std::size_t>> cells;
    const auto numeric = columns(context);
    for (const IndexedColumn* column : numeric) {
        const bool is_single = index_.results()[column->result]->row_count == 1;
        if (is_single) cells.emplace_back(column, 0);
        for (const RowPlace& row : context.rows) {
            const bool is_here = row.result == column->result && column->has_number(row.row) && !is_single;
            if (is_here && cells.size() < kComparedRowsMax * kUnmentionedColumnsMax)
                cells.emplace_back(column, row.row);
        }
    }
    const bool may_mix = !context.columns.empty() || numeric.size() <= kUnmentionedColumnsMax;
    for (std::size_t left = 0; left < cells.size(); ++left) {
        for (std::size_t right = left + 1; right < cells.size(); ++right) {
            const auto& [one, one_row] = cells[left];
            const auto& [other, other_row] = cells[right];
            const bool is_row = one->result == other->result && one_row == other_row && may_mix;
            const bool is_column = one->result != other->result && one->stems == other->stems;
            if (!is_row && !is_column) continue;
            if (!one->has_number(one_row) || !other->has_number(other_row)) continue;
            auto found = pair(mark, context, one->numbers[one_row], other->numbers[other_row]);
            if (!found) continue;
            found->cells = {cell_of(*one, one_row), cell_of(*other, other_row)};
            return found;
        }
    }
    return std::nullopt;
}

}  // namespace quaestor::native
