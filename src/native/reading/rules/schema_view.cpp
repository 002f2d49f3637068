#include "native/reading/rules/schema_view.hpp"

#include "native/characters.hpp"
#include "native/spoken_values.hpp"
#include "native/words.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <deque>

namespace quaestor::native::rules {

namespace {

bool is_season_text(std::string_view text) {
    return text.size() >= 7 && std::ranges::all_of(text.substr(0, 4), is_digit) && (text[4] == '-' || text[4] == '/') &&
           std::ranges::all_of(text.substr(5), is_digit);
}

/// Whether it may be a year; an empty text may.
bool is_year_number(std::string_view text) {
    constexpr double kYearMin = 1000;
    constexpr double kYearMax = 2999;
    if (text.empty()) return true;
    double year = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), year);
    return problem == std::errc() && year >= kYearMin && year <= kYearMax;
}

/// Words as a name is said: those of the column without those of its table.
std::vector<std::string> own_words(const SchemaColumn& column, std::string_view table_words) {
    std::vector<std::string> words = stems(column.words);
    const std::vector<std::string> of_table = stems(table_words);
    if (words.size() > of_table.size() && std::ranges::equal(of_table, std::span(words).first(of_table.size()))) {
        words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(of_table.size()));
    }
    return words;
}

}  // namespace

SchemaView::SchemaView(const Knowledge& knowledge) : knowledge_(knowledge) {
    for (const SchemaColumn& column : schema().columns()) stems_.push_back(stems(column.words));
    const std::size_t count = schema().tables().size();
    steps_.assign(count, std::vector<int>(count, -1));
    for (std::size_t start = 0; start < count; ++start) {
        std::vector<int>& steps = steps_[start];
        steps[start] = 0;
        std::deque<TableId> queue{static_cast<TableId>(start)};
        while (!queue.empty()) {
            const TableId table = queue.front();
            queue.pop_front();
            for (const ForeignKey& key : schema().keys()) {
                const auto to = static_cast<std::size_t>(table_of(key.to));
                if (table_of(key.from) != table || steps[to] >= 0) continue;
                steps[to] = steps[static_cast<std::size_t>(table)] + 1;
                queue.push_back(static_cast<TableId>(to));
            }
        }
    }
}

std::optional<int> SchemaView::steps_to_one(TableId from, TableId to) const {
    const int steps = steps_[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)];
    return steps < 0 ? std::nullopt : std::optional(steps);
}

std::vector<ColumnId> SchemaView::keys_between(TableId from, TableId to) const {
    std::vector<ColumnId> found;
    for (const ForeignKey& key : schema().keys()) {
        if (table_of(key.from) == from && table_of(key.to) == to) found.push_back(key.from);
    }
    return found;
}

std::vector<ColumnId> SchemaView::all_last_keys(TableId from, TableId to) const {
    std::vector<ColumnId> found;
    const auto steps = steps_to_one(from, to);
    if (!steps || *steps == 0) return found;
    for (const ForeignKey& key : schema().keys()) {
        const bool ends_way = table_of(key.to) == to && steps_to_one(from, table_of(key.from)) == *steps - 1;
        if (ends_way) found.push_back(key.from);
    }
    return found;
}

std::vector<ColumnId> SchemaView::last_keys(TableId from, TableId to) const {
    std::vector<ColumnId> found = all_last_keys(from, to);
    const auto is_alone = [&](ColumnId key) { return keys_between(table_of(key), to).size() == 1; };
    if (std::ranges::any_of(found, is_alone)) std::erase_if(found, [&](ColumnId key) { return !is_alone(key); });
    return found;
}

ColumnId SchemaView::key_of_direction(std::span<const ColumnId> keys, bool is_from) const {
    constexpr auto kFrom =
        std::to_array<std::string_view>({"from", "origin", "source", "departure", "start", "sender"});
    constexpr auto kTo = std::to_array<std::string_view>({"to", "destination", "target", "arrival", "end", "receiver"});
    for (const ColumnId key : keys) {
        const auto& words = is_from ? kFrom : kTo;
        if (std::ranges::any_of(words, [&](std::string_view word) { return has_word(key, word); })) return key;
    }
    return 0;
}

bool SchemaView::has_several_ways(TableId from, TableId to) const {
    return all_last_keys(from, to).size() > 1;
}

std::optional<TableId> SchemaView::target_of(ColumnId key) const {
    const auto found = std::ranges::find(schema().keys(), key, &ForeignKey::from);
    if (found == schema().keys().end()) return std::nullopt;
    return table_of(found->to);
}

ColumnId SchemaView::primary(TableId table) const {
    ColumnId found = 0;
    for (const ColumnId id : schema().columns_of(table)) {
        if (!column(id).is_primary) continue;
        if (found != 0) return 0;
        found = id;
    }
    return found;
}

bool SchemaView::is_key(ColumnId id) const {
    return column(id).is_primary || target_of(id).has_value() || has_word(id, "id");
}

bool SchemaView::is_unique(ColumnId id) const {
    const auto distinct = knowledge_.described(id).distinct;
    const auto rows = knowledge_.described_table(table_of(id)).rows;
    return distinct && rows && *rows > 0 && *distinct >= *rows;
}

/// "home team name": the name of what stands at one end of a row, not of the row.
bool SchemaView::is_of_an_end(ColumnId id) const {
    constexpr auto kEnds =
        std::to_array<std::string_view>({"home", "away", "visitor", "visiting", "guest", "host", "opponent"});
    return std::ranges::any_of(kEnds, [&](std::string_view word) { return has_word(id, word); });
}

std::vector<ColumnId> SchemaView::labels(TableId table) const {
    ColumnId first = 0;
    ColumnId last = 0;
    std::array<ColumnId, 5> found{};  // name, title, something with a name or of the table's, a description, any text
    for (const ColumnId id : schema().columns_of(table)) {
        if (column(id).kind != ColumnKind::text || is_date(id) || target_of(id) || is_of_an_end(id)) continue;
        const std::vector<std::string> said = own_words(column(id), words(table));
        const bool has_name = std::ranges::find(said, "name") != said.end();
        const auto says = [&said](std::string_view word) { return std::ranges::find(said, word) != said.end(); };
        if (has_name && (says("first") || says("given") || says("fore")) && first == 0) first = id;
        if (has_name && (says("last") || says("family") || says("sur")) && last == 0) last = id;
        if (says("surname") && last == 0) last = id;
        if (says("forename") && first == 0) first = id;
        const bool is_whole =
            (has_name && says("full")) || (says("display") && says("first") && says("last") && said.size() == 3);
        const std::size_t rank = (said.size() == 1 && has_name) || is_whole ? 0
                                 : says("title")                            ? 1
                                 : has_name || is_named_as_table(id)        ? 2
                                 : says("description")                      ? 3
                                                                            : 4;
        if (found[rank] == 0) found[rank] = id;
    }
    if (found[0] != 0) return {found[0]};
    if (first != 0 && last != 0) return {first, last};
    for (const ColumnId id : std::span(found).first(4)) {
        if (id != 0) return {id};
    }
    if (const ColumnId key = primary(table); key != 0) return {key};
    if (found[4] != 0) return {found[4]};
    return {schema().columns_of(table).front()};
}

/// "nation" of nations, which is no key.
bool SchemaView::is_named_as_table(ColumnId id) const {
    return stems_[static_cast<std::size_t>(id)] == stems(words(table_of(id))) && !column(id).is_primary;
}

bool SchemaView::has_names(TableId table) const {
    return std::ranges::any_of(schema().columns_of(table), [&](ColumnId id) {
        const bool is_name = has_word(id, "name") || has_word(id, "title") || has_word(id, "surname");
        return column(id).kind == ColumnKind::text && !target_of(id) && !is_of_an_end(id) &&
               (is_name || is_named_as_table(id));
    });
}

bool SchemaView::is_measure(ColumnId id) const {
    return column(id).is_amount() && !is_key(id) && !is_year(id);
}

bool SchemaView::is_year(ColumnId id) const {
    const SchemaColumn& own = column(id);
    const bool may_be =
        own.kind == ColumnKind::number || own.kind == ColumnKind::time || own.amount == TextAmount::number;
    const bool is_named = has_word(id, "year") || has_word(id, "season");
    if (!may_be || !is_named || is_date(id) || has_word(id, "id")) return false;
    const data::CatalogColumn& described = knowledge_.described(id);
    return is_year_number(described.min.value_or("")) && is_year_number(described.max.value_or(""));
}

bool SchemaView::is_season_code(ColumnId id) const {
    const std::vector<std::string>& samples = knowledge_.described(id).samples;
    return has_word(id, "season") && !samples.empty() && std::ranges::all_of(samples, [](const std::string& text) {
               return text.size() == 5 && std::ranges::all_of(text, is_digit) && is_year_number(text.substr(1));
           });
}

bool SchemaView::is_season(ColumnId id) const {
    if (column(id).kind != ColumnKind::text) return false;
    const auto values = knowledge_.values().values_of(id);
    return !values.empty() && is_season_text(values.front().spelling);
}

bool SchemaView::is_flag(ColumnId id) const {
    if (column(id).kind == ColumnKind::boolean) return true;
    if (column(id).kind == ColumnKind::number && !is_key(id)) {
        const data::CatalogColumn& described = knowledge_.described(id);
        return described.min == "0" && described.max == "1" && described.distinct == 2;
    }
    const auto values = knowledge_.values().values_of(id);
    return column(id).kind == ColumnKind::text && !values.empty() && values.size() <= 2 &&
           std::ranges::all_of(values, [](const KnownValue& value) { return truth_of(value.key).has_value(); });
}

bool SchemaView::has_word(ColumnId id, std::string_view word) const {
    const std::vector<std::string>& said = stems_[static_cast<std::size_t>(id)];
    return std::ranges::find(said, word) != said.end();
}

}  // namespace quaestor::native::rules
