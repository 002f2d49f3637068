// Reads the cells of DuckDB's vectors: each type once decided, then cell by cell into a result's column.
// Private to data/; a reader belongs to one column of one result.
// Threads: one at a time.
#pragma once

#include "base/error.hpp"
#include "data/duckdb/handle.hpp"
#include "data/result_set.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace quaestor::data {

class DuckdbCells {
public:
    /// Code::unsupported for a type that cannot be shown, with a hint to cast it.
    [[nodiscard]] static Result<DuckdbCells> of(duckdb_logical_type type);

    [[nodiscard]] ValueKind kind() const { return kind_; }
    /// "DECIMAL(18,2)", "STRUCT(a INTEGER, b VARCHAR[])".
    [[nodiscard]] const std::string& type() const { return type_; }

    /// Adds one cell of a vector of this type to the column.
    void add(duckdb_vector vector, std::size_t row, ResultColumn& column) const;

private:
    DuckdbCells() = default;
    [[nodiscard]] Result<> read_children(duckdb_logical_type type);
    [[nodiscard]] bool is_whole_number() const;
    [[nodiscard]] std::int64_t integer(const void* data, std::size_t row) const;
    void write_text(const void* data, std::size_t row, std::string& out) const;
    void write_json(duckdb_vector vector, std::size_t row, std::string& out) const;
    void write_list(duckdb_vector items, std::uint64_t begin, std::uint64_t length, std::string& out) const;
    void write_struct(duckdb_vector vector, std::size_t row, std::string& out) const;
    void write_map(duckdb_vector vector, std::size_t row, std::string& out) const;
    void write_union(duckdb_vector vector, std::size_t row, std::string& out) const;

    duckdb_type id_ = DUCKDB_TYPE_INVALID;
    duckdb_type internal_ = DUCKDB_TYPE_INVALID;  ///< how decimals and enums are kept
    ValueKind kind_ = ValueKind::other;
    std::string type_;
    int scale_ = 0;                      ///< of a decimal
    std::uint64_t array_size_ = 0;       ///< of an array
    std::vector<std::string> names_;     ///< of an enum's values, or the fields of a struct or union
    std::vector<DuckdbCells> children_;  ///< of lists, structs, maps and unions
    mutable std::string scratch_;        ///< for the text of one cell
};

}  // namespace quaestor::data
