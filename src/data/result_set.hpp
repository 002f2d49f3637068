// A query's result as typed columns. Whole numbers and doubles are kept as such; what has no exact machine type
// (decimals, big integers, times, intervals) as the engine writes it; lists and structs as JSON text.
// Built by an engine, then read. Threads: immutable once built.
#pragma once

#include "base/clock.hpp"
#include "base/json.hpp"

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::data {

enum class ValueKind {
    boolean,
    integer,  ///< also beyond 64 bits
    number,   ///< double precision
    decimal,  ///< exact, with a fixed number of digits behind the point
    text,
    date,       ///< 2026-01-31
    time,       ///< 12:30:00.5
    timestamp,  ///< 2026-01-31 12:30:00.5, with +00 behind it when it has a time zone
    interval,   ///< 1 year 2 months 3 days 04:05:06
    blob,       ///< \x00FF
    list,       ///< JSON
    structure,  ///< JSON: structs, maps, documents
    other,      ///< as the engine writes it
};
BOOST_DESCRIBE_ENUM(ValueKind, boolean, integer, number, decimal, text, date, time, timestamp, interval, blob, list,
                    structure, other)

/// True for integer, number and decimal.
[[nodiscard]] bool is_numeric(ValueKind kind);

class ResultColumn {
public:
    /// `type` is the engine's own name: "DECIMAL(18,2)".
    ResultColumn(std::string name, ValueKind kind, std::string type)
        : name_(std::move(name)), type_(std::move(type)), kind_(kind) {}

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& type() const { return type_; }
    [[nodiscard]] ValueKind kind() const { return kind_; }
    [[nodiscard]] std::size_t size() const { return cells_.size(); }

    // Writing: one call per row. A boolean is added as 0 or 1.
    void add_null() { cells_.emplace_back(); }
    void add_integer(std::int64_t value) { cells_.push_back({.integer = value, .form = Form::integer}); }
    void add_number(double value) { cells_.push_back({.number = value, .form = Form::number}); }
    /// Exactly as it is shown; for list and structure, JSON.
    void add_text(std::string_view value) {
        add_written([value](std::string& out) { out += value; });
    }
    /// The same for a text that `write` appends to the string it is given.
    template <class Write>
    void add_written(Write write) {
        const std::size_t offset = bytes_.size();
        write(bytes_);
        const auto length = static_cast<std::uint32_t>(bytes_.size() - offset);
        cells_.push_back({.offset = offset, .length = length, .form = Form::text});
    }

    /// Takes the last cell back, when its row turned out to be too large.
    void remove_last();
    /// For an engine that learns from the values what a column holds.
    void set_type(ValueKind kind, std::string type) {
        kind_ = kind;
        type_ = std::move(type);
    }

    [[nodiscard]] bool is_null(std::size_t row) const { return cells_[row].form == Form::null; }
    /// As a person reads it: "true", "12.50", "2026-01-31"; "" for NULL.
    [[nodiscard]] std::string text(std::size_t row) const;
    /// As a number, if it is one that a double holds.
    [[nodiscard]] std::optional<double> number(std::size_t row) const;
    /// Adds the cell to `out` as JSON. A number that a double would change is written as a string.
    void write_json(std::size_t row, std::string& out) const;

    /// Bytes of memory that the values take.
    [[nodiscard]] std::size_t bytes() const { return cells_.size() * sizeof(Cell) + bytes_.size(); }

private:
    enum class Form : std::uint8_t { null, integer, number, text };
    struct Cell {
        union {
            std::int64_t integer;
            double number;
            std::uint64_t offset;  ///< into bytes_
        };
        std::uint32_t length = 0;
        Form form = Form::null;
    };
    [[nodiscard]] std::string_view view(const Cell& cell) const {
        return std::string_view(bytes_).substr(cell.offset, cell.length);
    }

    std::string name_;
    std::string type_;
    ValueKind kind_;
    std::vector<Cell> cells_;
    std::string bytes_;
};

struct ResultSet {
    std::vector<ResultColumn> columns;
    std::size_t row_count = 0;
    bool truncated = false;  ///< there were more rows, or larger ones, than the limits allow
    Duration execution_time{};
};

/// {"columns", "types", "rows", "row_count", "truncated", "execution_time_ms"}, rows as arrays.
[[nodiscard]] std::string to_json_text(const ResultSet& result);

}  // namespace quaestor::data
