#include "native/reading/facts/fact_query.hpp"

#include <algorithm>

namespace quaestor::native::facts {

namespace {

/// Guessing who won from who has more.
constexpr double kSilentScore = 0.05;

}  // namespace

/// "at home": the end that is said; else either is meant.
void FactQuery::choose_end() {
    if (!ends_) return;
    const bool is_first = is_role_said(ends_->first_key());
    const bool is_second = is_role_said(ends_->second_key());
    if (is_first && is_second) {
        ends_.reset();
        return;
    }
    is_either_ = !is_first && !is_second;
    is_second_end_ = is_second;
    if (is_either_) return;
    const ColumnId key = is_second ? ends_->second_key() : ends_->first_key();
    for (std::size_t at = 0; at < names_.size(); ++at) {
        // "home team"
        const bool is_end =
            !said_.taken[at] && names_.is_in_name(key, at) && !names_.has_in_name(*view_.target_of(key), at);
        if (!is_end) continue;
        explained_[at] = true;
        if (at + 1 < names_.size() && names_.names_table(at + 1, *view_.target_of(key)) > 0) explained_[at + 1] = true;
    }
}

/// Of two columns that say the same of two ends, the one that stands for both, or that of the end that is said.
ColumnId FactQuery::at_chosen_end(ColumnId column) const {
    const TwoEnds::Pair* pair = ends_ ? ends_->pair_with(column) : nullptr;
    if (pair == nullptr) return column;
    return is_second_end_ ? pair->second : pair->first;
}

/// Whether it says something of an end of which something else is said, or of one of two when none is.
bool FactQuery::is_of_wrong_end(ColumnId column) const {
    if (at_chosen_end(column) != column) return true;
    return is_either_ && ends_->pair_with(column) == nullptr && view_.is_of_an_end(column) && !view_.is_key(column);
}

std::string_view FactQuery::unsaid_word(ColumnId column) const {
    const TwoEnds::Pair* pair = ends_ ? ends_->pair_with(column) : nullptr;
    return pair == nullptr ? std::string_view() : column == pair->first ? pair->first_word : pair->second_word;
}

/// What a row says by the column: of its end, where it has two.
Expression FactQuery::of_row(const ColumnRef& ref) const {
    const TwoEnds::Pair* pair = ends_ ? ends_->pair_with(ref.column) : nullptr;
    if (pair == nullptr) return {ref};
    if (said_.of_others_at && view_.is_measure(ref.column)) return of_opponent(ref);
    return is_either_ ? ends_->of_end(*pair) : Expression{ref};
}

/// What a row says by the column, in the unit that is asked for.
Expression FactQuery::in_unit_said(const ColumnRef& ref) const {
    Expression plain = of_row(ref);
    if (!said_.unit_at) return plain;
    const auto* conversion = unit_conversion(unit_words(view_.column(ref.column)), names_.folded(*said_.unit_at));
    return conversion == nullptr ? plain : Expression{InUnit{std::move(plain), conversion}};
}

Expression FactQuery::of_opponent(const ColumnRef& ref) const {
    const TwoEnds::Pair* pair = ends_->pair_with(ref.column);
    if (is_either_) return ends_->of_other_end(*pair);
    return {ColumnRef{ref.column == pair->first ? pair->second : pair->first, ref.via}};
}

/// "won", where no column says so and the score does.
void FactQuery::add_outcome() {
    if (ends_ && said_.of_others_at) explained_[*said_.of_others_at] = true;
    if (!ends_ || !said_.outcome || explained_[said_.outcome->at]) return;
    const TwoEnds::Pair* score = ends_->score();
    if (score == nullptr) return;
    const ColumnRef own{at_chosen_end(score->first), 0};
    const Expression mine = is_either_ ? ends_->of_end(*score) : Expression{own};
    where_.push_back({Compare{mine, said_.outcome->is_won ? Comparison::greater : Comparison::less, of_opponent(own)}});
    explained_[said_.outcome->at] = is_root_said_ = true;
    cost_ += kSilentScore;
}

}  // namespace quaestor::native::facts
