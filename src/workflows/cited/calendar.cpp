#include "workflows/cited/calendar.hpp"

#include "retrieval/metadata.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace quaestor::workflows::cited {

namespace {

using namespace std::string_view_literals;
namespace chrono = std::chrono;

constexpr std::array kMonths{"January"sv, "February"sv, "March"sv,     "April"sv,   "May"sv,      "June"sv,
                             "July"sv,    "August"sv,   "September"sv, "October"sv, "November"sv, "December"sv};
/// Letters of the shortest form: "jan", "sept".
constexpr std::size_t kShortMonth = 3;

chrono::year_month_day calendar_day(std::string_view day) {
    const auto date = retrieval::parse_date(day).value_or(retrieval::Date{1970, 1, 1});
    return {chrono::year(date.year), chrono::month(static_cast<unsigned>(date.month)),
            chrono::day(static_cast<unsigned>(date.day))};
}

std::string text_of(const chrono::year_month_day& day) {
    return iso_day(static_cast<int>(day.year()), static_cast<int>(static_cast<unsigned>(day.month())),
                   static_cast<int>(static_cast<unsigned>(day.day())));
}

}  // namespace

std::string iso_day(int year, int month, int day) {
    return fmt::format("{:04}-{:02}-{:02}", year, month, day);
}

std::string month_end(int year, int month) {
    const chrono::year_month_day_last last{chrono::year(year),
                                           chrono::month_day_last(chrono::month(static_cast<unsigned>(month)))};
    return text_of(last);
}

std::string days_after(std::string_view day, int days) {
    return text_of(chrono::sys_days(calendar_day(day)) + chrono::days(days));
}

int year_of(std::string_view day) {
    return static_cast<int>(calendar_day(day).year());
}

int month_of(std::string_view day) {
    return static_cast<int>(static_cast<unsigned>(calendar_day(day).month()));
}

std::optional<int> month_named(std::string_view word) {
    if (word.size() < kShortMonth) return std::nullopt;
    for (std::size_t at = 0; at < kMonths.size(); ++at) {
        std::string name(kMonths[at]);
        name.front() = static_cast<char>(name.front() - 'A' + 'a');
        const bool is_short = word == name.substr(0, kShortMonth) || word == "sept";
        if (word == name || (is_short && name.starts_with(word))) return static_cast<int>(at) + 1;
    }
    return std::nullopt;
}

std::string day_in_words(std::string_view day) {
    const auto date = retrieval::parse_date(day);
    return date ? retrieval::in_words(*date) : std::string(day);
}

std::string month_in_words(int year, int month) {
    return fmt::format("{} {}", kMonths[static_cast<std::size_t>(std::clamp(month, 1, 12) - 1)], year);
}

}  // namespace quaestor::workflows::cited
