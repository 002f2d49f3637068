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
}

/// Of two columns that say the same of two ends, the one that stands for both, or that of the end that is said.
ColumnId FactQuery::at_chosen_end(ColumnId column) const {
    const TwoEnds::Pair* pair = ends_ ? ends_->pair_with(column) : nullptr;
    if (pair == nullptr) return column;
    return is_second_end_ ? pair->second : pair->first;
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
    where_.push_back(
        {Compare{mine, said_.outcome->is_won ? Comparison::greater : Comparison::less, of_opponent(own)}});
    explained_[said_.outcome->at] = is_root_said_ = true;
    cost_ += kSilentScore;
}

}  // namespace quaestor::native::facts
