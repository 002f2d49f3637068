#include "native/characters.hpp"
#include "native/reading/link_finders.hpp"
#include "native/spoken_values.hpp"
#include "native/spoken_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>

namespace quaestor::native {

namespace {

using std::chrono::days;
using std::chrono::months;
using std::chrono::sys_days;
using std::chrono::year_month_day;
using std::chrono::years;

/// Words of one period.
constexpr std::size_t kPeriodWordsMax = 6;
/// Units that "last 30 days" may count.
constexpr int kUnitsMax = 10'000;
/// Where a season begins that is named after two years.
constexpr std::chrono::month kSeasonMonth = std::chrono::July;

std::string iso_day(const year_month_day& day) {
    return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(day.year()), static_cast<unsigned>(day.month()),
                       static_cast<unsigned>(day.day()));
}

std::optional<int> whole_number(std::string_view text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
}

std::optional<year_month_day> day_of(std::string_view iso) {
    if (iso.size() < 10) return std::nullopt;
    const auto year = whole_number(iso.substr(0, 4));
    const auto month = whole_number(iso.substr(5, 2));
    const auto day = whole_number(iso.substr(8, 2));
    if (!year || !month || !day) return std::nullopt;
    const year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                              std::chrono::day(static_cast<unsigned>(*day))};
    return date.ok() ? std::optional(date) : std::nullopt;
}

/// Both may be beyond the end of a month: "30 February" is no day, its month's first is.
std::string period_text(const year_month_day& first, const year_month_day& after) {
    return iso_day(first) + "/" + iso_day(after);
}

enum class Unit { day, week, month, quarter, season, year, decade };

std::optional<Unit> unit_of(std::string_view stemmed) {
    struct Named {
        std::string_view word;
        Unit unit;
    };
    constexpr auto kUnits = std::to_array<Named>({{"day", Unit::day},
                                                  {"week", Unit::week},
                                                  {"month", Unit::month},
                                                  {"quarter", Unit::quarter},
                                                  {"season", Unit::season},
                                                  {"year", Unit::year},
                                                  {"decade", Unit::decade}});
    const auto* const found = std::ranges::find(kUnits, stemmed, &Named::word);
    if (found == kUnits.end()) return std::nullopt;
    return found->unit;
}

/// The first day of the unit that a day lies in.
year_month_day unit_begin(Unit unit, const year_month_day& day) {
    const auto month = static_cast<unsigned>(day.month());
    const auto first_of = [](std::chrono::year year, unsigned in) {
        return year_month_day{year, std::chrono::month(in), std::chrono::day(1)};
    };
    switch (unit) {
        case Unit::day:
            return day;
        case Unit::week: {
            const unsigned since_monday = std::chrono::weekday(sys_days(day)).iso_encoding() - 1;
            return sys_days(day) - days(since_monday);
        }
        case Unit::month:
            return first_of(day.year(), month);
        case Unit::quarter:
            return first_of(day.year(), (month - 1) / 3 * 3 + 1);
        case Unit::season:
            return first_of(day.month() < kSeasonMonth ? day.year() - years(1) : day.year(),
                            static_cast<unsigned>(kSeasonMonth));
        case Unit::year:
            return first_of(day.year(), 1);
        case Unit::decade:
            return first_of(std::chrono::year(static_cast<int>(day.year()) / 10 * 10), 1);
    }
    return day;
}

/// The day `count` units later, or earlier when it is negative; `day` begins a unit or is moved by days and weeks.
year_month_day moved(Unit unit, const year_month_day& day, int count) {
    const auto by_months = [&](int size) {
        const auto month = std::chrono::year_month(day.year(), day.month()) + months(size * count);
        const year_month_day same_day{month.year(), month.month(), day.day()};
        return same_day.ok() ? same_day : year_month_day{month.year() / month.month() / std::chrono::last};
    };
    switch (unit) {
        case Unit::day:
            return sys_days(day) + days(count);
        case Unit::week:
            return sys_days(day) + days(7 * count);
        case Unit::month:
            return by_months(1);
        case Unit::quarter:
            return by_months(3);
        case Unit::season:
        case Unit::year:
            return by_months(12);
        case Unit::decade:
            return by_months(120);
    }
    return day;
}

class PeriodLinker {
public:
    PeriodLinker(const LinkingView& view, Links& out)
        : view_(view), out_(out), today_(day_of(view.today)), year_(year_in(view.question.text)) {}

    void link_all() {
        for (std::size_t at = 0; at < view_.size(); ++at) {
            link_named_day(at);
            link_relative(at);
            link_season(at);
        }
        for (std::size_t at = 0; at < view_.size(); ++at) {
            if (const auto period = period_at(at)) {
                link_range(at, *period);
                add(at, period->last, period->period.first + "/" + period->period.after, period->score);
                at = period->last;
            }
        }
    }

private:
    struct SaidPeriod {
        std::size_t last = 0;
        Period period;
        double score = 1;
    };

    void add(std::size_t first, std::size_t last, std::string text, double score = 1) {
        out_.push_back({.first = first, .last = last, .kind = LinkKind::date, .score = score, .text = std::move(text)});
    }
    [[nodiscard]] bool says(std::size_t at, std::initializer_list<std::string_view> words) const {
        return at < view_.size() && std::ranges::find(words, std::string_view(view_.folded[at])) != words.end();
    }

    void link_named_day(std::size_t at) {
        if (!today_) return;
        const int away = says(at, {"yesterday"}) ? -1 : says(at, {"tomorrow"}) ? 1 : 0;
        if (away == 0 && !says(at, {"today"})) return;
        const year_month_day day = moved(Unit::day, *today_, away);
        add(at, at, period_text(day, moved(Unit::day, day, 1)));
    }

    /// "last year", "this month", "the past 30 days", "two weeks ago".
    void link_relative(std::size_t at) {
        if (!today_) return;
        const bool is_back = says(at, {"last", "previous", "past"});
        const bool is_led = is_back || says(at, {"this", "current", "next"});
        const auto number = number_at(view_, is_led ? at + 1 : at);
        const std::size_t unit_at = number ? number->last + 1 : at + 1;
        if ((!is_led && !number) || unit_at >= view_.size()) return;
        const auto unit = unit_of(view_.stemmed[unit_at]);
        const int count = number ? whole_number(number->text).value_or(0) : 1;
        if (!unit || count < 1 || count > kUnitsMax) return;

        const year_month_day now = unit_begin(*unit, *today_);
        if (is_back && number) {
            const year_month_day tomorrow = moved(Unit::day, *today_, 1);
            add(at, unit_at, period_text(moved(*unit, tomorrow, -count), tomorrow));
        } else if (is_led && !number) {
            const year_month_day begin = moved(*unit, now, is_back ? -1 : says(at, {"next"}) ? 1 : 0);
            add(at, unit_at, period_text(begin, moved(*unit, begin, 1)));
        } else if (!is_led && says(unit_at + 1, {"ago"})) {
            const year_month_day begin = moved(*unit, now, -count);
            add(at, unit_at + 1, period_text(begin, moved(*unit, begin, 1)));
        }
    }

    /// "2022-23", "2022/2023".
    void link_season(std::size_t at) {
        if (at + 2 >= view_.size() || !says(at + 1, {"-", "/"})) return;
        const auto first = whole_number(view_.folded[at]);
        const auto second = whole_number(view_.folded[at + 2]);
        const bool is_year = view_.folded[at].size() == 4 && first && second;
        if (!is_year || (*second != *first + 1 && *second != (*first + 1) % 100)) return;
        const bool is_said = std::ranges::find(view_.stemmed, "season") != view_.stemmed.end();
        const year_month_day begin{std::chrono::year(*first), kSeasonMonth, std::chrono::day(1)};
        add(at, at + 2, period_text(begin, moved(Unit::year, begin, 1)), is_said ? 1 : kLikelyScore);
    }

    [[nodiscard]] bool may_begin_period(std::size_t at) const {
        const std::string& word = view_.folded[at];
        if (is_digit(word.front())) return true;
        if (word == "may") {
            return view_.question.word(at).front() == 'M' ||
                   (at > 0 && says(at - 1, {"in", "of", "since", "during", "until", "between", "and", "to", "from"}));
        }
        return find_spoken(kMonths, word).has_value() || says(at, {"christmas", "halloween"}) ||
               says(at, {"q1", "q2", "q3", "q4", "h1", "h2"}) ||
               (says(at, {"first", "second", "third", "fourth"}) && says(at + 1, {"quarter", "half"}));
    }

    [[nodiscard]] double year_score(std::size_t at) const {
        const bool is_led = at > 0 && says(at - 1, {"in", "since", "before", "after", "during", "until", "of", "from",
                                                    "year", "between", "and", "to", "by", "for", "than"});
        return is_led ? 1 : kNearScore;
    }

    /// A period that names its year, or takes it from the question or from today.
    [[nodiscard]] std::optional<SaidPeriod> period_at(std::size_t first) const {
        if (!may_begin_period(first)) return std::nullopt;
        const bool is_number = is_digit(view_.folded[first].front());
        const auto today = today_ ? std::optional(static_cast<int>(today_->year())) : std::nullopt;
        for (std::size_t count = std::min(kPeriodWordsMax, view_.size() - first); count > 0; --count) {
            const std::size_t last = first + count - 1;
            if (says(last, {"in", "of", "the", ",", ".", "?"})) continue;
            const std::string_view text = view_.question.span(first, last);
            if (auto period = period_of(text)) {
                return SaidPeriod{last, std::move(*period), count == 1 && is_number ? year_score(first) : 1};
            }
            const bool has_month =
                std::ranges::any_of(std::span(view_.folded).subspan(first, count),
                                    [](const std::string& word) { return find_spoken(kMonths, word).has_value(); });
            if (!has_month && is_number) continue;
            if (auto period = period_of(text, year_ ? year_ : today)) {
                return SaidPeriod{last, std::move(*period), year_ ? kLikelyScore : kGuessScore};
            }
        }
        return std::nullopt;
    }

    /// "between May and July 2023", "from 2010 to 2015": the whole.
    void link_range(std::size_t first, const SaidPeriod& from) {
        const bool is_between = first > 0 && says(first - 1, {"between"}) && says(from.last + 1, {"and"});
        const bool is_from = first > 0 && says(first - 1, {"from"}) && says(from.last + 1, {"to", "until", "through"});
        if ((!is_between && !is_from) || from.last + 2 >= view_.size()) return;
        const auto to = period_at(from.last + 2);
        if (!to || to->period.after <= from.period.first) return;
        add(first, to->last, from.period.first + "/" + to->period.after);
    }

    const LinkingView& view_;
    Links& out_;
    std::optional<year_month_day> today_;
    std::optional<int> year_;
};

}  // namespace

void link_periods(const LinkingView& view, Links& out) {
    PeriodLinker(view, out).link_all();
}

}  // namespace quaestor::native
