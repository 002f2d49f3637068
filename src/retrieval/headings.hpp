// Where the sections of a text begin, when its format does not say.
// Pure functions.
// Threads: safe everywhere.
#pragma once

#include "retrieval/document.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace quaestor::retrieval {

/// Headings that lines of `text` look like, in order: the known sections of minutes and statements of the Federal Open
/// Market Committee, numbered headings ("2.1 Methods", "IV. Results"), and lines that stand alone, are short, have no
/// full stop and are written like a title. `type` is the document's, for rules that hold for one kind only.
[[nodiscard]] std::vector<Heading> find_headings(std::string_view text, std::string_view type);

/// Adds to `document` what its format did not mark.
void complete_headings(Document& document);

/// Between the titles of nested sections in one line.
inline constexpr std::string_view kSectionSeparator = " › ";

/// The titles above `place`, outermost first: "Policy › Votes". Empty before the first heading.
[[nodiscard]] std::string section_at(const std::vector<Heading>& headings, std::size_t place);

}  // namespace quaestor::retrieval
