// Any bytes: their words lie in order inside them, what is made of them is UTF-8 and stays what it is when made again,
// and numbers and dates that are read out of them are numbers and dates.
#include "base/text.hpp"
#include "native/spoken_values.hpp"
#include "native/value_index.hpp"
#include "native/words.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

using namespace quaestor;
using namespace quaestor::native;

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

void check_words(std::string_view bytes) {
    std::size_t end = 0;
    for (const auto& word : split_words(bytes)) {
        require(word.begin >= end && word.begin < word.end && word.end <= bytes.size(), "a word lies elsewhere");
        end = word.end;
        static_cast<void>(look_of(bytes.substr(word.begin, word.end - word.begin)));
    }
    require(text::is_utf8(fold(bytes)), "a folded text is no UTF-8");
    require(text::is_utf8(name_words(bytes)), "a name is no UTF-8");
    std::string key;
    for (const auto& word : plain_words(bytes)) key += key.empty() ? word : " " + word;
    require(squash(bytes) == key, "a key is not made of its words");
}

void check_spoken(std::string_view bytes) {
    if (const auto number = number_of(bytes))
        require(!number->empty() && number->find_first_not_of("0123456789.-e") == std::string::npos,
                "a number is none");
    for (const auto& period : {period_of(bytes), period_of(bytes, 2024)})
        if (period)
            require(period->first.size() == 10 && period->first < period->after, "a period ends before it begins");
    for (const auto part : {DatePart::year, DatePart::quarter, DatePart::month, DatePart::day, DatePart::weekday})
        require(!part_value(part, bytes).empty(), "a part of a date has no number");
    if (const auto year = year_in(bytes)) require(*year >= 1000 && *year <= 2999, "a year is none");
    static_cast<void>(truth_of(bytes));
}

/// The text is a value and a question at once: it must find itself.
void check_values(std::string_view bytes) {
    ValueIndex index;
    index.add(1, bytes);
    index.add(2, bytes.substr(bytes.size() / 2));
    const auto words = split_words(bytes);
    for (const auto& hit : index.hits(bytes, words))
        require(hit.first <= hit.last && hit.last < words.size(), "a hit lies elsewhere");
    const auto spelling = index.spelling(1, bytes);
    require(index.values_of(1).empty() || spelling.certainty == Spelling::Certainty::exact, "a value is not found");
    static_cast<void>(index.spelling(2, bytes));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    check_words(bytes);
    check_spoken(bytes);
    check_values(bytes);
    return 0;
}
