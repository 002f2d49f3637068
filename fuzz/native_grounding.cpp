// Any bytes as an answer, a question, a cited text and the cells of a result: claims lie in order inside the answer,
// say what stands there, and point to cells and passages that are there; a written answer over the same cells is
// traced.
#include "native/answer/answer_writer.hpp"
#include "native/answer/grounding.hpp"

#include <algorithm>
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

/// A text and a number of each line.
data::ResultSet result_of(std::string_view bytes) {
    data::ResultSet result;
    result.columns.emplace_back("name", data::ValueKind::text, "VARCHAR");
    result.columns.emplace_back("total 3 points", data::ValueKind::number, "DOUBLE");
    for (std::size_t begin = 0; begin < bytes.size() && result.row_count < 50;) {
        const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
        result.columns[0].add_text(bytes.substr(begin, end - begin));
        result.columns[1].add_number(static_cast<double>(end) / 7);
        ++result.row_count;
        begin = end + 1;
    }
    return result;
}

void check(std::string_view answer, const Evidence& evidence) {
    std::size_t end = 0;
    const Grounding grounding = check_grounding(answer, evidence);
    require(grounding.claims.size() <= kClaimsMax, "there are too many claims");
    for (const Claim& claim : grounding.claims) {
        require(claim.begin >= end && claim.begin < claim.end && claim.end <= answer.size(), "a claim lies elsewhere");
        require(answer.substr(claim.begin, claim.end - claim.begin) == claim.text, "a claim says something else");
        require(claim.cells.size() <= kClaimCellsMax, "a claim has too many cells");
        for (const CellPlace& cell : claim.cells) {
            const data::ResultSet& result = *evidence.results.at(cell.result);
            require(cell.row < result.row_count && cell.column < result.columns.size(), "a cell lies elsewhere");
        }
        require(!claim.passage || *claim.passage < evidence.passages.size(), "a passage lies elsewhere");
        end = claim.end;
    }
    require(grounding.traced() + grounding.untraced().size() == grounding.claims.size(), "claims are lost");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const std::string_view first = bytes.substr(0, size / 2);
    const std::string_view second = bytes.substr(size / 2);
    const data::ResultSet result = result_of(second);
    const Evidence evidence{.results = {&result}, .passages = {second}, .question = second};
    check(first, evidence);
    const std::string written = write_answer({.question = first, .result = &result});
    check(written, {.results = {&result}, .passages = {}, .question = first});
    return 0;
}
