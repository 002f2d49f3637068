#include "native/reading/choosing_oddities.hpp"

#include "native/joins.hpp"
#include "native/words.hpp"

#include <algorithm>

namespace quaestor::native {

namespace {

using View = CandidateView;

/// Letters that must agree at the beginning of two words, and those of a shortened one ("dst" for destination).
constexpr std::size_t kPrefixLetters = 4;
constexpr std::size_t kShortLetters = 3;

const SchemaColumn& column_of(const View& view, ColumnId id) {
    return view.question.knowledge.schema().columns()[static_cast<std::size_t>(id)];
}

/// Whether the letters of one stand in the other in their order, the first one first.
bool is_short_for(std::string_view letters, std::string_view word) {
    if (letters.size() < kShortLetters || letters.size() > kPrefixLetters || word.size() <= letters.size())
        return false;
    if (letters.front() != word.front()) return false;
    std::size_t found = 0;
    for (const char letter : word) found += found < letters.size() && letter == letters[found] ? 1 : 0;
    return found == letters.size();
}

bool is_said(const QuestionView& question, const std::string& name_word) {
    return std::ranges::any_of(question.folded, [&](const std::string& folded) {
        const std::string said = stem(folded);
        if (said == name_word) return true;
        const auto shared = std::ranges::mismatch(said, name_word).in1 - said.begin();
        return static_cast<std::size_t>(shared) >= kPrefixLetters || is_short_for(name_word, said);
    });
}

/// Words of one name that the other lacks and the question says.
int said_alone(const View& view, ColumnId name, ColumnId other) {
    const auto others = stems(column_of(view, other).words);
    int count = 0;
    for (const std::string& word : stems(column_of(view, name).words)) {
        const bool is_alone = std::ranges::find(others, word) == others.end() && !is_stop_word(word);
        count += is_alone && is_said(view.question, word) ? 1 : 0;
    }
    return count;
}

bool joins_same_tables(const Schema& schema, const ForeignKey& left, const ForeignKey& right) {
    return schema.table_of(left.from) == schema.table_of(right.from) &&
           schema.table_of(left.to) == schema.table_of(right.to) && left.from != right.from;
}

/// How much better another key is named than one that joins, where there is another: the worst of all joins.
std::optional<int> better_keys_of(const View& view, const Query& form) {
    const Schema& schema = view.question.knowledge.schema();
    std::optional<int> most = form.combined ? better_keys_of(view, *form.combined->with) : std::nullopt;
    const auto plan = join_plan(schema, columns_in(form), form.tables);
    if (!plan) return most;
    for (const JoinStep& step : *plan) {
        const auto used = std::ranges::find_if(schema.keys(), [&](const ForeignKey& key) {
            return std::pair(key.from, key.to) == step.on || std::pair(key.to, key.from) == step.on;
        });
        if (used == schema.keys().end()) continue;
        for (const ForeignKey& other : schema.keys()) {
            if (!joins_same_tables(schema, *used, other)) continue;
            const int better = said_alone(view, other.from, used->from) - said_alone(view, used->from, other.from);
            most = std::max(most.value_or(better), better);
        }
    }
    return most;
}

/// Whether rows with the same value of `by` have the same value of `shown`.
bool settles(const Schema& schema, ColumnId by, ColumnId shown) {
    if (by == shown) return true;
    const TableId table = schema.table_of(shown);
    if (schema.table_of(by) == table) return schema.columns()[static_cast<std::size_t>(by)].is_primary;
    return std::ranges::any_of(
        schema.keys(), [&](const ForeignKey& key) { return key.from == by && schema.table_of(key.to) == table; });
}

}  // namespace

double better_keys(const View& view) {
    return std::clamp(better_keys_of(view, view.candidate.proposal.form).value_or(0), -1, 1);
}

double ungrouped(const View& view) {
    const Query& form = view.candidate.proposal.form;
    if (form.group.empty()) return 0;
    const Schema& schema = view.question.knowledge.schema();
    return static_cast<double>(std::ranges::count_if(view.form.shown, [&](ColumnId shown) {
        return shown != 0 && std::ranges::none_of(form.group, [&](const Expression& by) {
                   const auto* column = std::get_if<ColumnRef>(&by.node);
                   return column != nullptr && column->column != 0 && settles(schema, column->column, shown);
               });
    }));
}

double shown_compared(const View& view) {
    return static_cast<double>(std::ranges::count_if(
        view.form.shown, [&](ColumnId shown) { return shown != 0 && view.form.compared.contains(shown); }));
}

double shown_twice(const View& view) {
    const std::set<ColumnId> different(view.form.shown.begin(), view.form.shown.end());
    return static_cast<double>(view.form.shown.size() - different.size());
}

double ends_unsaid(const View& view) {
    constexpr auto kEnds = std::to_array<std::string_view>({"home", "away", "visitor", "guest", "host"});
    return static_cast<double>(std::ranges::count_if(view.form.columns, [&](ColumnId id) {
        if (view.form.of_ends.contains(id)) return false;
        const auto words = plain_words(column_of(view, id).words);
        return std::ranges::any_of(kEnds, [&](std::string_view end) {
            return std::ranges::find(words, end) != words.end() && !view.question.has_word(end);
        });
    }));
}

double text_measured(const View& view) {
    return static_cast<double>(
        std::ranges::count_if(view.form.measured, [&](ColumnId id) { return !column_of(view, id).is_amount(); }));
}

double odd_tests(const View& view) {
    const auto patterns = std::ranges::count_if(
        view.form.matched, [&](ColumnId id) { return id != 0 && column_of(view, id).kind == ColumnKind::number; });
    const auto parts = std::ranges::count_if(view.form.dated, [&](ColumnId id) {
        const SchemaColumn& column = column_of(view, id);
        return !column.is_iso_date && column.kind != ColumnKind::time;
    });
    return static_cast<double>(patterns + parts);
}

double words_reused(const View& view) {
    std::set<std::size_t> once;
    std::set<std::size_t> again;
    for (const Words& words : view.form.words) {
        for (std::size_t at = words.first; at <= words.last && at < view.question.folded.size(); ++at) {
            if (!once.insert(at).second) again.insert(at);
        }
    }
    return static_cast<double>(again.size());
}

double likely_names_unused(const View& view) {
    std::set<std::size_t> said;
    std::set<std::size_t> used;
    for (const Link& link : view.question.question.links) {
        const bool is_column = link.kind == LinkKind::column;
        if ((!is_column && link.kind != LinkKind::table) || link.score < kSaidScore) continue;
        const bool is_used =
            is_column ? view.form.columns.contains(link.column) : view.form.tables.contains(link.table);
        for (std::size_t at = link.first; at <= link.last; ++at) (is_used ? used : said).insert(at);
    }
    for (const Words& words : view.form.words) {
        for (std::size_t at = words.first; at <= words.last && at < view.question.folded.size(); ++at) used.insert(at);
    }
    return static_cast<double>(std::ranges::count_if(said, [&](std::size_t at) { return !used.contains(at); }));
}

bool says_pattern(const QuestionView& question) {
    constexpr auto kPatternWords =
        std::to_array<std::string_view>({"contain", "contains", "containing", "contained", "substring", "letter",
                                         "letters", "prefix", "suffix", "like", "include", "includes", "including"});
    constexpr auto kBounds = std::to_array<std::string_view>(
        {"start", "starts", "starting", "begin", "begins", "beginning", "end", "ends", "ending"});
    const auto is_any = [](const auto& words, const std::string& word) {
        return std::ranges::find(words, word) != words.end();
    };
    for (std::size_t at = 0; at < question.folded.size(); ++at) {
        if (is_any(kPatternWords, question.folded[at])) return true;
        const bool has_with = at + 1 < question.folded.size() && question.folded[at + 1] == "with";
        if (has_with && is_any(kBounds, question.folded[at])) return true;
    }
    return false;
}

bool is_strictness_wrong(const View& view) {
    const auto has = [&](Comparison comparison) {
        return view.form.comparisons[static_cast<std::size_t>(comparison)] > 0;
    };
    const auto is_swapped = [&](std::string_view said, std::string_view other, Comparison meant, Comparison written) {
        return view.question.says(LinkKind::comparison, said) && !view.question.says(LinkKind::comparison, other) &&
               has(written) && !has(meant);
    };
    return is_swapped(">", ">=", Comparison::greater, Comparison::greater_equal) ||
           is_swapped(">=", ">", Comparison::greater_equal, Comparison::greater) ||
           is_swapped("<", "<=", Comparison::less, Comparison::less_equal) ||
           is_swapped("<=", "<", Comparison::less_equal, Comparison::less);
}

}  // namespace quaestor::native
