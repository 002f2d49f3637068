#include "native/reading/facts/mentions.hpp"

#include "native/characters.hpp"
#include "native/reading/link_finders.hpp"
#include "native/reading/rules/conditions.hpp"
#include "native/reading/rules/cues.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>

namespace quaestor::native::facts {

namespace {

using rules::Cue;

/// Links of values below it are guesses.
constexpr double kValueMin = 0.6;
/// A word of a longer value, that is written small, is rarely meant as that value.
constexpr double kSureValue = 0.95;
/// A word of values that several of few have.
constexpr std::size_t kSharedBytesMin = 4;
constexpr std::size_t kSharedValuesMax = 60;
constexpr int kYearMin = 1500;
constexpr int kYearMax = 2200;

/// Words that say nothing about what is in a database.
constexpr auto kEmptyWords = std::to_array<std::string_view>(
    {"league",  "game's",   "overall", "altogether", "please",   "stats",    "stat",    "statistics", "numbers",
     "history", "time",     "times",   "play",       "plays",    "played",   "playing", "season",     "seasons",
     "year",    "years",    "regular", "during",     "career",   "head",     "main",    "produced",   "produce",
     "wear",    "shoot",    "shot",    "grab",       "grabbed",  "post",     "posted",  "reach",      "reached",
     "finish",  "finished", "total",   "average",    "averaged", "averages", "member",  "members"});

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

class Collector {
public:
    Collector(const LinkedQuestion& question, const Names& names, const rules::SchemaView& view)
        : question_(question), names_(names), view_(view) {
        out_.taken.assign(names.size(), false);
        out_.explained.assign(names.size(), false);
        out_.weak.assign(names.size(), false);
        for (std::size_t at = 0; at < names.size(); ++at) folded_.push_back(names.folded(at));
    }

    Mentions collect() {
        add_values();
        add_times();
        add_cues();
        add_numbers();
        add_asked();
        add_average();
        add_shared_words();
        add_unknown();
        out_.asks_whether = says(0, {"did", "does", "do", "is", "are", "was", "were", "has", "have"});
        for (std::size_t at = 0; at < folded_.size(); ++at) {
            const bool is_empty =
                is_filler(folded_[at]) || std::ranges::find(kEmptyWords, folded_[at]) != kEmptyWords.end();
            if (out_.taken[at] || is_empty) out_.explained[at] = true;
        }
        return std::move(out_);
    }

private:
    [[nodiscard]] bool is_free(std::size_t first, std::size_t last) const {
        return std::none_of(out_.taken.begin() + static_cast<long>(first),
                            out_.taken.begin() + static_cast<long>(last) + 1, [](bool taken) { return taken; });
    }
    void take(std::size_t first, std::size_t last) {
        std::fill(out_.taken.begin() + static_cast<long>(first), out_.taken.begin() + static_cast<long>(last) + 1,
                  true);
    }
    [[nodiscard]] bool says(std::size_t at, std::initializer_list<std::string_view> words) const {
        return at < folded_.size() && std::ranges::find(words, std::string_view(folded_[at])) != words.end();
    }
    /// The word before, leaving out articles.
    [[nodiscard]] std::size_t before(std::size_t at) const {
        while (at-- > 0) {
            if (!says(at, {"the", "a", "an", "of"})) return at;
        }
        return folded_.size();
    }

    void add_values() {
        std::vector<const Link*> links;
        for (const Link& link : question_.links) {
            if (link.kind == LinkKind::value && link.score >= kValueMin && is_value(link)) links.push_back(&link);
        }
        std::ranges::sort(links, {}, [](const Link* link) {
            return std::tuple(-static_cast<long>(link->last - link->first), -link->score, link);
        });
        for (const Link* link : links) {
            const auto same = std::ranges::find_if(out_.values, [link](const ValueMention& one) {
                return one.first == link->first && one.last == link->last;
            });
            if (same != out_.values.end()) {
                same->meanings.push_back({link->column, value_of(*link), link->score});
            } else if (is_free(link->first, link->last)) {
                take(link->first, link->last);
                out_.values.push_back({link->first,
                                       link->last,
                                       {{link->column, value_of(*link), link->score}},
                                       false,
                                       is_plain_word(*link)});
            }
        }
        std::ranges::sort(out_.values, {}, &ValueMention::first);
        for (ValueMention& value : out_.values) mark_negation(value);
    }
    [[nodiscard]] bool is_value(const Link& link) const {
        const std::string_view said = question_.span(link.first, link.last);
        const bool is_small = !said.empty() && said.front() >= 'a' && said.front() <= 'z';
        const bool is_whole_text = link.score < kSureValue && plain_words(link.text).size() > 1;
        if (is_small && (is_whole_text || is_filler(folded_[link.first]))) return false;
        if (link.first == link.last && (year_of(folded_[link.first]) || names_a_thing(link.first))) return false;
        return true;
    }
    /// A word written small that tables or columns also go by.
    [[nodiscard]] bool is_plain_word(const Link& link) const {
        const std::string_view said = question_.word(link.first);
        if (link.first != link.last || said.empty() || said.front() < 'a' || said.front() > 'z') return false;
        for (std::size_t table = 0; table < view_.schema().tables().size(); ++table) {
            if (names_.has_in_name(static_cast<TableId>(table), link.first)) return true;
        }
        for (std::size_t column = 1; column < view_.schema().columns().size(); ++column) {
            const auto id = static_cast<ColumnId>(column);
            if (id != link.column && names_.is_about(id, link.first)) return true;
        }
        return false;
    }
    [[nodiscard]] bool names_a_thing(std::size_t at) const {
        for (std::size_t table = 0; table < view_.schema().tables().size(); ++table) {
            if (names_.names_table(at, static_cast<TableId>(table)) == 1) return true;
        }
        return false;
    }
    [[nodiscard]] Value value_of(const Link& link) const {
        const auto spelling = view_.knowledge().values().spelling(link.column, question_.span(link.first, link.last));
        if (spelling.text == link.text) return Words{link.first, link.last};
        return Constant{link.text};
    }
    void mark_negation(ValueMention& value) {
        for (std::size_t back = 1; back <= 5 && back <= value.first; ++back) {
            const std::size_t at = value.first - back;
            if (out_.taken[at]) return;
            if (says(at, {"not", "outside", "except", "excluding", "without", "non"})) {
                value.negated = true;
                out_.explained[at] = true;
            }
        }
    }

    void add_times() {
        for (std::size_t at = 0; at < folded_.size(); ++at) {
            if (const auto cue = rules::cue_at(folded_, at); cue && cue->cue == Cue::latest && !out_.time) {
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
            if (out_.time || link.kind != LinkKind::date || link.score < 0.9 || !is_free(link.first, link.last))
                continue;
            const auto slash = link.text.find('/');
            if (slash == std::string::npos) continue;
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
    [[nodiscard]] bool names_days() const {
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
    [[nodiscard]] bool is_measured(std::size_t at) const {
        return std::ranges::any_of(question_.links, [&](const Link& link) {
            return link.kind == LinkKind::comparison && link.score >= 0.8 && link.last + 1 == at &&
                   !says(link.last, {"since", "after", "before", "until", "till", "between", "through", "same"});
        });
    }
    /// "2022-23" and "2022/23".
    void add_season() {
        for (std::size_t at = 0; at + 2 < folded_.size(); ++at) {
            const auto first = year_of(folded_[at]);
            const bool is_pair = first && says(at + 1, {"-", "/", "–"}) && is_digit(folded_[at + 2][0]);
            if (!is_pair) continue;
            const std::string& second = folded_[at + 2];
            const std::string ends = std::to_string(*first + 1);
            if (second != ends && second != ends.substr(2)) continue;
            std::erase_if(out_.values,
                          [at](const ValueMention& value) { return value.first >= at && value.last <= at + 2; });
            out_.time = {.first = at,
                         .last = at + 2,
                         .is_season = true,
                         .from = new_year(*first + 1),
                         .after = new_year(*first + 2)};
            take(at, at + 2);
        }
    }
    /// "between 2022 and 2024", "from 2021 to 2023".
    void add_end_of_range() {
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
    void add_direction() {
        TimeMention& time = *out_.time;
        const std::size_t at = before(time.first);
        if (says(at, {"since", "from"})) time.comparison = Comparison::greater_equal;
        if (says(at, {"after"})) time.comparison = Comparison::greater;
        if (says(at, {"before"})) time.comparison = Comparison::less;
        if (says(at, {"until", "till"})) time.comparison = Comparison::less_equal;
        if (says(at, {"from"}) && time.last_year() != time.first_year()) time.comparison = Comparison::equal;
    }

    void add_cues() {
        for (std::size_t at = 0; at < folded_.size();) {
            const auto cue = rules::cue_at(folded_, at);
            if (!cue || out_.taken[at]) {
                add_word(at++);
                continue;
            }
            add_cue(*cue, at);
            for (std::size_t word = at; word < at + cue->words; ++word) {
                // "tallest" and "largest" are about a column, too.
                const bool is_about = cue->cue == Cue::about || says(word, {"largest", "biggest", "smallest"});
                out_.explained[word] = cue->cue != Cue::filler && !is_about;
                out_.weak[word] = cue->cue == Cue::filler || is_about;
            }
            at += cue->words;
        }
    }
    void add_word(std::size_t at) {
        if (says(at, {"led", "leads", "lead", "leader", "leaders", "leading"})) {
            order(true, at);
            out_.explained[at] = true;
        }
        if (says(at, {"better", "best", "worse", "worst", "more"}) && !out_.taken[at]) {
            if (!says(at, {"more"})) out_.is_better = true;
            if (!says(at, {"more"})) order(says(at, {"better", "best"}), at);
            out_.explained[at] = true;
        }
        if (says(at, {"trend", "progression", "develop", "developed"})) {
            out_.is_over_time = true;
            out_.explained[at] = true;
        }
        if (says(at, {"common", "frequent", "popular"})) {
            out_.is_commonest = out_.explained[at] = true;
        }
        const bool is_participle =
            folded_[at].size() > 5 && (folded_[at].ends_with("ed") || folded_[at].ends_with("ing"));
        if (is_participle) out_.weak[at] = true;
        if (says(at, {"who"})) out_.asks_who = true;
    }
    void order(bool descending, std::size_t at) {
        if (out_.descending) return;
        out_.descending = descending;
        out_.order_at = at;
    }
    void add_cue(const rules::CueMatch& cue, std::size_t at) {
        const std::size_t next = at + cue.words;
        switch (cue.cue) {
            case Cue::who:
                out_.asks_who = true;
                break;
            case Cue::ask:
                out_.asks_which = true;
                break;
            case Cue::how_many:
            case Cue::count:
                out_.asks_how_many = true;
                break;
            case Cue::sum:
            case Cue::in_total:
                out_.aggregate = Aggregate::sum;
                break;
            case Cue::average:
                out_.aggregate = Aggregate::avg;
                break;
            case Cue::maximum:
                out_.aggregate = Aggregate::max;
                break;
            case Cue::minimum:
                out_.aggregate = Aggregate::min;
                break;
            case Cue::distinct:
                out_.is_distinct = true;
                break;
            case Cue::most:
            case Cue::highest:
                order(true, at);
                break;
            case Cue::top:
                order(!says(at, {"first"}), at);
                break;
            case Cue::least:
            case Cue::lowest:
            case Cue::bottom:
                order(false, at);
                break;
            case Cue::about:
                order(true, at);
                out_.order_about = cue.detail;
                break;
            case Cue::compare:
            case Cue::versus:
                out_.is_compared = true;
                break;
            case Cue::share:
                out_.share_at = at;
                break;
            case Cue::change:
            case Cue::growth:
            case Cue::over_time:
                out_.is_over_time = true;
                break;
            case Cue::single:
                out_.is_single = true;
                break;
            case Cue::negation:
            case Cue::never:
                out_.has_negation = true;
                break;
            case Cue::group:
            case Cue::by:
                if (next < folded_.size()) out_.grouped_by.push_back(says(next, {"the"}) ? next + 1 : next);
                break;
            default:
                break;
        }
        if (says(at, {"best", "worst"})) out_.is_better = true;
        if (says(at, {"who", "whom"}) && at == 0) out_.asks_who = true;
    }

    [[nodiscard]] bool is_in_value(std::size_t at) const {
        return std::ranges::any_of(out_.values,
                                   [at](const ValueMention& value) { return value.first <= at && at <= value.last; });
    }
    [[nodiscard]] bool is_number(std::size_t at) const {
        return std::ranges::any_of(question_.links, [at](const Link& link) {
            return (link.kind == LinkKind::number || link.kind == LinkKind::limit) && link.first <= at &&
                   at <= link.last;
        });
    }
    /// The words after what asks, up to the first that begins something else.
    void add_asked() {
        const auto begins_other = [this](std::size_t at) {
            return out_.taken[at] || says(at, {"per", "in",  "of",   "on",   "at",  "with", "that", "who", "whose",
                                               "did", "do",  "does", "is",   "are", "was",  "were", "has", "have",
                                               "had", "for", "by",   "from", "to",  "and",  ",",    "?"});
        };
        const auto asks = [this](std::size_t at) {
            return says(at, {"which",  "what",  "list", "show",  "give",       "find",   "many",
                             "number", "top",   "all",  "every", "most",       "fewest", "display",
                             "name",   "count", "best", "worst", "percentage", "share",  "proportion"});
        };
        for (std::size_t at = 0; at < folded_.size(); ++at) {
            const bool begins = at == 0 && !says(0, {"who", "how", "when", "where", "did", "is", "was", "are"});
            if (!asks(at) && !begins && !(says(at, {"are", "were"}) && out_.asks_who)) continue;
            std::size_t next = begins && !asks(at) ? at : at + 1;
            while (next < folded_.size() &&
                   (is_number(next) || says(next, {"me", "the", "of", "all", "a", "an", "different", "are"})))
                ++next;
            for (; next < folded_.size() && (is_in_value(next) || !begins_other(next)); ++next) {
                if (!out_.taken[next]) out_.asked.push_back(next);
            }
        }
    }
    /// "guards" where positions are "Point Guard" and "Shooting Guard".
    void add_shared_words() {
        for (std::size_t at = 0; at < folded_.size(); ++at) {
            const auto is_meant = [at](const Link& link) {
                return link.first <= at && at <= link.last && link.kind != LinkKind::filler;
            };
            const bool is_open = !out_.taken[at] && !out_.explained[at] && folded_[at].size() >= kSharedBytesMin &&
                                 !is_filler(folded_[at]);
            if (!is_open || std::ranges::any_of(question_.links, is_meant)) continue;
            for (std::size_t column = 1; column < view_.schema().columns().size(); ++column) {
                const auto id = static_cast<ColumnId>(column);
                const auto values = view_.knowledge().values().values_of(id);
                if (values.size() < 2 || values.size() > kSharedValuesMax) continue;
                const auto has_word = [&](const KnownValue& value) {
                    const auto words = stems(value.spelling);
                    return std::ranges::find(words, names_.stem_of(at)) != words.end();
                };
                if (std::ranges::count_if(values, has_word) < 2) continue;
                take(at, at);
                out_.values.push_back({at, at, {{id, Constant{names_.stem_of(at)}, 0.8, true}}, false, false});
                break;
            }
        }
    }

    /// Words with capitals that nothing is linked to.
    void add_unknown() {
        const auto is_unknown = [this](std::size_t at) {
            const std::string_view word = question_.word(at);
            const bool is_name = !word.empty() && word.front() >= 'A' && word.front() <= 'Z';
            return is_name && !out_.taken[at] && !is_filler(folded_[at]) &&
                   std::ranges::none_of(question_.links, [at](const Link& link) {
                       return link.first <= at && at <= link.last && link.kind != LinkKind::filler;
                   });
        };
        for (std::size_t at = 1; at < folded_.size(); ++at) {
            const std::size_t led_by = before(at);
            if (!is_unknown(at) || !says(led_by, {"from", "in", "at", "by", "of", "for", "named", "called"})) continue;
            std::size_t last = at;
            while (last + 1 < folded_.size() && is_unknown(last + 1)) ++last;
            out_.unknown = {at, last, folded_[led_by]};
            take(at, last);
            return;
        }
    }
    /// "more than the league average".
    void add_average() {
        for (const Link& link : question_.links) {
            if (link.kind != LinkKind::comparison || (link.text != ">" && link.text != "<")) continue;
            for (std::size_t at = link.last + 1; at <= link.last + 3; ++at) {
                if (says(at, {"average", "mean", "avg"})) {
                    out_.beats_average = link.text == ">" ? Comparison::greater : Comparison::less;
                }
            }
        }
    }

    void add_numbers() {
        for (const Link& link : question_.links) {
            if (link.kind == LinkKind::limit && !link.text.empty() && out_.limit == 0) set_limit(link);
        }
        for (const Link& link : question_.links) {
            if (link.kind != LinkKind::number || link.score < 1 || !is_free(link.first, link.last)) continue;
            if (link.first > 0 && says(link.first - 1, {"top", "first", "best", "bottom", "last"})) {
                set_limit(link);
                continue;
            }
            if (out_.descending && link.first < folded_.size() && link.last + 1 <= out_.order_at + 1 &&
                link.last < out_.order_at) {
                set_limit(link);
                continue;
            }
            if (link.first > 0 && says(link.first - 1, {"in"}) && is_scale(link.first)) {
                add_unit(link.first);
            } else {
                add_number(link);
            }
        }
        for (std::size_t at = 1; at < folded_.size(); ++at) {
            if (says(at - 1, {"in", "many"}) && !out_.taken[at] && is_unit(at)) add_unit(at);
        }
    }
    [[nodiscard]] bool is_scale(std::size_t at) const {
        return says(at, {"thousands", "millions", "billions", "thousand", "million", "billion"});
    }
    [[nodiscard]] bool is_unit(std::size_t at) const {
        return says(at, {"dollars",     "euros",       "usd",   "metres",  "meters",    "feet", "inches",
                         "centimetres", "centimeters", "cm",    "pounds",  "kilograms", "kg",   "kilometres",
                         "kilometers",  "km",          "miles", "percent", "minutes",   "hours"});
    }
    /// "in millions of dollars": how it is to be shown.
    void add_unit(std::size_t at) {
        while (at < folded_.size() && (is_scale(at) || is_unit(at) || says(at, {"of", "us"})))
            out_.explained[at++] = true;
    }
    void set_limit(const Link& link) {
        const auto [end, problem] = std::from_chars(link.text.data(), link.text.data() + link.text.size(), out_.limit);
        if (problem != std::errc() || end != link.text.data() + link.text.size()) out_.limit = 0;
        if (out_.limit > 0) take(link.first, link.last);
    }
    void add_number(const Link& link) {
        NumberMention mention{.first = link.first, .last = link.last, .number = link.text};
        for (const Link& comparison : question_.links) {
            if (comparison.kind != LinkKind::comparison || comparison.score < 0.8) continue;
            const bool is_before = comparison.last + 1 == link.first;
            const bool is_after =
                comparison.first == link.last + 1 && (comparison.text == ">=" || comparison.text == "<=");
            if (!is_before && !is_after) continue;
            mention.comparison = comparison.text == ">"    ? Comparison::greater
                                 : comparison.text == ">=" ? Comparison::greater_equal
                                 : comparison.text == "<"  ? Comparison::less
                                 : comparison.text == "<=" ? Comparison::less_equal
                                                           : Comparison::equal;
            mention.is_said = true;
            for (std::size_t at = comparison.first; at <= comparison.last; ++at) out_.explained[at] = true;
        }
        take(link.first, link.last);
        if (says(link.last + 1, {"dollars", "dollar", "euros", "usd", "percent", "%"}))
            out_.explained[link.last + 1] = true;
        out_.numbers.push_back(std::move(mention));
    }

    const LinkedQuestion& question_;
    const Names& names_;
    const rules::SchemaView& view_;
    std::vector<std::string> folded_;
    Mentions out_;
};

}  // namespace

std::string TimeMention::last_year() const {
    return rules::day_before(after).substr(0, 4);
}

bool TimeMention::is_years() const {
    return from.ends_with("-01-01") && after.ends_with("-01-01");
}

Mentions mentions_of(const LinkedQuestion& question, const Names& names, const rules::SchemaView& view) {
    return Collector(question, names, view).collect();
}

}  // namespace quaestor::native::facts
