#include "native/answer/asked_unit.hpp"

#include "native/words.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>

namespace quaestor::native {

namespace {

using namespace std::string_view_literals;

/// How a unit is asked for, and how it is written.
struct UnitWords {
    Unit unit;
    std::string_view asked;
    std::string_view written;
    std::string_view signs;
};

constexpr std::array kUnits{
    UnitWords{Unit::people, "widespread backing",
              "all most many several some few couple majority minority one two three four five nobody none various "
              "everyone anyone half hundred thousand",
              ""},
    UnitWords{Unit::trillions, "trillion trillions", "trillion trillions", ""},
    UnitWords{Unit::billions, "billion billions", "billion billions", ""},
    UnitWords{
        Unit::money, "cost costs price expensive salary rent fee fees fine budget money charge charged earn earns",
        "dollar dollars euro euros pound pounds cent cents usd eur gbp chf yen free million billion trillion", "$€£¥"},
    UnitWords{Unit::time, "long soon deadline duration often frequently frequency",
              "second seconds minute minutes hour hours day days week weeks fortnight month months monthly quarter "
              "year years "
              "yearly annual annually daily weekly hourly quarterly night nightly once twice times each every until "
              "indefinitely permanent permanently",
              ""},
    UnitWords{Unit::share, "percent percentage proportion share", "percent percentage half third quarter per hundred",
              "%"},
    UnitWords{Unit::weight, "heavy weigh weighs weight mass",
              "kg kilogram kilograms g gram grams t ton tons tonne tonnes lb lbs pound pounds ounce ounces", ""},
    UnitWords{Unit::length, "far tall wide deep distance length height width thick",
              "m metre metres meter meters km kilometre kilometres kilometer kilometers mile miles foot feet inch "
              "inches cm mm "
              "centimetres centimeters yard yards",
              ""},
    UnitWords{Unit::temperature, "hot cold warm temperature", "degree degrees celsius fahrenheit c f k", "°"}};

std::set<std::string> set_of(std::string_view words) {
    const auto all = plain_words(words);
    return {all.begin(), all.end()};
}

bool shares_word(std::string_view text, std::string_view words) {
    const auto listed = set_of(words);
    return std::ranges::any_of(plain_words(text), [&](const auto& word) { return listed.contains(word); });
}

}  // namespace

Unit unit_of(std::string_view question) {
    static constexpr std::array kCountedPeople{"how many participants"sv, "how many officials"sv,
                                               "how many policymakers"sv};
    const std::string folded = fold(question);
    if (std::ranges::any_of(kCountedPeople, [&](auto one) { return folded.contains(one); })) return Unit::people;
    for (const UnitWords& one : kUnits) {
        if (shares_word(question, one.asked)) return one.unit;
    }
    return Unit::any;
}

bool only_names_unit(std::string_view word) {
    return word.starts_with("trillion") || word.starts_with("billion") || word.starts_with("million");
}

bool has_unit(Unit unit, std::string_view sentence) {
    if (unit == Unit::any) return true;
    const auto& words = *std::ranges::find(kUnits, unit, &UnitWords::unit);
    // A sign is of several bytes; each of them only stands in signs.
    for (std::size_t at = 0; at < words.signs.size();) {
        const auto byte = static_cast<unsigned char>(words.signs[at]);
        const std::size_t size = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : 3;
        if (sentence.contains(words.signs.substr(at, size))) return true;
        at += size;
    }
    return shares_word(sentence, words.written);
}

}  // namespace quaestor::native
