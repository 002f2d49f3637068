#include "native/reading/facts/fact_query.hpp"
#include "native/reading/rules/conditions.hpp"

#include <algorithm>

namespace quaestor::native::facts {

namespace {

/// A column is meant when so much of a phrase for it is said.
constexpr double kSaidMin = 0.35;
constexpr double kDescribedKey = 0.15;
constexpr double kReachedWord = 0.1;

}  // namespace

/// "Who won": what the key to those who are asked for is called, or what is said of it.
void FactQuery::explain_by_key() {
    if (entity_ < 0) return;
    const auto label = reached(view_.labels(entity_).front());
    if (!label || label->via == 0) return;
    for (std::size_t at = 0; at < names_.size(); ++at) {
        if (explained_[at] || !names_.is_described(label->via, at)) continue;
        explained_[at] = is_root_said_ = true;
        cost_ += names_.is_in_name(label->via, at) ? 0 : kDescribedKey;
    }
}

std::optional<ChosenColumn> FactQuery::best_column(const std::vector<bool>& used) const {
    std::optional<ChosenColumn> best;
    double best_rank = 0;
    for (std::size_t at = 1; at < view_.schema().columns().size(); ++at) {
        const auto column = static_cast<ColumnId>(at);
        const TableId table = view_.table_of(column);
        const auto steps = view_.steps_to_one(root_, table);
        if (!steps || *steps > kFactStepsMax || std::ranges::find(tested_, column) != tested_.end()) continue;
        if (time_ && time_->column == column && has_time()) continue;
        if (view_.target_of(column) || view_.has_word(column, "id") || is_of_wrong_end(column)) continue;
        if (std::ranges::any_of(columns_, [column](const ChosenColumn& one) { return one.ref.column == column; }))
            continue;
        const auto ref = reached(column);
        if (!ref) continue;
        Said said = names_.said(column, taken_, unsaid_word(column));
        if (said.score < kSaidMin) continue;
        double fresh = 0;
        for (const std::size_t word : said.words) fresh += used[word] ? 0 : explained_[word] ? 0.3 : 1;
        if (fresh == 0) continue;
        // In a word that says the table that is asked for, the table is meant.
        const bool is_entity_word = !said_.is_commonest && said.words.size() == 1 && entity_ >= 0 &&
                                    names_.names_table(said.words[0], entity_) > 0;
        if (is_entity_word) continue;
        // "drafted" is said of rows of a draft history, not of the type of draft.
        const bool is_partly_said = said.words.size() == 1 && stems(view_.column(column).words).size() > 1;
        const bool is_of_rows = is_partly_said && said_.weak[said.words[0]] && names_.has_in_name(root_, said.words[0]);
        // "games" are rows of games, not their dates.
        const bool is_when = said_.asks_when && view_.is_date(column);
        const bool is_of_table = is_partly_said && !is_when && names_a_reached_table(said.words[0]);
        // "of each team" says by what, not how many for a team.
        const bool is_of_group = std::ranges::any_of(said.words, [this](std::size_t word) {
            const bool is_rate = word > 0 && names_.folded(word - 1) == "per";
            return !is_rate && std::ranges::find(said_.grouped_by, word) != said_.grouped_by.end() &&
                   names_a_reached_table(word);
        });
        if (is_of_rows || is_of_table || is_of_group) continue;
        const double rank = said.score * (1 + 0.25 * (fresh - 1)) - kOtherTable * *steps;
        if (rank <= best_rank) continue;
        best_rank = rank;
        best = ChosenColumn{*ref, said.score, std::move(said.words)};
    }
    return best;
}

/// "Which arena has the largest capacity": the column that is asked for by its whole name, before a longer name with
/// that word in it is.
void FactQuery::choose_asked(std::vector<bool>& used) {
    if (!said_.descending || !said_.asks_which || entity_ >= 0 || said_.asked.empty()) return;
    const std::size_t word = said_.asked.front();
    for (const ColumnId id : view_.schema().columns_of(root_)) {
        const bool is_text = view_.column(id).kind == ColumnKind::text && !view_.column(id).is_amount();
        const bool is_named = is_text && !view_.target_of(id) && stems(view_.column(id).words).size() == 1 &&
                              view_.has_word(id, names_.stem_of(word));
        if (!is_named || taken_[word]) continue;
        columns_.push_back({.ref = {id, 0}, .score = 1, .words = {word}});
        used[word] = explained_[word] = true;
        return;
    }
}

/// One after the other, each for words that none before it has used.
void FactQuery::choose_columns() {
    std::vector<bool> used(names_.size(), false);
    for (const ChosenColumn& column : columns_) used[column.words.front()] = true;
    choose_asked(used);
    while (columns_.size() < kColumnsMax) {
        auto column = best_column(used);
        if (!column) break;
        const bool says_something =
            std::ranges::any_of(column->words, [&](std::size_t word) { return !explained_[word]; });
        if (!says_something) break;
        for (const std::size_t word : column->words) used[word] = explained_[word] = true;
        for (std::size_t at = 0; at < names_.size(); ++at) {
            if (!taken_[at] && names_.is_described(column->ref.column, at)) explained_[at] = true;
        }
        // "jersey number" is all of the jersey.
        const std::size_t next = column->words.back() + 1;
        if (next < names_.size() && !taken_[next] && names_.folded(next) == "number") explained_[next] = true;
        columns_.push_back(std::move(*column));
    }
    std::ranges::sort(columns_, {}, [](const ChosenColumn& one) { return one.words.front(); });
    explain_by_key();
    for (std::size_t at = 0; at < names_.size(); ++at) {
        const auto is_about = [&](const ChosenColumn& one) { return names_.is_about(one.ref.column, at); };
        if (taken_[at]) continue;
        if (names_.has_in_name(root_, at)) {
            is_root_said_ |= entity_ < 0 || entity_ == root_ || names_.names_table(at, entity_) == 0;
            explained_[at] = true;
        }
        if (std::ranges::any_of(columns_, is_about)) explained_[at] = true;
        if (!explained_[at] && names_a_reached_table(at)) {
            explained_[at] = true;
            cost_ += kReachedWord;
        }
    }
    is_root_said_ |= std::ranges::any_of(
        columns_, [this](const ChosenColumn& one) { return view_.table_of(one.ref.column) == root_; });
    is_root_said_ |= std::ranges::any_of(tested_, [this](ColumnId id) { return view_.table_of(id) == root_; });
}

bool FactQuery::names_a_reached_table(std::size_t word) const {
    for (std::size_t table = 0; table < view_.schema().tables().size(); ++table) {
        const auto id = static_cast<TableId>(table);
        if (names_.names_table(word, id) == 1 && view_.has_one(root_, id)) return true;
    }
    return false;
}

}  // namespace quaestor::native::facts
