#include "workflows/cited/date_parser.hpp"

#include "retrieval/metadata.hpp"
#include "workflows/cited/calendar.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <ranges>

namespace quaestor::workflows::cited {

namespace {

using namespace std::string_view_literals;

constexpr int kYearMin = 1900;
constexpr int kYearMax = 2099;
constexpr std::array kNouns{"meeting"sv,       "meetings"sv,  "statement"sv, "statements"sv, "minutes"sv,
                            "session"sv,       "sessions"sv,  "release"sv,   "releases"sv,   "edition"sv,
                            "editions"sv,      "issue"sv,     "report"sv,    "reports"sv,    "version"sv,
                            "decision"sv,      "decisions"sv, "document"sv,  "documents"sv,  "announcement"sv,
                            "announcements"sv, "gathering"sv};
/// What happened at a time, and still says something of what is asked about.
constexpr std::array kEventNouns{"cut"sv,      "hike"sv, "increase"sv, "reduction"sv, "move"sv,
                                 "decrease"sv, "rise"sv, "vote"sv,     "pause"sv,     "dissent"sv};
constexpr std::array kOrdinals{"first"sv, "second"sv, "third"sv,   "fourth"sv,
                               "fifth"sv, "sixth"sv,  "seventh"sv, "eighth"sv};
constexpr std::array kLasts{"last"sv, "final"sv, "latest"sv, "recent"sv};
constexpr std::array kCounts{"one"sv, "two"sv,   "three"sv, "four"sv, "five"sv,
                             "six"sv, "seven"sv, "eight"sv, "nine"sv, "ten"sv};
constexpr std::array kBeforeMonths{"in"sv,     "of"sv,     "the"sv,  "since"sv, "until"sv,   "after"sv,
                                   "before"sv, "by"sv,     "from"sv, "and"sv,   "between"sv, "last"sv,
                                   "for"sv,    "during"sv, "at"sv,   "to"sv,    "through"sv, "about"sv,
                                   "this"sv,   "early"sv,  "late"sv, "mid"sv};

template <class List>
std::optional<int> place_in(const List& list, std::string_view word) {
    const auto found = std::ranges::find(list, word);
    if (found == list.end()) return std::nullopt;
    return static_cast<int>(found - list.begin()) + 1;
}

template <class List>
bool is_in(const List& list, std::string_view word) {
    return std::ranges::find(list, word) != list.end();
}

/// A part of a year by its name, and how many words that takes.
struct NamedMonths {
    int first;
    int last;
    std::size_t words;
};

/// "first half", "third quarter", "q3", "h1"
std::optional<NamedMonths> counted_months(std::string_view word, std::string_view next) {
    const int place = is_in(kLasts, word) ? 4 : place_in(kOrdinals, word).value_or(0);
    if (next == "half" && (place == 1 || place == 2)) return NamedMonths{place * 6 - 5, place * 6, 2};
    if (next == "quarter" && place >= 1 && place <= 4) return NamedMonths{place * 3 - 2, place * 3, 2};
    const bool is_short = word.size() == 2 && (word[0] == 'q' || word[0] == 'h') && word[1] >= '1' && word[1] <= '4';
    if (!is_short) return std::nullopt;
    const int length = word[0] == 'q' ? 3 : 6;
    const int last = (word[1] - '0') * length;
    return last <= 12 ? std::optional(NamedMonths{last - length + 1, last, 1}) : std::nullopt;
}

/// The same, or "early", "mid", "end", "summer".
std::optional<NamedMonths> months_named(std::string_view word, std::string_view next) {
    struct Part {
        std::string_view name;
        NamedMonths months;
    };
    static constexpr std::array kParts{
        Part{"early", {1, 4, 1}},  Part{"beginning", {1, 3, 1}}, Part{"start", {1, 3, 1}},   Part{"mid", {5, 8, 1}},
        Part{"middle", {5, 8, 1}}, Part{"late", {9, 12, 1}},     Part{"end", {10, 12, 1}},   Part{"close", {10, 12, 1}},
        Part{"spring", {3, 5, 1}}, Part{"summer", {6, 8, 1}},    Part{"autumn", {9, 11, 1}}, Part{"fall", {9, 11, 1}}};
    if (auto counted = counted_months(word, next)) return counted;
    const auto part = std::ranges::find(kParts, word, &Part::name);
    return part == kParts.end() ? std::nullopt : std::optional(part->months);
}

bool is_word_byte(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// "2023-07-26" is one word.
std::size_t iso_length(std::string_view text) {
    constexpr std::size_t kIsoLength = 10;
    if (text.size() < kIsoLength || (text.size() > kIsoLength && is_word_byte(text[kIsoLength]))) return 0;
    return retrieval::parse_date(text.substr(0, kIsoLength)) ? kIsoLength : 0;
}

}  // namespace

std::vector<DateToken> date_tokens(std::string_view text) {
    std::vector<DateToken> tokens;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at + std::max<std::size_t>(iso_length(text.substr(at)), 1);
        if (text.substr(at).starts_with("–") || text.substr(at).starts_with("—")) {
            tokens.push_back({"-", at, at + 3});
            at += 3;
            continue;
        }
        if (is_word_byte(text[at]) && end == at + 1) {
            while (end < text.size() && is_word_byte(text[end])) ++end;
        }
        std::string word(text.substr(at, end - at));
        std::ranges::transform(word, word.begin(), lower);
        if (word != " ") tokens.push_back({std::move(word), at, end});
        at = end;
    }
    return tokens;
}

DateParser::DateParser(std::string_view question, const DateGround& ground)
    : question_(question), ground_(ground), tokens_(date_tokens(question)) {}

std::string_view DateParser::word(std::size_t at) const {
    return at < tokens_.size() ? std::string_view(tokens_[at].word) : std::string_view();
}

std::optional<int> DateParser::number(std::size_t at) const {
    const auto text = word(at);
    int value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem == std::errc() && end == text.data() + text.size()) return value;
    return place_in(kCounts, text);
}

std::optional<int> DateParser::year(std::size_t at) const {
    const auto value = word(at).size() == 4 ? number(at) : std::nullopt;
    return value && *value >= kYearMin && *value <= kYearMax ? value : std::nullopt;
}

/// That of the next year named or else the one before, of the turn before, or the latest that has a document then.
int DateParser::year_for_month(std::size_t at, int month) const {
    for (std::size_t next = at + 1; next < tokens_.size(); ++next) {
        if (const auto named = year(next)) return *named;
    }
    for (std::size_t before = at; before-- > 0;) {
        if (const auto named = year(before)) return *named;
    }
    if (!ground_.earlier.empty()) return year_of(ground_.earlier.back());
    for (const auto& date : ground_.dates | std::views::reverse) {
        if (month_of(date) == month) return year_of(date);
    }
    return year_of(ground_.today);
}

/// "May" and "March" are also other words.
bool DateParser::may_be_month_alone(std::size_t at) const {
    const bool is_another_word = word(at) == "may" || word(at) == "march" || word(at) == "mar";
    return !is_another_word || (at > 0 && is_in(kBeforeMonths, word(at - 1)));
}

Period DateParser::days(std::string from, std::string to) const {
    std::string label = label_of(from, to);
    return {std::move(from), std::move(to), std::move(label)};
}

/// "July 26, 2023", "July 25-26, 2023", "January 31 - February 1, 2023", "26 July 2023", "2023-07-26"
DateParser::Maybe DateParser::day(std::size_t at) const {
    if (retrieval::parse_date(word(at))) {
        return Found{at + 1, days(std::string(word(at)), std::string(word(at)))};
    }
    const bool day_first = number(at) && month_named(word(at + 1)) && year(at + 2);
    const auto named = month_named(word(day_first ? at + 1 : at));
    if (!named) return std::nullopt;
    std::size_t next = at + 1;
    int month = *named;
    auto last = day_first ? number(at) : number(next);
    if (!last || *last < 1 || *last > 31) return std::nullopt;
    next += 1;
    while (!day_first && (is(next, "-") || is(next, "and") || is(next, "/") || is(next, "to"))) {
        const auto other = month_named(word(next + 1));
        const auto until = number(other ? next + 2 : next + 1);
        if (!until || *until > 31) break;
        month = other.value_or(month);
        last = until;
        next += other ? 3 : 2;
    }
    if (is(next, ",")) ++next;
    const auto named_year = year(next);
    const std::string day = iso_day(named_year.value_or(year_for_month(at, month)), month, *last);
    if (!retrieval::parse_date(day)) return std::nullopt;
    return Found{named_year ? next + 1 : next, days(day, day)};
}

/// "July 2023", "July of 2023", "July"; "January/February 2023"
DateParser::Maybe DateParser::month(std::size_t at) const {
    const auto named = month_named(word(at));
    if (!named) return std::nullopt;
    std::size_t next = at + 1;
    int last = *named;
    if ((is(next, "/") || is(next, "-")) && month_named(word(next + 1))) {
        last = *month_named(word(next + 1));
        next += 2;
    }
    if (is(next, ",") || is(next, "of")) ++next;
    const auto named_year = year(next);
    if (!named_year && !may_be_month_alone(at)) return std::nullopt;
    const int in = named_year.value_or(year_for_month(at, last));
    if (!named_year) next = at + 1;
    return Found{named_year ? next + 1 : next, days(iso_day(in, *named, 1), month_end(in, std::max(last, *named)))};
}

/// "mid-March 2020", "the end of October 2019"; the whole month where no document is of that part.
DateParser::Maybe DateParser::part_of_month(std::size_t begin) const {
    struct Part {
        std::string_view name;
        int first;
        int last;
    };
    static constexpr std::array kParts{Part{"early", 1, 10}, Part{"beginning", 1, 10}, Part{"start", 1, 10},
                                       Part{"mid", 11, 20},  Part{"middle", 11, 20},   Part{"late", 21, 28},
                                       Part{"end", 21, 28},  Part{"close", 21, 28}};
    const std::size_t at = skip_the(begin);
    const auto part = std::ranges::find(kParts, word(at), &Part::name);
    if (part == kParts.end()) return std::nullopt;
    auto found = month(is(at + 1, "of") || is(at + 1, "-") || is(at + 1, "in") ? at + 2 : at + 1);
    if (!found) return std::nullopt;
    const int year = year_of(found->period->from);
    const int month = month_of(found->period->from);
    const bool is_end = part->first > 20;
    Period narrow =
        days(iso_day(year, month, part->first), is_end ? found->period->to : iso_day(year, month, part->last));
    const auto is_inside = [&](const std::string& date) { return date >= narrow.from && date <= narrow.to; };
    if (std::ranges::any_of(ground_.dates, is_inside)) found->period = std::move(narrow);
    return found;
}

/// "the first half of 2022", "Q3 2021", "early 2020", "the end of 2019", "summer 2022", "2022", "the 1990s"
DateParser::Maybe DateParser::part_of_year(std::size_t begin) const {
    const std::size_t at = skip_the(begin);
    if (const auto part = months_named(word(at), word(at + 1))) {
        std::size_t next = at + part->words;
        if (is(next, "of") || is(next, "-") || is(next, "in")) ++next;
        if (const auto in = year(next)) {
            return Found{next + 1, days(iso_day(*in, part->first, 1), month_end(*in, part->last))};
        }
    }
    if (const auto in = year(at)) return Found{at + 1, days(iso_day(*in, 1, 1), iso_day(*in, 12, 31))};
    const auto text = word(at);
    const bool is_decade =
        text.size() == 5 && text.ends_with("0s") && (text.starts_with("19") || text.starts_with("20"));
    int in = 0;
    if (!is_decade || std::from_chars(text.data(), text.data() + 4, in).ec != std::errc()) return std::nullopt;
    return Found{at + 1, days(iso_day(in, 1, 1), iso_day(in + 9, 12, 31))};
}

/// "last year", "this month", "the past two years"
DateParser::Maybe DateParser::relative_to_today(std::size_t begin) const {
    const std::size_t at = skip_the(begin);
    const auto which = word(at);
    const int now = year_of(ground_.today);
    const int month_now = month_of(ground_.today);
    if (which != "last" && which != "this" && which != "next" && which != "past" && which != "previous") {
        return std::nullopt;
    }
    const auto count = number(at + 1);
    if (count && *count > 0 && *count < 100 &&
        (word(at + 2).starts_with("year") || word(at + 2).starts_with("month"))) {
        const int back = word(at + 2).starts_with("year") ? 366 * *count : 31 * *count;
        return Found{at + 3, days(days_after(ground_.today, -back), ground_.today)};
    }
    const int step = which == "this" ? 0 : which == "next" ? 1 : -1;
    if (is(at + 1, "year")) {
        return Found{at + 2, days(iso_day(now + step, 1, 1), iso_day(now + step, 12, 31))};
    }
    if (is(at + 1, "month")) {
        const int month = now * 12 + month_now - 1 + step;
        return Found{at + 2, days(iso_day(month / 12, month % 12 + 1, 1), month_end(month / 12, month % 12 + 1))};
    }
    return std::nullopt;
}

DateParser::Maybe DateParser::base(std::size_t at) const {
    for (const auto form : {&DateParser::day, &DateParser::part_of_month, &DateParser::month, &DateParser::part_of_year,
                            &DateParser::relative_to_today}) {
        for (const std::size_t begin : {at, skip_the(at)}) {
            if (auto found = (this->*form)(begin)) {
                found->has_noun = noun_follows(found->next);
                return found;
            }
        }
    }
    return std::nullopt;
}

bool DateParser::noun_follows(std::size_t at) const {
    return is_in(kNouns, word(at)) || is_in(kEventNouns, word(at)) ||
           (is_in(kNouns, word(at + 1)) && !word(at).empty() && word(at) != "," && word(at) != "and");
}

std::size_t DateParser::behind_noun(std::size_t at) const {
    return is_in(kNouns, word(at)) ? at + 1 : at;
}

std::optional<Period> DateParser::earlier_time() const {
    if (last_) return last_;
    if (ground_.earlier.empty()) return std::nullopt;
    return days(ground_.earlier.front(), ground_.earlier.back());
}

std::optional<Period> DateParser::beside(const Period& period, bool is_after) const {
    const auto inside = dates_in(period, ground_.dates);
    const std::string from = inside.empty() ? period.from : inside.front();
    const std::string to = inside.empty() ? period.to : inside.back();
    const auto& dates = ground_.dates;
    if (is_after) {
        const auto next = std::ranges::upper_bound(dates, to);
        return next == dates.end() ? std::nullopt : std::optional(days(*next, *next));
    }
    const auto next = std::ranges::lower_bound(dates, from);
    return next == dates.begin() ? std::nullopt : std::optional(days(*(next - 1), *(next - 1)));
}

}  // namespace quaestor::workflows::cited
