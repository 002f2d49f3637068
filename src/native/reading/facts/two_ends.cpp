#include "native/reading/facts/two_ends.hpp"

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/join.hpp>
#include <boost/algorithm/string/split.hpp>

#include <algorithm>
#include <array>

namespace quaestor::native::facts {

namespace {

/// Words for the two ends of a row at which the same kind of thing stands. Winners and losers are no such: who stands
/// where is what is asked for.
constexpr auto kFirstEnd = std::to_array<std::string_view>({"home", "host"});
constexpr auto kSecondEnd =
    std::to_array<std::string_view>({"away", "visitor", "visitors", "visiting", "guest", "road"});
constexpr auto kScores = std::to_array<std::string_view>(
    {"points", "score", "goals", "runs", "final score", "total points", "full time goals", "team score"});

struct SidedName {
    int end = -1;  ///< 0: first, 1: second, -1: of neither
    std::string word;
    std::string rest;
};

SidedName sided(const std::string& words) {
    std::vector<std::string> parts;
    boost::split(parts, words, boost::is_any_of(" "));
    for (auto part = parts.begin(); part != parts.end(); ++part) {
        const bool is_first = std::ranges::find(kFirstEnd, *part) != kFirstEnd.end();
        const bool is_second = std::ranges::find(kSecondEnd, *part) != kSecondEnd.end();
        if (!is_first && !is_second) continue;
        SidedName name{is_first ? 0 : 1, *part, {}};
        parts.erase(part);
        name.rest = boost::join(parts, " ");
        return name;
    }
    return {};
}

std::vector<TwoEnds::Pair> pairs_of(const rules::SchemaView& view, TableId table) {
    std::vector<TwoEnds::Pair> pairs;
    for (const ColumnId first : view.schema().columns_of(table)) {
        const SidedName name = sided(view.column(first).words);
        if (name.end != 0) continue;
        for (const ColumnId second : view.schema().columns_of(table)) {
            const SidedName other = sided(view.column(second).words);
            const bool is_alike =
                other.end == 1 && other.rest == name.rest && view.column(first).kind == view.column(second).kind;
            if (!is_alike) continue;
            pairs.push_back({first, second, name.word, other.word, name.rest});
            break;
        }
    }
    return pairs;
}

}  // namespace

std::optional<TwoEnds> TwoEnds::of(const rules::SchemaView& view, TableId table) {
    if (auto own = of_rows(view, table)) return own;
    // What belongs to a game has its ends.
    for (const ForeignKey& key : view.schema().keys()) {
        if (view.table_of(key.from) != table || view.table_of(key.to) == table) continue;
        if (auto ends = of_rows(view, view.table_of(key.to))) return ends;
    }
    return std::nullopt;
}

std::optional<TwoEnds> TwoEnds::of_rows(const rules::SchemaView& view, TableId table) {
    TwoEnds ends;
    ends.pairs_ = pairs_of(view, table);
    for (const Pair& pair : ends.pairs_) {
        const auto target = view.target_of(pair.first);
        if (!target || target != view.target_of(pair.second) || view.primary(*target) == 0) continue;
        ends.keys_ = pair;
        ends.target_ = view.primary(*target);
        std::erase_if(ends.pairs_, [&](const Pair& one) { return view.target_of(one.first).has_value(); });
        return ends;
    }
    return std::nullopt;
}

Expression TwoEnds::of_end(const Pair& pair) const {
    return {OfEnd{either(target_), pair.first, pair.second}};
}

Expression TwoEnds::of_other_end(const Pair& pair) const {
    return {OfEnd{either(target_), pair.second, pair.first}};
}

const TwoEnds::Pair* TwoEnds::pair_with(ColumnId column) const {
    const auto found = std::ranges::find_if(
        pairs_, [column](const Pair& pair) { return pair.first == column || pair.second == column; });
    return found == pairs_.end() ? nullptr : &*found;
}

const TwoEnds::Pair* TwoEnds::score() const {
    for (const std::string_view word : kScores) {
        const auto found = std::ranges::find(pairs_, word, &Pair::shared);
        if (found != pairs_.end()) return &*found;
    }
    return nullptr;
}

}  // namespace quaestor::native::facts
