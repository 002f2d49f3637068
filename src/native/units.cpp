#include "native/units.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace quaestor::native {

namespace {

constexpr auto kConversions = std::to_array<UnitConversion>({
    {"cm", "meters", "100", true},       {"cm", "feet", "30.48", true},         {"cm", "inches", "2.54", true},
    {"meters", "cm", "100", false},      {"meters", "feet", "3.28084", false},  {"meters", "km", "1000", true},
    {"km", "miles", "1.609344", true},   {"km", "meters", "1000", false},       {"miles", "km", "1.609344", false},
    {"feet", "meters", "3.28084", true}, {"feet", "cm", "30.48", false},        {"inches", "cm", "2.54", false},
    {"inches", "feet", "12", true},      {"inches", "meters", "39.3701", true}, {"kg", "pounds", "2.20462", false},
    {"kg", "grams", "1000", false},      {"grams", "kg", "1000", true},         {"pounds", "kg", "2.20462", true},
    {"seconds", "minutes", "60", true},  {"seconds", "hours", "3600", true},    {"minutes", "hours", "60", true},
    {"minutes", "seconds", "60", false}, {"hours", "minutes", "60", false},     {"hours", "days", "24", true},
    {"days", "weeks", "7", true},        {"days", "hours", "24", false},
});

/// What people and names call the units.
constexpr auto kSpellings = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"centimeter", "cm"}, {"centimeters", "cm"}, {"centimetre", "cm"},  {"centimetres", "cm"}, {"day", "days"},
    {"foot", "feet"},     {"ft", "feet"},        {"g", "grams"},        {"gram", "grams"},     {"hour", "hours"},
    {"hrs", "hours"},     {"inch", "inches"},    {"kilogram", "kg"},    {"kilograms", "kg"},   {"kilometer", "km"},
    {"kilometers", "km"}, {"kilometre", "km"},   {"kilometres", "km"},  {"kilos", "kg"},       {"lb", "pounds"},
    {"lbs", "pounds"},    {"m", "meters"},       {"meter", "meters"},   {"metre", "meters"},   {"metres", "meters"},
    {"mi", "miles"},      {"mile", "miles"},     {"min", "minutes"},    {"mins", "minutes"},   {"minute", "minutes"},
    {"pound", "pounds"},  {"sec", "seconds"},    {"second", "seconds"}, {"week", "weeks"},
});

std::string_view unit_of(std::string_view word) {
    const auto found = std::ranges::find(kSpellings, word, &std::pair<std::string_view, std::string_view>::first);
    return found == kSpellings.end() ? word : found->second;
}

std::string_view last_word(std::string_view words) {
    const std::size_t space = words.rfind(' ');
    return space == std::string_view::npos ? words : words.substr(space + 1);
}

template <class Fits>
const UnitConversion* find(std::string_view column_words, Fits fits) {
    const std::string_view from = unit_of(last_word(column_words));
    const auto* const found =
        std::ranges::find_if(kConversions, [&](const UnitConversion& one) { return one.from == from && fits(one); });
    return found == kConversions.end() ? nullptr : found;
}

}  // namespace

const UnitConversion* unit_conversion(std::string_view column_words, std::string_view said) {
    return find(column_words, [to = unit_of(said)](const UnitConversion& one) { return one.to == to; });
}

const UnitConversion* unit_conversion(std::string_view column_words, std::string_view factor, bool divides) {
    return find(column_words,
                [&](const UnitConversion& one) { return one.factor == factor && one.divides == divides; });
}

}  // namespace quaestor::native
