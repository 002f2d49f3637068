#include "native/characters.hpp"
#include "native/reading/facts/mention_collector.hpp"
#include "native/reading/rules/conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace quaestor::native::facts {

namespace {

constexpr int kYearMin = 1500;
constexpr int kYearMax = 2200;

}  // namespace

std::optional<int> year_of(std::string_view text) {
    int year = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), year);
    const bool is_year = problem == std::errc() && end == text.data() + text.size() && text.size() == 4 &&
                         year >= kYearMin && year <= kYearMax;
    return is_year ? std::optional(year) : std::nullopt;
}

std::string new_year(int year) {
    return fmt::format("{:04}-01-01", year);
}

/// "in August 2025" is no first name.
bool Collector::is_in_date(const Link& value) const {
    return std::ranges::any_of(question_.links, [&](const Link& link) {
        const bool is_longer = link.last - link.first > value.last - value.first;
        const bool is_led = value.first > 0 && says(value.first - 1, {"in", "during", "since", "until"});
        return link.kind == LinkKind::date && link.score >= 0.9 && link.first <= value.first &&
               value.last <= link.last && (is_longer || is_led);
    });
}

void Collector::add_times() {
    for (std::size_t at = 0; at < folded_.size(); ++at) {
        if (const auto cue = rules::cue_at(folded_, at); cue && cue->cue == rules::Cue::latest && !out_.time) {
            out_.time = {.first = at, .last = at + cue->words - 1, .is_latest = true, .from = {}, .after = {}};
            take(at, at + cue->words - 1);
        }
    }
    if (out_.time) return;
    add_season();
    for (std::size_t at = 0; at < folded_.size() && !out_.time && !names_days(); ++at) {
        const auto year = year_of(folded_[at]);
        if (!year || out_.taken[at] || is_measured(at)) continue;
        out_.time = {.first = at, .last = at, .from = new_year(*year), .after = new_year(*year + 1)};
    }
    for (const Link& link : question_.links) {
        if (out_.time || link.kind != LinkKind::date || link.score < 0.9 || !is_free(link.first, link.last)) continue;
        const auto slash = link.text.find('/');
        // "on today's roster" is no day of which something is told.
        const bool is_roster = says(link.first, {"today"}) && std::ranges::any_of(folded_, [](const std::string& word) {
                                   return word == "roster" || word == "rosters" || word == "current";
                               });
        if (slash == std::string::npos || is_roster) continue;
        out_.time = {.first = link.first,
                     .last = link.last,
                     .from = link.text.substr(0, slash),
                     .after = link.text.substr(slash + 1)};
    }
    if (!out_.time) return;
    take(out_.time->first, out_.time->last);
    add_end_of_range();
    add_direction();
}

/// Whether a month or a day is named, not only years.
bool Collector::names_days() const {
    return std::ranges::any_of(question_.links, [this](const Link& link) {
        const auto slash = link.text.find('/');
        if (link.kind != LinkKind::date || link.score < 0.9 || slash == std::string::npos) return false;
        const bool is_years = link.text.substr(0, slash).ends_with("-01-01") && link.text.ends_with("-01-01");
        bool is_season = false;
        for (std::size_t at = link.first; at <= link.last; ++at) is_season |= says(at, {"season", "seasons"});
        return !is_years && !is_season;
    });
}

/// "more than 2000 points": a number that is no year.
bool Collector::is_measured(std::size_t at) const {
    return std::ranges::any_of(question_.links, [&](const Link& link) {
        return link.kind == LinkKind::comparison && link.score >= 0.8 && link.last + 1 == at &&
               !says(link.last, {"since", "after", "before", "until", "till", "between", "through", "same"});
    });
}

/// "2022-23" and "2022/23".
void Collector::add_season() {
    for (std::size_t at = 0; at + 2 < folded_.size(); ++at) {
        const auto first = year_of(folded_[at]);
        const bool is_pair = first && says(at + 1, {"-", "/", "–"}) && is_digit(folded_[at + 2][0]);
        if (!is_pair) continue;
        const std::string& second = folded_[at + 2];
        const std::string ends = std::to_string(*first + 1);
        if (second != ends && second != ends.substr(2)) continue;
        std::erase_if(out_.values,
                      [at](const ValueMention& value) { return value.first >= at && value.last <= at + 2; });
        first_season_ = out_.time;
        out_.time = {.first = at,
                     .last = at + 2,
                     .is_season = true,
                     .from = new_year(*first + 1),
                     .after = new_year(*first + 2)};
        take(at, at + 2);
    }
}

/// "between 2022 and 2024", "from 2021 to 2023".
void Collector::add_end_of_range() {
    TimeMention& time = *out_.time;
    const std::size_t led_by = before(time.first);
    if (!says(led_by, {"between", "from"}) || !says(time.last + 1, {"and", "to", "-", "through", "until"})) return;
    for (const Link& link : question_.links) {
        if (link.kind != LinkKind::date || link.first != time.last + 2) continue;
        time.after = link.text.substr(link.text.find('/') + 1);
        time.last = link.last;
        take(time.first, time.last);
        return;
    }
}

void Collector::add_direction() {
    TimeMention& time = *out_.time;
    const std::size_t at = before(time.first);
    if (says(at, {"since", "from"})) time.comparison = Comparison::greater_equal;
    if (says(at, {"after"})) time.comparison = Comparison::greater;
    if (says(at, {"before"})) time.comparison = Comparison::less;
    if (says(at, {"until", "till"})) time.comparison = Comparison::less_equal;
    if (says(at, {"from"}) && time.last_year() != time.first_year()) time.comparison = Comparison::equal;
}

/// Whether something became more or less.
bool Collector::says_change() const {
    constexpr auto kChanges =
        std::to_array<std::string_view>({"gained", "gain", "improved",  "improve",  "improvement", "jumped",  "jump",
                                         "rose",   "rise", "increased", "increase", "grew",        "dropped", "drop",
                                         "fell",   "fall", "declined",  "decline",  "decreased",   "decrease"});
    return std::ranges::any_of(
        folded_, [&](const std::string& word) { return std::ranges::find(kChanges, word) != kChanges.end(); });
}

/// Two years that a difference or a change is about.
void Collector::add_other_time() {
    const bool is_change = says_change();
    if (!out_.time || out_.time->is_latest || !(out_.is_difference || out_.is_over_time || is_change)) return;
    TimeMention& time = *out_.time;
    if (first_season_ && time.is_season) {
        out_.other_time = std::exchange(time, *first_season_);
        out_.is_second_minus_first = out_.is_difference = true;
        return;
    }
    if (time.is_years() && time.first_year() != time.last_year()) {
        out_.other_time = time;
        out_.other_time->comparison = time.comparison = Comparison::equal;
        out_.other_time->from = time.last_year() + "-01-01";
        time.after = new_year(*year_of(time.first_year()) + 1);
        out_.is_second_minus_first = out_.is_difference = true;
        return;
    }
    for (std::size_t at = time.last + 1; at < folded_.size() && time.is_years(); ++at) {
        const auto year = year_of(folded_[at]);
        if (!year || out_.taken[at]) continue;
        out_.other_time = {.first = at, .last = at, .from = new_year(*year), .after = new_year(*year + 1)};
        take(at, at);
        const bool is_onwards = says(before(time.first), {"from"});
        if (is_onwards) out_.is_second_minus_first = true;
        time.comparison = Comparison::equal;
        out_.is_difference = true;
        return;
    }
}

}  // namespace quaestor::native::facts
