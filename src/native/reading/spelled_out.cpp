#include "native/reading/phrasing.hpp"
#include "native/reading/restating.hpp"
#include "native/reading/rules/schema_view.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace quaestor::native {

namespace {

constexpr std::size_t kMeasuresMax = 5;
constexpr std::size_t kMeasuresMin = 2;
constexpr double kSaid = 0.7;

constexpr std::array<std::string_view, 7> kBundles{"stats",   "statistics",  "numbers", "figures",
                                                   "metrics", "performance", "stat"};

/// What a bundle is narrowed down to, and the stems of names that belong to it.
struct Narrowing {
    std::string_view word;
    std::array<std::string_view, 9> stems;
};
constexpr std::array kNarrowings{
    Narrowing{"offensive", {"point", "assist", "goal", "score", "offensive", "shot", "three", "run", "hit"}},
    Narrowing{"attacking", {"point", "assist", "goal", "score", "offensive", "shot", "attack", "pass", "chance"}},
    Narrowing{"scoring", {"point", "goal", "score", "shot", "three", "throw", "made", "run", "hit"}},
    Narrowing{"shooting", {"goal", "shot", "three", "throw", "made", "attempt", "accuracy", "fg", "ft"}},
    Narrowing{"defensive",
              {"steal", "block", "rebound", "defensive", "opponent", "conceded", "allowed", "save", "tackle"}},
};

bool says_measure(const LinkedQuestion& question, const rules::SchemaView& view) {
    return std::ranges::any_of(question.links, [&view](const Link& link) {
        return link.kind == LinkKind::column && link.score > kSaid && view.is_measure(link.column);
    });
}

/// The table that the named things are rows of; -1 when nothing is named.
TableId table_named(const LinkedQuestion& question, const rules::SchemaView& view) {
    for (const Link& link : question.links) {
        if (link.kind == LinkKind::value && link.score > kSaid) return view.table_of(link.column);
    }
    return -1;
}

std::vector<ColumnId> measures_of(TableId table, const Narrowing* narrowing, const rules::SchemaView& view) {
    std::vector<ColumnId> measures;
    for (const ColumnId id : view.schema().columns_of(table)) {
        const bool belongs = narrowing == nullptr || std::ranges::any_of(narrowing->stems, [&](std::string_view word) {
                                 return view.has_word(id, word);
                             });
        if (view.is_measure(id) && belongs && measures.size() < kMeasuresMax) measures.push_back(id);
    }
    return measures;
}

/// How well a table's rows are about one thing alone: seasons of a team rather than of its players, and rather than its
/// games. Less is better.
std::tuple<std::size_t, std::int64_t, std::int64_t> distance_of(TableId table, std::size_t measures,
                                                                const rules::SchemaView& view) {
    const auto keys = std::ranges::count_if(view.schema().keys(),
                                            [&](const ForeignKey& key) { return view.table_of(key.from) == table; });
    return {static_cast<std::size_t>(keys), view.knowledge().described_table(table).rows.value_or(0),
            -static_cast<std::int64_t>(measures)};
}

/// Of the nearest of the tables whose rows belong to what is named.
std::vector<ColumnId> measures_about(TableId named, const Narrowing* narrowing, const rules::SchemaView& view) {
    std::vector<ColumnId> best;
    TableId nearest = -1;
    for (TableId table = 0; table < static_cast<TableId>(view.schema().tables().size()); ++table) {
        if (view.steps_to_one(table, named).value_or(2) > 1) continue;
        auto measures = measures_of(table, narrowing, view);
        if (measures.size() < kMeasuresMin) continue;
        if (nearest >= 0 && distance_of(table, measures.size(), view) >= distance_of(nearest, best.size(), view))
            continue;
        best = std::move(measures);
        nearest = table;
    }
    return best;
}

/// "a, b and c"
std::string listed(const std::vector<ColumnId>& columns, const rules::SchemaView& view) {
    std::vector<std::string_view> names;
    for (const ColumnId id : columns) names.push_back(view.column(id).words);
    const std::string_view last = names.back();
    names.pop_back();
    return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

bool say_glossary(const LinkedQuestion& question, Phrasing& out) {
    bool is_changed = false;
    std::size_t after = 0;
    for (const Link& link : question.links) {
        if (link.kind != LinkKind::filler || link.text.empty() || link.first < after) continue;
        out.replace(link.first, link.last, link.text);
        after = link.last + 1;
        is_changed = true;
    }
    return is_changed;
}

bool say_measures(const LinkedQuestion& question, const rules::SchemaView& view, Phrasing& out) {
    const TableId named = table_named(question, view);
    if (named < 0 || says_measure(question, view)) return false;
    for (std::size_t at = 0; at < question.words.size(); ++at) {
        if (std::ranges::find(kBundles, fold(question.word(at))) == kBundles.end()) continue;
        const auto narrowing =
            at == 0 ? kNarrowings.end() : std::ranges::find(kNarrowings, fold(question.word(at - 1)), &Narrowing::word);
        const bool is_narrowed = narrowing != kNarrowings.end();
        const auto measures = measures_about(named, is_narrowed ? &*narrowing : nullptr, view);
        if (measures.empty()) return false;
        out.replace(is_narrowed ? at - 1 : at, at, listed(measures, view));
        return true;
    }
    return false;
}

/// "scorers", "top earners": somebody who does what the word is made of.
bool says_doers(std::string_view word, const LinkedQuestion& question, std::size_t at) {
    const std::string stem = native::stem(fold(word));
    if (stem.size() < 5 || !(stem.ends_with("er") || stem.ends_with("or"))) return false;
    return std::ranges::none_of(question.links, [at](const Link& link) {
        const bool is_thing = link.kind == LinkKind::table || link.kind == LinkKind::value;
        return is_thing && link.first <= at && at <= link.last && link.score > kSaid;
    });
}

/// "list the top 3 scorers": who they are.
bool say_who(const LinkedQuestion& question, Phrasing& out) {
    static constexpr std::array<std::string_view, 4> kSuperlatives{"top", "leading", "best", "highest"};
    static constexpr std::array<std::string_view, 8> kOpenings{"list", "show", "give", "name",
                                                               "find", "me",   "the",  "all"};
    std::size_t top = 0;
    while (top < question.words.size() && std::ranges::find(kOpenings, fold(question.word(top))) != kOpenings.end()) {
        ++top;
    }
    if (top == question.words.size() ||
        std::ranges::find(kSuperlatives, fold(question.word(top))) == kSuperlatives.end())
        return false;
    for (std::size_t at = top + 1; at < question.words.size(); ++at) {
        if (!says_doers(question.word(at), question, at)) continue;
        out.replace(0, top, fmt::format("Who are the {}", question.word(top)));
        return true;
    }
    return false;
}

}  // namespace

std::optional<std::string> spelled_out(const LinkedQuestion& question, const Knowledge& knowledge) {
    const rules::SchemaView view(knowledge);
    Phrasing out(question);
    const bool has_measures = say_glossary(question, out) || say_measures(question, view, out);
    if (!say_who(question, out) && !has_measures) return std::nullopt;
    return out.text();
}

}  // namespace quaestor::native
