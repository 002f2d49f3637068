#include "base/text.hpp"
#include "retrieval/metadata.hpp"
#include "retrieval/plain_text.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <utility>

namespace quaestor::retrieval {

namespace {

constexpr std::array<std::string_view, 12> kMonths{"January",   "February", "March",    "April",
                                                   "May",       "June",     "July",     "August",
                                                   "September", "October",  "November", "December"};
constexpr std::size_t kMonthLettersMin = 3;
constexpr int kYearMin = 1700;
constexpr int kYearMax = 2199;

bool is_day(const Date& date) {
    const std::chrono::year_month_day day{std::chrono::year(date.year),
                                          std::chrono::month(static_cast<unsigned>(date.month)),
                                          std::chrono::day(static_cast<unsigned>(date.day))};
    return date.year >= kYearMin && date.year <= kYearMax && day.ok();
}

/// Reads a text from a place on; what does not fit leaves it where it was.
class Cursor {
public:
    Cursor(std::string_view text, std::size_t at) : text_(text), at_(at) {}

    [[nodiscard]] std::size_t at() const { return at_; }

    std::optional<int> number(std::size_t digits_min, std::size_t digits_max) {
        std::size_t end = at_;
        int value = 0;
        while (end < text_.size() && is_digit(text_[end]) && end - at_ <= digits_max) {
            value = value * 10 + (text_[end++] - '0');
        }
        if (end - at_ < digits_min || end - at_ > digits_max) return std::nullopt;
        at_ = end;
        return value;
    }
    bool skip(std::string_view expected) {
        if (!text_.substr(at_).starts_with(expected)) return false;
        at_ += expected.size();
        return true;
    }
    bool skip_space() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
        return at_ > begin;
    }
    /// A month by its name or its first letters, "Sept." too; 1 to 12.
    std::optional<int> month() {
        std::size_t end = at_;
        while (end < text_.size() && (is_upper(text_[end]) || is_lower(text_[end]))) ++end;
        const std::string word = lower_ascii(text_.substr(at_, end - at_));
        if (word.size() < kMonthLettersMin) return std::nullopt;
        for (std::size_t i = 0; i < kMonths.size(); ++i) {
            const std::string name = lower_ascii(kMonths[i]);
            if (word != name && word != name.substr(0, 3) && !(word == "sept" && i == 8)) continue;
            at_ = end;
            if (word != name) skip(".");
            return static_cast<int>(i) + 1;
        }
        return std::nullopt;
    }
    /// Between the first and the last of several days.
    bool skip_until_word() {
        const std::size_t begin = at_;
        skip_space();
        for (const std::string_view sign : {"-", "–", "—", "to ", "and ", "through "}) {
            if (skip(sign)) {
                skip_space();
                return true;
            }
        }
        at_ = begin;
        return false;
    }
    void skip_ordinal() {
        for (const std::string_view ending : {"st", "nd", "rd", "th"}) {
            if (skip(ending)) return;
        }
    }

private:
    std::string_view text_;
    std::size_t at_;
};

/// "July 26, 2023", "July 25–26, 2023", "January 31–February 1, 2023"
std::optional<Date> month_first(Cursor cursor) {
    Date date;
    const auto month = cursor.month();
    if (!month || !cursor.skip_space()) return std::nullopt;
    date.month = *month;
    const auto day = cursor.number(1, 2);
    if (!day) return std::nullopt;
    date.day = *day;
    cursor.skip_ordinal();
    if (cursor.skip_until_word()) {
        if (const auto last_month = cursor.month()) {
            date.month = *last_month;
            cursor.skip_space();
        }
        const auto last_day = cursor.number(1, 2);
        if (!last_day) return std::nullopt;
        date.day = *last_day;
        cursor.skip_ordinal();
    }
    cursor.skip(",");
    cursor.skip_space();
    const auto year = cursor.number(4, 4);
    if (!year) return std::nullopt;
    date.year = *year;
    return date;
}

/// "26 July 2023"
std::optional<Date> day_first(Cursor cursor) {
    const auto day = cursor.number(1, 2);
    if (!day) return std::nullopt;
    cursor.skip_ordinal();
    if (!cursor.skip_space()) return std::nullopt;
    const auto month = cursor.month();
    if (!month) return std::nullopt;
    cursor.skip(",");
    cursor.skip_space();
    const auto year = cursor.number(4, 4);
    if (!year) return std::nullopt;
    return Date{*year, *month, *day};
}

/// "2023-07-26"
std::optional<Date> year_first(Cursor cursor) {
    const auto year = cursor.number(4, 4);
    if (!year || !cursor.skip("-")) return std::nullopt;
    const auto month = cursor.number(2, 2);
    if (!month || !cursor.skip("-")) return std::nullopt;
    const auto day = cursor.number(2, 2);
    if (!day) return std::nullopt;
    return Date{*year, *month, *day};
}

/// "07/26/2023"
std::optional<Date> with_slashes(Cursor cursor) {
    const auto month = cursor.number(1, 2);
    if (!month || !cursor.skip("/")) return std::nullopt;
    const auto day = cursor.number(1, 2);
    if (!day || !cursor.skip("/")) return std::nullopt;
    const auto year = cursor.number(4, 4);
    if (!year) return std::nullopt;
    return Date{*year, *month, *day};
}

}  // namespace

std::optional<Date> parse_date(std::string_view text) {
    if (text.size() != std::string_view("2023-07-26").size()) return std::nullopt;
    const auto date = year_first(Cursor(text, 0));
    return date && is_day(*date) ? date : std::nullopt;
}

std::string to_string(const Date& date) {
    return fmt::format("{:04}-{:02}-{:02}", date.year, date.month, date.day);
}

std::string in_words(const Date& date) {
    return fmt::format("{} {}, {}", kMonths.at(static_cast<std::size_t>(date.month) - 1), date.day, date.year);
}

std::optional<Date> find_date(std::string_view text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (at > 0 && (is_letter(text[at - 1]) || is_digit(text[at - 1]))) continue;
        const Cursor cursor(text, at);
        std::optional<Date> date;
        if (is_digit(text[at])) {
            date = year_first(cursor);
            if (!date) date = day_first(cursor);
            if (!date) date = with_slashes(cursor);
        } else if (is_letter(text[at])) {
            date = month_first(cursor);
        }
        if (date && is_day(*date)) return date;
    }
    return std::nullopt;
}

}  // namespace quaestor::retrieval
