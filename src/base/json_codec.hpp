// Private to json.hpp: the table of json.hpp as code; which writer and which reader each type goes to.
// Included by json.hpp only.
// Threads: pure functions.
#pragma once

#include "base/clock.hpp"
#include "base/json_reader.hpp"
#include "base/json_types.hpp"
#include "base/json_variant_reader.hpp"
#include "base/json_writer.hpp"

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace quaestor {

template <class T>
json::value encode(const T& value, const json::storage_ptr& storage) {
    using namespace json_codec;
    if constexpr (Hooked<T>) {
        return encode_json(value);
    } else if constexpr (std::same_as<T, Error>) {
        return encode(value);
    } else if constexpr (JsonType<T> || std::same_as<T, bool>) {
        return json::value(value, storage);
    } else if constexpr (Integer<T>) {
        return static_cast<std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>(value);
    } else if constexpr (Floating<T>) {
        return encode_double(static_cast<double>(value), storage);
    } else if constexpr (std::convertible_to<const T&, std::string_view>) {
        return json::string(std::string_view(value), storage);
    } else if constexpr (Enum<T>) {
        return encode_enum(value, storage);
    } else if constexpr (Optional<T>) {
        return value ? encode(*value, storage) : json::value();
    } else if constexpr (Variant<T>) {
        return encode_variant(value, storage);
    } else if constexpr (std::same_as<T, WallTime>) {
        return json::string(to_iso8601_exact(value), storage);
    } else if constexpr (DurationType<T>) {
        return milliseconds(static_cast<std::int64_t>(value.count()), TickLength<T>::num, TickLength<T>::den);
    } else if constexpr (Struct<T>) {
        return encode_struct(value, storage);
    } else if constexpr (StringMap<T>) {
        return encode_map(value, storage);
    } else if constexpr (List<T>) {
        return encode_list(value, storage);
    } else {
        static_assert(kUnsupported<T>, "this type has no look in JSON: describe it, or give it encode_json()");
    }
}

template <class T>
bool json_codec::read(const json::value& in, T& out, Reading& reading) {
    if constexpr (Hooked<T>) {
        auto value = decode_json(std::type_identity<T>(), in);
        if (!value) return reading.problem.because(std::move(value.error()));
        out = std::move(*value);
        return true;
    } else if constexpr (JsonType<T>) {
        return read_json(in, out, reading);
    } else if constexpr (std::same_as<T, bool>) {
        return read_bool(in, out, reading);
    } else if constexpr (Integer<T>) {
        return read_integer(in, out, reading);
    } else if constexpr (Floating<T>) {
        return read_floating(in, out, reading);
    } else if constexpr (std::same_as<T, std::string>) {
        return read_string(in, out, reading);
    } else if constexpr (std::same_as<T, Error>) {
        return read_error(in, out, reading);
    } else if constexpr (Enum<T>) {
        return read_enum(in, out, reading);
    } else if constexpr (Optional<T>) {
        out.reset();
        return in.is_null() || read(in, out.emplace(), reading);
    } else if constexpr (Variant<T>) {
        return read_variant(in, out, reading);
    } else if constexpr (std::same_as<T, WallTime>) {
        return read_time(in, out, reading);
    } else if constexpr (DurationType<T>) {
        return read_duration(in, out, reading);
    } else if constexpr (Struct<T>) {
        return read_struct(in, out, reading);
    } else if constexpr (StringMap<T>) {
        return read_map(in, out, reading);
    } else if constexpr (List<T>) {
        return read_list(in, out, reading);
    } else {
        static_assert(kUnsupported<T>, "this type cannot be read from JSON: describe it, or give it decode_json()");
    }
}

template <class T>
Result<T> decode(const json::value& value, UnknownFields unknown) {
    T out{};
    json_codec::Reading reading{unknown, {}};
    if (!json_codec::read(value, out, reading)) return fail(std::move(reading.problem).error());
    return out;
}

}  // namespace quaestor
