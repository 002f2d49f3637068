#include "workflows/cited/dates.hpp"

#include "base/text.hpp"
#include "workflows/cited/calendar.hpp"
#include "workflows/cited/date_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

namespace quaestor::workflows::cited {

namespace {

using namespace std::string_view_literals;

/// Far enough from any document.
constexpr std::string_view kBeginning = "0001-01-01";
constexpr std::string_view kEndOfTime = "9999-12-31";
/// Days after a month in which what began in it may end.
constexpr int kDaysOver = 2;
constexpr int kMonthDaysMax = 31;

constexpr std::array kLastWords{"last"sv, "final"sv, "latest"sv};
constexpr std::array kMeetingNouns{"meeting"sv, "meetings"sv, "statement"sv, "statements"sv, "minutes"sv,
                                   "session"sv, "release"sv,  "edition"sv,   "issue"sv,      "decision"sv};
constexpr std::array kPlaceWords{"first"sv, "second"sv, "third"sv,   "fourth"sv,
                                 "fifth"sv, "sixth"sv,  "seventh"sv, "eighth"sv};
/// What may stand before a time and goes with it.
constexpr std::array kLeading{"in"sv,       "at"sv,     "on"sv,       "of"sv,      "during"sv,
                              "for"sv,      "the"sv,    "from"sv,     "as"sv,      "through"sv,
                              "that"sv,     "back"sv,   "monday"sv,   "tuesday"sv, "wednesday"sv,
                              "thursday"sv, "friday"sv, "saturday"sv, "sunday"sv};
constexpr std::array kJust{"right"sv, "just"sv, "immediately"sv, "directly"sv, "shortly"sv};
constexpr std::array kHappenings{"cut"sv,  "cuts"sv,     "hike"sv, "hikes"sv, "increase"sv, "reduction"sv, "move"sv,
                                 "rise"sv, "decision"sv, "vote"sv, "pause"sv, "meeting"sv,  "statement"sv, "action"sv};
/// Words between "after the" and what happened: "the first emergency cut".
constexpr std::size_t kWordsOfHappening = 3;

/// What everybody knows the time of, by the words that name it.
struct KnownEvent {
    std::array<std::string_view, 3> words;
    std::string_view from;
    std::string_view to;
};
constexpr std::array kKnownEvents{KnownEvent{{"pandemic"}, "2020-03-15", "2021-12-31"},
                                  KnownEvent{{"covid"}, "2020-03-15", "2021-12-31"},
                                  KnownEvent{{"coronavirus"}, "2020-03-15", "2021-12-31"},
                                  KnownEvent{{"2020", "election"}, "2020-11-03", "2020-11-03"},
                                  KnownEvent{{"2024", "election"}, "2024-11-05", "2024-11-05"},
                                  KnownEvent{{"invasion", "of", "ukraine"}, "2022-02-24", "2022-02-24"},
                                  KnownEvent{{"war", "in", "ukraine"}, "2022-02-24", "2022-02-24"}};

template <class List>
bool holds_word(const List& list, std::string_view word) {
    return std::ranges::find(list, word) != list.end();
}

/// "in 2025: what did the October minutes say": of a time and a part of it, the part is meant.
void keep_narrowest(DateReading& reading) {
    const auto all = reading.periods;
    std::erase_if(reading.periods, [&](const Period& wide) {
        return std::ranges::any_of(all, [&](const Period& other) {
            return !(other == wide) && other.from >= wide.from && other.to <= wide.to;
        });
    });
}

std::string squeezed(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool is_space = c == ' ' || c == '\t' || c == '\n';
        if (is_space && (out.empty() || out.back() == ' ')) continue;
        if (c == '?' && out.ends_with(' ')) out.pop_back();
        out += is_space ? ' ' : c;
    }
    return std::string(text::trim(out));
}

}  // namespace

std::vector<std::string> dates_in(const Period& period, const std::vector<std::string>& dates) {
    const auto within = [&](const std::string& to) {
        return std::vector<std::string>(std::ranges::lower_bound(dates, period.from),
                                        std::ranges::upper_bound(dates, to));
    };
    auto found = within(period.to);
    const bool is_short = period.to <= days_after(period.from, kMonthDaysMax) && period.to != period.from;
    return found.empty() && is_short ? within(days_after(period.to, kDaysOver)) : found;
}

std::string label_of(std::string_view from, std::string_view to) {
    if (from == to) return day_in_words(from);
    const bool is_open = from == kBeginning || to == kEndOfTime;
    const bool is_year = !is_open && from.ends_with("-01-01") && to == iso_day(year_of(from), 12, 31);
    if (is_year) return std::to_string(year_of(from));
    const bool is_month = from.ends_with("-01") && to == month_end(year_of(from), month_of(from));
    if (is_month) return month_in_words(year_of(from), month_of(from));
    if (from == kBeginning) return fmt::format("until {}", day_in_words(to));
    if (to == kEndOfTime) return fmt::format("since {}", day_in_words(from));
    return fmt::format("from {} to {}", day_in_words(from), day_in_words(to));
}

/// "[the] last meeting [of 2021]", "the last three meetings", "the second meeting in 2022"
DateParser::Maybe DateParser::counted_meeting(std::size_t begin) const {
    std::size_t at = skip_the(begin);
    if (is(at, "most") && is(at + 1, "recent")) ++at;
    const auto place = std::ranges::find(kPlaceWords, word(at));
    const bool is_last = holds_word(kLastWords, word(at)) || (is(at, "recent") && at > 0 && is(at - 1, "most"));
    if (!is_last && place == kPlaceWords.end()) return std::nullopt;
    const auto count = is_last ? number(at + 1) : std::nullopt;
    std::size_t next = count ? at + 2 : at + 1;
    if (!holds_word(kMeetingNouns, word(next)) && holds_word(kMeetingNouns, word(next + 1))) ++next;
    if (!holds_word(kMeetingNouns, word(next))) return std::nullopt;
    ++next;
    // "The first meeting that she chaired": which one that was is for the documents to say.
    const bool is_at_which = (is(next, "at") || is(next, "in")) && is(next + 1, "which");
    if (is(next, "that") || is(next, "which") || is(next, "where") || is_at_which) return std::nullopt;
    std::vector<std::string> dates = ground_.dates;
    if (is(next, "of") || is(next, "in") || is(next, "during") || is(next, "for")) {
        if (const auto in = base(next + 1)) {
            dates = dates_in(*in->period, ground_.dates);
            next = in->next;
        }
    }
    Found found{.next = next, .has_noun = true};
    const auto wanted =
        static_cast<std::size_t>(is_last ? std::clamp(count.value_or(1), 1, 100) : place - kPlaceWords.begin() + 1);
    if (wanted > dates.size()) return found;
    const std::size_t first = is_last ? dates.size() - wanted : wanted - 1;
    found.period = days(dates[first], is_last ? dates.back() : dates[first]);
    return found;
}

/// "[the] next meeting", "the meeting after that", "the one before July 2023", "that meeting"
DateParser::Maybe DateParser::neighbouring_meeting(std::size_t begin) const {
    const std::size_t at = skip_the(begin);
    const bool leans = !last_;
    const auto earlier = earlier_time();
    const auto which = word(at);
    const bool is_next = which == "next" || which == "following" || which == "subsequent";
    const bool is_previous = which == "previous" || which == "preceding" || which == "prior";
    if ((is_next || is_previous) && (holds_word(kMeetingNouns, word(at + 1)) || is(at + 1, "one")) && earlier) {
        return Found{at + 2, beside(*earlier, is_next), leans, true};
    }
    const bool is_same = which == "that" || which == "this" || which == "same";
    if (is_same && holds_word(kMeetingNouns, word(at + 1)) && earlier) return Found{at + 2, earlier, leans, true};
    if (!holds_word(kMeetingNouns, which) && which != "one") return std::nullopt;
    const bool is_followed = is(at + 1, "that") && (is(at + 2, "followed") || is(at + 2, "preceded"));
    if (is_followed && earlier) return Found{at + 3, beside(*earlier, is(at + 2, "followed")), leans, true};
    const std::size_t where = holds_word(kJust, word(at + 1)) ? at + 2 : at + 1;
    const auto side = word(where);
    const bool is_after = side == "after" || side == "following";
    const bool is_before = side == "before" || side == "preceding" || (side == "prior" && is(where + 1, "to"));
    if (!is_after && !is_before) return std::nullopt;
    const std::size_t of = side == "prior" ? where + 2 : where + 1;
    const bool ends_there = word(of).empty() || is(of, "?") || is(of, ".") || is(of, ",");
    if (ends_there || is(of, "that") || is(of, "this") || is(of, "it")) {
        const std::size_t next = ends_there ? of : behind_noun(of + 1);
        return earlier ? Maybe(Found{next, beside(*earlier, is_after), leans, true}) : std::nullopt;
    }
    auto anchor = counted_meeting(of);
    if (!anchor) anchor = base(of);
    if (!anchor || !anchor->period) return std::nullopt;
    const std::size_t next = holds_word(kHappenings, word(anchor->next)) ? anchor->next + 1 : anchor->next;
    return Found{behind_noun(next), beside(*anchor->period, is_after), false, true};
}

DateParser::Maybe DateParser::known_event(std::size_t begin) const {
    const std::size_t at = skip_the(begin);
    for (const auto& event : kKnownEvents) {
        std::size_t next = at;
        for (const auto expected : event.words) {
            if (!expected.empty() && next != tokens_.size() && is(next, expected)) ++next;
        }
        const auto length = static_cast<std::size_t>(
            std::ranges::count_if(event.words, [](std::string_view one) { return !one.empty(); }));
        if (next - at == length) return Found{next, days(std::string(event.from), std::string(event.to))};
    }
    return std::nullopt;
}

DateParser::Maybe DateParser::event_of_time(std::size_t begin) const {
    std::size_t at = skip_the(begin);
    for (std::size_t words = 0; words < kWordsOfHappening && !holds_word(kHappenings, word(at)); ++words) ++at;
    const bool names_it =
        holds_word(kHappenings, word(at)) && (is(at + 1, "of") || is(at + 1, "in") || is(at + 1, "on"));
    auto found = names_it ? base(at + 2) : std::nullopt;
    if (found) found->has_noun = true;
    return found;
}

DateParser::Maybe DateParser::time(std::size_t at) const {
    if (auto found = neighbouring_meeting(at)) return found;
    if (auto found = counted_meeting(at)) return found;
    return base(at);
}

DateParser::Maybe DateParser::range(std::size_t at) const {
    const auto opening = word(at);
    const bool is_pair = opening == "between" || opening == "from";
    const auto first = time(is_pair ? at + 1 : at);
    if (first && !first->period && !is_pair) return first;
    if (first && first->period) {
        std::size_t next = behind_noun(first->next);
        const bool goes_on = is(next, "to") || is(next, "through") || is(next, "until") || is(next, "till") ||
                             is(next, "-") || (opening == "between" && is(next, "and"));
        const auto second = goes_on ? time(next + 1) : std::nullopt;
        if (second && second->period) {
            return Found{second->next, days(first->period->from, std::max(first->period->to, second->period->to))};
        }
        if (opening != "between") return first;
    }
    const bool is_after = opening == "after" || opening == "following";
    const bool is_before = opening == "before" || (opening == "prior" && is(at + 1, "to"));
    // "going by the September promise": what that says.
    const bool is_measure = opening == "by" && at > 0 && (is(at - 1, "going") || is(at - 1, "judging"));
    const bool is_until = opening == "until" || opening == "till" || (opening == "by" && !is_measure);
    if (!is_after && !is_before && !is_until && opening != "since") return std::nullopt;
    const std::size_t of = opening == "prior" ? at + 2 : at + 1;
    auto found = known_event(of);
    // What goes on for long is followed by all that came since it began.
    if (found && is_after) found->period->to = found->period->from;
    if (!found) found = time(of);
    if (!found) found = event_of_time(of);
    if (!found || !found->period) return found;
    return seen_from(at, is_before ? "before" : is_after ? "after" : is_until ? "until" : "since", *found);
}

DateParser::Maybe DateParser::seen_from(std::size_t at, std::string_view opening, Found found) const {
    const bool is_after = opening == "after";
    const bool is_before = opening == "before";
    // "right before the election", "the next thing they did after the cut of March 3"
    const bool is_beside = (at > 0 && holds_word(kJust, word(at - 1))) ||
                           (is_after && std::ranges::any_of(std::span(tokens_).first(at), [](const DateToken& token) {
                                return token.word == "next" || token.word == "then";
                            }));
    if (is_beside && (is_after || is_before)) {
        found.period = beside(*found.period, is_after);
        return found;
    }
    // "after the July 2023 meeting": what that meeting decided; "after July 2023": what came later.
    if (is_after && !found.has_noun) found.period = days(days_after(found.period->to, 1), std::string(kEndOfTime));
    if (is_before && found.has_noun) {
        found.period = beside(*found.period, false);
    } else if (is_before) {
        found.period = days(std::string(kBeginning), days_after(found.period->from, -1));
    }
    if (opening == "until") found.period = days(std::string(kBeginning), found.period->to);
    if (opening == "since") found.period = days(found.period->from, std::string(kEndOfTime));
    return found;
}

void DateParser::take(std::size_t first, const Found& found, DateReading& reading) {
    std::size_t next = behind_noun(found.next);
    while (first > 0 && holds_word(kLeading, word(first - 1))) --first;
    taken_.emplace_back(tokens_[first].begin, tokens_[next - 1].end);
    reading.leans_on_earlier |= found.leans;
    if (!found.period) {
        reading.uncovered.emplace_back(
            question_.substr(taken_.back().first, taken_.back().second - taken_.back().first));
        return;
    }
    last_ = found.period;
    if (std::ranges::find(reading.periods, *found.period) != reading.periods.end()) return;
    if (dates_in(*found.period, ground_.dates).empty()) reading.uncovered.push_back(found.period->label);
    reading.periods.push_back(*found.period);
}

/// "Where did they see it at the end of 2024", asked of a meeting in 2023: what is foreseen, not who says it.
bool DateParser::is_foreseen(std::size_t at, const Found& found) const {
    static constexpr std::array kForeseeing{"see"sv,         "saw"sv,       "forecast"sv, "forecasts"sv,
                                            "projection"sv,  "dot"sv,       "dots"sv,     "median"sv,
                                            "projections"sv, "projected"sv, "expect"sv,   "expected"sv,
                                            "outlook"sv,     "pencilled"sv, "penciled"sv, "anticipate"sv};
    const bool foresees =
        std::ranges::any_of(tokens_, [](const DateToken& token) { return holds_word(kForeseeing, token.word); });
    if (!foresees || !found.period || found.has_noun) return false;
    // Years are foreseen; months are when it was said.
    if (found.period->to <= days_after(found.period->from, kMonthDaysMax)) return false;
    const auto is_earlier = [&](std::size_t other) {
        const auto time = other == at ? std::nullopt : base(other);
        return time && time->period->to < found.period->from;
    };
    for (std::size_t other = 0; other < tokens_.size(); ++other) {
        if (is_earlier(other)) return true;
    }
    return false;
}

DateReading DateParser::read() {
    DateReading reading;
    for (std::size_t at = 0; at < tokens_.size();) {
        const auto found = range(at);
        if (found && !is_foreseen(at, *found)) take(at, *found, reading);
        at = found ? std::max(found->next, at + 1) : at + 1;
    }
    std::size_t from = 0;
    for (const auto& [begin, end] : taken_) {
        reading.topic += question_.substr(from, begin - std::min(begin, from));
        from = end;
    }
    reading.topic = squeezed(reading.topic + std::string(question_.substr(std::min(from, question_.size()))));
    if (taken_.size() == 1) std::tie(reading.begin, reading.end) = taken_.front();
    keep_narrowest(reading);
    for (const Period& period : reading.periods) {
        std::ranges::copy(dates_in(period, ground_.dates), std::back_inserter(reading.dates));
    }
    std::ranges::sort(reading.dates);
    reading.dates.erase(std::ranges::unique(reading.dates).begin(), reading.dates.end());
    reading.is_one_day = reading.periods.size() == 1 && reading.dates.size() <= 1;
    return reading;
}

DateReading read_dates(std::string_view question, const DateGround& ground) {
    if (!ground.dates.empty()) return DateParser(question, ground).read();
    // Where no document has a date, times are words like others.
    DateReading reading;
    reading.topic = question;
    return reading;
}

}  // namespace quaestor::workflows::cited
