// Units of measure: which one a column's name says, and how to get from one to another. Constants.
// Private to native/.
// Threads: pure functions.
#pragma once

#include <string_view>

namespace quaestor::native {

struct UnitConversion {
    std::string_view from;    ///< as a column's name says it: "cm"
    std::string_view to;      ///< as a result's name says it: "meters"
    std::string_view factor;  ///< a number as SQL writes it
    bool divides = false;     ///< by the factor; else it multiplies
};

/// From the unit that the words of a column's name end in, to the one that a word of a question says; nothing when
/// there is no such way.
[[nodiscard]] const UnitConversion* unit_conversion(std::string_view column_words, std::string_view said);
[[nodiscard]] const UnitConversion* unit_conversion(std::string_view column_words, std::string_view factor,
                                                    bool divides);

}  // namespace quaestor::native
