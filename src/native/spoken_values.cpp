#include "native/spoken_values.hpp"

#include "native/characters.hpp"
#include "native/spoken_words.hpp"
#include "native/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

namespace quaestor::native {

namespace {

constexpr auto kUnits = std::to_array<SpokenNumber>(
    {{"zero", 0},      {"one", 1},       {"two", 2},       {"three", 3},     {"four", 4},     {"five", 5},
     {"six", 6},       {"seven", 7},     {"eight", 8},     {"nine", 9},      {"ten", 10},     {"eleven", 11},
     {"twelve", 12},   {"thirteen", 13}, {"fourteen", 14}, {"fifteen", 15},  {"sixteen", 16}, {"seventeen", 17},
     {"eighteen", 18}, {"nineteen", 19}, {"once", 1},      {"twice", 2},     {"single", 1},   {"a", 1},
     {"an", 1},        {"couple", 2},    {"pair", 2},      {"twenty", 20},   {"thirty", 30},  {"forty", 40},
     {"fifty", 50},    {"sixty", 60},    {"seventy", 70},  {"eighty", 80},   {"ninety", 90},  {"first", 1},
     {"second", 2},    {"third", 3},     {"fourth", 4},    {"fifth", 5},     {"sixth", 6},    {"seventh", 7},
     {"eighth", 8},    {"ninth", 9},     {"tenth", 10},    {"eleventh", 11}, {"twelfth", 12}});

struct Scale {
    std::string_view word;
    double factor;
};
constexpr auto kScales = std::to_array<Scale>({{"dozen", 12},
                                               {"hundred", 100},
                                               {"hundreds", 100},
                                               {"thousand", 1e3},
                                               {"thousands", 1e3},
                                               {"k", 1e3},
                                               {"million", 1e6},
                                               {"millions", 1e6},
                                               {"m", 1e6},
                                               {"mn", 1e6},
                                               {"billion", 1e9},
                                               {"bn", 1e9},
                                               {"trillion", 1e12}});
/// Scales from here on end a group: "two million five hundred".
constexpr double kGroupScale = 1000;
/// What may follow digits without a space.
constexpr auto kGlued = std::to_array<std::string_view>({"k", "m", "mn", "bn", "st", "nd", "rd", "th", "%"});

std::optional<double> scale_of(std::string_view word) {
    const auto* const found = std::ranges::find(kScales, word, &Scale::word);
    if (found == kScales.end()) return std::nullopt;
    return found->factor;
}

/// The white space of Unicode: more than what separates words.
bool is_white(char32_t point) {
    return (point >= 0x09 && point <= 0x0D) || (point >= 0x1C && point <= 0x20) || point == 0x85 || point == 0xA0 ||
           point == 0x1680 || (point >= 0x2000 && point <= 0x200A) || point == 0x2028 || point == 0x2029 ||
           point == 0x202F || point == 0x205F || point == 0x3000;
}

bool is_money_or_share(char32_t point) {
    return point == U'$' || point == U'€' || point == U'£' || point == U'%';
}

/// Without the points at both ends that `drops` says.
template <typename Drops>
std::string_view strip(std::string_view text, Drops drops) {
    std::size_t begin = text.size();
    std::size_t end = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t from = at;
        if (drops(next_point(text, at))) continue;
        begin = std::min(begin, from);
        end = at;
    }
    return begin < end ? text.substr(begin, end - begin) : std::string_view();
}

std::vector<std::string_view> split_at_white(std::string_view text) {
    std::vector<std::string_view> out;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t from = at;
        if (!is_white(next_point(text, at))) continue;
        if (from > begin) out.push_back(text.substr(begin, from - begin));
        begin = at;
    }
    if (begin < text.size()) out.push_back(text.substr(begin));
    return out;
}

/// Bytes of the digits, with a fraction, that a text begins with.
std::size_t decimal_size(std::string_view text) {
    const auto digits = [text](std::size_t at) {
        while (at < text.size() && is_digit(text[at])) ++at;
        return at;
    };
    const std::size_t whole = digits(0);
    if (whole == 0 || whole + 1 >= text.size() || text[whole] != '.' || !is_digit(text[whole + 1])) return whole;
    return digits(whole + 1);
}

bool is_written_number(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    return !text.empty() && decimal_size(text) == text.size();
}

/// "12", "12.5", "12k", "3rd".
std::optional<double> digits_of(std::string_view word) {
    const std::size_t size = decimal_size(word);
    const std::string_view rest = word.substr(size);
    if (size == 0 || (!rest.empty() && std::ranges::find(kGlued, rest) == kGlued.end())) return std::nullopt;
    double number = 0;
    if (std::from_chars(word.data(), word.data() + size, number).ec != std::errc()) return std::nullopt;
    return number * scale_of(rest).value_or(1);
}

/// Without a fraction where there is none; nothing for what no number can hold.
std::optional<std::string> written(double number) {
    if (!std::isfinite(number)) return std::nullopt;
    const double rounded = std::strtod(fmt::format("{:.6f}", number).c_str(), nullptr);
    return rounded == std::trunc(rounded) ? fmt::format("{:.0f}", rounded) : fmt::format("{}", rounded);
}

/// Adds up a number that is said in words.
class SpokenSum {
public:
    explicit SpokenSum(bool is_one_word) : is_one_word_(is_one_word) {}

    /// False for a word that belongs to no number.
    [[nodiscard]] bool add(std::string_view word) {
        if (const auto digits = digits_of(word)) return add_to_group(*digits);
        if (const auto unit = find_spoken(kUnits, word)) {
            const bool is_article = word == "a" || word == "an";
            if (is_article && group_) return true;
            return !(is_article && is_one_word_) && add_to_group(*unit);
        }
        if (word == "half") return add_to_group(0.5);
        if (const auto scale = scale_of(word)) return multiply_group(*scale);
        return word == "and" || word == "of";
    }
    [[nodiscard]] double sum() const { return total_ + group_.value_or(0); }

private:
    bool add_to_group(double number) {
        group_ = group_.value_or(0) + number;
        return true;
    }
    bool multiply_group(double scale) {
        group_ = group_.value_or(1) * scale;
        if (scale >= kGroupScale) total_ += std::exchange(*group_, 0);
        return true;
    }

    bool is_one_word_;
    double total_ = 0;
    std::optional<double> group_;
};

}  // namespace

std::optional<std::string> number_of(std::string_view text) {
    const std::string folded = fold(text);
    std::string said(strip(strip(strip(folded, is_white), is_money_or_share), is_white));
    std::erase(said, ',');
    if (is_written_number(said)) return said;

    SpokenSum sum(split_at_white(said).size() == 1);
    std::ranges::replace(said, '-', ' ');
    const auto words = split_at_white(said);
    if (words.empty()) return std::nullopt;
    for (const auto word : words)
        if (!sum.add(word)) return std::nullopt;
    return written(sum.sum());
}

std::optional<bool> truth_of(std::string_view text) {
    constexpr auto kTrue = std::to_array<std::string_view>({"yes", "true", "t", "y", "1"});
    constexpr auto kFalse = std::to_array<std::string_view>({"no", "false", "f", "n", "0"});
    const std::string word = fold(text);
    if (std::ranges::find(kTrue, word) != kTrue.end()) return true;
    if (std::ranges::find(kFalse, word) != kFalse.end()) return false;
    return std::nullopt;
}

WordLook look_of(std::string_view word) {
    const std::string folded = fold(word);
    if (folded.empty()) return WordLook::plain;
    const std::string_view singular = std::string_view(folded).substr(0, folded.find_last_not_of('s') + 1);
    const bool is_year =
        folded.size() == 4 && (folded[0] == '1' || folded[0] == '2') && std::ranges::all_of(folded, is_digit);
    if (find_spoken(kMonths, folded) || find_spoken(kWeekdays, singular) || is_year) return WordLook::date;
    return is_digit(folded[0]) || number_of(folded) ? WordLook::number : WordLook::plain;
}

}  // namespace quaestor::native
