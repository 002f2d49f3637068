#include "native/characters.hpp"
#include "native/spoken_values.hpp"
#include "native/spoken_words.hpp"
#include "native/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <vector>

namespace quaestor::native {

namespace {

constexpr auto kQuarters = std::to_array<SpokenNumber>({{"q1", 1},
                                                        {"q2", 2},
                                                        {"q3", 3},
                                                        {"q4", 4},
                                                        {"first", 1},
                                                        {"second", 2},
                                                        {"third", 3},
                                                        {"fourth", 4},
                                                        {"last", 4},
                                                        {"1", 1},
                                                        {"2", 2},
                                                        {"3", 3},
                                                        {"4", 4}});
constexpr auto kFillers = std::to_array<std::string_view>({"the", "of", "in", "year", "month", "quarter", "half"});
struct NamedDay {
    std::string_view word;
    int month = 0;
    int day = 0;
};
constexpr auto kNamedDays = std::to_array<NamedDay>({{"christmas", 12, 25}, {"halloween", 10, 31}});
constexpr auto kOrdinalEndings = std::to_array<std::string_view>({"st", "nd", "rd", "th"});
constexpr int kFirstYear = 1000;
constexpr int kLastYear = 2999;
constexpr int kLargest = 9999;  ///< greater numbers are read as this: they are no part of a date
constexpr int kDayNumbersBelow = 1000;

template <std::size_t Size>
constexpr bool has(const std::array<std::string_view, Size>& words, std::string_view word) {
    return std::ranges::find(words, word) != words.end();
}

/// A word that begins with digits.
struct Digits {
    int number = 0;
    std::string_view rest;
};
std::optional<Digits> leading_digits(std::string_view word) {
    std::size_t size = 0;
    int number = 0;
    for (; size < word.size() && is_digit(word[size]); ++size)
        number = std::min(number * 10 + (word[size] - '0'), kLargest);
    if (size == 0) return std::nullopt;
    return Digits{.number = number, .rest = word.substr(size)};
}

bool is_year(int number) {
    return kFirstYear <= number && number <= kLastYear;
}

/// What the words of a text say about time.
struct DateWords {
    std::vector<std::string> words;  ///< without fillers
    std::vector<int> numbers;
    std::vector<int> years;
    std::vector<int> small;
    std::vector<int> months;
    bool says_quarter = false;
    bool says_half = false;
    bool says_first = false;
};

/// False for a word that belongs to no date.
bool add_word(std::string_view word, DateWords& out) {
    const auto digits = leading_digits(word);
    const auto month = find_spoken(kMonths, word);
    if (month) out.months.push_back(*month);
    if (const auto* const named = std::ranges::find(kNamedDays, word, &NamedDay::word); named != kNamedDays.end()) {
        out.months.push_back(named->month);
        out.small.push_back(named->day);
        return true;
    }
    // "Christmas Day"
    if (word == "day" && !out.months.empty() && !out.small.empty()) return true;
    if (digits && (digits->rest.empty() || has(kOrdinalEndings, digits->rest))) {
        out.numbers.push_back(digits->number);
        if (is_year(digits->number)) out.years.push_back(digits->number);
        if (digits->number < kDayNumbersBelow) out.small.push_back(digits->number);
        return true;
    }
    return month || find_spoken(kQuarters, word) || word == "h1" || word == "h2" || (digits && digits->rest == "s");
}

std::optional<DateWords> date_words(std::string_view text) {
    DateWords out;
    for (auto& word : plain_words(text)) {
        out.says_quarter |= word == "quarter";
        out.says_half |= word == "half";
        out.says_first |= word == "first";
        if (has(kFillers, word)) continue;
        if (!add_word(word, out)) return std::nullopt;
        out.words.push_back(std::move(word));
    }
    if (out.words.empty()) return std::nullopt;
    return out;
}

std::optional<Period> period_of_day(int year, int month, int day) {
    using namespace std::chrono;
    const year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                              std::chrono::day(static_cast<unsigned>(day))};
    if (year < 1 || year > kLargest || !date.ok()) return std::nullopt;
    const year_month_day after = sys_days(date) + days(1);
    if (static_cast<int>(after.year()) > kLargest) return std::nullopt;
    const auto iso = [](const year_month_day& when) {
        return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(when.year()), static_cast<unsigned>(when.month()),
                           static_cast<unsigned>(when.day()));
    };
    return Period{.first = iso(date), .after = iso(after)};
}

std::optional<Period> period_of_months(int year, int month, int count) {
    if (month < 1 || month > 12) return std::nullopt;
    const int months_after = month - 1 + count;
    return Period{.first = fmt::format("{:04}-{:02}-01", year, month),
                  .after = fmt::format("{:04}-{:02}-01", year + months_after / 12, months_after % 12 + 1)};
}

Period period_of_years(int first, int count) {
    return {.first = fmt::format("{}-01-01", first), .after = fmt::format("{}-01-01", first + count)};
}

/// "1990s", alone.
std::optional<Period> decade_of(const DateWords& said) {
    if (said.words.size() != 1) return std::nullopt;
    const std::string& word = said.words.front();
    const auto digits = leading_digits(word);
    if (word.size() != 5 || !digits || digits->rest != "s" || !is_year(digits->number) || digits->number % 10 != 0)
        return std::nullopt;
    return period_of_years(digits->number, 10);
}

std::optional<int> quarter_of(const DateWords& said) {
    for (const auto& word : said.words)
        if (const auto quarter = find_spoken(kQuarters, word); quarter && (said.says_quarter || word[0] == 'q'))
            return quarter;
    return std::nullopt;
}

std::optional<int> half_of(const DateWords& said) {
    const auto says = [&said](std::string_view word) {
        return std::ranges::find(said.words, word) != said.words.end();
    };
    if (says("h1") || (said.says_half && said.says_first)) return 1;
    if (says("h2") || said.says_half) return 2;
    return std::nullopt;
}

/// "2023", "2023-05", "2023-05-01".
std::optional<Period> period_in_digits(const DateWords& said) {
    if (said.years.empty()) return std::nullopt;
    const int year = said.years.front();
    if (said.words.size() == 1) return period_of_years(year, 1);
    if (said.words.size() != said.numbers.size() || said.numbers.front() != year) return std::nullopt;
    if (said.small.size() == 2) return period_of_day(year, said.small[0], said.small[1]);
    return said.small.size() == 1 ? period_of_months(year, said.small[0], 1) : std::nullopt;
}

}  // namespace

std::optional<Period> period_of(std::string_view text, std::optional<int> year) {
    const auto said = date_words(text);
    if (!said) return std::nullopt;
    if (const auto decade = decade_of(*said)) return decade;
    if (said->years.size() > 1) return std::nullopt;
    if (!said->years.empty()) year = said->years.front();
    if (!year) return std::nullopt;

    if (said->months.size() == 1 && said->small.size() <= 1)
        return said->small.empty() ? period_of_months(*year, said->months[0], 1)
                                   : period_of_day(*year, said->months[0], said->small[0]);
    if (const auto quarter = quarter_of(*said)) return period_of_months(*year, 3 * *quarter - 2, 3);
    if (const auto half = half_of(*said)) return period_of_months(*year, 6 * *half - 5, 6);
    return period_in_digits(*said);
}

std::optional<int> year_in(std::string_view text) {
    std::optional<int> found;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto digits = leading_digits(text.substr(at));
        if (!digits) continue;
        const std::size_t size = text.size() - at - digits->rest.size();
        if (size == 4 && is_year(digits->number)) found = digits->number;
        at += size;
    }
    return found;
}

std::string part_value(DatePart part, std::string_view text) {
    for (const auto& word : plain_words(text)) {
        std::optional<int> value;
        if (part == DatePart::month) value = find_spoken(kMonths, word);
        if (part == DatePart::quarter) value = find_spoken(kQuarters, word);
        if (part == DatePart::weekday) {
            value = find_spoken(kWeekdays, word);
            if (!value) value = find_spoken(kWeekdays, first_points(word, count_points(word) - 1));
        }
        if (value) return std::to_string(*value);
    }
    return number_of(text).value_or("0");
}

}  // namespace quaestor::native
