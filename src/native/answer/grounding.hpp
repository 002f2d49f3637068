// The grounding check: every number, date and proper name of an answer is traced to a cell of a result, to a value that
// can be computed from cells, to the question, or to a cited text; what cannot be traced is flagged, never hidden. No
// model takes part. Threads: pure functions.
#pragma once

#include "data/result_set.hpp"

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

/// How a claim follows from the data.
enum class Origin {
    cell,       ///< stands in one cell, rounded as written
    row_count,  ///< the number of rows
    sum,
    average,
    difference,  ///< of two cells
    ratio,       ///< of two cells, as a quotient or in per cent
    share,       ///< of a column's sum, in per cent
    growth,      ///< in per cent of the earlier cell
    rank,        ///< the place of a row in the order of a column
    extreme,     ///< the least or greatest of a column
    question,    ///< was said by the person
    passage,     ///< stands in a cited text
    none,        ///< cannot be traced
};
BOOST_DESCRIBE_ENUM(Origin, cell, row_count, sum, average, difference, ratio, share, growth, rank, extreme, question,
                    passage, none)

/// A cell of one of the results.
struct CellPlace {
    std::size_t result = 0;
    std::size_t row = 0;
    std::size_t column = 0;
};
BOOST_DESCRIBE_STRUCT(CellPlace, (), (result, row, column))

struct Claim {
    std::size_t begin = 0;  ///< bytes of the answer
    std::size_t end = 0;
    std::string text;
    Origin origin = Origin::none;
    std::vector<CellPlace> cells;        ///< it was traced to, at most kClaimCellsMax
    std::optional<std::size_t> passage;  ///< index of the cited text
};
BOOST_DESCRIBE_STRUCT(Claim, (), (begin, end, text, origin, cells, passage))

struct Grounding {
    std::vector<Claim> claims;
    [[nodiscard]] std::size_t traced() const;
    [[nodiscard]] std::vector<std::string> untraced() const;
};

/// What an answer may stand on. All are views; nothing is kept.
struct Evidence {
    std::vector<const data::ResultSet*> results;
    std::vector<std::string_view> passages;
    std::string_view question;
};

inline constexpr std::size_t kClaimsMax = 500;
inline constexpr std::size_t kClaimCellsMax = 8;
/// Rows of a result that computed values are looked for in; beyond them only cells and whole columns are.
inline constexpr std::size_t kPairRowsMax = 200;

/// Numbers as written ("1,234.5", "12.3 %", "3 million", "two"), dates ("May 3, 2023", "2023-05-03"), and names (runs
/// of capitalised words, texts in quotation marks). Numbers of a list ("1. …"), of citations ("[2]") and code are no
/// claims.
[[nodiscard]] Grounding check_grounding(std::string_view answer, const Evidence& evidence);

}  // namespace quaestor::native
