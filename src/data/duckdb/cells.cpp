#include "data/duckdb/cells.hpp"

#include "data/duckdb/times.hpp"
#include "data/json_text.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <iterator>
#include <utility>

namespace quaestor::data {

namespace {

struct KnownType {
    duckdb_type id;
    ValueKind kind;
    const char* name;
};

constexpr auto kKnownTypes = std::to_array<KnownType>({
    {DUCKDB_TYPE_SQLNULL, ValueKind::other, "NULL"},
    {DUCKDB_TYPE_BOOLEAN, ValueKind::boolean, "BOOLEAN"},
    {DUCKDB_TYPE_TINYINT, ValueKind::integer, "TINYINT"},
    {DUCKDB_TYPE_SMALLINT, ValueKind::integer, "SMALLINT"},
    {DUCKDB_TYPE_INTEGER, ValueKind::integer, "INTEGER"},
    {DUCKDB_TYPE_BIGINT, ValueKind::integer, "BIGINT"},
    {DUCKDB_TYPE_UTINYINT, ValueKind::integer, "UTINYINT"},
    {DUCKDB_TYPE_USMALLINT, ValueKind::integer, "USMALLINT"},
    {DUCKDB_TYPE_UINTEGER, ValueKind::integer, "UINTEGER"},
    {DUCKDB_TYPE_UBIGINT, ValueKind::integer, "UBIGINT"},
    {DUCKDB_TYPE_HUGEINT, ValueKind::integer, "HUGEINT"},
    {DUCKDB_TYPE_UHUGEINT, ValueKind::integer, "UHUGEINT"},
    {DUCKDB_TYPE_FLOAT, ValueKind::number, "FLOAT"},
    {DUCKDB_TYPE_DOUBLE, ValueKind::number, "DOUBLE"},
    {DUCKDB_TYPE_DECIMAL, ValueKind::decimal, "DECIMAL"},
    {DUCKDB_TYPE_VARCHAR, ValueKind::text, "VARCHAR"},
    {DUCKDB_TYPE_ENUM, ValueKind::text, "ENUM"},
    {DUCKDB_TYPE_BLOB, ValueKind::blob, "BLOB"},
    {DUCKDB_TYPE_BIT, ValueKind::other, "BIT"},
    {DUCKDB_TYPE_UUID, ValueKind::other, "UUID"},
    {DUCKDB_TYPE_DATE, ValueKind::date, "DATE"},
    {DUCKDB_TYPE_TIME, ValueKind::time, "TIME"},
    {DUCKDB_TYPE_TIME_NS, ValueKind::time, "TIME_NS"},
    {DUCKDB_TYPE_TIME_TZ, ValueKind::time, "TIME WITH TIME ZONE"},
    {DUCKDB_TYPE_TIMESTAMP, ValueKind::timestamp, "TIMESTAMP"},
    {DUCKDB_TYPE_TIMESTAMP_S, ValueKind::timestamp, "TIMESTAMP_S"},
    {DUCKDB_TYPE_TIMESTAMP_MS, ValueKind::timestamp, "TIMESTAMP_MS"},
    {DUCKDB_TYPE_TIMESTAMP_NS, ValueKind::timestamp, "TIMESTAMP_NS"},
    {DUCKDB_TYPE_TIMESTAMP_TZ, ValueKind::timestamp, "TIMESTAMP WITH TIME ZONE"},
    {DUCKDB_TYPE_INTERVAL, ValueKind::interval, "INTERVAL"},
    {DUCKDB_TYPE_LIST, ValueKind::list, "LIST"},
    {DUCKDB_TYPE_ARRAY, ValueKind::list, "ARRAY"},
    {DUCKDB_TYPE_STRUCT, ValueKind::structure, "STRUCT"},
    {DUCKDB_TYPE_MAP, ValueKind::structure, "MAP"},
    {DUCKDB_TYPE_UNION, ValueKind::structure, "UNION"},
});

std::string taken(char* text) {
    std::string result = text != nullptr ? text : "";
    duckdb_free(text);
    return result;
}

template <class T>
const T& at(const void* data, std::size_t row) {
    return static_cast<const T*>(data)[row];
}

std::string_view text_at(const void* data, std::size_t row) {
    // The C API reads a short text in place, and so wants the cell itself.
    auto* cell = const_cast<duckdb_string_t*>(&at<duckdb_string_t>(data, row));  // NOLINT: it is only read
    return {duckdb_string_t_data(cell), duckdb_string_t_length(*cell)};
}

/// That fits 64 bits with its sign.
bool is_whole_number(duckdb_type type) {
    switch (type) {
        case DUCKDB_TYPE_BOOLEAN:
        case DUCKDB_TYPE_TINYINT:
        case DUCKDB_TYPE_SMALLINT:
        case DUCKDB_TYPE_INTEGER:
        case DUCKDB_TYPE_BIGINT:
        case DUCKDB_TYPE_UTINYINT:
        case DUCKDB_TYPE_USMALLINT:
        case DUCKDB_TYPE_UINTEGER:
            return true;
        default:
            return false;
    }
}

/// A float's own shortest digits, not those of the double nearest to it.
double widened(float value) {
    std::array<char, 32> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    double wide = value;
    std::from_chars(buffer.data(), end, wide);
    return wide;
}

void write_blob(std::string_view bytes, std::string& out) {
    out += "\\x";
    for (const char byte : bytes) {
        fmt::format_to(std::back_inserter(out), "{:02X}", static_cast<unsigned char>(byte));
    }
}

/// The first byte says how many bits of the second are padding.
void write_bits(std::string_view bytes, std::string& out) {
    if (bytes.empty()) return;
    std::size_t skip = static_cast<unsigned char>(bytes.front());
    for (const char byte : bytes.substr(1)) {
        for (int bit = 7; bit >= 0; --bit) {
            if (skip > 0) {
                --skip;
            } else {
                out += (static_cast<unsigned char>(byte) >> bit & 1) != 0 ? '1' : '0';
            }
        }
    }
}

/// DuckDB takes more for JSON than is: NaN, commas behind the last item. Such a document is told as text.
void write_document(std::string_view document, std::string& out) {
    boost::system::error_code problem;
    json::parse(document, problem);
    if (problem) {
        write_json_string(document, out);
    } else {
        out += document;
    }
}

}  // namespace

Result<DuckdbCells> DuckdbCells::of(duckdb_logical_type type) {
    DuckdbCells cells;
    cells.id_ = duckdb_get_type_id(type);
    const auto* known = std::ranges::find(kKnownTypes, cells.id_, &KnownType::id);
    if (known == kKnownTypes.end()) {
        return fail(Code::unsupported, "the result has a column of a type that cannot be shown",
                    "cast the column to text: CAST(… AS VARCHAR)");
    }
    cells.kind_ = known->kind;
    cells.is_whole_number_ = is_whole_number(cells.id_);
    cells.type_ = known->name;
    if (cells.id_ == DUCKDB_TYPE_VARCHAR && taken(duckdb_logical_type_get_alias(type)) == "JSON") {
        cells.kind_ = ValueKind::structure;
        cells.type_ = "JSON";
    }
    if (auto read = cells.read_children(type); !read) return fail(read.error());
    return cells;
}

Result<> DuckdbCells::read_children(duckdb_logical_type type) {
    const auto add_child = [this](duckdb_logical_type child) -> Result<> {
        const duck::LogicalType owned(child);
        auto cells = of(child);
        if (!cells) return fail(cells.error());
        children_.push_back(std::move(*cells));
        return {};
    };
    switch (id_) {
        case DUCKDB_TYPE_DECIMAL:
            internal_ = duckdb_decimal_internal_type(type);
            scale_ = duckdb_decimal_scale(type);
            type_ = fmt::format("DECIMAL({},{})", duckdb_decimal_width(type), scale_);
            return {};
        case DUCKDB_TYPE_ENUM:
            internal_ = duckdb_enum_internal_type(type);
            for (idx_t i = 0; i < duckdb_enum_dictionary_size(type); ++i) {
                names_.push_back(taken(duckdb_enum_dictionary_value(type, i)));
            }
            return {};
        case DUCKDB_TYPE_LIST:
            if (auto added = add_child(duckdb_list_type_child_type(type)); !added) return added;
            type_ = children_[0].type_ + "[]";
            return {};
        case DUCKDB_TYPE_ARRAY:
            if (auto added = add_child(duckdb_array_type_child_type(type)); !added) return added;
            array_size_ = duckdb_array_type_array_size(type);
            type_ = fmt::format("{}[{}]", children_[0].type_, array_size_);
            return {};
        case DUCKDB_TYPE_MAP:
            if (auto added = add_child(duckdb_map_type_key_type(type)); !added) return added;
            if (auto added = add_child(duckdb_map_type_value_type(type)); !added) return added;
            type_ = fmt::format("MAP({}, {})", children_[0].type_, children_[1].type_);
            return {};
        case DUCKDB_TYPE_STRUCT:
        case DUCKDB_TYPE_UNION: {
            const bool is_struct = id_ == DUCKDB_TYPE_STRUCT;
            const idx_t count = is_struct ? duckdb_struct_type_child_count(type) : duckdb_union_type_member_count(type);
            std::string fields;
            for (idx_t i = 0; i < count; ++i) {
                names_.push_back(
                    taken(is_struct ? duckdb_struct_type_child_name(type, i) : duckdb_union_type_member_name(type, i)));
                auto added = add_child(is_struct ? duckdb_struct_type_child_type(type, i)
                                                 : duckdb_union_type_member_type(type, i));
                if (!added) return added;
                fields += fmt::format("{}{} {}", i > 0 ? ", " : "", names_.back(), children_.back().type_);
            }
            type_ += "(" + fields + ")";
            return {};
        }
        default:
            return {};
    }
}

/// Of a type that fits 64 bits with its sign.
std::int64_t DuckdbCells::integer(const void* data, std::size_t row) const {
    switch (kind_ == ValueKind::integer || kind_ == ValueKind::boolean ? id_ : internal_) {
        case DUCKDB_TYPE_BOOLEAN:
            return at<bool>(data, row) ? 1 : 0;
        case DUCKDB_TYPE_TINYINT:
            return at<std::int8_t>(data, row);
        case DUCKDB_TYPE_SMALLINT:
            return at<std::int16_t>(data, row);
        case DUCKDB_TYPE_INTEGER:
            return at<std::int32_t>(data, row);
        case DUCKDB_TYPE_UTINYINT:
            return at<std::uint8_t>(data, row);
        case DUCKDB_TYPE_USMALLINT:
            return at<std::uint16_t>(data, row);
        case DUCKDB_TYPE_UINTEGER:
            return at<std::uint32_t>(data, row);
        default:
            return at<std::int64_t>(data, row);
    }
}

void DuckdbCells::add(const DuckdbVector& vector, std::size_t row, ResultColumn& column) const {
    if (id_ == DUCKDB_TYPE_SQLNULL || vector.is_null(row)) return column.add_null();
    const void* data = vector.data;
    if (is_whole_number_) return column.add_integer(integer(data, row));
    if (id_ == DUCKDB_TYPE_DOUBLE) return column.add_number(at<double>(data, row));
    if (id_ == DUCKDB_TYPE_FLOAT) return column.add_number(widened(at<float>(data, row)));
    if (id_ == DUCKDB_TYPE_VARCHAR && kind_ == ValueKind::text) return column.add_text(text_at(data, row));
    column.add_written([&](std::string& out) {
        if (kind_ == ValueKind::list || kind_ == ValueKind::structure) {
            write_json(vector, row, out);
        } else {
            write_text(data, row, out);
        }
    });
}

/// A cell of a plain type that has no machine type of its own, as people read it.
void DuckdbCells::write_text(const void* data, std::size_t row, std::string& out) const {
    constexpr std::int64_t kMicros = 1'000'000;
    switch (id_) {
        case DUCKDB_TYPE_UBIGINT:
            fmt::format_to(std::back_inserter(out), "{}", at<std::uint64_t>(data, row));
            return;
        case DUCKDB_TYPE_HUGEINT:
            return write_hugeint(at<duckdb_hugeint>(data, row), out);
        case DUCKDB_TYPE_UHUGEINT:
            return write_uhugeint(at<duckdb_uhugeint>(data, row), out);
        case DUCKDB_TYPE_DECIMAL: {
            if (internal_ == DUCKDB_TYPE_HUGEINT) return write_decimal(at<duckdb_hugeint>(data, row), scale_, out);
            const std::int64_t value = integer(data, row);
            return write_decimal({.lower = static_cast<std::uint64_t>(value), .upper = value < 0 ? -1 : 0}, scale_,
                                 out);
        }
        case DUCKDB_TYPE_ENUM:
            out += names_[static_cast<std::size_t>(integer(data, row))];
            return;
        case DUCKDB_TYPE_BLOB:
            return write_blob(text_at(data, row), out);
        case DUCKDB_TYPE_BIT:
            return write_bits(text_at(data, row), out);
        case DUCKDB_TYPE_UUID:
            return write_uuid(at<duckdb_hugeint>(data, row), out);
        case DUCKDB_TYPE_DATE:
            return write_date(at<duckdb_date>(data, row), out);
        case DUCKDB_TYPE_TIME:
            return write_time(at<std::int64_t>(data, row) * 1000, out);
        case DUCKDB_TYPE_TIME_NS:
            return write_time(at<std::int64_t>(data, row), out);
        case DUCKDB_TYPE_TIME_TZ:
            return write_time_tz(at<duckdb_time_tz>(data, row), out);
        case DUCKDB_TYPE_TIMESTAMP_S:
            return write_timestamp(at<std::int64_t>(data, row), 1, out);
        case DUCKDB_TYPE_TIMESTAMP_MS:
            return write_timestamp(at<std::int64_t>(data, row), 1000, out);
        case DUCKDB_TYPE_TIMESTAMP_NS:
            return write_timestamp(at<std::int64_t>(data, row), kMicros * 1000, out);
        case DUCKDB_TYPE_TIMESTAMP:
            return write_timestamp(at<std::int64_t>(data, row), kMicros, out);
        case DUCKDB_TYPE_TIMESTAMP_TZ:
            write_timestamp(at<std::int64_t>(data, row), kMicros, out);
            if (!out.ends_with("infinity")) out += "+00";
            return;
        case DUCKDB_TYPE_INTERVAL:
            return write_interval(at<duckdb_interval>(data, row), out);
        default:
            std::unreachable();
    }
}

void DuckdbCells::write_json(const DuckdbVector& vector, std::size_t row, std::string& out) const {
    if (id_ == DUCKDB_TYPE_SQLNULL || vector.is_null(row)) {
        out += "null";
        return;
    }
    const void* data = vector.data;
    switch (id_) {
        case DUCKDB_TYPE_LIST: {
            const auto& entry = at<duckdb_list_entry>(data, row);
            return write_list(DuckdbVector(duckdb_list_vector_get_child(vector.handle)), entry.offset, entry.length,
                              out);
        }
        case DUCKDB_TYPE_ARRAY:
            return write_list(DuckdbVector(duckdb_array_vector_get_child(vector.handle)), row * array_size_,
                              array_size_, out);
        case DUCKDB_TYPE_STRUCT:
            return write_struct(vector.handle, row, out);
        case DUCKDB_TYPE_MAP:
            return write_map(vector.handle, row, out);
        case DUCKDB_TYPE_UNION:
            return write_union(vector.handle, row, out);
        case DUCKDB_TYPE_BOOLEAN:
            out += at<bool>(data, row) ? "true" : "false";
            return;
        case DUCKDB_TYPE_DOUBLE:
            return write_json_number(at<double>(data, row), out);
        case DUCKDB_TYPE_FLOAT:
            return write_json_number(widened(at<float>(data, row)), out);
        case DUCKDB_TYPE_VARCHAR:
            if (kind_ == ValueKind::structure) {
                write_document(text_at(data, row), out);
            } else {
                write_json_string(text_at(data, row), out);
            }
            return;
        default:
            break;
    }
    if (is_whole_number_) return write_json_integer(integer(data, row), out);
    std::string text;
    write_text(data, row, text);
    if (is_numeric(kind_)) {
        write_json_digits(text, out);
    } else {
        write_json_string(text, out);
    }
}

void DuckdbCells::write_list(const DuckdbVector& items, std::uint64_t begin, std::uint64_t length,
                             std::string& out) const {
    out += '[';
    for (std::uint64_t i = 0; i < length; ++i) {
        if (i > 0) out += ',';
        children_[0].write_json(items, begin + i, out);
    }
    out += ']';
}

void DuckdbCells::write_struct(duckdb_vector vector, std::size_t row, std::string& out) const {
    out += '{';
    for (std::size_t i = 0; i < children_.size(); ++i) {
        if (i > 0) out += ',';
        write_json_string(names_[i], out);
        out += ':';
        children_[i].write_json(DuckdbVector(duckdb_struct_vector_get_child(vector, i)), row, out);
    }
    out += '}';
}

/// A map is kept as a list of pairs. Its keys become texts.
void DuckdbCells::write_map(duckdb_vector vector, std::size_t row, std::string& out) const {
    const auto& entry = at<duckdb_list_entry>(duckdb_vector_get_data(vector), row);
    const auto pairs = duckdb_list_vector_get_child(vector);
    out += '{';
    for (std::uint64_t i = 0; i < entry.length; ++i) {
        if (i > 0) out += ',';
        std::string key;
        children_[0].write_json(DuckdbVector(duckdb_struct_vector_get_child(pairs, 0)), entry.offset + i, key);
        if (key.starts_with('"')) {
            out += key;
        } else {
            write_json_string(key, out);
        }
        out += ':';
        children_[1].write_json(DuckdbVector(duckdb_struct_vector_get_child(pairs, 1)), entry.offset + i, out);
    }
    out += '}';
}

/// A union is kept as a struct: which member it is, then all of them.
void DuckdbCells::write_union(duckdb_vector vector, std::size_t row, std::string& out) const {
    const auto tags = duckdb_struct_vector_get_child(vector, 0);
    const std::size_t member = at<std::uint8_t>(duckdb_vector_get_data(tags), row);
    children_[member].write_json(DuckdbVector(duckdb_struct_vector_get_child(vector, member + 1)), row, out);
}

}  // namespace quaestor::data
