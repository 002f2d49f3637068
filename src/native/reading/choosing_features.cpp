#include "native/characters.hpp"
#include "native/reading/choosing_comparing.hpp"
#include "native/reading/choosing_oddities.hpp"
#include "native/reading/choosing_use.hpp"
#include "native/reading/schema_part.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace quaestor::native {

namespace {

/// A fact reading that leaves nothing out costs less than this.
constexpr double kGoodFact = -0.6;
constexpr double kShareFloor = 1e-4;
constexpr double kManyColumnsMost = 2;

using View = CandidateView;

double truth(bool value) {
    return value ? 1 : 0;
}
double capped(double value, double most) {
    return std::min(value, most);
}

/// Columns that nothing in the question names; where values may name them, those count too.
double unsaid(const View& view, const auto& columns, bool by_values) {
    double count = 0;
    for (const ColumnId column : columns) {
        if (column == 0 || (by_values && view.question.value_columns.contains(column))) continue;
        const auto found = view.question.column_scores.find(column);
        count += 1 - (found == view.question.column_scores.end() ? 0 : found->second);
    }
    return count;
}

double times(std::string_view text, std::string_view part) {
    double count = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

bool is_direction_wrong(const View& view) {
    const bool says_up = view.question.says(LinkKind::order, "asc");
    const bool says_down = view.question.says(LinkKind::order, "desc");
    return (says_up && !says_down && view.form.ascending == 0 && view.form.descending > 0) ||
           (says_down && !says_up && view.form.descending == 0 && view.form.ascending > 0);
}

bool is_comparison_wrong(const View& view) {
    const auto has = [&](Comparison strict, Comparison loose) {
        return view.form.comparisons[static_cast<std::size_t>(strict)] +
                   view.form.comparisons[static_cast<std::size_t>(loose)] >
               0;
    };
    const auto says = [&](std::string_view strict, std::string_view loose) {
        return view.question.says(LinkKind::comparison, strict) || view.question.says(LinkKind::comparison, loose);
    };
    const bool has_more = has(Comparison::greater, Comparison::greater_equal);
    const bool has_less = has(Comparison::less, Comparison::less_equal);
    const bool says_more = says(">", ">=");
    const bool says_less = says("<", "<=");
    return (says_more && !says_less && has_less && !has_more) || (says_less && !says_more && has_more && !has_less);
}

std::size_t rows_of(const View& view) {
    return view.candidate.result ? view.candidate.result->row_count : 0;
}

bool is_single_number(const data::ResultSet& result) {
    return result.row_count == 1 && result.columns.size() == 1 && result.columns[0].number(0).has_value();
}

/// One row that says nothing: NULL or 0 in every cell.
bool says_nothing(const View& view) {
    if (rows_of(view) != 1) return false;
    return std::ranges::all_of(view.candidate.result->columns, [](const data::ResultColumn& column) {
        return column.is_null(0) || column.number(0) == 0.0;
    });
}

bool is_all_numbers(const View& view) {
    return rows_of(view) > 0 && std::ranges::all_of(view.candidate.result->columns, [](const auto& column) {
               return column.is_null(0) || column.number(0).has_value();
           });
}

bool has_time(const View& view) {
    const Schema& schema = view.question.knowledge.schema();
    return view.form.date_parts > 0 || std::ranges::any_of(view.form.shown, [&](ColumnId id) {
               if (id == 0) return false;
               const SchemaColumn& column = schema.columns()[static_cast<std::size_t>(id)];
               return column.is_iso_date || column.kind == ColumnKind::time || column.words.contains("year");
           });
}

double repeated_rows(const View& view) {
    if (rows_of(view) < 2) return 0;
    std::set<std::string> rows;
    const data::ResultSet& result = *view.candidate.result;
    for (std::size_t row = 0; row < result.row_count; ++row) {
        std::string text;
        for (const auto& column : result.columns) text += column.text(row) + '\x1F';
        rows.insert(std::move(text));
    }
    return 1 - static_cast<double>(rows.size()) / static_cast<double>(result.row_count);
}

double missing(const View& view, std::string_view said, Aggregate aggregate) {
    return truth(view.question.says(LinkKind::aggregate, said) && view.form.aggregate(aggregate) == 0);
}
double unsaid_aggregate(const View& view, std::string_view said, Aggregate aggregate) {
    return truth(!view.question.says(LinkKind::aggregate, said) && view.form.aggregate(aggregate) > 0);
}
double missing_kind(const View& view, LinkKind kind, bool is_there) {
    return truth(view.question.says(kind) && !is_there);
}
double unsaid_kind(const View& view, LinkKind kind, bool is_there) {
    return truth(!view.question.says(kind) && is_there);
}

bool is_leading_fact(const View& view) {
    return view.fact_score && view.fact_lead > 0 && *view.fact_score > kGoodFact;
}

/// How many times more columns there are than the trained parser can look at, as a logarithm: the more, the less it
/// knows of what else could be meant, and the more the fact reader counts, which sees them all.
double many_columns(const View& view) {
    const auto columns = static_cast<double>(view.question.knowledge.schema().columns().size());
    return std::clamp(std::log(columns / static_cast<double>(kPartColumnsMax)), 0.0, kManyColumnsMost);
}

struct FeatureRule {
    std::string_view name;
    double (*value)(const View& view);
};

constexpr auto kRules = std::to_array<FeatureRule>({
    // What the parsers say.
    {"by rules", [](const View& v) { return truth(v.rule_score.has_value()); }},
    {"by both", [](const View& v) { return truth(v.rule_score && v.trained_score); }},
    {"by trained", [](const View& v) { return truth(v.trained_score.has_value()); }},
    {"by facts", [](const View& v) { return truth(v.fact_score.has_value()); }},
    {"by amendment", [](const View& v) { return truth(v.amended_score.has_value()); }},
    {"amended score", [](const View& v) { return std::max(v.amended_score.value_or(0), kScoreFloor); }},
    {"best amended", [](const View& v) { return truth(v.amended_score && *v.amended_score >= v.best_score); }},
    {"has amendment", [](const View& v) { return truth(v.is_amended && !v.amended_score); }},
    {"fact score", [](const View& v) { return std::max(v.fact_score.value_or(0), kFactFloor); }},
    {"fact lead", [](const View& v) { return std::clamp(v.fact_lead, kFactFloor, -kFactFloor); }},
    {"leading fact", [](const View& v) { return truth(is_leading_fact(v)); }},
    {"facts of many columns", [](const View& v) { return v.fact_score ? many_columns(v) : 0; }},
    {"leading fact of many columns", [](const View& v) { return is_leading_fact(v) ? many_columns(v) : 0; }},
    {"fact score of many columns", [](const View& v) { return many_columns(v) * std::max(v.fact_score.value_or(0), kFactFloor); }},
    {"trained of many columns", [](const View& v) { return v.trained_score ? many_columns(v) : 0; }},
    {"trained score", [](const View& v) { return std::max(v.trained_score.value_or(0), kScoreFloor); }},
    {"rule score", [](const View& v) { return std::max(v.rule_score.value_or(0), kScoreFloor); }},
    {"share", [](const View& v) { return v.share; }},
    {"pooled share", [](const View& v) { return v.pooled_share; }},
    {"pooled log", [](const View& v) { return std::log(std::max(v.pooled_share, kShareFloor)); }},
    {"best score", [](const View& v) { return std::max(v.best_score, kScoreFloor); }},
    {"confirmed", [](const View& v) { return truth(v.is_confirmed); }},
    {"contradicted", [](const View& v) { return truth(v.is_contradicted); }},
    // Agreement.
    {"same results", [](const View& v) { return v.same_results / v.candidates; }},
    {"different results", [](const View& v) { return v.different_results / v.candidates; }},
    {"candidates", [](const View& v) { return v.candidates; }},
    // The question's words.
    {"coverage", [](const View& v) { return v.coverage(); }},
    {"unlinked words", [](const View& v) { return capped(v.question.unlinked, 5); }},
    {"values unused", [](const View& v) { return v.count_unused(v.question.values); }},
    {"likely values unused", [](const View& v) { return capped(v.count_unused(v.question.likely_values), 3); }},
    {"numbers unused", [](const View& v) { return v.count_unused(v.question.numbers); }},
    {"names unused", [](const View& v) { return names_unused(v); }},
    {"words", [](const View& v) { return static_cast<double>(v.question.folded.size()); }},
    // What nobody said.
    {"shown unsaid", [](const View& v) { return unsaid(v, v.form.shown, false); }},
    {"compared unsaid", [](const View& v) { return unsaid(v, v.form.compared, true); }},
    {"columns unsaid", [](const View& v) { return unsaid(v, v.form.columns, true); }},
    {"tables unsaid", [](const View& v) { return tables_unsaid(v); }},
    {"shown keys", [](const View& v) { return shown_keys(v); }},
    {"shown names", [](const View& v) { return shown_names(v); }},
    {"half names", [](const View& v) { return half_names(v); }},
    {"mixed combination", [](const View& v) { return mixed_combination(v); }},
    {"measured keys", [](const View& v) { return measured_keys(v); }},
    // Values.
    {"unknown values", [](const View& v) { return spellings(v, Spelling::Certainty::unknown); }},
    {"likely values", [](const View& v) { return spellings(v, Spelling::Certainty::likely); }},
    {"misplaced values", [](const View& v) { return misplaced_values(v); }},
    {"values of another kind", [](const View& v) { return values_of_another_kind(v); }},
    // The form.
    {"outputs", [](const View& v) { return static_cast<double>(v.form.outputs); }},
    {"length", [](const View& v) { return std::log1p(static_cast<double>(v.form.parts)); }},
    {"tables", [](const View& v) { return static_cast<double>(v.form.tables.size()); }},
    {"joins", [](const View& v) { return times(v.candidate.written.sql, " JOIN "); }},
    {"cross joins", [](const View& v) { return times(v.candidate.written.sql, " CROSS JOIN "); }},
    {"levels", [](const View& v) { return static_cast<double>(v.form.levels); }},
    {"combinations", [](const View& v) { return static_cast<double>(v.form.combinations); }},
    {"alternatives", [](const View& v) { return static_cast<double>(v.form.alternatives); }},
    {"matches", [](const View& v) { return static_cast<double>(v.form.matches); }},
    {"through", [](const View& v) { return static_cast<double>(v.form.through); }},
    // Operations said and not there, or there and not said.
    {"count missing", [](const View& v) { return missing(v, "count", Aggregate::count); }},
    {"count unsaid", [](const View& v) { return unsaid_aggregate(v, "count", Aggregate::count); }},
    {"average missing", [](const View& v) { return missing(v, "avg", Aggregate::avg); }},
    {"average unsaid", [](const View& v) { return unsaid_aggregate(v, "avg", Aggregate::avg); }},
    {"sum missing", [](const View& v) { return missing(v, "sum", Aggregate::sum); }},
    {"sum unsaid", [](const View& v) { return unsaid_aggregate(v, "sum", Aggregate::sum); }},
    {"order missing", [](const View& v) { return missing_kind(v, LinkKind::order, v.form.is_ordered() || v.is_extreme()); }},
    {"order unsaid", [](const View& v) { return unsaid_kind(v, LinkKind::order, v.form.is_ordered() || v.is_extreme()); }},
    {"wrong direction", [](const View& v) { return truth(is_direction_wrong(v)); }},
    {"group missing", [](const View& v) { return missing_kind(v, LinkKind::group, v.form.is_grouped); }},
    {"group unsaid", [](const View& v) { return unsaid_kind(v, LinkKind::group, v.form.is_grouped); }},
    {"negation missing", [](const View& v) { return missing_kind(v, LinkKind::negation, v.form.negations > 0); }},
    {"negation unsaid", [](const View& v) { return unsaid_kind(v, LinkKind::negation, v.form.negations > 0); }},
    {"comparison missing", [](const View& v) { return missing_kind(v, LinkKind::comparison, v.has_comparison()); }},
    {"comparison unsaid", [](const View& v) { return unsaid_kind(v, LinkKind::comparison, v.has_comparison()); }},
    {"wrong comparison", [](const View& v) { return truth(is_comparison_wrong(v)); }},
    {"share missing", [](const View& v) { return missing_kind(v, LinkKind::share, v.form.shares > 0); }},
    {"share unsaid", [](const View& v) { return unsaid_kind(v, LinkKind::share, v.form.shares > 0); }},
    {"change missing", [](const View& v) { return missing_kind(v, LinkKind::change, v.form.differences + v.form.windows > 0); }},
    {"change unsaid", [](const View& v) { return unsaid_kind(v, LinkKind::change, v.form.differences + v.form.windows > 0); }},
    {"distinct missing", [](const View& v) { return truth(v.question.says_distinct && !v.form.is_distinct); }},
    {"distinct unsaid", [](const View& v) { return truth(!v.question.says_distinct && v.form.is_distinct); }},
    {"counted distinct", [](const View& v) { return truth(v.form.counts_distinct); }},
    {"pattern missing", [](const View& v) { return truth(says_pattern(v.question) && v.form.matches == 0); }},
    {"pattern unsaid", [](const View& v) { return truth(!says_pattern(v.question) && v.form.matches > 0); }},
    {"wrong strictness", [](const View& v) { return truth(is_strictness_wrong(v)); }},
    // What hardly anybody means.
    {"better keys", [](const View& v) { return better_keys(v); }},
    {"ungrouped", [](const View& v) { return capped(ungrouped(v), 3); }},
    {"shown compared", [](const View& v) { return capped(shown_compared(v), 3); }},
    {"shown twice", [](const View& v) { return capped(shown_twice(v), 3); }},
    {"text measured", [](const View& v) { return text_measured(v); }},
    {"odd tests", [](const View& v) { return odd_tests(v); }},
    {"null tests", [](const View& v) { return capped(v.form.null_tests, 3); }},
    {"words reused", [](const View& v) { return capped(words_reused(v), 3); }},
    {"likely names unused", [](const View& v) { return capped(likely_names_unused(v), 4); }},
    // The result.
    {"no result", [](const View& v) { return truth(!v.candidate.result); }},
    {"empty", [](const View& v) { return truth(v.candidate.result && rows_of(v) == 0); }},
    {"says nothing", [](const View& v) { return truth(says_nothing(v)); }},
    {"rows", [](const View& v) { return std::log1p(static_cast<double>(rows_of(v))); }},
    {"repeated rows", [](const View& v) { return repeated_rows(v); }},
    {"no number", [](const View& v) { return truth(v.question.asks_number && v.candidate.result && !is_single_number(*v.candidate.result)); }},
    {"number unasked", [](const View& v) { return truth(!v.question.asks_number && v.question.asks_names && is_all_numbers(v)); }},
    {"no time", [](const View& v) { return truth(v.question.asks_when && !has_time(v)); }},
    {"one asked", [](const View& v) { return truth(v.question.asks_one && rows_of(v) > 1); }},
    {"empty share", [](const View& v) { return v.empty_share; }},
    {"one of many", [](const View& v) { return truth(!v.question.says(LinkKind::order) && !v.question.asks_number && rows_of(v) == 1 && v.form.is_limited); }},
    // Figures beside names, and rows with two ends.
    {"names alone", [](const View& v) { return truth(is_names_alone(v)); }},
    {"names alone of many columns", [](const View& v) { return is_names_alone(v) ? many_columns(v) : 0; }},
    {"either end", [](const View& v) { return truth(v.form.either_ends > 0); }},
    {"end unsaid", [](const View& v) { return capped(ends_unsaid(v), 3); }},
});
static_assert(kRules.size() == kFeatures);

}  // namespace

std::span<const std::string_view> feature_names() {
    static const auto names = [] {
        std::array<std::string_view, kFeatures> out;
        std::ranges::transform(kRules, out.begin(), &FeatureRule::name);
        return out;
    }();
    return names;
}

std::vector<Features> features_of(const LinkedQuestion& question, const Knowledge& knowledge,
                                  std::span<const Candidate> candidates) {
    const QuestionView asked(question, knowledge);
    std::vector<View> views;
    views.reserve(candidates.size());
    for (const Candidate& candidate : candidates) views.emplace_back(asked, candidate);
    compare(views);
    std::vector<Features> out(views.size());
    for (std::size_t at = 0; at < views.size(); ++at) {
        std::ranges::transform(kRules, out[at].begin(), [&](const FeatureRule& rule) { return rule.value(views[at]); });
    }
    return out;
}

}  // namespace quaestor::native
