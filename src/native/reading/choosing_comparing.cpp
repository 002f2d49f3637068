#include "native/reading/choosing_comparing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace quaestor::native {

namespace {

using View = CandidateView;

/// Only the trained parser's scores are logarithms of probabilities.
void compare_scores(std::vector<View>& views) {
    double best = 10 * kScoreFloor;
    double sum = 0;
    for (const View& view : views) {
        if (!view.trained_score) continue;
        best = std::max(best, *view.trained_score);
        sum += std::exp(*view.trained_score);
    }
    for (View& view : views) {
        view.best_score = best;
        if (view.trained_score) view.share = std::exp(*view.trained_score) / sum;
    }
}

void compare_results(std::vector<View>& views) {
    std::set<std::string_view> keys;
    double empty = 0;
    for (const View& view : views) {
        keys.insert(view.key);
        empty += view.candidate.result && view.candidate.result->row_count == 0 ? 1 : 0;
    }
    const auto parsers_of = [](const View& view) {
        return std::array{view.rule_score.has_value(), view.trained_score.has_value(), view.fact_score.has_value()};
    };
    const auto count = [](const std::array<bool, 3>& parsers) { return std::ranges::count(parsers, true); };
    const auto join = [&](std::array<bool, 3>& parsers, const View& view) {
        const auto more = parsers_of(view);
        for (std::size_t at = 0; at < more.size(); ++at) parsers[at] |= more[at];
    };
    std::array<bool, 3> all{};
    for (const View& view : views) join(all, view);
    for (View& view : views) {
        std::array<bool, 3> same{};
        for (const View& other : views) {
            if (&other != &view && (view.key.empty() || other.key != view.key)) continue;
            join(same, other);
            view.pooled_share += other.share;
            ++view.same_results;
        }
        view.is_confirmed = count(same) > 1;
        view.is_contradicted = count(all) > 1 && !view.is_confirmed;
        view.different_results = static_cast<double>(keys.size());
        view.candidates = static_cast<double>(views.size());
        view.empty_share = empty / view.candidates;
    }
}

/// What is left out of a reading is said by the one that has it.
void compare_amended(std::vector<View>& views) {
    const bool is_amended = std::ranges::any_of(views, [](const View& view) { return view.amended_score.has_value(); });
    for (View& view : views) view.is_amended = is_amended;
}

/// Whether one is the other with something more to show.
bool shares_figures(const View& view, const View& other) {
    const Query& less = view.candidate.proposal.form;
    const Query& more = other.candidate.proposal.form;
    return less.where == more.where && less.order == more.order && less.group == more.group;
}

void compare_facts(std::vector<View>& views) {
    for (View& view : views) {
        if (!view.fact_score) continue;
        double rival = kFactFloor;
        for (const View& other : views) {
            // One with a figure less, or more, is no rival.
            if (is_names_alone(other) || (is_names_alone(view) && shares_figures(view, other))) continue;
            if (other.fact_score && other.key != view.key) rival = std::max(rival, *other.fact_score);
        }
        view.fact_lead = *view.fact_score - rival;
    }
}

}  // namespace

void compare(std::vector<CandidateView>& views) {
    compare_scores(views);
    compare_results(views);
    compare_facts(views);
    compare_amended(views);
}

}  // namespace quaestor::native
