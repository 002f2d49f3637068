// SQL from a logical form, for each dialect; and back.
// Threads: pure functions.
#pragma once

#include "base/error.hpp"
#include "data/dialect.hpp"
#include "native/logical_form.hpp"
#include "native/value_index.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

/// A value as it was said and as it is written, for the explanation.
struct UsedValue {
    std::string said;
    ColumnId column = 0;  ///< 0: compared with no column
    Spelling written;     ///< a period as its first day and the day after it: "2023-05-01/2023-06-01"
};

struct WrittenSql {
    std::string sql;
    std::vector<UsedValue> values;
};

/// What the words of a form refer to.
struct Spoken {
    std::string_view question;
    const std::vector<WordSpan>& words;
    const ValueIndex* values = nullptr;  ///< none: texts are written as they were said
};

/// Identifiers are quoted, values are literals: nothing of the question is ever code. Aliases T1, T2 …; results of
/// expressions get names a person understands ("count", "average price").
/// Code::unsupported for a form whose columns cannot be brought together.
[[nodiscard]] Result<WrittenSql> write_sql(const Query& query, const Schema& schema, data::Dialect dialect,
                                           const Spoken& spoken);

/// Reads SQL of the subset that write_sql() and the training data use. Code::unsupported with what it cannot hold.
[[nodiscard]] Result<Query> read_sql(std::string_view sql, const Schema& schema);

}  // namespace quaestor::native
