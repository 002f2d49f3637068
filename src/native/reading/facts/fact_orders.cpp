#include "native/reading/facts/fact_query.hpp"

#include <algorithm>
#include <array>

namespace quaestor::native::facts {

namespace {

constexpr std::size_t kSeveral = 5;
constexpr double kSilentCount = 0.35;
constexpr double kSilentSum = 0.3;
/// A greatest value where somebody, or a day, is asked for; and a column beside it that was said.
constexpr double kNotAsked = 0.5;
constexpr double kLeftOut = 0.3;
/// Numbers that say which, not how much: never added up.
constexpr auto kRankingWords = std::to_array<std::string_view>({"rank", "pick", "round", "place", "position", "seed"});

}  // namespace

bool FactQuery::is_lower_better(ColumnId column) const {
    return view_.knowledge().described(column).description.contains("lower is better") || is_ranking(column) ||
           view_.has_word(column, "loss") || view_.has_word(column, "turnover");
}

bool FactQuery::is_descending(ColumnId column) const {
    std::string_view about = said_.order_about;
    while (!about.empty()) {
        const std::string_view entry = about.substr(0, about.find(' '));
        if (view_.has_word(column, entry.substr(0, entry.size() - 1))) return entry.back() == '-';
        about.remove_prefix(std::min(entry.size() + 1, about.size()));
    }
    return said_.is_better && is_lower_better(column) ? !*said_.descending : *said_.descending;
}

/// "the tallest players": more than one, and nobody said how many.
bool FactQuery::asks_for_several() const {
    if (entity_ < 0) return false;
    return std::ranges::any_of(said_.asked, [this](std::size_t at) {
        return names_.names_table(at, entity_) == 1 && names_.folded(at) != names_.stem_of(at) && at > said_.order_at;
    });
}

/// Whether rows of the table have the names of others, as games have their referees.
bool FactQuery::are_names_shared() const {
    const auto rows = view_.knowledge().described_table(root_).rows;
    return rows && std::ranges::all_of(view_.labels(root_), [&](ColumnId id) {
               const auto distinct = view_.knowledge().described(id).distinct;
               return distinct && *distinct * 2 < *rows;
           });
}

/// A number that says which, not how much.
bool FactQuery::is_ranking(ColumnId column) const {
    return std::ranges::any_of(kRankingWords, [&](std::string_view word) { return view_.has_word(column, word); });
}

/// "When did they last meet": the latest or the earliest day of such rows.
bool FactQuery::when_at_last() {
    const bool is_of_days = said_.asks_when && time_ && view_.is_date(time_->column) && !has_time();
    const bool is_plain = columns_.empty() || (columns_.size() == 1 && columns_.front().ref.column == time_->column);
    if (!is_of_days || !is_plain || where_.empty()) return false;
    const Aggregate end = is_descending(time_->column) ? Aggregate::max : Aggregate::min;
    query_.select = {{AggregateOf{end, false, Expression{*time_}, {}}}};
    rule_ = "latest day";
    return true;
}

bool FactQuery::ordered() {
    if (when_at_last()) return true;
    const ChosenColumn* key = nullptr;
    const ChosenColumn* asked = nullptr;
    for (const ChosenColumn& column : columns_) {
        // "the most picks" are counted.
        // So are "the most games with more than 30 points".
        const bool is_tested = std::ranges::find(tested_, column.ref.column) != tested_.end();
        if (said_.is_most && (is_ranking(column.ref.column) || is_tested)) continue;
        const bool can_order = is_amount(column.ref) || view_.says_when(column.ref.column);
        if (can_order && (key == nullptr || key->words.front() < said_.order_at)) key = &column;
        if (!can_order && asked == nullptr) asked = &column;
    }
    const std::string limit = std::to_string(said_.limit != 0                         ? said_.limit
                                             : asked == nullptr && asks_for_several() ? kSeveral
                                                                                      : 1);
    if (entity_ < 0 && asked == nullptr) {
        if (key == nullptr || said_.limit > 0) return false;
        if (said_.asks_who || said_.asks_when || said_.asks_where) cost_ += kNotAsked;
        cost_ += kLeftOut * static_cast<double>(columns_.size() - 1);
        const Aggregate extreme = is_descending(key->ref.column) ? Aggregate::max : Aggregate::min;
        query_.select = {{AggregateOf{extreme, false, in_unit_said(key->ref), {}}}};
        rule_ = "greatest value";
        return true;
    }
    query_.select = asked != nullptr ? std::vector<Expression>{of_row(asked->ref)} : labels();
    if (query_.select.empty()) return false;
    rule_ = "ordered";
    if (key != nullptr) {
        order_by(*key, asked);
    } else if (!order_by_count(asked)) {
        return false;
    }
    query_.limit = Limit{Limit::Kind::first, Constant{limit}};
    return true;
}

/// What is shown, by how many rows it has.
bool FactQuery::order_by_count(const ChosenColumn* asked) {
    if (entity_ == root_ && asked == nullptr && !are_names_shared()) return false;
    const Expression rows{AggregateOf{Aggregate::count, false, Expression{ColumnRef{}}, {}}};
    cost_ += kSilentCount;
    query_.group = query_.select;
    query_.select.push_back(rows);
    query_.order = {{rows, *said_.descending}};
    if (asked != nullptr) where_.push_back({IsNull{of_row(asked->ref), true}});
    return true;
}

/// What is shown, by a column of its rows, added up where it has several.
void FactQuery::order_by(const ChosenColumn& key, const ChosenColumn* asked) {
    const bool is_of_key = view_.table_of(key.ref.column) == root_ && view_.column(key.ref.column).is_primary;
    const bool is_of_one = said_.is_single || (said_.is_highest && !said_.aggregate && !is_rate(key.ref.column));
    const bool is_grouped =
        !is_of_one && !is_of_key && !is_ranking(key.ref.column) && !(asked == nullptr && is_row_for_each());
    if (is_grouped) query_.group = query_.select;
    if (is_grouped && !said_.aggregate) cost_ += is_rate(key.ref.column) ? kSilentAggregate : kSilentSum;
    for (const ChosenColumn& column : columns_) {
        const bool is_date_said = &column == &key && view_.says_when(column.ref.column) && column.words.size() > 1;
        const bool is_shown_too = &column != asked && (&column != &key || is_date_said) && !is_grouped;
        if (is_amount(column.ref) || is_shown_too) query_.select.push_back(measured(column, is_grouped));
    }
    query_.order = {{measured(key, is_grouped), is_descending(key.ref.column)}};
    if (view_.knowledge().described(key.ref.column).nulls.value_or(1) > 0) {
        where_.push_back({IsNull{of_row(key.ref), true}});
    }
}

/// "the last five hires": by when it was.
bool FactQuery::last_of_time() {
    const bool is_own = time_ && view_.table_of(time_->column) == root_;
    if (is_own && entity_ < 0 && names_.said(time_->column, said_.taken).score > 0) entity_ = root_;
    if (!is_own || entity_ != root_ || said_.limit == 0) return false;
    query_.select = labels();
    query_.order = {{Expression{*time_}, *said_.is_last_of_time}};
    query_.limit = Limit{Limit::Kind::first, Constant{std::to_string(said_.limit)}};
    where_.push_back({IsNull{Expression{*time_}, true}});
    rule_ = "last of a time";
    return !query_.select.empty();
}

}  // namespace quaestor::native::facts
