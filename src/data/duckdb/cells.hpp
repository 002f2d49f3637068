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

/// A vector with what is asked of it for each cell.
struct DuckdbVector {
    explicit DuckdbVector(duckdb_vector vector)
        : handle(vector), data(duckdb_vector_get_data(vector)), validity(duckdb_vector_get_validity(vector)) {}

    [[nodiscard]] bool is_null(std::size_t row) const {
        return validity != nullptr && (validity[row / 64] >> (row % 64) & 1) == 0;
    }

    duckdb_vector handle;
    const void* data;
    const std::uint64_t* validity;
};

class DuckdbCells {
public:
    /// Code::unsupported for a type that cannot be shown, with a hint to cast it.
    [[nodiscard]] static Result<DuckdbCells> of(duckdb_logical_type type);

    [[nodiscard]] ValueKind kind() const { return kind_; }
    /// "DECIMAL(18,2)", "STRUCT(a INTEGER, b VARCHAR[])".
    [[nodiscard]] const std::string& type() const { return type_; }

    /// Adds one cell of a vector of this type to the column.
    void add(const DuckdbVector& vector, std::size_t row, ResultColumn& column) const;

private:
    DuckdbCells() = default;
    [[nodiscard]] Result<> read_children(duckdb_logical_type type);
    [[nodiscard]] std::int64_t integer(const void* data, std::size_t row) const;
    void write_text(const void* data, std::size_t row, std::string& out) const;
    void write_json(const DuckdbVector& vector, std::size_t row, std::string& out) const;
    void write_list(const DuckdbVector& items, std::uint64_t begin, std::uint64_t length, std::string& out) const;
    void write_struct(duckdb_vector vector, std::size_t row, std::string& out) const;
    void write_map(duckdb_vector vector, std::size_t row, std::string& out) const;
    void write_union(duckdb_vector vector, std::size_t row, std::string& out) const;

    duckdb_type id_ = DUCKDB_TYPE_INVALID;
    duckdb_type internal_ = DUCKDB_TYPE_INVALID;  ///< how decimals and enums are kept
    ValueKind kind_ = ValueKind::other;
    bool is_whole_number_ = false;  ///< that fits 64 bits with its sign
    std::string type_;
    int scale_ = 0;                      ///< of a decimal
    std::uint64_t array_size_ = 0;       ///< of an array
    std::vector<std::string> names_;     ///< of an enum's values, or the fields of a struct or union
    std::vector<DuckdbCells> children_;  ///< of lists, structs, maps and unions
};

}  // namespace quaestor::data
