#include "data/kinds.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace quaestor::data {

namespace {

struct NamedKind {
    std::string_view name;
    ValueKind kind;
};

/// By the beginning of the type's name; the first that fits.
constexpr auto kKinds = std::to_array<NamedKind>({
    {"bool", ValueKind::boolean},      {"tinyint", ValueKind::integer},     {"smallint", ValueKind::integer},
    {"interval", ValueKind::interval}, {"int", ValueKind::integer},         {"bigint", ValueKind::integer},
    {"hugeint", ValueKind::integer},   {"utinyint", ValueKind::integer},    {"usmallint", ValueKind::integer},
    {"uinteger", ValueKind::integer},  {"ubigint", ValueKind::integer},     {"uhugeint", ValueKind::integer},
    {"serial", ValueKind::integer},    {"bigserial", ValueKind::integer},   {"oid", ValueKind::integer},
    {"float", ValueKind::number},      {"double", ValueKind::number},       {"real", ValueKind::number},
    {"decimal", ValueKind::decimal},   {"numeric", ValueKind::decimal},     {"money", ValueKind::decimal},
    {"varchar", ValueKind::text},      {"char", ValueKind::text},           {"text", ValueKind::text},
    {"string", ValueKind::text},       {"nvarchar", ValueKind::text},       {"clob", ValueKind::text},
    {"enum", ValueKind::text},         {"name", ValueKind::text},           {"bpchar", ValueKind::text},
    {"citext", ValueKind::text},       {"timestamp", ValueKind::timestamp}, {"datetime", ValueKind::timestamp},
    {"date", ValueKind::date},         {"time", ValueKind::time},           {"blob", ValueKind::blob},
    {"bytea", ValueKind::blob},        {"struct", ValueKind::structure},    {"map", ValueKind::structure},
    {"union", ValueKind::structure},   {"json", ValueKind::structure},
});

}  // namespace

ValueKind kind_of_type(std::string_view type) {
    if (type.ends_with(']')) return ValueKind::list;
    std::string name(type);
    std::ranges::transform(name, name.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    const auto* found =
        std::ranges::find_if(kKinds, [&](const NamedKind& known) { return name.starts_with(known.name); });
    return found == kKinds.end() ? ValueKind::other : found->kind;
}

}  // namespace quaestor::data
