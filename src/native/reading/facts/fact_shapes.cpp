#include "native/reading/facts/fact_query.hpp"
#include "native/reading/rules/conditions.hpp"

#include <algorithm>
#include <array>

namespace quaestor::native::facts {

namespace {

/// Guessing that "went to overtime" means more than none.
constexpr double kSilentExistence = 0.25;
constexpr double kNothingAsked = 0.5;
constexpr std::size_t kShownMax = 8;

constexpr auto kRateWords = std::to_array<std::string_view>(
    {"per",   "pct",   "percent", "percentage",  "rate",   "rating",      "average", "avg",
     "mean",  "ratio", "rank",    "pace",        "share",  "age",         "height",  "weight",
     "price", "score", "index",   "probability", "median", "temperature", "behind",  "capacity"});

}  // namespace

/// A number that measures something.
bool FactQuery::is_amount(const ColumnRef& ref) const {
    return view_.column(ref.column).is_amount() && !view_.is_year(ref.column);
}

void FactQuery::add_where() {
    query_.where = rules::joined(std::move(where_));
}

bool FactQuery::shape() {
    if (entity_ < 0 && !several_.empty()) entity_ = several_.front();
    const bool is_share = said_.share_at && std::ranges::none_of(columns_, [this](const ChosenColumn& one) {
                              // "FG%": the mark belongs to the word before it.
                              return std::ranges::any_of(one.words, [this](std::size_t word) {
                                  return word == *said_.share_at || word + 1 == *said_.share_at;
                              });
                          });
    if (is_share) return share();
    if (said_.rank_at && ranked()) return true;
    if (said_.times) return repeated();
    choose_record();
    if (record()) return true;
    if (said_.is_difference && difference()) return true;
    if (said_.per_at && per_row_of_table()) return true;
    if (said_.is_commonest && said_.descending) {
        if (columns_.size() != 1 || is_amount(columns_.front().ref)) return false;
        entity_ = -1;
    }
    const auto is_time_word = [this](std::size_t at) {
        return at < names_.size() && time_ && !is_row_of(at) &&
               (names_.stem_of(at) == "season" || names_.stem_of(at) == "year" || names_.is_in_name(time_->column, at));
    };
    // "per season type" is no time.
    const bool is_kind_of_time = std::ranges::any_of(columns_, [&](const ChosenColumn& one) {
        return one.words.size() > 1 && !view_.says_when(one.ref.column) && !is_amount(one.ref) &&
               std::ranges::any_of(one.words, is_time_word);
    });
    const bool is_by_time = time_ && !has_time() && !is_kind_of_time &&
                            (said_.is_over_time || std::ranges::any_of(said_.grouped_by, is_time_word));
    if (is_by_time) return over_time();
    if (!said_.grouped_by.empty() && !said_.descending && grouped()) return true;
    if (said_.descending) return ordered();
    if (said_.is_last_of_time) return last_of_time();
    const auto is_open_measure = [this](const ChosenColumn& one) {
        return is_amount(one.ref) && std::ranges::find(tested_, one.ref.column) == tested_.end();
    };
    const bool has_measure = std::ranges::any_of(columns_, is_open_measure);
    bool counts_entity = false;
    for (std::size_t at = 0; at + 2 < names_.size() && entity_ >= 0; ++at) {
        const bool is_asked = names_.folded(at) == "how" && names_.folded(at + 1) == "many";
        counts_entity |= is_asked && (names_.names_table(at + 2, entity_) > 0 ||
                                      (at + 3 < names_.size() && names_.names_table(at + 3, entity_) > 0 &&
                                       names_.folded(at + 2) == "different"));
    }
    if (said_.asks_how_many && (!has_measure || counts_entity)) return counted();
    return listed();
}

/// Whether rows of the table are told apart by what is said or shown, so that nothing has to be added up.
bool FactQuery::is_row_for_each() const {
    const bool is_one_row = std::ranges::find(fixed_, root_) != fixed_.end();
    if (root_ == entity_ || is_one_row) return true;
    bool has_key = false;
    for (const ColumnId id : view_.schema().columns_of(root_)) {
        if (view_.is_unique(id) && view_.target_of(id) && is_fixed(id)) return true;
        if (!view_.column(id).is_primary) continue;
        has_key = true;
        if (!is_fixed(id)) return false;
    }
    return has_key;
}

bool FactQuery::is_fixed(ColumnId key) const {
    if (time_ && key == time_->column) return is_time_fixed_;
    const auto target = view_.target_of(key);
    if (!target) return false;
    const auto has = [target](const std::vector<TableId>& tables) {
        return std::ranges::find(tables, *target) != tables.end();
    };
    return *target == entity_ || has(fixed_) || has(several_);
}

bool FactQuery::is_rate(ColumnId column) const {
    return std::ranges::any_of(kRateWords, [&](std::string_view word) { return view_.has_word(column, word); });
}

/// Whether the word says a row of the table, or the row of another that only one belongs to.
bool FactQuery::is_row_of(std::size_t word) const {
    for (std::size_t at = 0; at < view_.schema().tables().size(); ++at) {
        const auto table = static_cast<TableId>(at);
        const auto keys = view_.keys_between(root_, table);
        const bool is_one = table == root_ || (keys.size() == 1 && view_.is_unique(keys.front()));
        if (is_one && names_.names_table(word, table) > 0) return true;
    }
    return false;
}

Expression FactQuery::measured(const ChosenColumn& column, bool is_grouped) const {
    const Expression plain =
        column.times.column == 0
            ? in_unit_said(column.ref)
            : Expression{Calculation{Arithmetic::multiply, of_row(column.ref), of_row(column.times)}};
    if (!is_grouped) return plain;
    const bool is_worth = said_.worth_at && column.words.front() == *said_.worth_at;
    const bool is_per_row = said_.per_at && *said_.per_at < names_.size() && is_row_of(*said_.per_at);
    const bool is_mean = (is_rate(column.ref.column) && !is_worth) || is_per_row;
    const Aggregate natural = is_mean ? Aggregate::avg : Aggregate::sum;
    return {AggregateOf{said_.aggregate.value_or(natural), false, plain, {}}};
}

std::vector<Expression> FactQuery::labels() const {
    std::vector<Expression> out;
    const bool is_named = named_by_ != 0 && view_.table_of(named_by_) == entity_;
    for (const ColumnId label : is_named ? std::vector{named_by_} : view_.labels(entity_)) {
        if (const auto ref = reached(label)) out.push_back({*ref});
    }
    return out;
}

/// "of each team", "by position": a measure, or how many rows, for each of them.
bool FactQuery::grouped() {
    std::vector<Expression> by;
    for (const std::size_t at : said_.grouped_by) {
        for (std::size_t table = 0; table < view_.schema().tables().size() && by.empty(); ++table) {
            const auto id = static_cast<TableId>(table);
            if (at >= names_.size() || names_.names_table(at, id) < 1 || !view_.has_names(id)) continue;
            if (id == root_ || !view_.has_one(root_, id)) continue;
            for (const ColumnId label : view_.labels(id)) {
                if (const auto ref = reached(label)) by.push_back({*ref});
            }
        }
        const auto column = std::ranges::find_if(
            columns_, [at](const ChosenColumn& one) { return std::ranges::find(one.words, at) != one.words.end(); });
        if (by.empty() && column != columns_.end() && !is_amount(column->ref)) by.push_back(of_row(column->ref));
    }
    if (by.empty()) return false;
    query_.select = by;
    query_.group = by;
    for (const ChosenColumn& column : columns_) {
        if (is_amount(column.ref)) query_.select.push_back(measured(column, true));
    }
    if (query_.select.size() == by.size()) {
        const auto keys = entity_ < 0 ? std::vector<ColumnId>() : view_.keys_between(root_, entity_);
        const bool is_one_each = keys.size() == 1 && view_.is_unique(keys.front());
        if (!said_.asks_how_many || (entity_ >= 0 && entity_ != root_ && !is_one_each)) return false;
        query_.select.push_back({AggregateOf{Aggregate::count, false, Expression{ColumnRef{}}, {}}});
    }
    rule_ = "grouped";
    return true;
}

bool FactQuery::over_time() {
    const auto is_said = [this](std::string_view unit) {
        return std::ranges::any_of(said_.grouped_by,
                                   [&](std::size_t at) { return at < names_.size() && names_.stem_of(at) == unit; });
    };
    const bool is_date = view_.is_date(time_->column);
    const bool is_by_year = is_date && (is_said("year") || is_said("season"));
    const Expression when = is_by_year                    ? Expression{PartOf{DatePart::year, *time_}}
                            : is_date && is_said("month") ? Expression{PartOf{DatePart::month, *time_}}
                                                          : Expression{*time_};
    query_.select = {when};
    is_time_fixed_ = !is_by_year;
    if (columns_.empty()) {
        if (entity_ != root_ && entity_ >= 0) return false;
        query_.select.push_back({AggregateOf{Aggregate::count, false, Expression{ColumnRef{}}, {}}});
        query_.group = {when};
    } else {
        const bool is_grouped = !is_row_for_each();
        for (const ChosenColumn& column : columns_) {
            if (is_amount(column.ref)) query_.select.push_back(measured(column, is_grouped));
        }
        if (query_.select.size() == 1) return false;
        if (is_grouped) query_.group = {when};
        if (is_grouped && !said_.aggregate) cost_ += kSilentAggregate;
    }
    query_.order = {{when, false}};
    rule_ = "over time";
    return true;
}

bool FactQuery::counted() {
    Expression count{AggregateOf{Aggregate::count, false, Expression{ColumnRef{}}, {}}};
    if (entity_ >= 0 && entity_ != root_) {
        const auto keys = view_.keys_between(root_, entity_);
        if (keys.size() != 1) return false;
        count = {AggregateOf{Aggregate::count, true, Expression{ColumnRef{keys.front(), 0}}, {}}};
        cost_ += said_.is_distinct ? 0 : kSilentAggregate;
    }
    std::vector<Expression> groups;
    for (const ChosenColumn& column : columns_) {
        const bool is_tested = std::ranges::find(tested_, column.ref.column) != tested_.end();
        if (is_tested) continue;
        if (is_amount(column.ref)) {
            where_.push_back({Compare{of_row(column.ref), Comparison::greater, Constant{"0"}}});
            cost_ += kSilentExistence;
        } else if (!said_.grouped_by.empty()) {
            groups.push_back(of_row(column.ref));
        } else if (view_.column(column.ref.column).kind == ColumnKind::text && !view_.says_when(column.ref.column)) {
            where_.push_back({IsNull{of_row(column.ref), true}});
            cost_ += kSilentExistence;
        }
    }
    query_.select = groups;
    query_.select.push_back(count);
    query_.group = groups;
    rule_ = "count";
    return entity_ >= 0 || !groups.empty() || !paired_.empty() || !said_.ordinals.empty();
}

/// Rows without names are shown by what they belong to and what they measure: a game by its teams and points.
bool FactQuery::whole_rows() {
    query_.select.clear();
    for (const ColumnId id : view_.schema().columns_of(root_)) {
        if (query_.select.size() == kShownMax) break;
        const auto target = view_.target_of(id);
        const bool is_shown_time = time_ && time_->column == id && is_time_fixed_;
        if (target && view_.has_names(*target)) {
            query_.select.push_back({ColumnRef{view_.labels(*target).front(), id}});
        } else if (!target && !view_.has_word(id, "id") && !is_shown_time) {
            query_.select.push_back({ColumnRef{id, 0}});
        }
    }
    rule_ = "whole rows";
    return !query_.select.empty();
}

/// Where no time is said and every row has one, it is shown with the rest.
void FactQuery::show_time() {
    const bool is_in_key = time_ && view_.table_of(time_->column) == root_ && view_.column(time_->column).is_primary;
    if (!is_in_key || is_time_fixed_ || has_time() || said_.aggregate || said_.asks_how_many) return;
    is_time_fixed_ = true;
    if (!is_row_for_each()) {
        is_time_fixed_ = false;
        return;
    }
    query_.select.push_back({*time_});
    query_.order = {{Expression{*time_}, false}};
    assumptions_.emplace_back("every year there is, since none is named");
}

bool FactQuery::listed() {
    if (said_.is_never && entity_ >= 0 && entity_ != root_) return never();
    const bool names_entity = entity_ >= 0 && std::ranges::find(fixed_, entity_) == fixed_.end();
    if (names_entity) query_.select = labels();
    if (names_entity && query_.select.empty()) return false;
    rule_ = "list";
    if (columns_.empty()) {
        if (!names_entity) return false;
        if (entity_ == root_ && !view_.has_names(root_)) return whole_rows();
        query_.distinct = entity_ != root_ && !is_row_for_each();
        return true;
    }
    const bool has_numbers = std::ranges::any_of(columns_, [&](const ChosenColumn& one) { return is_amount(one.ref); });
    if (has_numbers) show_time();
    const bool is_whole_table = !names_entity && fixed_.empty() && tested_.empty();
    const bool is_average = said_.aggregate && (is_whole_table || !is_time_fixed_);
    const bool is_grouped = has_numbers && said_.numbers.empty() && (!is_row_for_each() || is_average);
    const bool is_silent = !said_.aggregate && (!said_.asks_how_many || (fixed_.empty() && !names_entity));
    if (is_grouped) query_.group = query_.select;
    if (is_grouped && is_silent) cost_ += kSilentAggregate;
    for (const ChosenColumn& column : columns_) {
        if (is_amount(column.ref)) {
            query_.select.push_back(measured(column, is_grouped));
        } else if (!is_grouped) {
            query_.select.push_back(of_row(column.ref));
        }
    }
    if (!has_numbers && !names_entity && root_ != view_.table_of(columns_.front().ref.column)) query_.distinct = true;
    if (where_.empty() && !said_.asks_which && !said_.asks_who && !said_.aggregate) cost_ += kNothingAsked;
    return true;
}

}  // namespace quaestor::native::facts
