#include "native/answer/marks.hpp"
#include "native/characters.hpp"
#include "native/lower.hpp"
#include "native/spoken_values.hpp"
#include "native/spoken_words.hpp"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace quaestor::native {

namespace {

using Kind = Mark::Kind;

struct WrittenScale {
    std::string_view word;
    double factor;
};
constexpr auto kScaleWords = std::to_array<WrittenScale>(
    {{"hundred", 1e2}, {"thousand", 1e3}, {"million", 1e6}, {"billion", 1e9}, {"trillion", 1e12}, {"dozen", 12}});
constexpr auto kScaleLetters = std::to_array<WrittenScale>(
    {{"k", 1e3}, {"K", 1e3}, {"M", 1e6}, {"mn", 1e6}, {"bn", 1e9}, {"B", 1e9}, {"tn", 1e12}, {"T", 1e12}});
constexpr auto kUnitLetters =
    std::to_array<std::string_view>({"km",  "kg", "cm", "mm", "m",   "g",   "l",  "ft", "in", "lb",
                                     "lbs", "h",  "s",  "ms", "min", "mph", "GB", "MB", "TB", "pts"});
constexpr auto kNumberWords = std::to_array<std::string_view>(
    {"zero",     "two",      "three",   "four",     "five",     "six",     "seven",   "eight",     "nine",
     "ten",      "eleven",   "twelve",  "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
     "nineteen", "twenty",   "thirty",  "forty",    "fifty",    "sixty",   "seventy", "eighty",    "ninety",
     "hundred",  "thousand", "million", "billion",  "dozen",    "one"});
constexpr auto kOrdinalWords = std::to_array<SpokenNumber>({{"second", 2},
                                                            {"third", 3},
                                                            {"fourth", 4},
                                                            {"fifth", 5},
                                                            {"sixth", 6},
                                                            {"seventh", 7},
                                                            {"eighth", 8},
                                                            {"ninth", 9},
                                                            {"tenth", 10}});
constexpr auto kRatioWords = std::to_array<SpokenNumber>({{"twice", 2}, {"double", 2}, {"triple", 3}, {"thrice", 3}});

template <class List>
bool is_among(const List& list, std::string_view word) {
    return std::ranges::find(list, word) != list.end();
}

/// Reads the numbers and dates of one sentence, from left to right.
class NumberScanner {
public:
    NumberScanner(MarkedText& text, const Masked& masked, std::size_t sentence)
        : text_(text), plain_(text.plain), masked_(masked), sentence_(sentence), end_(text.sentences[sentence].end) {}

    void scan() {
        for (std::size_t at = text_.sentences[sentence_].begin; at < end_;) {
            if (masked_[at]) {
                ++at;
            } else if (is_digit(plain_[at])) {
                at = read_digits(at);
            } else if (word_end(at) > at) {
                at = read_word(at);
            } else {
                ++at;
            }
        }
    }

private:
    [[nodiscard]] char at(std::size_t index) const { return index < end_ && !masked_[index] ? plain_[index] : '\0'; }
    [[nodiscard]] std::size_t word_end(std::size_t begin) const {
        while (at(begin) != '\0' && !is_digit(at(begin))) {
            std::size_t next = begin;
            const char32_t point = next_point(plain_.substr(0, end_), next);
            if (point != U'_' && u_isalpha(static_cast<UChar32>(point)) == 0) break;
            begin = next;
        }
        return begin;
    }
    [[nodiscard]] std::size_t digits_end(std::size_t begin) const {
        while (is_digit(at(begin))) ++begin;
        return begin;
    }
    [[nodiscard]] std::string_view slice(std::size_t begin, std::size_t end) const {
        return plain_.substr(begin, end - begin);
    }
    [[nodiscard]] int small(std::size_t begin, std::size_t end) const {
        int value = 0;
        std::from_chars(plain_.data() + begin, plain_.data() + end, value);
        return value;
    }
    [[nodiscard]] std::size_t skip_blanks(std::size_t index) const {
        while (at(index) == ' ') ++index;
        return index;
    }
    std::size_t add(Mark mark) {
        mark.sentence = sentence_;
        const std::size_t end = mark.end;
        text_.marks.push_back(mark);
        return end;
    }

    /// A run of digits and what belongs to it: groups, decimals, dates, times, units.
    std::size_t read_digits(std::size_t begin) {
        const std::size_t run = digits_end(begin);
        if (const auto date = numeric_date(begin, run)) return add(*date);
        if (const std::size_t end = literal_end(begin, run); end != 0)
            return add({.kind = Kind::literal, .begin = begin, .end = end});
        std::size_t end = run;
        if (run - begin <= 3) {
            while (at(end) == ',' && digits_end(end + 1) == end + 4) end += 4;
        }
        int decimals = 0;
        if (at(end) == '.' && is_digit(at(end + 1))) {
            const std::size_t last = digits_end(end + 1);
            decimals = static_cast<int>(std::min<std::size_t>(last - end - 1, 15));
            end = last;
        }
        std::string digits(slice(begin, end));
        std::erase(digits, ',');
        Mark mark{.begin = begin, .end = end};
        std::from_chars(digits.data(), digits.data() + digits.size(), mark.value);
        mark.tolerance = 0.5 * std::pow(10.0, -decimals);
        mark.is_bare = decimals == 0;
        read_exponent(mark);
        read_sign(mark);
        return add(with_unit(mark));
    }

    void read_exponent(Mark& mark) {
        if (at(mark.end) != 'e') return;
        const bool has_sign = at(mark.end + 1) == '-' || at(mark.end + 1) == '+';
        const std::size_t begin = mark.end + (has_sign ? 2 : 1);
        const std::size_t end = digits_end(begin);
        if (end == begin || end - begin > 3) return;
        const double factor = std::pow(10.0, (at(mark.end + 1) == '-' ? -1 : 1) * small(begin, end));
        mark.value *= factor;
        mark.tolerance *= factor;
        mark.is_bare = false;
        mark.end = end;
    }

    void read_sign(Mark& mark) {
        constexpr std::string_view kMinus = "−";
        const std::size_t floor = text_.sentences[sentence_].begin;
        std::size_t begin = mark.begin;
        for (const std::string_view currency : {"$", "€", "£"}) {
            if (begin >= floor + currency.size() && slice(begin - currency.size(), begin) == currency) {
                begin -= currency.size();
                mark.is_bare = false;
            }
        }
        const bool is_long = begin >= floor + kMinus.size() && slice(begin - kMinus.size(), begin) == kMinus;
        const bool is_short = begin > floor && (plain_[begin - 1] == '-' || plain_[begin - 1] == '+');
        const std::size_t sign = is_long ? begin - kMinus.size() : is_short ? begin - 1 : begin;
        if (sign < begin && (sign == floor || std::string_view(" (|:").contains(plain_[sign - 1]))) {
            mark.has_sign = true;
            if (plain_[sign] != '+') mark.value = -mark.value;
            begin = sign;
        }
        mark.begin = begin;
    }

    void scale(Mark& mark, double factor) {
        mark.value *= factor;
        mark.tolerance *= factor;
        mark.is_bare = false;
    }

    /// What stands directly behind a number: "%", "k", "th", "km", "x".
    Mark with_unit(Mark mark) {
        const std::size_t end = word_end(mark.end);
        const std::string_view letters = slice(mark.end, end);
        if (letters.empty()) return with_unit_word(mark);
        if (is_among(std::to_array<std::string_view>({"st", "nd", "rd", "th"}), letters)) {
            mark.kind = Kind::ordinal;
            mark.end = end;
        } else if (const auto* found = std::ranges::find(kScaleLetters, letters, &WrittenScale::word);
                   found != kScaleLetters.end()) {
            scale(mark, found->factor);
            mark.end = end;
        } else if (letters == "x") {
            mark.is_ratio = true;
            mark.is_bare = false;
            mark.end = end;
        } else if (is_among(kUnitLetters, letters)) {
            mark.is_bare = false;
            mark.end = end;
        } else {
            mark.kind = Kind::literal;
            mark.end = std::max(end, token_end(end));
        }
        return mark;
    }

    [[nodiscard]] std::size_t token_end(std::size_t begin) const {
        while (is_digit(at(begin)) || word_end(begin) != begin) begin = std::max(digits_end(begin), word_end(begin));
        return begin;
    }

    /// "%", "per cent", "million", "times".
    Mark with_unit_word(Mark mark) {
        std::size_t begin = skip_blanks(mark.end);
        if (at(begin) == '%') {
            mark.is_percent = true;
            mark.is_bare = false;
            mark.end = begin + 1;
            return mark;
        }
        std::size_t end = word_end(begin);
        const auto* found = std::ranges::find(kScaleWords, lower(slice(begin, end)), &WrittenScale::word);
        if (found != kScaleWords.end() && begin > mark.end) {
            scale(mark, found->factor);
            mark.end = end;
            begin = skip_blanks(end);
            end = word_end(begin);
        }
        const std::string word = lower(slice(begin, end));
        if (word == "percent" || word == "percentage" ||
            (word == "per" && lower(slice(end, std::min(end + 5, end_))) == " cent")) {
            mark.is_percent = true;
            mark.is_bare = false;
            mark.end = word == "per" ? end + 5 : end;
        } else if (word == "times") {
            mark.is_ratio = true;
            mark.is_bare = false;
        }
        return mark;
    }

    /// "2023-05-03", "5/3/2023", "03.05.2023".
    std::optional<Mark> numeric_date(std::size_t begin, std::size_t run) {
        const char mark = at(run);
        if (mark != '-' && mark != '/' && mark != '.') return std::nullopt;
        const std::size_t second = digits_end(run + 1);
        if (second == run + 1 || at(second) != mark) return std::nullopt;
        const std::size_t third = digits_end(second + 1);
        const auto size = [](std::size_t from, std::size_t to) { return to - from; };
        const int parts[] = {small(begin, run), small(run + 1, second), small(second + 1, third)};
        if (size(begin, run) == 4 && size(run + 1, second) <= 2 && size(second + 1, third) <= 2 && third > second + 1) {
            const bool is_day = parts[1] >= 1 && parts[1] <= 12 && parts[2] >= 1 && parts[2] <= 31;
            if (!is_day) return std::nullopt;
            return Mark{
                .kind = Kind::date, .begin = begin, .end = third, .year = parts[0], .month = parts[1], .day = parts[2]};
        }
        if (size(second + 1, third) != 4 || size(begin, run) > 2 || size(run + 1, second) > 2) return std::nullopt;
        if (std::min(parts[0], parts[1]) < 1 || std::min(parts[0], parts[1]) > 12 || std::max(parts[0], parts[1]) > 31)
            return std::nullopt;
        Mark date{
            .kind = Kind::date, .begin = begin, .end = third, .year = parts[2], .month = parts[0], .day = parts[1]};
        if (date.month > 12 || mark == '.') std::swap(date.month, date.day);
        if (date.month > 12) std::swap(date.month, date.day);
        date.day_may_be_month = date.day <= 12;
        return date;
    }

    /// "2022-23", "12:30:05", "2023-05": texts that are found as they are. 0: it is none.
    [[nodiscard]] std::size_t literal_end(std::size_t begin, std::size_t run) const {
        const char mark = at(run);
        const std::size_t next = digits_end(run + 1);
        if (next == run + 1) return 0;
        const bool is_season =
            (mark == '-' || mark == '/') && run - begin == 4 && (next - run - 1 == 2 || next - run - 1 == 4);
        const bool is_clock = mark == ':' && run - begin <= 2 && next - run - 1 == 2;
        if (!is_season && !is_clock) return 0;
        std::size_t end = next;
        while (is_clock && (at(end) == ':' || at(end) == '.') && is_digit(at(end + 1))) end = digits_end(end + 1);
        return end;
    }

    std::size_t read_word(std::size_t begin) {
        const std::size_t end = word_end(begin);
        const std::string word = lower(slice(begin, end));
        if (is_digit(at(end))) return token_end(end);
        if (plain_[begin] >= 'A' && plain_[begin] <= 'Z') {
            if (const auto month = find_spoken(kMonths, word)) return spoken_date(begin, end, *month);
        }
        if (const auto ratio = find_spoken(kRatioWords, word)) {
            return add({.begin = begin, .end = end, .value = static_cast<double>(*ratio), .is_ratio = true});
        }
        if (const auto ordinal = find_spoken(kOrdinalWords, word)) {
            return add({.kind = Kind::ordinal, .begin = begin, .end = end, .value = static_cast<double>(*ordinal)});
        }
        return is_among(kNumberWords, word) ? spoken_number(begin, end) : end;
    }

    /// The longest run of number words that makes a number.
    std::size_t spoken_number(std::size_t begin, std::size_t end) {
        std::size_t last = end;
        while (at(last) == ' ' || at(last) == '-') {
            const std::size_t next = word_end(last + 1);
            if (next == last + 1 || !is_among(kNumberWords, lower(slice(last + 1, next)))) break;
            last = next;
        }
        std::string words = lower(slice(begin, last));
        if (words == "one") return last;
        std::ranges::replace(words, '-', ' ');
        const auto number = number_of(words);
        if (!number) return last;
        Mark mark{.begin = begin, .end = last, .is_bare = true};
        std::from_chars(number->data(), number->data() + number->size(), mark.value);
        return add(with_unit_word(mark));
    }

    /// "May 3, 2023", "May 2023", "3 May 2023". A month alone is no claim.
    std::size_t spoken_date(std::size_t begin, std::size_t end, int month) {
        Mark date{.kind = Kind::date, .begin = begin, .end = end, .month = month};
        std::size_t next = skip_blanks(at(end) == '.' ? end + 1 : end);
        std::size_t last = digits_end(next);
        if (last - next >= 1 && last - next <= 2) {
            date.day = small(next, last);
            date.end = last;
            if (const std::size_t suffix = word_end(last); suffix - last == 2) date.end = suffix;
            next = at(date.end) == ',' ? skip_blanks(date.end + 1) : skip_blanks(date.end);
            last = digits_end(next);
        }
        if (last - next == 4 && at(last) != ',' && at(last) != '-') {
            date.year = small(next, last);
            date.end = last;
        } else if (last - next == 4 && at(last) == ',') {
            date.year = small(next, last);
            date.end = last;
        }
        take_day_before(date);
        return date.day == 0 && date.year == 0 ? end : add(date);
    }

    /// The number that was read last is the day, when it stands just before the month.
    void take_day_before(Mark& date) {
        if (date.day != 0 || text_.marks.empty()) return;
        const Mark& before = text_.marks.back();
        const bool is_number = before.kind == Kind::ordinal || before.is_bare;
        if (!is_number || before.sentence != sentence_ || before.value < 1 || before.value > 31 ||
            before.end > date.begin)
            return;
        const std::string_view gap = slice(before.end, date.begin);
        if (gap != " " && gap != " of " && gap != ". ") return;
        date.day = static_cast<int>(before.value);
        date.begin = before.begin;
        text_.marks.pop_back();
    }

    MarkedText& text_;
    std::string_view plain_;
    const Masked& masked_;
    std::size_t sentence_;
    std::size_t end_;
};

}  // namespace

void mark_numbers(MarkedText& text, const Masked& masked, std::size_t sentence) {
    NumberScanner(text, masked, sentence).scan();
}

}  // namespace quaestor::native
