#include "data/sqlite/types.hpp"

#include "data/sqlite/text.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace quaestor::data::sqlite {

namespace {

struct Hint {
    std::string_view part;
    ValueKind kind;
};

/// The first part that a type's name holds decides. INTERVAL would be an integer by SQLite's rules.
constexpr std::array kHints = {
    Hint{"interval", ValueKind::other},      Hint{"bool", ValueKind::boolean}, Hint{"datetime", ValueKind::timestamp},
    Hint{"timestamp", ValueKind::timestamp}, Hint{"date", ValueKind::date},    Hint{"time", ValueKind::time},
    Hint{"int", ValueKind::integer},         Hint{"char", ValueKind::text},    Hint{"clob", ValueKind::text},
    Hint{"text", ValueKind::text},           Hint{"string", ValueKind::text},  Hint{"json", ValueKind::text},
    Hint{"uuid", ValueKind::text},           Hint{"blob", ValueKind::blob},    Hint{"real", ValueKind::number},
    Hint{"floa", ValueKind::number},         Hint{"doub", ValueKind::number},  Hint{"num", ValueKind::number},
    Hint{"dec", ValueKind::number},          Hint{"money", ValueKind::number},
};

/// `pattern` has a 0 for every digit.
bool takes(std::string_view& value, std::string_view pattern) {
    if (value.size() < pattern.size()) return false;
    const auto fits = [](char c, char wanted) { return wanted == '0' ? c >= '0' && c <= '9' : c == wanted; };
    if (!std::ranges::equal(value.substr(0, pattern.size()), pattern, fits)) return false;
    value.remove_prefix(pattern.size());
    return true;
}

bool takes_time(std::string_view& value) {
    if (!takes(value, "00:00")) return false;
    if (takes(value, ":00") && takes(value, ".0")) {
        while (takes(value, "0")) {
        }
    }
    return true;
}

void take_zone(std::string_view& value) {
    if (takes(value, "Z") || !(takes(value, "+00") || takes(value, "-00"))) return;
    if (!takes(value, ":00")) (void)takes(value, "00");
}

}  // namespace

ValueKind kind_of_declared(std::string_view type) {
    const std::string name = lower(type);
    const auto found =
        std::ranges::find_if(kHints, [&](const Hint& hint) { return name.find(hint.part) != std::string::npos; });
    return found == kHints.end() ? ValueKind::other : found->kind;
}

bool looks_like(ValueKind kind, std::string_view value) {
    if (kind != ValueKind::time && !takes(value, "0000-00-00")) return false;
    if (kind == ValueKind::timestamp && !takes(value, " ") && !takes(value, "T")) return false;
    if (kind != ValueKind::date && !takes_time(value)) return false;
    if (kind == ValueKind::timestamp) take_zone(value);
    return value.empty();
}

}  // namespace quaestor::data::sqlite
