// The guard: decides whether a statement may run. It judges what the engine's own parser found (reading.hpp) against
// the tables that are there and the functions known to be harmless, and adds the row limit.
// It runs nothing. Threads: judge() and friends are pure; share freely.
#pragma once

#include "base/error.hpp"
#include "data/read_only_sql.hpp"
#include "data/reading.hpp"
#include "data/table_names.hpp"
#include "data/verdict.hpp"

#include <cstddef>
#include <functional>
#include <string_view>

namespace quaestor::data {

/// Rows of a result unless the statement asks for fewer.
inline constexpr std::size_t kRowLimitDefault = 10'000;

class Guard {
public:
    /// `tables` outlives the guard.
    Guard(Dialect dialect, const TableNames& tables, std::size_t row_limit = kRowLimitDefault)
        : dialect_(dialect), tables_(tables), row_limit_(row_limit) {}

    /// The verdict on `sql`, read by the dialect's reader.
    [[nodiscard]] Verdict check(std::string_view sql) const;

    /// The same, read by an engine. A text that is too long is not handed to it.
    using Reader = std::function<Reading(std::string_view sql)>;
    [[nodiscard]] Verdict check(std::string_view sql, const Reader& reader) const;

    /// The verdict on what a reader found in `sql`.
    [[nodiscard]] Verdict judge(std::string_view sql, Reading reading) const;

    /// A statement that may run, or Code::permission_denied (Code::invalid_argument for mistakes) with the first error.
    [[nodiscard]] Result<ReadOnlySql> admit(Verdict verdict) const;

private:
    void add_tables(const Reading& reading, Verdict& verdict) const;
    void add_functions(const Reading& reading, Verdict& verdict) const;

    Dialect dialect_;
    const TableNames& tables_;
    std::size_t row_limit_;
};

}  // namespace quaestor::data
