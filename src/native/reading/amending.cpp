#include "native/reading/amending.hpp"

#include "native/characters.hpp"
#include "native/reading/choosing_view.hpp"
#include "native/reading/form_edits.hpp"
#include "native/reading/form_profile.hpp"
#include "native/reading/link_finders.hpp"
#include "native/reading/name_parts.hpp"
#include "native/reading/rules/conditions.hpp"
#include "native/reading/rules/schema_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace quaestor::native {

namespace {

/// Readings that are looked at, the best ones.
constexpr std::size_t kReadingsMax = 3;
/// Letters by which a shortened flag must agree with a word: "prim" and "primary".
constexpr std::size_t kSharedLettersMin = 3;
/// Words before a flag among which "not" is looked for.
constexpr std::size_t kNegationReach = 2;

/// Words of flags' names that say only that they are flags.
constexpr auto kFlagWords = std::to_array<std::string_view>(
    {"is", "has", "was", "went", "to", "flag", "indicator", "yn", "ind", "are", "did", "in", "on", "of", "a"});

bool is_flag_word(std::string_view word) {
    return std::ranges::find(kFlagWords, word) != kFlagWords.end();
}

struct SaidFlag {
    ColumnId column = 0;
    std::vector<std::size_t> words;
    bool is_negated = false;
};

void add_condition(Query& query, Condition condition) {
    std::vector<Condition> all;
    if (query.where) {
        if (const auto* parts = std::get_if<AllOf>(&query.where->node)) {
            all = parts->parts;
        } else {
            all.push_back(*query.where);
        }
    }
    all.push_back(std::move(condition));
    query.where = rules::joined(std::move(all));
}

class Amender {
public:
    Amender(const LinkedQuestion& question, const Knowledge& knowledge)
        : question_(question), view_(knowledge), said_(question, knowledge) {
        find_flags();
    }

    /// Only values and flags; nothing when none is left out.
    [[nodiscard]] std::optional<Query> with_conditions(const Query& form) const {
        if (form.combined) return std::nullopt;
        Query out = form;
        const FormProfile profile = profile_of(form, view_.schema());
        add_values(out, profile);
        add_flags(out, profile);
        add_period(out, profile);
        return out == form ? std::nullopt : std::optional(std::move(out));
    }

    /// First and last name where one of them is shown.
    [[nodiscard]] std::optional<Query> with_whole_names(const Query& form) const {
        Query out = form;
        complete_names(out);
        return out == form ? std::nullopt : std::optional(std::move(out));
    }

private:
    void find_flags() {
        for (std::size_t at = 1; at < view_.schema().columns().size(); ++at) {
            const auto id = static_cast<ColumnId>(at);
            if (!view_.is_flag(id)) continue;
            SaidFlag flag{.column = id, .words = {}};
            bool is_said = true;
            for (const std::string& word : stems(view_.column(id).words)) {
                if (is_flag_word(word)) continue;
                const auto found = word_saying(word);
                is_said &= found.has_value();
                if (found) flag.words.push_back(*found);
            }
            if (!is_said || flag.words.empty()) continue;
            flag.is_negated = is_negated(*std::ranges::min_element(flag.words));
            flags_.push_back(std::move(flag));
        }
    }
    [[nodiscard]] std::optional<std::size_t> word_saying(const std::string& name) const {
        for (std::size_t at = 0; at < said_.folded.size(); ++at) {
            const std::string& folded = said_.folded[at];
            const bool is_same = link_stem(folded) == name || folded == name;
            const bool is_short = name.size() >= kSharedLettersMin && folded.size() > name.size() + 1 &&
                                  folded.starts_with(name) && said_.has_content[at];
            if ((is_same || is_short) && !is_in_value(at)) return at;
        }
        return std::nullopt;
    }
    [[nodiscard]] bool is_in_value(std::size_t at) const {
        return std::ranges::any_of(said_.values,
                                   [at](const SaidSpan& span) { return span.first <= at && at <= span.last; });
    }
    [[nodiscard]] bool is_negated(std::size_t at) const {
        for (std::size_t back = 1; back <= kNegationReach && back <= at; ++back) {
            const std::string& word = said_.folded[at - back];
            if (word == "not" || word == "non" || word == "never" || word == "no" || word == "without") return true;
        }
        return false;
    }

    /// The column as this query reaches its table; nothing where it does not.
    [[nodiscard]] std::optional<ColumnRef> reached(const Query& query, ColumnId column, bool may_join) const {
        const TableId table = view_.table_of(column);
        const std::vector<ColumnRef> refs = columns_in(query);
        for (const ColumnRef& ref : refs) {
            if (ref.column != 0 && view_.table_of(ref.column) == table) return ColumnRef{column, ref.via, ref.or_via};
        }
        if (std::ranges::find(query.tables, table) != query.tables.end()) return ColumnRef{column, 0};
        if (!may_join) return std::nullopt;
        for (const ColumnRef& ref : refs) {
            if (ref.column == 0) continue;
            const auto keys = view_.keys_between(view_.table_of(ref.column), table);
            if (keys.size() == 1) return ColumnRef{column, 0};
        }
        return std::nullopt;
    }

    [[nodiscard]] bool uses(const Query& form, const FormProfile& profile, const SaidSpan& span) const {
        const bool has_words = std::ranges::any_of(
            profile.words, [&](const Words& words) { return words.first <= span.last && span.first <= words.last; });
        bool is_constant = false;
        const Query same = with_values_replaced(form, [&](const Value& value) {
            const auto* constant = std::get_if<Constant>(&value);
            is_constant |= constant != nullptr && std::ranges::find(span.texts, constant->text) != span.texts.end();
            return value;
        });
        return has_words || is_constant || same != form;
    }

    void add_values(Query& query, const FormProfile& profile) const {
        std::vector<ColumnId> added;
        for (const SaidSpan& span : said_.values) {
            if (uses(query, profile, span)) continue;
            for (const bool may_join : {false, true}) {
                if (add_value(query, profile, span, may_join, added)) break;
            }
        }
    }
    bool add_value(Query& query, const FormProfile& profile, const SaidSpan& span, bool may_join,
                   std::vector<ColumnId>& added) const {
        for (const Link& link : question_.links) {
            const bool is_meant = link.kind == LinkKind::value && link.first == span.first && link.last == span.last;
            if (!is_meant || link.score < kSureScore) continue;
            if (add_to_average(query, link)) return true;
            if (profile.compared.contains(link.column)) continue;
            const auto ref = reached(query, link.column, may_join);
            if (!ref) continue;
            if (std::ranges::find(added, link.column) != added.end()) return true;
            add_condition(query, {Compare{Expression{*ref}, Comparison::equal, Words{span.first, span.last}}});
            added.push_back(link.column);
            return true;
        }
        return false;
    }
    /// "European nations above the European average": what is said again behind "average" is said of the average too.
    bool add_to_average(Query& query, const Link& value) const {
        const auto average = std::ranges::find(said_.folded, "average");
        const auto at = static_cast<std::size_t>(average - said_.folded.begin());
        const bool is_of_average = average != said_.folded.end() && (value.first > at || value.last + 1 == at);
        Query* inner = is_of_average ? compared_query(query) : nullptr;
        const auto ref = inner != nullptr ? reached(*inner, value.column, false) : std::nullopt;
        if (!ref || profile_of(*inner, view_.schema()).compared.contains(value.column)) return false;
        add_condition(*inner, {Compare{Expression{*ref}, Comparison::equal, Words{value.first, value.last}}});
        return true;
    }
    /// The query that something is compared with: "above the average".
    static Query* compared_query(Query& query) {
        std::vector<Condition*> parts;
        if (query.where) parts.push_back(&*query.where);
        if (auto* all = query.where ? std::get_if<AllOf>(&query.where->node) : nullptr) {
            for (Condition& part : all->parts) parts.push_back(&part);
        }
        for (Condition* part : parts) {
            auto* compare = std::get_if<Compare>(&part->node);
            auto* side = compare != nullptr ? std::get_if<Expression>(&compare->right) : nullptr;
            auto* inner = side != nullptr ? std::get_if<Subquery>(&side->node) : nullptr;
            if (inner != nullptr) return &*inner->query;
        }
        return nullptr;
    }

    void add_flags(Query& query, const FormProfile& profile) const {
        for (const SaidFlag& flag : flags_) {
            if (profile.compared.contains(flag.column)) continue;
            const auto ref = reached(query, flag.column, false);
            if (!ref) continue;
            show_names_for(query, flag.column);
            add_condition(query,
                          {Compare{Expression{*ref}, Comparison::equal, Constant{flag.is_negated ? "no" : "yes"}}});
        }
    }
    /// Whoever asks for the discontinued products wants their names, not the flag.
    void show_names_for(Query& query, ColumnId flag) const {
        const auto is_flag = [flag](const Expression& shown) {
            const auto* ref = std::get_if<ColumnRef>(&shown.node);
            return ref != nullptr && ref->column == flag;
        };
        std::erase_if(query.order, [&](const OrderBy& order) { return is_flag(order.by); });
        std::erase_if(query.select, is_flag);
        if (!query.select.empty()) return;
        for (const ColumnId label : view_.labels(view_.table_of(flag))) query.select.push_back({ColumnRef{label, 0}});
    }

    /// "last year" where the reading asks for no time at all.
    void add_period(Query& query, const FormProfile& profile) const {
        if (std::ranges::any_of(profile.compared, [this](ColumnId column) { return view_.says_when(column); })) return;
        for (const Link& link : question_.links) {
            const bool is_period = link.kind == LinkKind::date && link.score >= kSureScore;
            const auto slash = link.text.find('/');
            if (!is_period || slash == std::string::npos || uses(query, profile, {link.first, link.last, {}, {}, {}}))
                continue;
            if (const auto when = time_column(query)) {
                add_condition(query, in_period(*when, {link.text.substr(0, slash), link.text.substr(slash + 1)}));
            }
            return;
        }
    }
    /// The first column of the tables at hand that says when.
    [[nodiscard]] std::optional<ColumnRef> time_column(const Query& query) const {
        std::vector<TableId> tables = query.tables;
        for (const ColumnRef& ref : columns_in(query)) {
            if (ref.column != 0) tables.push_back(view_.table_of(ref.column));
        }
        for (const TableId table : tables) {
            for (const ColumnId column : view_.schema().columns_of(table)) {
                if (view_.is_date(column) || view_.is_year(column)) return reached(query, column, false);
            }
        }
        return std::nullopt;
    }
    [[nodiscard]] Condition in_period(const ColumnRef& when, const Period& period) const {
        const Expression left{when};
        const std::string last = rules::day_before(period.after);
        if (!view_.is_year(when.column)) return {Between{left, false, Constant{period.first}, Constant{last}}};
        const std::string first_year = period.first.substr(0, 4);
        const std::string last_year = last.substr(0, 4);
        if (first_year == last_year) return {Compare{left, Comparison::equal, Constant{first_year}}};
        return {Between{left, false, Constant{first_year}, Constant{last_year}}};
    }

    void complete_names(Query& query) const {
        for (std::size_t at = 0; at < query.select.size(); ++at) {
            const auto* shown = std::get_if<ColumnRef>(&query.select[at].node);
            if (shown == nullptr || shown->column == 0) continue;
            const auto said = said_.column_scores.find(shown->column);
            if (said != said_.column_scores.end() && said->second >= kSureScore) continue;
            const ColumnId other = other_half(shown->column, view_.schema());
            const Expression missing{ColumnRef{other, shown->via, shown->or_via}};
            if (other == 0 || std::ranges::find(query.select, missing) != query.select.end()) continue;
            const bool is_first = name_part(view_.column(other)) == NamePart::first;
            query.select.insert(query.select.begin() + static_cast<std::ptrdiff_t>(at + (is_first ? 0 : 1)), missing);
            ++at;
        }
        if (query.combined) complete_names(*query.combined->with);
    }

    const LinkedQuestion& question_;
    rules::SchemaView view_;
    QuestionView said_;
    std::vector<SaidFlag> flags_;
};

}  // namespace

std::vector<Proposal> amended(std::span<const Proposal> trained, const LinkedQuestion& question,
                              const Knowledge& knowledge) {
    const Amender amender(question, knowledge);
    std::vector<Proposal> out;
    const auto add = [&out](Query form, double score) {
        const bool is_new = std::ranges::none_of(out, [&form](const Proposal& one) { return one.form == form; });
        if (is_new) out.push_back({.form = std::move(form), .score = score, .parser = kAmendedParser, .rule = {}});
    };
    for (const Proposal& base : trained.first(std::min(trained.size(), kReadingsMax))) {
        const auto whole = amender.with_conditions(base.form);
        const auto named = amender.with_whole_names(whole ? *whole : base.form);
        if (named) add(*named, base.score);
        if (whole) add(*whole, base.score);
    }
    return out;
}

}  // namespace quaestor::native
