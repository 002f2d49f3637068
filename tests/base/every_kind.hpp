// A struct with a field of every kind that the JSON glue knows; for round trips in tests and fuzzing.
// A plain value.
// Threads: nothing to share.
#pragma once

#include "base/clock.hpp"
#include "base/json.hpp"

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

namespace quaestor {

enum class Colour { red, green, blue };
BOOST_DESCRIBE_ENUM(Colour, red, green, blue)

struct Circle {
    static constexpr std::string_view kKind = "circle";
    double radius = 1;
    bool operator==(const Circle&) const = default;
};
BOOST_DESCRIBE_STRUCT(Circle, (), (radius))

struct Label {
    static constexpr std::string_view kKind = "label";
    std::string text;
    std::optional<Colour> colour;
    bool operator==(const Label&) const = default;
};
BOOST_DESCRIBE_STRUCT(Label, (), (text, colour))

struct Named {
    std::string name = "nobody";
    bool operator==(const Named&) const = default;
};
BOOST_DESCRIBE_STRUCT(Named, (), (name))

struct EveryKind : Named {
    bool flag = false;
    std::int8_t small = 0;
    std::int32_t medium = 0;
    std::int64_t large = 0;
    std::uint8_t small_count = 0;
    std::uint64_t large_count = 0;
    float single = 0;
    double real = 0;
    Colour colour = Colour::red;
    std::optional<std::string> note;
    std::vector<Circle> circles;
    std::vector<bool> bits;
    std::deque<std::string> queue;
    std::array<int, 3> triple{};
    std::set<std::string> tags;
    std::map<std::string, std::vector<int>> table;
    std::unordered_map<std::string, std::optional<double>> scores;
    std::variant<Circle, Label> shape;
    std::variant<std::int64_t, double, bool, std::string, std::vector<int>> cell;
    std::variant<Label, std::string> text_or_label;
    std::chrono::seconds whole_seconds{0};
    std::chrono::milliseconds milliseconds{0};
    std::chrono::nanoseconds nanoseconds{0};
    WallTime time;
    json::value any;
    json::object object;
    json::array array;
    bool operator==(const EveryKind&) const = default;
};
BOOST_DESCRIBE_STRUCT(EveryKind, (Named),
                      (flag, small, medium, large, small_count, large_count, single, real, colour, note, circles, bits,
                       queue, triple, tags, table, scores, shape, cell, text_or_label, whole_seconds, milliseconds,
                       nanoseconds, time, any, object, array))

}  // namespace quaestor
