// Private to retrieval/: the pages of a PDF as one text, without what stands on every page.
// Pure functions.
// Threads: safe everywhere.
#pragma once

#include "retrieval/document.hpp"

#include <string>
#include <vector>

namespace quaestor::retrieval {

/// Joins pages: lines at the top and bottom that repeat from page to page, and page numbers, are left out; words that
/// were cut at a line end are whole again; the lines of a paragraph are one. `document` gets the text and its pages.
void join_pages(const std::vector<std::string>& pages, Document& document);

}  // namespace quaestor::retrieval
