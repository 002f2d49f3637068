// Private to json.hpp: the templates that read JSON into C++ types.
// Each read…() fills `out` and returns true, or tells `reading.problem` and returns false with `out` half filled.
// Threads: a Reading belongs to one call.
#pragma once

#include "base/clock.hpp"
#include "base/json.hpp"
#include "base/json_problem.hpp"
#include "base/json_types.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace quaestor::json_codec {

struct Reading {
    UnknownFields unknown;
    Problem problem;
};

/// Whether an object is read as an alternative of a variant, which has a "kind" beside its fields.
enum class KindField { absent, present };

template <class T>
bool read(const json::value& in, T& out, Reading& reading);

bool read_bool(const json::value& in, bool& out, Reading& reading);
bool read_double(const json::value& in, double& out, Reading& reading);
bool read_string(const json::value& in, std::string& out, Reading& reading);
bool read_time(const json::value& in, WallTime& out, Reading& reading);
bool read_error(const json::value& in, Error& out, Reading& reading);
bool read_ticks(const json::value& in, std::int64_t numerator, std::int64_t denominator, std::int64_t& out,
                Reading& reading);

/// The double as a whole number; nothing when it has a fraction or is too large to be exact.
[[nodiscard]] std::optional<std::int64_t> whole(double number);
/// True for an object whose "kind" is `kind`.
[[nodiscard]] bool is_of_kind(const json::value& value, std::string_view kind);
/// The object's kind is none of these, or is missing.
bool unknown_kind(Names kinds, const json::object& object, Reading& reading);
/// True when `value` has the shape() that a type expects.
[[nodiscard]] bool has_shape(const json::value& value, std::string_view shape);
/// False when `object` has a field that is not among `fields`.
bool knows_all(const json::object& object, Names fields, KindField kind, Reading& reading);

/// What T looks like, in the words of an error message.
template <class T>
consteval std::string_view shape() {
    if (std::same_as<T, bool>) return kBoolShape;
    if (Integer<T>) return kWholeNumberShape;
    if (Floating<T> || DurationType<T>) return kNumberShape;
    if (std::same_as<T, std::string> || Enum<T> || std::same_as<T, WallTime>) return kStringShape;
    if (StringMap<T> || Struct<T>) return kObjectShape;
    return List<T> ? kListShape : "another value";
}

/// The names of fields or enumerators.
template <class Descriptors>
inline constexpr auto kNames = [] {
    std::array<std::string_view, boost::mp11::mp_size<Descriptors>::value> names;
    std::size_t count = 0;
    boost::mp11::mp_for_each<Descriptors>([&](auto descriptor) { names[count++] = descriptor.name; });
    return names;
}();

template <class T>
inline constexpr auto kRequiredFields = [] {
    if constexpr (requires { T::kRequired; }) {
        std::array<std::string_view, std::size(T::kRequired)> names;
        std::ranges::copy(T::kRequired, names.begin());
        return names;
    } else {
        return std::array<std::string_view, 0>();
    }
}();

consteval bool contains(Names names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

template <JsonType T>
bool read_json(const json::value& in, T& out, Reading& reading) {
    if constexpr (std::same_as<T, json::value>) {
        out = in;
    } else if constexpr (std::same_as<T, json::object>) {
        if (!in.is_object()) return reading.problem.expected(kObjectShape, in);
        out = in.get_object();
    } else if constexpr (std::same_as<T, json::array>) {
        if (!in.is_array()) return reading.problem.expected(kListShape, in);
        out = in.get_array();
    } else {
        if (!in.is_string()) return reading.problem.expected(kStringShape, in);
        out = in.get_string();
    }
    return true;
}

template <Integer T>
bool read_integer(const json::value& in, T& out, Reading& reading) {
    const auto take = [&](auto number) {
        if (!std::in_range<T>(number)) return false;
        out = static_cast<T>(number);
        return true;
    };
    if (in.is_int64() && take(in.get_int64())) return true;
    if (in.is_uint64() && take(in.get_uint64())) return true;
    if (in.is_double()) {
        const auto number = whole(in.get_double());
        if (number && take(*number)) return true;
    }
    using Limits = std::numeric_limits<T>;
    return reading.problem.expected_whole_number(Limits::min(), Limits::max(), in);
}

template <Floating T>
bool read_floating(const json::value& in, T& out, Reading& reading) {
    double number = 0;
    if (!read_double(in, number, reading)) return false;
    if (std::isfinite(number) && !(std::abs(number) <= static_cast<double>(std::numeric_limits<T>::max()))) {
        return reading.problem.expected("a number of single precision", in);
    }
    out = static_cast<T>(number);
    return true;
}

template <Enum T>
bool read_enum(const json::value& in, T& out, Reading& reading) {
    if (!in.is_string()) return reading.problem.expected(kStringShape, in);
    const std::string_view name = in.get_string();
    using Enumerators = boost::describe::describe_enumerators<T>;
    bool found = false;
    boost::mp11::mp_for_each<Enumerators>([&](auto enumerator) {
        if (found || name != enumerator.name) return;
        out = enumerator.value;
        found = true;
    });
    return found || reading.problem.expected_name(kNames<Enumerators>, name);
}

template <DurationType T>
bool read_duration(const json::value& in, T& out, Reading& reading) {
    std::int64_t ticks = 0;
    if (!read_ticks(in, TickLength<T>::num, TickLength<T>::den, ticks, reading)) return false;
    if (!std::in_range<typename T::rep>(ticks)) return reading.problem.expected("a shorter time", in);
    out = T(static_cast<typename T::rep>(ticks));
    return true;
}

template <Struct T>
bool read_struct(const json::value& in, T& out, Reading& reading, KindField kind = KindField::absent) {
    static_assert(std::ranges::all_of(kRequiredFields<T>, [](auto name) { return contains(kNames<Fields<T>>, name); }),
                  "kRequired names a field that is not there");
    if (!in.is_object()) return reading.problem.expected(kObjectShape, in);
    const json::object& object = in.get_object();
    if (reading.unknown == UnknownFields::refuse && !knows_all(object, kNames<Fields<T>>, kind, reading)) return false;
    bool fits = true;
    boost::mp11::mp_for_each<Fields<T>>([&](auto field) {
        if (!fits) return;
        if (const json::value* value = object.if_contains(field.name)) {
            fits = read(*value, out.*field.pointer, reading) || reading.problem.inside(field.name);
        } else if constexpr (contains(kRequiredFields<T>, decltype(field)::name)) {
            fits = reading.problem.missing_field(field.name);
        }
    });
    return fits;
}

template <StringMap T>
bool read_map(const json::value& in, T& out, Reading& reading) {
    if (!in.is_object()) return reading.problem.expected(kObjectShape, in);
    out.clear();
    for (const auto& [key, value] : in.get_object()) {
        typename T::mapped_type item{};
        if (!read(value, item, reading)) return reading.problem.inside_key(key);
        out.emplace(key, std::move(item));
    }
    return true;
}

template <List T>
bool read_list(const json::value& in, T& out, Reading& reading) {
    if (!in.is_array()) return reading.problem.expected(kListShape, in);
    const json::array& array = in.get_array();
    if constexpr (FixedList<T>) {
        if (array.size() != out.size()) return reading.problem.expected_items(out.size(), array.size());
    } else {
        out.clear();
        if constexpr (requires { out.reserve(array.size()); }) out.reserve(array.size());
    }
    for (std::size_t index = 0; index < array.size(); ++index) {
        typename T::value_type item{};
        if (!read(array[index], item, reading)) return reading.problem.inside_item(index);
        if constexpr (FixedList<T>) {
            out[index] = std::move(item);
        } else {
            out.insert(out.end(), std::move(item));
        }
    }
    return true;
}

}  // namespace quaestor::json_codec
