// What in a text may need proof: its sentences, and in them numbers, places in an order, dates and names, with what
// they say and how exactly. Code, addresses, citations and the numbers of lists are passed over. Private to native/.
// Threads: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

struct Mark {
    enum class Kind { number, ordinal, date, literal, name } kind = Kind::number;
    std::size_t begin = 0;  ///< bytes of MarkedText::plain
    std::size_t end = 0;
    std::size_t sentence = 0;
    double value = 0;
    double tolerance = 0;     ///< half of the last digit that is written
    bool is_percent = false;  ///< "%", "per cent", "percentage points"
    bool is_ratio = false;    ///< "twice", "2.5x", "3 times"
    bool has_sign = false;
    bool is_bare = false;  ///< a whole number without a unit, that may count something
    int year = 0;          ///< of a date; 0: not said
    int month = 0;
    int day = 0;
    bool day_may_be_month = false;  ///< "5/3/2023"
    bool opens_sentence = false;    ///< of a name: a single word that may be capital for its place alone
    bool is_quoted = false;
};

struct MarkedSentence {
    enum class Kind { prose, table_head, table_row } kind = Kind::prose;
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t table_line = 0;              ///< of a row of a table, from 1
    std::vector<std::size_t> cell_begins{};  ///< of a row of a table: behind each bar but the last
};

struct MarkedText {
    std::string plain;                ///< the text without the backslashes of Markdown
    std::vector<std::size_t> origin;  ///< for each byte of it, and its end, the byte of the text
    std::vector<MarkedSentence> sentences;
    std::vector<Mark> marks;  ///< in their order; none lies in another
};

/// `names`: texts that are no claims wherever they stand, such as "3 point attempts".
[[nodiscard]] MarkedText mark_text(std::string_view text, const std::vector<std::string>& names, std::size_t marks_max);

// The steps of it.
/// Bytes of a text that are no claims.
using Masked = std::vector<bool>;
[[nodiscard]] MarkedText without_escapes(std::string_view text, std::vector<bool>& was_escaped);
void split_sentences(MarkedText& text, const std::vector<bool>& was_escaped);
[[nodiscard]] Masked masked_bytes(const MarkedText& text, const std::vector<bool>& was_escaped,
                                  const std::vector<std::string>& names);
/// Numbers, places, dates of one sentence.
void mark_numbers(MarkedText& text, const Masked& masked, std::size_t sentence);
/// Names, where no number stands.
void mark_names(MarkedText& text, const Masked& masked, std::size_t sentence);

}  // namespace quaestor::native
