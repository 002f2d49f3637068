#include "native/characters.hpp"
#include "native/reading/choosing_oddities.hpp"
#include "native/reading/choosing_view.hpp"
#include "native/reading/schema_part.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace quaestor::native {

namespace {

constexpr double kScoreFloor = -10;
constexpr double kFactFloor = -1.5;
/// A fact reading that leaves nothing out costs less than this.
constexpr double kGoodFact = -0.6;
constexpr double kRankMost = 8;
constexpr double kShareFloor = 1e-4;

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

bool is_key(const View& view, ColumnId column) {
    const Schema& schema = view.question.knowledge.schema();
    if (column == 0) return false;
    return schema.columns()[static_cast<std::size_t>(column)].is_primary ||
           std::ranges::any_of(schema.keys(), [column](const ForeignKey& key) { return key.from == column; });
}

/// Keys are shown only to those who ask for them.
double shown_keys(const View& view) {
    double count = 0;
    for (const ColumnId column : view.form.shown) {
        const auto found = view.question.column_scores.find(column);
        const bool is_said = found != view.question.column_scores.end() && found->second >= kSureScore;
        count += truth(is_key(view, column) && !is_said);
    }
    return count;
}

/// A table that is asked for is shown by what tells its rows apart for a person.
double shown_names(const View& view) {
    const Schema& schema = view.question.knowledge.schema();
    return static_cast<double>(std::ranges::count_if(view.form.shown, [&](ColumnId id) {
        if (id == 0) return false;
        const SchemaColumn& column = schema.columns()[static_cast<std::size_t>(id)];
        const std::string& table = schema.tables()[static_cast<std::size_t>(column.table)].words;
        const bool is_name = column.words.contains("name") || column.words.contains("title") ||
                             column.words.contains(stem(table)) || table.contains(column.words);
        return is_name && !is_key(view, id);
    }));
}

enum class NamePart { none, first, last };

NamePart name_part(const SchemaColumn& column) {
    constexpr auto kFirst = std::to_array<std::string_view>({"first", "given", "forename", "fore"});
    constexpr auto kLast = std::to_array<std::string_view>({"last", "family", "surname", "sur"});
    const auto words = plain_words(column.words);
    const bool is_name = words.size() == 1 || std::ranges::find(words, "name") != words.end();
    if (!is_name || column.kind != ColumnKind::text) return NamePart::none;
    const auto has = [&words](const auto& list) {
        return std::ranges::any_of(words,
                                   [&list](const auto& word) { return std::ranges::find(list, word) != list.end(); });
    };
    return has(kFirst) ? NamePart::first : has(kLast) ? NamePart::last : NamePart::none;
}

/// One part of a person's name where the table has both and nobody asked for the part.
double half_names(const View& view) {
    const Schema& schema = view.question.knowledge.schema();
    const auto part_at = [&schema](ColumnId id) { return name_part(schema.columns()[static_cast<std::size_t>(id)]); };
    double count = 0;
    for (const ColumnId shown : view.form.shown) {
        if (shown == 0 || part_at(shown) == NamePart::none) continue;
        const auto said = view.question.column_scores.find(shown);
        if (said != view.question.column_scores.end() && said->second >= kSureScore) continue;
        for (const ColumnId other : schema.columns_of(schema.table_of(shown))) {
            const bool is_other_half = part_at(other) != NamePart::none && part_at(other) != part_at(shown);
            count += truth(is_other_half && std::ranges::find(view.form.shown, other) == view.form.shown.end());
        }
    }
    return count;
}

/// Values that mean different things put into one list, or taken from each other.
double mixed_combination(const View& view) {
    const Query& form = view.candidate.proposal.form;
    if (!form.combined || form.combined->with->select.size() != form.select.size()) return 0;
    const Schema& schema = view.question.knowledge.schema();
    for (std::size_t at = 0; at < form.select.size(); ++at) {
        const auto* left = std::get_if<ColumnRef>(&form.select[at].node);
        const auto* right = std::get_if<ColumnRef>(&form.combined->with->select[at].node);
        if ((left == nullptr) != (right == nullptr)) return 1;
        if (left == nullptr || right == nullptr || left->column == right->column) continue;
        const bool is_joined = std::ranges::any_of(schema.keys(), [&](const ForeignKey& key) {
            return (key.from == left->column && key.to == right->column) ||
                   (key.to == left->column && key.from == right->column);
        });
        if (!is_joined) return 1;
    }
    return 0;
}

/// A key is no measure: nobody wants the greatest customer number.
double measured_keys(const View& view) {
    const auto is_measured_key = [&view](const Expression& expression) {
        if (const auto* column = std::get_if<ColumnRef>(&expression.node)) return is_key(view, column->column);
        const auto* aggregate = std::get_if<AggregateOf>(&expression.node);
        if (aggregate == nullptr || aggregate->aggregate == Aggregate::count) return false;
        const auto* of = std::get_if<ColumnRef>(&aggregate->of->node);
        return of != nullptr && is_key(view, of->column);
    };
    const Query& form = view.candidate.proposal.form;
    const auto ordered = std::ranges::count_if(form.order, is_measured_key, &OrderBy::by);
    const auto shown = std::ranges::count_if(form.select, [&](const Expression& item) {
        return std::holds_alternative<AggregateOf>(item.node) && is_measured_key(item);
    });
    return static_cast<double>(ordered + shown);
}

double tables_unsaid(const View& view) {
    return static_cast<double>(std::ranges::count_if(view.form.tables, [&](TableId table) {
        if (view.question.table_scores.contains(table)) return false;
        const auto belongs = [&](ColumnId column) {
            return view.question.knowledge.schema().table_of(column) == table;
        };
        return std::ranges::none_of(view.form.columns, [&](ColumnId column) {
            return belongs(column) &&
                   (view.question.column_scores.contains(column) || view.question.value_columns.contains(column));
        });
    }));
}

double names_unused(const View& view) {
    return static_cast<double>(std::ranges::count_if(view.question.names, [&](const SaidSpan& span) {
        const auto has = [](const auto& set, const auto& of) {
            return std::ranges::any_of(set, [&of](const auto& each) { return of.contains(each); });
        };
        return !has(span.columns, view.form.columns) && !has(span.tables, view.form.tables);
    }));
}

/// Values that are compared with columns which do not have them, though others do.
double misplaced_values(const View& view) {
    double count = 0;
    for (const auto* spans : {&view.question.values, &view.question.likely_values}) {
        for (const SaidSpan& span : *spans) {
            const bool is_placed =
                std::ranges::any_of(span.columns, [&](ColumnId column) { return view.form.compared.contains(column); });
            count += truth(view.uses(span) && !is_placed);
        }
    }
    return count;
}

double spellings(const View& view, Spelling::Certainty certainty) {
    return static_cast<double>(std::ranges::count_if(
        view.candidate.written.values, [&](const UsedValue& value) { return value.written.certainty == certainty; }));
}

/// Words against a number, or against a date.
double values_of_another_kind(const View& view) {
    const Schema& schema = view.question.knowledge.schema();
    return static_cast<double>(std::ranges::count_if(view.candidate.written.values, [&](const UsedValue& value) {
        if (value.column == 0 || value.written.text.empty()) return false;
        const SchemaColumn& column = schema.columns()[static_cast<std::size_t>(value.column)];
        const bool is_measured =
            column.kind == ColumnKind::number || column.kind == ColumnKind::time || column.is_iso_date;
        const char first = value.written.text.front();
        return is_measured && !is_digit(first) && first != '-' && first != '.';
    }));
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

/// More columns than the trained parser can look at: then it has learnt little about such databases.
bool is_large(const View& view) {
    return view.question.knowledge.schema().columns().size() > kPartColumnsMax;
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
    {"fact score", [](const View& v) { return std::max(v.fact_score.value_or(0), kFactFloor); }},
    {"fact lead", [](const View& v) { return std::clamp(v.fact_lead, kFactFloor, -kFactFloor); }},
    {"leading fact", [](const View& v) { return truth(is_leading_fact(v)); }},
    {"facts of many columns", [](const View& v) { return truth(is_large(v) && v.fact_score.has_value()); }},
    {"leading fact of many columns", [](const View& v) { return truth(is_large(v) && is_leading_fact(v)); }},
    {"fact score of many columns", [](const View& v) { return is_large(v) ? std::max(v.fact_score.value_or(0), kFactFloor) : 0; }},
    {"trained of many columns", [](const View& v) { return truth(is_large(v) && v.trained_score.has_value()); }},
    {"trained score", [](const View& v) { return std::max(v.trained_score.value_or(0), kScoreFloor); }},
    {"rule score", [](const View& v) { return std::max(v.rule_score.value_or(0), kScoreFloor); }},
    {"gap", [](const View& v) { return capped(v.gap, -kScoreFloor); }},
    {"rank", [](const View& v) { return v.rank; }},
    {"is first", [](const View& v) { return truth(v.rank == 0); }},
    {"share", [](const View& v) { return v.share; }},
    {"pooled share", [](const View& v) { return v.pooled_share; }},
    {"pooled log", [](const View& v) { return std::log(std::max(v.pooled_share, kShareFloor)); }},
    {"rival share", [](const View& v) { return v.rival_share; }},
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
});
static_assert(kRules.size() == kFeatures);

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
        view.rank = kRankMost;
        view.gap = -kScoreFloor;
        if (!view.trained_score) continue;
        const auto is_better = [&](const View& other) { return other.trained_score > view.trained_score; };
        view.rank = static_cast<double>(std::ranges::count_if(views, is_better));
        view.gap = best - *view.trained_score;
        view.share = std::exp(*view.trained_score) / sum;
    }
}

void compare_results(std::vector<View>& views) {
    std::set<std::string_view> keys;
    double empty = 0;
    for (const View& view : views) {
        keys.insert(view.key);
        empty += truth(view.candidate.result && rows_of(view) == 0);
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
    for (View& view : views) {
        for (const View& other : views) {
            if (other.key != view.key) view.rival_share = std::max(view.rival_share, other.pooled_share);
        }
    }
}

void compare_facts(std::vector<View>& views) {
    for (View& view : views) {
        if (!view.fact_score) continue;
        double rival = kFactFloor;
        for (const View& other : views) {
            if (other.fact_score && other.key != view.key) rival = std::max(rival, *other.fact_score);
        }
        view.fact_lead = *view.fact_score - rival;
    }
}

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
    compare_scores(views);
    compare_results(views);
    compare_facts(views);
    std::vector<Features> out(views.size());
    for (std::size_t at = 0; at < views.size(); ++at) {
        std::ranges::transform(kRules, out[at].begin(), [&](const FeatureRule& rule) { return rule.value(views[at]); });
    }
    return out;
}

}  // namespace quaestor::native
