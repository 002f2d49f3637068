#include "native/reading/facts/fact_query.hpp"
#include "native/reading/rules/conditions.hpp"

#include <algorithm>
#include <array>

namespace quaestor::native::facts {

namespace {

constexpr double kUnsureValue = 0.1;
/// "regular season" where rows do not say of what kind of season they are.
constexpr double kIdleValue = 0.15;
constexpr double kTookPart = 0.01;
/// Either end of a row was meant, and nobody said which.
constexpr double kOneOfTwoEnds = 0.1;
/// "and", "to", "vs" between two names.
constexpr std::size_t kShortWord = 3;
/// Words behind "not" among which a column is looked for.
constexpr std::size_t kNegationReach = 3;

/// What the two ends of a row go by.
constexpr auto kEndWords = std::to_array<std::string_view>({"home", "away", "host", "guest", "visitor", "visiting",
                                                            "opponent", "origin", "destination", "departure", "arrival",
                                                            "source", "target", "from", "to", "a", "b", "1", "2"});
/// Words between two who meet: not said of two that are looked at one beside the other.
constexpr auto kAgainst = std::to_array<std::string_view>({"beat", "beats", "against", "vs", "defeated", "hosted"});
constexpr double kNotAgainst = 0.5;
/// Participles that do not end like one.
constexpr auto kPastWords =
    std::to_array<std::string_view>({"left", "sold", "paid", "sent", "shipped", "bought", "closed", "ended"});

Side as_side(const Value& value) {
    if (const auto* words = std::get_if<Words>(&value)) return *words;
    return std::get<Constant>(value);
}

bool may_be_missing(const data::CatalogColumn& column) {
    return column.nulls ? *column.nulls > 0 : column.nullable;
}

Condition is_value(const ColumnRef& ref, const Value& value) {
    return {Compare{Expression{ref}, Comparison::equal, as_side(value)}};
}

const ValueMention::Meaning* meaning_in(const ValueMention& value, ColumnId column) {
    const auto found = std::ranges::find(value.meanings, column, &ValueMention::Meaning::column);
    return found == value.meanings.end() ? nullptr : &*found;
}

}  // namespace

/// Keys to the two ends of a row, as games have them to teams and flights to airports; none where there are no two.
std::vector<ColumnId> FactQuery::key_pair(TableId table) const {
    std::vector<ColumnId> keys = view_.keys_between(root_, table);
    if (keys.size() > 2) {
        std::erase_if(keys, [this](ColumnId key) {
            return std::ranges::none_of(kEndWords, [&](std::string_view word) { return view_.has_word(key, word); });
        });
    }
    if (keys.size() != 2) keys.clear();
    return keys;
}

/// The key that the value said first stands for; 0: either.
ColumnId FactQuery::first_of_pair(const std::vector<ColumnId>& keys, const ValueMention& first,
                                  const ValueMention& second) const {
    const auto led_by = [this](const ValueMention& value) {
        return value.first == 0 ? std::string() : names_.folded(value.first - 1);
    };
    const ColumnId from = view_.key_of_direction(keys, true);
    const ColumnId to = view_.key_of_direction(keys, false);
    if (from != 0 && to != 0 && (led_by(first) == "from" || led_by(second) == "to")) return from;
    if (from != 0 && to != 0 && (led_by(first) == "to" || led_by(second) == "from")) return to;
    for (std::size_t side = 0; side < 2; ++side) {
        const auto target = view_.target_of(keys[side]);
        for (std::size_t at = 0; at < names_.size() && target; ++at) {
            const bool is_plain = said_.taken[at] || names_.has_in_name(*target, at) || names_.folded(at) == "id";
            if (is_plain || !names_.is_in_name(keys[side], at)) continue;
            // "A hosted B" is said of A, "home team A" too, "at B" of B.
            const bool is_of_first = (at > first.last && at < second.first) || at < first.first;
            return keys[is_of_first ? side : 1 - side];
        }
    }
    const auto target = view_.target_of(keys.front());
    for (const ColumnId key : keys) {
        if (target && view_.column(key).words == view_.column(view_.primary(*target)).words) return key;
    }
    return 0;
}

/// "A or B": looked at one beside the other.
bool FactQuery::are_compared(const ValueMention& first, const ValueMention& second) const {
    for (std::size_t at = first.last + 1; at < second.first; ++at) {
        if (names_.folded(at) == "or") return true;
    }
    return false;
}

/// Two names of one table where rows have two ends: "between France and Spain", "the Herons beat the Rams".
void FactQuery::add_pair() {
    for (std::size_t at = 0; at + 1 < said_.values.size() && paired_.empty(); ++at) {
        const ValueMention& first = said_.values[at];
        const ValueMention& second = said_.values[at + 1];
        for (const auto& meaning : first.meanings) {
            const auto* other = meaning_in(second, meaning.column);
            const TableId table = view_.table_of(meaning.column);
            if (other == nullptr || table == root_ || first.negated || second.negated) continue;
            const auto keys = key_pair(table);
            if (keys.empty()) continue;
            if (are_compared(first, second)) continue;
            const ColumnId key = first_of_pair(keys, first, second);
            const auto ends = [&](ColumnId one, ColumnId two) {
                return Condition{AllOf{
                    {is_value({meaning.column, one}, meaning.value), is_value({meaning.column, two}, other->value)}}};
            };
            if (key != 0) {
                const ColumnId rest = key == keys[0] ? keys[1] : keys[0];
                where_.push_back(is_value({meaning.column, key}, meaning.value));
                where_.push_back(is_value({meaning.column, rest}, other->value));
            } else if (is_either_) {
                const ColumnRef here = ends_->either(meaning.column);
                where_.push_back(is_value(here, meaning.value));
                where_.push_back(is_value({here.column, here.or_via, here.via}, other->value));
            } else {
                where_.push_back({AnyOf{{ends(keys[0], keys[1]), ends(keys[1], keys[0])}}});
            }
            for (std::size_t word = first.last + 1; word < second.first; ++word) {
                explained_[word] = explained_[word] || names_.folded(word).size() <= kShortWord ||
                                   names_.is_in_name(keys[0], word) || names_.is_in_name(keys[1], word);
            }
            if (first.first > 0 && names_.folded(first.first - 1) == "between") explained_[first.first - 1] = true;
            tested_.push_back(meaning.column);
            paired_ = {&first, &second};
            break;
        }
    }
}

/// One name where rows have two ends and none is said: rows with it at either.
void FactQuery::add_either() {
    for (const ValueMention& value : said_.values) {
        if (value.negated || std::ranges::find(paired_, &value) != paired_.end()) continue;
        const bool is_reached = std::ranges::any_of(
            value.meanings, [this](const auto& meaning) { return reached(meaning.column).has_value(); });
        if (is_reached) continue;
        for (const auto& meaning : value.meanings) {
            const TableId table = view_.table_of(meaning.column);
            const auto keys = table == root_ ? std::vector<ColumnId>() : key_pair(table);
            if (keys.empty()) continue;
            where_.push_back({AnyOf{{is_value({meaning.column, keys[0]}, meaning.value),
                                     is_value({meaning.column, keys[1]}, meaning.value)}}});
            tested_.push_back(meaning.column);
            paired_.push_back(&value);
            cost_ += kOneOfTwoEnds;
            break;
        }
    }
}

bool FactQuery::add_values() {
    add_pair();
    add_either();
    return std::ranges::all_of(said_.values, [this](const ValueMention& value) {
        return std::ranges::find(paired_, &value) != paired_.end() || add_value(value);
    });
}

bool FactQuery::add_value(const ValueMention& value) {
    const ValueMention::Meaning* best = nullptr;
    std::optional<ColumnRef> ref;
    double best_score = -1;
    for (const auto& meaning : value.meanings) {
        const auto there = reached(at_chosen_end(meaning.column));
        if (!there || is_of_wrong_end(there->column)) continue;
        const int steps = *view_.steps_to_one(root_, view_.table_of(meaning.column));
        // Of a city and a team of that name, the team took part.
        const double part = there->or_via != 0 ? kTookPart : 0;
        const double here = meaning.score - kFactStep * steps + part;
        if (here <= best_score) continue;
        best_score = here;
        best = &meaning;
        ref = there;
    }
    if (best == nullptr && value.is_idle) {
        cost_ += kIdleValue;
        return true;
    }
    if (best == nullptr && value.is_perhaps) {
        taken_[value.first] = explained_[value.first] = false;
        return true;
    }
    if (best == nullptr) return false;
    if (best->score < 0.95) cost_ += kUnsureValue;
    const TableId table = view_.table_of(best->column);
    if (std::ranges::find(tested_, ref->column) != tested_.end()) return add_same_column(*best, *ref);
    tested_.push_back(ref->column);
    if (best->is_part) {
        where_.push_back({Match{of_row(*ref), TextMatch::contains, value.negated, best->value}});
        return true;
    }
    where_.push_back(
        {Compare{of_row(*ref), value.negated ? Comparison::unequal : Comparison::equal, as_side(best->value)}});
    const auto labels = view_.labels(table);
    const auto distinct = view_.knowledge().described(best->column).distinct;
    const auto rows = view_.knowledge().described_table(table).rows;
    const bool is_label = table != root_ && std::ranges::find(labels, best->column) != labels.end();
    const bool says_row = is_label || (distinct && rows && *rows > 0 &&
                                       static_cast<double>(*distinct) >= 0.9 * static_cast<double>(*rows));
    if (says_row && !value.negated) fixed_.push_back(table);
    cost_ += kFactStep * *view_.steps_to_one(root_, table);
    return true;
}

/// "wins … with the number of wins".
bool FactQuery::said_again(const Side& before, const Value& value) const {
    const auto text = [this](const auto& said) -> std::string {
        using Said = std::decay_t<decltype(said)>;
        if constexpr (std::is_same_v<Said, Constant>) return said.text;
        if constexpr (std::is_same_v<Said, Words>) {
            std::string words;
            for (std::size_t at = said.first; at <= said.last; ++at) words += names_.folded(at) + " ";
            return words;
        }
        return {};
    };
    return std::visit(text, before) == std::visit(text, value);
}

/// One value more of a column: one of them all.
bool FactQuery::add_same_column(const ValueMention::Meaning& meaning, const ColumnRef& ref) {
    const auto same = std::ranges::find_if(where_, [&](const Condition& condition) {
        const auto* compare = std::get_if<Compare>(&condition.node);
        const auto* among = std::get_if<Among>(&condition.node);
        return (compare != nullptr && compare->left == of_row(ref)) || (among != nullptr && among->left == of_row(ref));
    });
    if (same == where_.end()) return false;
    const auto* one_value = std::get_if<Compare>(&same->node);
    if (one_value != nullptr && said_again(one_value->right, meaning.value)) return true;
    if (auto* among = std::get_if<Among>(&same->node)) {
        std::get<std::vector<Value>>(among->members).push_back(meaning.value);
    } else {
        const Side first = std::get<Compare>(same->node).right;
        const Value one =
            std::holds_alternative<Words>(first) ? Value(std::get<Words>(first)) : Value(std::get<Constant>(first));
        *same = {Among{of_row(ref), false, std::vector<Value>{one, meaning.value}}};
    }
    for (const std::string_view word : kAgainst) {
        for (std::size_t at = 0; at < names_.size(); ++at) cost_ += names_.folded(at) == word ? kNotAgainst : 0;
    }
    const TableId table = view_.table_of(meaning.column);
    several_.push_back(table);
    named_by_ = meaning.column;
    std::erase(fixed_, table);
    return true;
}

/// "has no manager", "not discharged": columns of the row that are empty.
void FactQuery::add_missing() {
    if (said_.is_never && entity_ != root_) return;
    // "not born in Spain" is said of the value.
    if (std::ranges::any_of(said_.values, &ValueMention::negated)) return;
    for (const std::size_t negation : said_.negations) {
        for (std::size_t at = negation + 1; at <= negation + kNegationReach && at < names_.size(); ++at) {
            if (said_.taken[at]) continue;
            for (const ColumnId id : view_.schema().columns_of(root_)) {
                const bool may_miss = may_be_missing(view_.knowledge().described(id));
                const auto target = view_.target_of(id);
                const bool is_said = target ? names_.names_table(at, *target) > 0 || names_.is_in_name(id, at)
                                            : view_.is_date(id) && names_.is_in_name(id, at);
                const bool is_new = std::ranges::find(tested_, id) == tested_.end();
                if (!may_miss || !is_said || !is_new || names_.folded(at) == "id") continue;
                where_.push_back({IsNull{Expression{ColumnRef{id, 0}}, false}});
                tested_.push_back(id);
                explained_[at] = true;
                break;
            }
        }
    }
}

/// "current players": those that belong to something, where not all do.
void FactQuery::add_present() {
    bool is_said = entity_ == root_;
    for (std::size_t at = 0; at < names_.size() && entity_ < 0; ++at) is_said |= names_.names_table(at, root_) > 0;
    if (said_.present_at.empty() || !is_said) return;
    ColumnId found = 0;
    for (const ColumnId id : view_.schema().columns_of(root_)) {
        const auto target = view_.target_of(id);
        if (!target || *target == root_ || view_.column(id).is_primary) continue;
        if (view_.knowledge().described(id).nulls.value_or(0) == 0) continue;
        if (found != 0) return;
        found = id;
    }
    if (found == 0 || !view_.has_names(*view_.target_of(found))) return;
    for (const std::size_t at : said_.present_at) explained_[at] = true;
    const bool is_named = std::ranges::find(fixed_, *view_.target_of(found)) != fixed_.end();
    if (is_named) return;
    where_.push_back({IsNull{Expression{ColumnRef{found, 0}}, true}});
    std::string whole;
    for (const std::string& stem : stems(view_.words(*view_.target_of(found)))) whole += " " + stem;
    assumptions_.emplace_back("at present: those with a" + whole);
}

/// "employees who left": a day that not every row has, said by what happened then.
bool FactQuery::happened(const ChosenColumn& column) const {
    const ColumnId id = column.ref.column;
    const bool is_day = view_.is_date(id) && view_.table_of(id) == root_ && column.words.size() == 1;
    if (!is_day || said_.time || said_.asks_when || said_.descending || !said_.negations.empty()) return false;
    const std::string& word = names_.folded(column.words.front());
    const bool is_past = word.ends_with("ed") || std::ranges::find(kPastWords, word) != kPastWords.end();
    return is_past && may_be_missing(view_.knowledge().described(id));
}

/// Flags that are said become conditions.
void FactQuery::take_tests() {
    const bool is_denied = said_.has_negation && !(said_.is_never && entity_ != root_);
    std::erase_if(columns_, [this, is_denied](const ChosenColumn& one) {
        if (happened(one)) {
            where_.push_back({IsNull{Expression{one.ref}, true}});
            tested_.push_back(one.ref.column);
            return true;
        }
        if (!view_.is_flag(one.ref.column)) return false;
        if (said_.asks_whether && !fixed_.empty()) return false;
        where_.push_back({Compare{Expression{one.ref}, Comparison::equal, Constant{is_denied ? "no" : "yes"}}});
        tested_.push_back(one.ref.column);
        return true;
    });
}

}  // namespace quaestor::native::facts
