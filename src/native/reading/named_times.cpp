#include "native/reading/named_times.hpp"

#include "native/characters.hpp"
#include "native/reading/rules/conditions.hpp"
#include "native/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace quaestor::native {

namespace {

constexpr std::array<std::string_view, 12> kMonthNames{"January",   "February", "March",    "April",
                                                       "May",       "June",     "July",     "August",
                                                       "September", "October",  "November", "December"};

template <std::size_t size>
bool is_among(std::string_view word, const std::array<std::string_view, size>& words) {
    return std::ranges::find(words, word) != words.end();
}

/// A day of our calendar as ISO writes it; what lies thousands of years back is none.
bool is_day(std::string_view iso) {
    return iso.size() == 10 && std::ranges::all_of(iso.substr(0, 4), is_digit) && !iso.starts_with("0000");
}

bool is_of_days(std::string_view period) {
    const auto slash = period.find('/');
    return slash != std::string_view::npos && is_day(period.substr(0, slash)) && is_day(period.substr(slash + 1));
}

/// A time as a person would write it, and whether it lies between two others.
struct TimeName {
    std::string text;
    bool is_range = false;
    bool is_day = false;
};

std::string day_name(const std::string& iso) {
    const auto month = static_cast<std::size_t>(std::stoi(iso.substr(5, 2)) - 1);
    return fmt::format("{} {}, {}", kMonthNames[month], std::stoi(iso.substr(8, 2)), iso.substr(0, 4));
}

TimeName name_of(const Period& period) {
    const std::string last = rules::day_before(period.after);
    const std::string year = period.first.substr(0, 4);
    if (period.first == last) return {.text = day_name(period.first), .is_day = true};
    if (rules::years_in(period) && year == last.substr(0, 4)) return {.text = year};
    const int first_month = std::stoi(period.first.substr(5, 2));
    const int last_month = std::stoi(last.substr(5, 2));
    const bool is_whole = period.first.ends_with("-01") && period.after.ends_with("-01") && year == last.substr(0, 4);
    if (is_whole && first_month == last_month) {
        return {.text = fmt::format("{} {}", kMonthNames[static_cast<std::size_t>(first_month - 1)], year)};
    }
    if (is_whole && last_month == first_month + 2 && last_month % 3 == 0) {
        return {.text = fmt::format("Q{} {}", last_month / 3, year)};
    }
    return {.text = fmt::format("{} and {}", day_name(period.first), day_name(last)), .is_range = true};
}

class TimeNamer {
public:
    explicit TimeNamer(const LinkedQuestion& question) : question_(question) {
        for (std::size_t at = 0; at < question.words.size(); ++at) folded_.push_back(fold(question.word(at)));
    }

    std::optional<NamedTimes> named() {
        NamedTimes out;
        std::size_t written = 0;
        for (const Link& link : question_.links) {
            if (!is_relative(link) || question_.words[link.first].begin < written) continue;
            const auto slash = link.text.find('/');
            const TimeName name = name_of({link.text.substr(0, slash), link.text.substr(slash + 1)});
            const auto [first, text] = placed(link, name);
            const std::size_t begin = question_.words[first].begin;
            out.question += question_.text.substr(written, begin - written) + text;
            written = end_of(link);
            out.assumptions.push_back(fmt::format("\"{}\" is taken to mean {}{}", question_.span(link.first, link.last),
                                                  name.is_range ? "between " : "", name.text));
        }
        if (out.assumptions.empty()) return std::nullopt;
        out.question += question_.text.substr(written);
        return out;
    }

private:
    [[nodiscard]] bool is_relative(const Link& link) const {
        static constexpr std::array<std::string_view, 7> kRelative{"last", "this", "past",     "current",
                                                                   "next", "ago",  "yesterday"};
        static constexpr std::array<std::string_view, 9> kComparing{"than", "from", "to",      "with",   "versus",
                                                                    "vs",   "and",  "between", "against"};
        if (link.kind != LinkKind::date || link.score < 1 || !is_of_days(link.text)) return false;
        bool says_so = false;
        for (std::size_t at = link.first; at <= link.last; ++at) {
            if (folded_[at].starts_with("season")) return false;
            says_so |= is_among(folded_[at], kRelative);
        }
        return says_so && !(link.first > 0 && is_among(folded_[link.first - 1], kComparing));
    }

    /// The first word that goes, and what stands there instead: "in 2025", "since 2025", "2025" before a noun.
    [[nodiscard]] std::pair<std::size_t, std::string> placed(const Link& link, const TimeName& name) const {
        static constexpr std::array<std::string_view, 6> kWithin{"in", "during", "over", "within", "for", "on"};
        static constexpr std::array<std::string_view, 6> kFrom{"since", "before", "after", "until", "till", "by"};
        std::size_t first = link.first;
        if (first > 0 && folded_[first - 1] == "the") --first;
        if (first > 0 && is_among(folded_[first - 1], kFrom) && !name.is_range) return {first, name.text};
        if (first > 0 && is_among(folded_[first - 1], kWithin)) --first;
        if (is_owner(link) && !name.is_range) return {first, name.text};
        const std::string_view led = name.is_range ? "between " : name.is_day ? "on " : "in ";
        return {first, std::string(led) + name.text};
    }
    /// "last year's sales".
    [[nodiscard]] bool is_owner(const Link& link) const {
        return link.last + 2 < folded_.size() && (folded_[link.last + 1] == "'" || folded_[link.last + 1] == "’") &&
               folded_[link.last + 2] == "s";
    }
    [[nodiscard]] std::size_t end_of(const Link& link) const {
        return question_.words[is_owner(link) ? link.last + 2 : link.last].end;
    }

    const LinkedQuestion& question_;
    std::vector<std::string> folded_;
};

}  // namespace

std::optional<NamedTimes> with_named_times(const LinkedQuestion& question) {
    return TimeNamer(question).named();
}

}  // namespace quaestor::native
