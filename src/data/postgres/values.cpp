#include "data/postgres/values.hpp"

#include "base/json.hpp"
#include "data/postgres/nested.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace quaestor::data::postgres {

namespace {

/// Types within types (arrays of rows of arrays …) that are looked up.
constexpr int kLookupsMax = 16;
/// A modifier counts the bytes of a length word in front of the value.
constexpr int kModifierBase = 4;

constexpr TypeId kBpchar = 1042;
constexpr TypeId kVarchar = 1043;
constexpr TypeId kNumeric = 1700;
constexpr TypeId kRecord = 2249;

struct Builtin {
    TypeId id;
    TypeId array;
    std::string_view name;
    ValueKind kind;
};

constexpr auto kBuiltins = std::to_array<Builtin>({
    {16, 1000, "boolean", ValueKind::boolean},
    {17, 1001, "bytea", ValueKind::blob},
    {18, 1002, "\"char\"", ValueKind::text},
    {19, 1003, "name", ValueKind::text},
    {20, 1016, "bigint", ValueKind::integer},
    {21, 1005, "smallint", ValueKind::integer},
    {22, 1006, "int2vector", ValueKind::other},
    {23, 1007, "integer", ValueKind::integer},
    {25, 1009, "text", ValueKind::text},
    {26, 1028, "oid", ValueKind::integer},
    {30, 1013, "oidvector", ValueKind::other},
    {114, 199, "json", ValueKind::structure},
    {650, 651, "cidr", ValueKind::other},
    {700, 1021, "real", ValueKind::number},
    {701, 1022, "double precision", ValueKind::number},
    {790, 791, "money", ValueKind::other},
    {869, 1041, "inet", ValueKind::other},
    {kBpchar, 1014, "character", ValueKind::text},
    {kVarchar, 1015, "character varying", ValueKind::text},
    {1082, 1182, "date", ValueKind::date},
    {1083, 1183, "time without time zone", ValueKind::time},
    {1114, 1115, "timestamp without time zone", ValueKind::timestamp},
    {1184, 1185, "timestamp with time zone", ValueKind::timestamp},
    {1186, 1187, "interval", ValueKind::interval},
    {1266, 1270, "time with time zone", ValueKind::time},
    {kNumeric, 1231, "numeric", ValueKind::decimal},
    {2950, 2951, "uuid", ValueKind::other},
    {3802, 3807, "jsonb", ValueKind::structure},
});

/// Adds what is known of the type without asking; false when it is nothing.
bool add_builtin(TypeId id, Types& types) {
    if (id == kRecord) {
        types[id] = {.name = "record", .kind = ValueKind::structure, .is_row = true, .fields = {}};
        return true;
    }
    const auto* const own = std::ranges::find(kBuiltins, id, &Builtin::id);
    if (own != kBuiltins.end()) {
        types[id] = {.name = std::string(own->name), .kind = own->kind, .fields = {}};
        return true;
    }
    const auto* const array = std::ranges::find(kBuiltins, id, &Builtin::array);
    if (array == kBuiltins.end()) return false;
    types[id] = {.name = fmt::format("{}[]", array->name), .kind = ValueKind::list, .element = array->id, .fields = {}};
    return add_builtin(array->id, types);
}

constexpr const char* kTypesQuery = R"sql(
SELECT t.oid::int8, pg_catalog.format_type(t.oid, NULL), t.typtype, t.typcategory, t.typelem::int8, t.typbasetype::int8,
       t.typdelim,
       coalesce((SELECT pg_catalog.json_agg(pg_catalog.json_build_array(a.attname, a.atttypid::int8) ORDER BY a.attnum)
                 FROM pg_catalog.pg_attribute a
                 WHERE a.attrelid = t.typrelid AND a.attnum > 0 AND NOT a.attisdropped), '[]')
FROM pg_catalog.pg_type t WHERE t.oid = ANY ($1::pg_catalog.oid[])
)sql";

TypeId type_id_in(std::string_view text) {
    TypeId number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

std::vector<std::pair<std::string, TypeId>> fields_in(std::string_view text) {
    std::vector<std::pair<std::string, TypeId>> fields;
    const auto list = parse_json(text);
    if (!list || !list->is_array()) return fields;
    for (const json::value& field : list->get_array()) {
        const json::array* pair = field.if_array();
        if (pair == nullptr || pair->size() != 2 || !(*pair)[0].is_string() || !(*pair)[1].is_int64()) continue;
        fields.emplace_back((*pair)[0].get_string(), static_cast<TypeId>((*pair)[1].get_int64()));
    }
    return fields;
}

/// A row of kTypesQuery. `base` is set for a domain, which is as the type underneath.
Type read_type(const Rows& rows, std::size_t row, TypeId& base) {
    Type type{.name = std::string(rows.text(row, 1)), .fields = {}};
    const auto form = rows.text(row, 2);
    const auto category = rows.text(row, 3);
    if (!rows.text(row, 6).empty()) type.delimiter = rows.text(row, 6).front();
    if (form == "d") {
        base = type_id_in(rows.text(row, 5));
    } else if (form == "c") {
        type.kind = ValueKind::structure;
        type.is_row = true;
        type.fields = fields_in(rows.text(row, 7));
    } else if (category == "A") {
        type.kind = ValueKind::list;
        type.element = type_id_in(rows.text(row, 4));
    } else if (form == "e" || category == "S") {
        type.kind = ValueKind::text;
    }
    return type;
}

Error no_value(std::string_view what, const std::string& column) {
    return {.code = Code::corrupt,
            .message =
                fmt::format("PostgreSQL sent something that is no {} for the column \"{}\"", what, for_people(column)),
            .hint = "the connection may be damaged; try again",
            .cause = {}};
}

template <class Number>
bool read_number(std::string_view text, Number& number) {
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    return problem == std::errc() && end == text.data() + text.size();
}

std::string upper_hex(std::string_view text) {
    std::string upper(text);
    const auto digits = upper.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(2, upper.size()));
    std::transform(digits, upper.end(), digits,
                   [](char c) { return c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c; });
    return upper;
}

}  // namespace

bool are_builtin(const std::vector<TypeId>& ids) {
    Types ignored;
    return std::ranges::all_of(ids, [&](TypeId id) { return add_builtin(id, ignored); });
}

Answer<Types> learn_types(const std::vector<TypeId>& ids, Connection& connection, const Patience& patience) {
    Types types;
    std::map<TypeId, TypeId> domains;
    std::vector<TypeId> wanted = ids;
    for (int lookup = 0; lookup < kLookupsMax; ++lookup) {
        std::erase_if(wanted, [&](TypeId id) { return id == 0 || types.contains(id) || add_builtin(id, types); });
        if (wanted.empty()) break;
        const auto rows = connection.query(kTypesQuery, {fmt::format("{{{}}}", fmt::join(wanted, ","))}, patience);
        if (!rows) return std::unexpected(rows.error());
        wanted.clear();
        for (std::size_t row = 0; row < rows->size(); ++row) {
            const auto id = type_id_in(rows->text(row, 0));
            TypeId base = 0;
            Type type = read_type(*rows, row, base);
            wanted.push_back(type.element);
            for (const auto& [name, field] : type.fields) wanted.push_back(field);
            if (base != 0) wanted.push_back(domains[id] = base);
            types[id] = std::move(type);
        }
    }
    for (int round = 0; round < kLookupsMax; ++round) {  // domains over domains
        for (const auto& [domain, base] : domains) {
            if (const auto found = types.find(base); found != types.end()) {
                types[domain] = {.name = types[domain].name,
                                 .kind = found->second.kind,
                                 .element = found->second.element,
                                 .delimiter = found->second.delimiter,
                                 .is_row = found->second.is_row,
                                 .fields = found->second.fields};
            }
        }
    }
    return types;
}

std::string name_of(const Type& type, TypeId id, int modifier) {
    if (modifier < kModifierBase) return type.name;
    const int value = modifier - kModifierBase;
    if (id == kBpchar || id == kVarchar) return fmt::format("{}({})", type.name, value);
    if (id != kNumeric) return type.name;
    const int scale = ((value & 0x7ff) ^ 1024) - 1024;  // eleven bits with a sign
    return fmt::format("{}({},{})", type.name, (value >> 16) & 0xffff, scale);
}

Result<> add_value(ResultColumn& column, TypeId id, const Types& types, std::string_view text) {
    switch (column.kind()) {
        case ValueKind::boolean:
            if (text != "t" && text != "f") return fail(no_value("boolean", column.name()));
            column.add_integer(text == "t" ? 1 : 0);
            return {};
        case ValueKind::integer: {
            std::int64_t number = 0;
            if (!read_number(text, number)) return fail(no_value("whole number", column.name()));
            column.add_integer(number);
            return {};
        }
        case ValueKind::number: {
            double number = 0;
            if (!read_number(text, number)) return fail(no_value("number", column.name()));
            column.add_number(number);
            return {};
        }
        case ValueKind::blob:
            column.add_text(upper_hex(text));
            return {};
        case ValueKind::list:
        case ValueKind::structure: {
            const auto json = to_json(id, types, text);
            if (!json) return fail(no_value("list or composite value", column.name()));
            column.add_text(*json);
            return {};
        }
        default:
            column.add_text(text);
            return {};
    }
}

}  // namespace quaestor::data::postgres
