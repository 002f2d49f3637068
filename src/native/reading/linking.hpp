// What the words of a question may refer to: every span with its candidates and scores, so that any parser can stand on
// it, and a person can see what was understood.
// Threads: pure functions over immutable knowledge.
#pragma once

#include "native/logical_form.hpp"
#include "native/reading/knowledge.hpp"

#include <boost/describe/enum.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

enum class LinkKind {
    table,
    column,
    value,       ///< with its column
    number,      ///< `text` as SQL writes it: "three million" → "3000000"
    date,        ///< `text` is a period: "2023-05-01/2023-06-01"
    aggregate,   ///< `text` is count, sum, avg, min or max
    comparison,  ///< `text` is >, >=, <, <=, =, <> or between
    order,       ///< `text` is asc or desc: "highest", "oldest"
    limit,       ///< "top", "first three": `text` is the number
    group,       ///< "per", "for each", "by"
    negation,    ///< "not", "never", "without"
    share,       ///< "percentage of", "share", "ratio"
    change,      ///< "more than last year", "difference", "growth", "previous", "running"
    filler,      ///< words that ask or join and mean nothing by themselves
};
BOOST_DESCRIBE_ENUM(LinkKind, table, column, value, number, date, aggregate, comparison, order, limit, group, negation,
                    share, change, filler)

struct Link {
    std::size_t first = 0;  ///< word
    std::size_t last = 0;   ///< word, included
    LinkKind kind = LinkKind::filler;
    double score = 0;  ///< 1: the very words; less for a part, a synonym, a near spelling
    TableId table = -1;
    ColumnId column = 0;
    std::string text;  ///< of a value, its spelling in the database
};

struct LinkedQuestion {
    std::string text;
    std::vector<WordSpan> words;
    std::vector<ValueHit> hits;  ///< as the trained parser reads them
    std::vector<Link> links;     ///< by first word, then the longest, then the best

    [[nodiscard]] std::string_view word(std::size_t index) const;
    [[nodiscard]] std::string_view span(std::size_t first, std::size_t last) const;
    /// Words that nothing is linked to, joined to spans: "by moonlight".
    [[nodiscard]] std::vector<std::string> unlinked() const;
};

/// Questions longer than this are cut at a word, and that is said (kWordsMax words are read).
inline constexpr std::size_t kQuestionBytesMax = 4'000;

/// `today`, an ISO date, is what "last year" is relative to.
[[nodiscard]] LinkedQuestion link(std::string_view question, const Knowledge& knowledge, std::string_view today);

}  // namespace quaestor::native
