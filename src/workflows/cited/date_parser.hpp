// Reads the words on time in a question, from left to right; dates.hpp says what comes out. Private to the workflow.
// One for each question; borrows its ground.
// Threads: one.
#pragma once

#include "workflows/cited/dates.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::workflows::cited {

struct DateToken {
    std::string word;  ///< lower case; a mark is a word of its own
    std::size_t begin = 0;
    std::size_t end = 0;
};
[[nodiscard]] std::vector<DateToken> date_tokens(std::string_view text);

class DateParser {
public:
    DateParser(std::string_view question, const DateGround& ground);
    [[nodiscard]] DateReading read();

private:
    /// Words [first, next) mean `period`; `has_noun`: they name a document ("July 2023 meeting").
    struct Found {
        std::size_t next = 0;
        std::optional<Period> period;  ///< none: words about a document that there is not
        bool leans = false;
        bool has_noun = false;
    };
    using Maybe = std::optional<Found>;

    [[nodiscard]] std::string_view word(std::size_t at) const;
    [[nodiscard]] bool is(std::size_t at, std::string_view expected) const { return word(at) == expected; }
    [[nodiscard]] std::size_t skip_the(std::size_t at) const { return is(at, "the") ? at + 1 : at; }
    [[nodiscard]] std::optional<int> number(std::size_t at) const;
    [[nodiscard]] std::optional<int> year(std::size_t at) const;
    [[nodiscard]] int year_for_month(std::size_t at, int month) const;
    [[nodiscard]] bool may_be_month_alone(std::size_t at) const;

    [[nodiscard]] Maybe day(std::size_t at) const;
    [[nodiscard]] Maybe month(std::size_t at) const;
    [[nodiscard]] Maybe part_of_month(std::size_t at) const;
    [[nodiscard]] Maybe part_of_year(std::size_t at) const;
    [[nodiscard]] Maybe relative_to_today(std::size_t at) const;
    /// A time by the calendar alone.
    [[nodiscard]] Maybe base(std::size_t at) const;
    /// "the last meeting of 2021", "the last three meetings"
    [[nodiscard]] Maybe counted_meeting(std::size_t at) const;
    /// "the next meeting", "the meeting after that", "that meeting"
    [[nodiscard]] Maybe neighbouring_meeting(std::size_t at) const;
    [[nodiscard]] Maybe time(std::size_t at) const;
    /// "the pandemic", "the 2024 election": what everybody knows the time of; only behind a word such as "after".
    [[nodiscard]] Maybe known_event(std::size_t at) const;
    /// "the emergency cut of March 3, 2020"
    [[nodiscard]] Maybe event_of_time(std::size_t at) const;
    /// Found behind `opening`: what it means then.
    [[nodiscard]] Maybe seen_from(std::size_t at, std::string_view opening, Found found) const;
    [[nodiscard]] bool is_foreseen(std::size_t at, const Found& found) const;
    /// With "between", "since", "after" and the like.
    [[nodiscard]] Maybe range(std::size_t at) const;

    [[nodiscard]] bool noun_follows(std::size_t at) const;
    [[nodiscard]] std::size_t behind_noun(std::size_t at) const;
    [[nodiscard]] std::optional<Period> beside(const Period& period, bool is_after) const;
    /// What "the next one" is seen from: a time in the question itself, or that of the turn before.
    [[nodiscard]] std::optional<Period> earlier_time() const;
    [[nodiscard]] Period days(std::string from, std::string to) const;
    void take(std::size_t first, const Found& found, DateReading& reading);

    std::string_view question_;
    const DateGround& ground_;
    std::vector<DateToken> tokens_;
    std::vector<std::pair<std::size_t, std::size_t>> taken_;  ///< bytes
    std::optional<Period> last_;                              ///< the time read last in this question
};

}  // namespace quaestor::workflows::cited
