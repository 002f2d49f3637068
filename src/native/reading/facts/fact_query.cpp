#include "native/reading/facts/fact_query.hpp"

#include "native/reading/rules/conditions.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace quaestor::native::facts {

namespace {

/// What a word costs that nothing was made of.
constexpr double kUnexplained = 1.2;
constexpr double kUnsure = 0.7;
constexpr double kWeakVerb = 0.3;
constexpr double kNoPerson = 0.3;
constexpr double kLaterNoun = 0.08;
/// "who had the most such games": games are not who.
constexpr double kNotWho = 0.4;
constexpr double kUnknownName = 0.2;
/// Guessing of whom rows tell.
constexpr double kSilentWhose = 0.15;
/// Either end of a row was meant, and nobody said which.
constexpr double kEitherEnd = 0.1;
/// A table that only joins what is said, and is not said itself.
constexpr double kIdleRoot = 0.5;

constexpr auto kPeopleWords = std::to_array<std::string_view>(
    {"first", "last", "birth", "born", "gender", "sex", "age", "email", "nationality", "surname"});

/// Tables of places, and what is said of being there.
constexpr auto kPlaceTables =
    std::to_array<std::string_view>({"arena", "stadium", "venue", "location", "place", "address", "city", "building"});
constexpr auto kPlaceFillers = std::to_array<std::string_view>(
    {"home", "game", "games", "match", "matches", "based", "located", "live", "happen"});

/// What lines of sales are worth.
constexpr auto kPriceWords = std::to_array<std::string_view>({"price", "amount", "total", "cost", "charge"});
constexpr auto kWholeWords = std::to_array<std::string_view>({"line", "total", "amount", "extended", "subtotal"});
constexpr auto kQuantityWords = std::to_array<std::string_view>({"quantity", "unit", "units", "count"});
constexpr auto kStockWords = std::to_array<std::string_view>({"stock", "hand", "reorder", "price", "minimum"});
constexpr double kWorth = 0.9;

/// Columns for "from Iceland", the likeliest first.
constexpr auto kPlaceWords = std::to_array<std::string_view>(
    {"country", "nation", "nationality", "origin", "city", "state", "region", "location", "place", "continent"});

}  // namespace

std::optional<FactReading> FactQuery::reading() {
    choose_end();
    if (!add_values() || !add_described() || !add_ordinals() || !add_time()) return std::nullopt;
    choose_entity();
    choose_place();
    add_missing();
    add_present();
    if (!add_unknown()) return std::nullopt;
    choose_worth();
    choose_columns();
    add_outcome();
    take_tests();
    if (!add_numbers() || !shape()) return std::nullopt;
    add_where();
    if (is_apart_) return FactReading{std::move(query_), score(), rule_, std::move(assumptions_)};
    const auto columns = columns_in(query_);
    if (std::ranges::any_of(columns, [](const ColumnRef& ref) { return ref.or_via != 0; })) cost_ += kEitherEnd;
    const bool has_root = std::ranges::any_of(
        columns, [this](const ColumnRef& ref) { return ref.column != 0 && view_.table_of(ref.column) == root_; });
    // A table of which nothing is taken, and by whose keys nothing is reached, only gets in the way.
    bool is_needed = has_root || entity_ == root_ || std::ranges::any_of(columns, [this](const ColumnRef& ref) {
                         return ref.via != 0 && view_.table_of(ref.via) == root_;
                     });
    for (std::size_t at = 0; at < names_.size() && !is_needed; ++at) is_needed = names_.names_table(at, root_) == 1;
    if (!is_needed) return std::nullopt;
    if (!has_root) query_.tables.push_back(root_);
    return FactReading{std::move(query_), score(), rule_, std::move(assumptions_)};
}

/// The column as rows of the table reach it; of several keys the one that is said.
std::optional<ColumnRef> FactQuery::reached(ColumnId column) const {
    const TableId there = view_.table_of(column);
    if (there == root_) return ColumnRef{column, 0};
    const auto steps = view_.steps_to_one(root_, there);
    if (!steps || *steps > kFactStepsMax) return std::nullopt;
    const auto keys = view_.keys_between(root_, there);
    if (keys.empty() && ends_ && view_.target_of(ends_->first_key()) == there) {
        if (is_either_) return ends_->either(column);
        return ColumnRef{column, is_second_end_ ? ends_->second_key() : ends_->first_key()};
    }
    if (keys.empty()) return view_.has_several_ways(root_, there) ? std::nullopt : std::optional(ColumnRef{column, 0});
    const bool has_ends_there = ends_ && view_.table_of(ends_->first_key()) == there;
    if (keys.size() == 1) return ColumnRef{column, has_ends_there ? 0 : keys.front()};
    if (const ColumnId role = role_said(keys); role != 0) return ColumnRef{column, role};
    const bool is_at_ends = is_either_ && std::ranges::find(keys, ends_->first_key()) != keys.end();
    return is_at_ends ? std::optional(ends_->either(column)) : std::nullopt;
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

bool FactQuery::is_people(TableId table) const {
    return std::ranges::any_of(kPeopleWords, [&](std::string_view word) {
        return std::ranges::any_of(view_.schema().columns_of(table),
                                   [&](ColumnId id) { return view_.has_word(id, word); });
    });
}

/// How surely a table is what the question asks for.
double FactQuery::entity_score(TableId table) const {
    double best = 0;
    double later = 0;
    for (const std::size_t at : said_.asked) {
        best = std::max(best, names_.names_table(at, table) - later);
        later += kLaterNoun;
    }
    if (said_.asks_who && !is_people(table) && !view_.has_names(table)) best -= kNotWho;
    const bool is_fixed =
        std::ranges::find(fixed_, table) != fixed_.end() || std::ranges::find(fixed_, root_) != fixed_.end();
    if (said_.asks_who && view_.has_names(table) && !is_fixed) {
        // Of several kinds of people the commoner one.
        const auto rows = static_cast<double>(view_.knowledge().described_table(table).rows.value_or(1));
        best = std::max(best, is_people(table) ? 0.7 + 0.01 * std::log10(std::max(rows, 1.0)) : 0.4);
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
    const bool is_one_row = std::ranges::find(fixed_, root_) != fixed_.end();
    const bool is_one_number = said_.aggregate && said_.grouped_by.empty();
    if (!said_.asks_which || !view_.has_names(root_) || is_one_row || is_one_number) return false;
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
        if (!steps || *steps > kFactStepsMax) continue;
        const double here = entity_score(table) - kFactStep * *steps;
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
    if (entity_ < 0) choose_whose_rows();
    if (entity_ < 0 && said_.asks_who && !said_.described.empty()) cost_ += kNoPerson;
    if (entity_ < 0) return;
    for (std::size_t at = 0; at < names_.size(); ++at) {
        if (names_.names_table(at, entity_) > 0) explained_[at] = true;
    }
    if (said_.asks_who && best < 0.6) cost_ += kNoPerson;
    cost_ += kFactStep * *view_.steps_to_one(root_, entity_);
}

/// "Top five in rebounds": of whom each row tells.
void FactQuery::choose_whose_rows() {
    if (!said_.descending || said_.limit == 0 || view_.has_names(root_)) return;
    for (const ColumnId id : view_.schema().columns_of(root_)) {
        const auto target = view_.target_of(id);
        const bool is_told_of = target && view_.column(id).is_primary && view_.has_names(*target) &&
                                std::ranges::find(fixed_, *target) == fixed_.end();
        if (!is_told_of) continue;
        entity_ = *target;
        cost_ += is_people(*target) ? kSilentWhose : 2 * kSilentWhose;
        return;
    }
}

/// "Where do they play": the place that their row belongs to.
void FactQuery::choose_place() {
    if (!said_.asks_where || said_.rank_at || entity_ >= 0) return;
    for (std::size_t at = 0; at < view_.schema().tables().size(); ++at) {
        const auto table = static_cast<TableId>(at);
        const std::vector<std::string> name = stems(view_.words(table));
        const bool is_place = std::ranges::any_of(
            kPlaceTables, [&](std::string_view word) { return std::ranges::find(name, word) != name.end(); });
        const bool is_near = view_.keys_between(root_, table).size() == 1;
        if (is_place && is_near && view_.has_names(table)) entity_ = table;
    }
    for (std::size_t at = 0; at < names_.size() && entity_ >= 0; ++at) {
        if (std::ranges::find(kPlaceFillers, names_.folded(at)) != kPlaceFillers.end()) explained_[at] = true;
    }
    is_root_said_ |= entity_ >= 0;
}

/// Lines that say only how many were sold: the price stands with what they are lines of.
ColumnRef FactQuery::price_of_what_is_sold() const {
    for (const ForeignKey& key : view_.schema().keys()) {
        if (view_.table_of(key.from) != root_) continue;
        for (const ColumnId id : view_.schema().columns_of(view_.table_of(key.to))) {
            if (view_.is_measure(id) && view_.has_word(id, "price")) return {id, key.from};
        }
    }
    return {};
}

/// Revenue where lines of sales have a price and a quantity: what the lines are worth.
void FactQuery::choose_worth() {
    if (!said_.worth_at || explained_[*said_.worth_at]) return;
    const auto has_any = [this](ColumnId id, const auto& words) {
        return std::ranges::any_of(words, [&](std::string_view word) { return view_.has_word(id, word); });
    };
    ColumnRef price{};
    ColumnId quantity = 0;
    bool is_of_line = false;
    for (const ColumnId id : view_.schema().columns_of(root_)) {
        if (!view_.is_measure(id)) continue;
        if (names_.is_in_name(id, *said_.worth_at) && view_.has_word(id, names_.stem_of(*said_.worth_at))) return;
        if (price.column == 0 && has_any(id, kPriceWords)) {
            price = {id, 0};
            is_of_line = has_any(id, kWholeWords);
        }
        if (quantity == 0 && has_any(id, kQuantityWords) && !has_any(id, kStockWords)) quantity = id;
    }
    if (price.column == 0 && quantity != 0) price = price_of_what_is_sold();
    if (price.column == 0 || quantity == 0) return;
    columns_.push_back({.ref = price,
                        .score = kWorth,
                        .words = {*said_.worth_at},
                        .times = is_of_line ? ColumnRef{} : ColumnRef{quantity, 0}});
    explained_[*said_.worth_at] = true;
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
