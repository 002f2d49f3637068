// What a document's name and text tell about it: type, date, title.
// Pure functions.
// Threads: safe everywhere.
#pragma once

#include "retrieval/document.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace quaestor::retrieval {

/// A day in the calendar, in the order of time.
struct Date {
    int year = 0;
    int month = 0;
    int day = 0;
    friend auto operator<=>(const Date&, const Date&) = default;
};

/// "2023-07-26", and nothing else.
[[nodiscard]] std::optional<Date> parse_date(std::string_view text);
[[nodiscard]] std::string to_string(const Date& date);
/// "July 26, 2023"
[[nodiscard]] std::string in_words(const Date& date);

/// The first day that `text` names: "July 26, 2023", "26 July 2023", "2023-07-26", "07/26/2023"; of several days
/// ("January 31–February 1, 2023") the last.
[[nodiscard]] std::optional<Date> find_date(std::string_view text);

/// Bytes at the beginning of a document where its date, type and title are looked for.
inline constexpr std::size_t kPreambleBytes = 3'000;

/// Fills in what the format did not tell. The type and date of the name come first ("minutes_2023-07-26.txt",
/// "monetary20230726a.pdf"), then front matter and page information, then the beginning of the text.
void complete_metadata(Document& document, const std::string& name);

}  // namespace quaestor::retrieval
