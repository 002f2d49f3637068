#include "native/reading/facts/fact_query.hpp"

#include "native/reading/rules/conditions.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace quaestor::native::facts {

namespace {

/// What a word costs that nothing was made of, and what each step to another table costs.
constexpr double kUnexplained = 1.2;
constexpr double kStep = 0.06;
/// A column is meant when so much of a phrase for it is said.
constexpr double kSaidMin = 0.35;
constexpr double kOtherTable = 0.06;
constexpr double kUnsure = 0.7;
constexpr double kWeakVerb = 0.3;
constexpr double kDescribedKey = 0.15;
constexpr double kNoPerson = 0.3;
constexpr double kLaterNoun = 0.02;
constexpr double kReachedWord = 0.1;
constexpr double kUnknownName = 0.2;
/// A table that only joins what is said, and is not said itself.
constexpr double kIdleRoot = 0.5;
constexpr int kStepsMax = 2;

constexpr auto kPeopleWords = std::to_array<std::string_view>(
    {"first", "last", "birth", "born", "gender", "sex", "age", "email", "nationality", "surname"});

/// Columns for "from Iceland", the likeliest first.
constexpr auto kPlaceWords = std::to_array<std::string_view>(
    {"country", "nation", "nationality", "origin", "city", "state", "region", "location", "place", "continent"});

Side as_side(const Value& value) {
    if (const auto* words = std::get_if<Words>(&value)) return *words;
    return std::get<Constant>(value);
}

}  // namespace

std::optional<FactReading> FactQuery::reading() {
    if (!add_values() || !add_time()) return std::nullopt;
    choose_entity();
    if (!add_unknown()) return std::nullopt;
    choose_columns();
    take_tests();
    if (!add_numbers() || !shape()) return std::nullopt;
    add_where();
    const bool has_root = std::ranges::any_of(columns_in(query_), [this](const ColumnRef& ref) {
        return ref.column != 0 && view_.table_of(ref.column) == root_;
    });
    if (!has_root) query_.tables.push_back(root_);
    return FactReading{std::move(query_), score(), rule_, std::move(assumptions_)};
}

/// The column as rows of the table reach it; of several keys the one that is said.
std::optional<ColumnRef> FactQuery::reached(ColumnId column) const {
    const TableId there = view_.table_of(column);
    if (there == root_) return ColumnRef{column, 0};
    const auto steps = view_.steps_to_one(root_, there);
    if (!steps || *steps > kStepsMax) return std::nullopt;
    const auto keys = view_.keys_between(root_, there);
    if (keys.empty()) return view_.has_several_ways(root_, there) ? std::nullopt : std::optional(ColumnRef{column, 0});
    if (keys.size() == 1) return ColumnRef{column, keys.front()};
    const ColumnId role = role_said(keys);
    return role == 0 ? std::nullopt : std::optional(ColumnRef{column, role});
}

ColumnId FactQuery::role_said(const std::vector<ColumnId>& keys) const {
    // A key without a role of its own, "team_id" beside "opponent_team_id", is the plain one.
    ColumnId found = 0;
    std::size_t shortest = SIZE_MAX;
    for (const ColumnId key : keys) {
        if (is_role_said(key)) return key;
        const std::size_t size = view_.column(key).words.size();
        const auto target = view_.target_of(key);
        const bool is_plain = target && view_.column(key).words == view_.column(view_.primary(*target)).words;
        if (is_plain && size < shortest) {
            shortest = size;
            found = key;
        }
    }
    return found;
}

/// Whether a word of the key is said that is not the table's: "home" of "home team".
bool FactQuery::is_role_said(ColumnId key) const {
    const auto target = view_.target_of(key);
    for (std::size_t at = 0; at < names_.size() && target; ++at) {
        const bool is_plain = said_.taken[at] || names_.has_in_name(*target, at) || names_.folded(at) == "id";
        if (!is_plain && names_.is_in_name(key, at)) return true;
    }
    return false;
}

bool FactQuery::add_values() {
    for (const ValueMention& value : said_.values) {
        const ValueMention::Meaning* best = nullptr;
        std::optional<ColumnRef> ref;
        double best_score = -1;
        for (const auto& meaning : value.meanings) {
            const auto there = reached(meaning.column);
            if (!there) continue;
            const int steps = *view_.steps_to_one(root_, view_.table_of(meaning.column));
            const double here = meaning.score - kStep * steps;
            if (here <= best_score) continue;
            best_score = here;
            best = &meaning;
            ref = there;
        }
        if (best == nullptr && value.is_perhaps) {
            taken_[value.first] = explained_[value.first] = false;
            continue;
        }
        if (best == nullptr) return false;
        if (best->score < 0.95) cost_ += 0.1;
        const TableId table = view_.table_of(best->column);
        const bool is_again = std::ranges::find(tested_, best->column) != tested_.end();
        if (is_again) {
            const auto same = std::ranges::find_if(where_, [&](const Condition& condition) {
                const auto* compare = std::get_if<Compare>(&condition.node);
                const auto* among = std::get_if<Among>(&condition.node);
                return (compare != nullptr && compare->left == Expression{*ref}) ||
                       (among != nullptr && among->left == Expression{*ref});
            });
            if (same == where_.end()) return false;
            if (auto* among = std::get_if<Among>(&same->node)) {
                std::get<std::vector<Value>>(among->members).push_back(best->value);
            } else {
                const Side first = std::get<Compare>(same->node).right;
                const Value one = std::holds_alternative<Words>(first) ? Value(std::get<Words>(first))
                                                                       : Value(std::get<Constant>(first));
                *same = {Among{Expression{*ref}, false, std::vector<Value>{one, best->value}}};
            }
            several_.push_back(table);
            named_by_ = best->column;
            std::erase(fixed_, table);
            continue;
        }
        if (best->is_part) {
            where_.push_back({Match{Expression{*ref}, TextMatch::contains, value.negated, best->value}});
            tested_.push_back(best->column);
            continue;
        }
        where_.push_back(
            {Compare{Expression{*ref}, value.negated ? Comparison::unequal : Comparison::equal, as_side(best->value)}});
        tested_.push_back(best->column);
        const auto labels = view_.labels(table);
        const auto distinct = view_.knowledge().described(best->column).distinct;
        const auto rows = view_.knowledge().described_table(table).rows;
        const bool says_row =
            std::ranges::find(labels, best->column) != labels.end() ||
            (distinct && rows && *rows > 0 && static_cast<double>(*distinct) >= 0.9 * static_cast<double>(*rows));
        if (says_row && table != root_ && !value.negated) fixed_.push_back(table);
        cost_ += kStep * *view_.steps_to_one(root_, table);
    }
    return true;
}

/// The column of the table, or of a table it belongs to, that says when its rows took place.
std::optional<ColumnRef> FactQuery::time_column() const {
    const bool needs_days = said_.time && !said_.time->is_latest && !said_.time->is_years();
    std::optional<ColumnRef> best;
    double best_rank = 100;
    for (std::size_t table = 0; table < view_.schema().tables().size(); ++table) {
        const auto steps = view_.steps_to_one(root_, static_cast<TableId>(table));
        if (!steps || *steps > kStepsMax) continue;
        for (const ColumnId column : view_.schema().columns_of(static_cast<TableId>(table))) {
            const bool is_year = view_.is_year(column);
            const bool is_date = view_.is_date(column);
            if ((!is_year || needs_days) && !is_date) continue;
            const auto ref = reached(column);
            if (!ref) continue;
            // "founded 1990" is said of a thing, not of what happened; a word of the column makes it the one.
            const bool is_of_thing = *steps > 0 && !view_.is_key(column) && !is_date;
            const bool is_named = names_.said(column, taken_).score >= 0.5;
            const double rank = 2.0 * *steps + (is_year ? 0 : 1) + (is_of_thing ? 3 : 0) - (is_named ? 1.5 : 0) +
                                (view_.column(column).is_primary ? -0.5 : 0);
            if (rank >= best_rank) continue;
            best_rank = rank;
            best = ref;
        }
    }
    return best;
}

bool FactQuery::add_time() {
    time_ = time_column();
    if (!said_.time) return true;
    if (!time_) return false;
    auto condition = time_condition(*time_);
    if (!condition) return false;
    const TableId there = view_.table_of(time_->column);
    cost_ += kStep * *view_.steps_to_one(root_, there);
    where_.push_back(std::move(*condition));
    const TimeMention& time = *said_.time;
    is_time_fixed_ = time.is_latest || (time.comparison == Comparison::equal &&
                                        (view_.is_year(time_->column) ? time.first_year() == time.last_year() : true));
    return true;
}

std::optional<Condition> FactQuery::time_condition(const ColumnRef& column) const {
    const TimeMention& time = *said_.time;
    const Expression left{column};
    if (time.is_latest) {
        if (!view_.is_year(column.column)) return std::nullopt;
        Query newest{.select = {{AggregateOf{Aggregate::max, false, Expression{ColumnRef{column.column, 0}}, {}}}}};
        return Condition{Compare{left, Comparison::equal, Expression{Subquery{std::move(newest)}}}};
    }
    if (view_.is_year(column.column)) {
        const std::string first = time.first_year();
        const std::string last = time.last_year();
        switch (time.comparison) {
            case Comparison::greater:
            case Comparison::less_equal:
                return Condition{Compare{left, time.comparison, Constant{last}}};
            case Comparison::greater_equal:
            case Comparison::less:
                return Condition{Compare{left, time.comparison, Constant{first}}};
            default:
                if (first == last) return Condition{Compare{left, Comparison::equal, Constant{first}}};
                return Condition{Between{left, false, Constant{first}, Constant{last}}};
        }
    }
    switch (time.comparison) {
        case Comparison::greater:
        case Comparison::less_equal:
            return Condition{Compare{left, time.comparison, Constant{rules::day_before(time.after)}}};
        case Comparison::greater_equal:
        case Comparison::less:
            return Condition{Compare{left, time.comparison, Constant{time.from}}};
        default:
            if (rules::day_before(time.after) == time.from) {
                return Condition{Compare{left, Comparison::equal, Constant{time.from}}};
            }
            return Condition{Between{left, false, Constant{time.from}, Constant{rules::day_before(time.after)}}};
    }
}

/// How surely a table is what the question asks for.
double FactQuery::entity_score(TableId table) const {
    double best = 0;
    double later = 0;
    for (const std::size_t at : said_.asked) {
        best = std::max(best, names_.names_table(at, table) - later);
        later += kLaterNoun;
    }
    const bool is_people = std::ranges::any_of(kPeopleWords, [&](std::string_view word) {
        return std::ranges::any_of(view_.schema().columns_of(table),
                                   [&](ColumnId id) { return view_.has_word(id, word); });
    });
    const bool is_fixed = std::ranges::find(fixed_, table) != fixed_.end();
    if (said_.asks_who && view_.has_names(table) && !is_fixed) {
        // Of several kinds of people the commoner one.
        const auto rows = static_cast<double>(view_.knowledge().described_table(table).rows.value_or(1));
        best = std::max(best, is_people ? 0.7 + 0.01 * std::log10(std::max(rows, 1.0)) : 0.4);
    }
    if (best > 0) return best;
    for (const ColumnId key : view_.keys_between(root_, table)) {
        const bool is_asked =
            std::ranges::any_of(said_.asked, [&](std::size_t at) { return names_.is_in_name(key, at); });
        if (is_asked && view_.has_names(table)) best = 0.4;
    }
    return best;
}

/// "Which guards …": rows of the table are asked for by a value that is no name.
bool FactQuery::is_kind_asked() const {
    if (!said_.asks_which || !view_.has_names(root_)) return false;
    const auto labels = view_.labels(root_);
    return std::ranges::any_of(tested_,
                               [&](ColumnId id) {
                                   return view_.table_of(id) == root_ && std::ranges::find(labels, id) == labels.end();
                               }) &&
           std::ranges::all_of(tested_, [&](ColumnId id) { return std::ranges::find(labels, id) == labels.end(); });
}

void FactQuery::choose_entity() {
    double best = 0;
    for (std::size_t at = 0; at < view_.schema().tables().size(); ++at) {
        const auto table = static_cast<TableId>(at);
        const auto steps = view_.steps_to_one(root_, table);
        if (!steps || *steps > kStepsMax) continue;
        const double here = entity_score(table) - kStep * *steps;
        if (here <= best || here <= 0) continue;
        const auto labels = view_.labels(table);
        if (table != root_ && !reached(labels.front())) {
            const auto keys = view_.keys_between(root_, table);
            if (keys.empty()) continue;
        }
        best = here;
        entity_ = table;
    }
    if (entity_ < 0 && is_kind_asked()) entity_ = root_;
    if (entity_ < 0) return;
    for (std::size_t at = 0; at < names_.size(); ++at) {
        if (names_.names_table(at, entity_) > 0) explained_[at] = true;
    }
    if (said_.asks_who && best < 0.6) cost_ += kNoPerson;
    cost_ += kStep * *view_.steps_to_one(root_, entity_);
}

/// A place is looked for among places, any other name among the names of what is asked for; that it is not there is for
/// others to say.
bool FactQuery::add_unknown() {
    if (!said_.unknown) return true;
    if (entity_ < 0) return false;
    const bool is_place =
        said_.unknown->led_by == "from" || said_.unknown->led_by == "in" || said_.unknown->led_by == "at";
    ColumnId found = is_place ? 0 : view_.labels(entity_).front();
    for (const std::string_view word : kPlaceWords) {
        for (const ColumnId id : view_.schema().columns_of(entity_)) {
            const bool is_text = view_.column(id).kind == ColumnKind::text && !view_.target_of(id);
            if (is_place && found == 0 && is_text && view_.has_word(id, word)) found = id;
        }
    }
    const auto ref = found == 0 ? std::nullopt : reached(found);
    if (!ref) return false;
    where_.push_back({Compare{Expression{*ref}, Comparison::equal, Words{said_.unknown->first, said_.unknown->last}}});
    tested_.push_back(found);
    cost_ += kUnknownName;
    return true;
}

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
        if (!steps || *steps > kStepsMax || std::ranges::find(tested_, column) != tested_.end()) continue;
        if (time_ && time_->column == column && said_.time) continue;
        if (view_.target_of(column) || view_.has_word(column, "id")) continue;
        if (std::ranges::any_of(columns_, [column](const ChosenColumn& one) { return one.ref.column == column; }))
            continue;
        const auto ref = reached(column);
        if (!ref) continue;
        Said said = names_.said(column, taken_);
        if (said.score < kSaidMin) continue;
        double fresh = 0;
        for (const std::size_t word : said.words) fresh += used[word] ? 0 : explained_[word] ? 0.3 : 1;
        if (fresh == 0) continue;
        // In a word that says the table that is asked for, the table is meant.
        const bool is_entity_word = !said_.is_commonest && said.words.size() == 1 && entity_ >= 0 &&
                                    names_.names_table(said.words[0], entity_) > 0;
        if (is_entity_word) continue;
        const double rank = said.score * (1 + 0.25 * (fresh - 1)) - kOtherTable * *steps;
        if (rank <= best_rank) continue;
        best_rank = rank;
        best = ChosenColumn{*ref, said.score, std::move(said.words)};
    }
    return best;
}

/// One after the other, each for words that none before it has used.
void FactQuery::choose_columns() {
    std::vector<bool> used(names_.size(), false);
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

/// Flags that are said become conditions.
void FactQuery::take_tests() {
    std::erase_if(columns_, [this](const ChosenColumn& one) {
        if (!view_.is_flag(one.ref.column)) return false;
        if (said_.asks_whether && !fixed_.empty()) return false;
        where_.push_back(
            {Compare{Expression{one.ref}, Comparison::equal, Constant{said_.has_negation ? "no" : "yes"}}});
        tested_.push_back(one.ref.column);
        return true;
    });
}

/// Each number is compared with the nearest column that measures something.
bool FactQuery::add_numbers() {
    if (said_.beats_average && !add_average()) return false;
    for (const NumberMention& number : said_.numbers) {
        const ChosenColumn* nearest = nullptr;
        std::size_t distance = SIZE_MAX;
        for (const ChosenColumn& column : columns_) {
            if (view_.column(column.ref.column).kind != ColumnKind::number) continue;
            const std::size_t first = column.words.front();
            const std::size_t here = first > number.last
                                         ? first - number.last
                                         : (number.first - std::min(number.first, column.words.back())) + 1;
            if (here >= distance) continue;
            distance = here;
            nearest = &column;
        }
        if (nearest == nullptr) return false;
        const Value said = Constant{number.number};
        where_.push_back({Compare{Expression{nearest->ref}, number.comparison, as_side(said)}});
        tested_.push_back(nearest->ref.column);
    }
    return true;
}

/// "more than the average": of the same time, over all rows.
bool FactQuery::add_average() {
    const auto column = std::ranges::find_if(columns_, [this](const ChosenColumn& one) {
        return view_.column(one.ref.column).kind == ColumnKind::number && view_.table_of(one.ref.column) == root_;
    });
    if (column == columns_.end()) return false;
    Query all{.select = {{AggregateOf{Aggregate::avg, false, Expression{ColumnRef{column->ref.column, 0}}, {}}}}};
    if (said_.time && time_ && view_.table_of(time_->column) == root_) all.where = time_condition(*time_);
    where_.push_back({Compare{Expression{column->ref}, *said_.beats_average, Expression{Subquery{std::move(all)}}}});
    tested_.push_back(column->ref.column);
    return true;
}

double FactQuery::score() const {
    double cost = cost_ + (is_root_said_ || root_ == entity_ ? 0 : kIdleRoot);
    for (std::size_t at = 0; at < explained_.size(); ++at) {
        cost += explained_[at] ? 0 : said_.weak[at] ? kWeakVerb : kUnexplained;
    }
    for (const ChosenColumn& column : columns_) {
        cost +=
            kUnsure * (1 - column.score) + kOtherTable * *view_.steps_to_one(root_, view_.table_of(column.ref.column));
    }
    return -cost;
}

}  // namespace quaestor::native::facts
