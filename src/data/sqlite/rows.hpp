// Collects the rows of a statement into a result, within bounds, and tells from the values what each column holds.
// Private to the SQLite engine.
// Threads: used by one.
#pragma once

#include "data/engine.hpp"
#include "data/result_set.hpp"

#include <cstddef>
#include <string>
#include <vector>

struct sqlite3_stmt;

namespace quaestor::data::sqlite {

class RowCollector {
public:
    /// `statement` outlives the collector.
    RowCollector(sqlite3_stmt* statement, const QueryLimits& limits);

    /// Adds the row that the statement stands on; false, and the result is marked as cut off, when it does not fit.
    [[nodiscard]] bool add_row();

    [[nodiscard]] ResultSet finish() &&;

private:
    /// What the values of a column are like.
    struct Profile {
        std::string declared;
        ValueKind declared_kind = ValueKind::other;
        bool has_integers = false;
        bool has_numbers = false;
        bool has_texts = false;
        bool has_blobs = false;
        bool fits_declared = true;  ///< every value could be of the declared boolean, date or time
    };

    [[nodiscard]] std::size_t row_bytes() const;
    void add_cell(int column);
    void add_blob(int column);
    [[nodiscard]] static ValueKind kind_of(const Profile& profile);

    sqlite3_stmt* statement_;
    QueryLimits limits_;
    ResultSet result_;
    std::vector<Profile> profiles_;
    std::size_t bytes_ = 0;
};

}  // namespace quaestor::data::sqlite
