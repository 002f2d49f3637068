// Which time a question is about: "in March 2020", "the first half of 2022", "the last meeting of 2021", "since May",
// "the meeting after that". Resolved against the dates that the documents really have.
// Pure functions. Threads: safe everywhere.
#pragma once

#include <boost/describe/class.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace quaestor::workflows::cited {

/// Days `from` to `to`, both included.
struct Period {
    std::string from;
    std::string to;
    std::string label;  ///< as a question says it: "July 2023", "September 20, 2023"
    friend bool operator==(const Period&, const Period&) = default;
};
BOOST_DESCRIBE_STRUCT(Period, (), (from, to, label))

struct DateReading {
    std::vector<Period> periods;         ///< in the order of the question; none: it names no time
    std::vector<std::string> dates;      ///< of documents in them, in the order of time
    std::vector<std::string> uncovered;  ///< labels of periods that no document is of
    bool is_one_day = false;             ///< a single document, or those of one day, are meant
    bool leans_on_earlier = false;       ///< "the meeting after that": it was read against the turn before
    std::string topic;                   ///< the question without its words on time
    /// Where the words on time stand, when they are in one place: for putting others there.
    std::size_t begin = 0;
    std::size_t end = 0;
};
BOOST_DESCRIBE_STRUCT(DateReading, (), (periods, dates, uncovered, is_one_day, leans_on_earlier, topic, begin, end))

struct DateGround {
    std::vector<std::string> dates;    ///< of the documents, sorted, each once
    std::string today;                 ///< for "last year"
    std::vector<std::string> earlier;  ///< of the documents of the turn before, for "the next meeting"
};

[[nodiscard]] DateReading read_dates(std::string_view question, const DateGround& ground);

/// The dates of documents in a period. A month without one also has what came in the first two days after it: a meeting
/// that ended then began in it.
[[nodiscard]] std::vector<std::string> dates_in(const Period& period, const std::vector<std::string>& dates);

/// "July 26, 2023" for one day, "July 2023" for one month, else both ends.
[[nodiscard]] std::string label_of(std::string_view from, std::string_view to);

}  // namespace quaestor::workflows::cited
