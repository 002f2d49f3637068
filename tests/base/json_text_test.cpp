#include "base/json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

namespace quaestor {
namespace {

std::string parse_error(std::string_view text) {
    const auto value = parse_json(text);
    return value ? "no error" : value.error().message;
}

TEST(JsonText, ParsesEveryKindOfValue) {
    const auto value = parse_json(R"( {"a": [1, -2, 2.5, true, false, null, "x"], "b": {}} )");
    ASSERT_TRUE(value);
    EXPECT_EQ(to_text(*value), R"({"a":[1,-2,2.5,true,false,null,"x"],"b":{}})");
}

TEST(JsonText, KeepsTheOrderOfFields) {
    EXPECT_EQ(to_text(*parse_json(R"({"z":1,"a":2,"m":3})")), R"({"z":1,"a":2,"m":3})");
}

TEST(JsonText, KeepsWholeNumbersOfSixtyFourBits) {
    for (const char* text : {"0", "-9223372036854775808", "9223372036854775807", "18446744073709551615"}) {
        EXPECT_EQ(to_text(*parse_json(text)), text);
    }
}

TEST(JsonText, ReadsDoublesExactly) {
    for (const double number : {0.1, 1.0 / 3, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 123456789.125,
                                9007199254740993.0, 1e22, 8.5, -0.3}) {
        const auto value = parse_json(to_text(number));
        ASSERT_TRUE(value && value->is_double()) << number;
        EXPECT_EQ(value->get_double(), number);
    }
}

TEST(JsonText, WritesDoublesAsPeopleDo) {
    EXPECT_EQ(to_text(1.0), "1.0");
    EXPECT_EQ(to_text(15.5), "15.5");
    EXPECT_EQ(to_text(100000.0), "100000.0");
    EXPECT_EQ(to_text(-0.0), "-0.0");
    EXPECT_EQ(to_text(1e300), "1e+300");
}

TEST(JsonText, ReadsANumberTooSmallForADoubleAsZero) {
    EXPECT_EQ(parse_json("1e-400")->get_double(), 0.0);
}

TEST(JsonText, WritesNumbersThatJsonDoesNotHaveAsNull) {
    EXPECT_EQ(to_text(json::array{NAN, INFINITY, -INFINITY}), "[null,null,null]");
}

TEST(JsonText, EscapesWhatMustBeEscaped) {
    EXPECT_EQ(to_text("a\"b\\c/\b\f\n\r\t\x01\x7f"), "\"a\\\"b\\\\c/\\b\\f\\n\\r\\t\\u0001\x7f\"");
    EXPECT_EQ(to_text(json::value(std::string_view("\0", 1))), R"("\u0000")");
}

TEST(JsonText, EscapesAtEveryPlaceOfAText) {
    for (const std::string_view special : {"\"", "\\", "\n", "\x1f", "é", "世"}) {
        for (std::size_t place = 0; place < 20; ++place) {
            const std::string text = std::string(place, '!') + std::string(special) + std::string(19 - place, '~');
            EXPECT_EQ(parse_json(to_text(json::value(text)))->as_string(), text);
        }
    }
}

TEST(JsonText, LeavesUnicodeAsItIs) {
    EXPECT_EQ(to_text("héllo 世界 👩‍🚀"), "\"héllo 世界 👩‍🚀\"");
}

TEST(JsonText, ReplacesMalformedUtf8InStringsAndKeys) {
    EXPECT_EQ(to_text("a\xFF\"b\xE4\xB8\"c\xC0\xAF"), "\"a\uFFFD\\\"b\uFFFD\\\"c\uFFFD\uFFFD\"");
    EXPECT_EQ(to_text(json::object{{"\x80", 1}}), "{\"\uFFFD\":1}");
    EXPECT_TRUE(parse_json(to_text("\xED\xA0\x80")));
}

TEST(JsonText, IndentsForPeople) {
    EXPECT_EQ(to_pretty_text(*parse_json(R"({"a":[1,2],"b":{},"c":[],"d":{"e":null}})")), R"({
  "a": [
    1,
    2
  ],
  "b": {},
  "c": [],
  "d": {
    "e": null
  }
})");
}

TEST(JsonText, SaysLineAndColumnOfAMistake) {
    EXPECT_EQ(parse_error("{\"a\": 1,\n \"b\": x}"), "not valid JSON at line 2, column 7: syntax error");
    EXPECT_EQ(parse_error("x"), "not valid JSON at line 1, column 1: syntax error");
}

TEST(JsonText, CountsColumnsInCharacters) {
    EXPECT_EQ(parse_error("[\"äöü\", x]"), "not valid JSON at line 1, column 9: syntax error");
}

TEST(JsonText, SaysWhatIsWrong) {
    EXPECT_EQ(parse_error(""), "not valid JSON at line 1, column 1: the text ends too early");
    EXPECT_EQ(parse_error("[1, 2"), "not valid JSON at line 1, column 6: the text ends too early");
    EXPECT_EQ(parse_error("{} {}"), "not valid JSON at line 1, column 4: something follows after the end of the value");
    EXPECT_EQ(parse_error("1e999"), "not valid JSON at line 1, column 6: the number is too large");
    EXPECT_EQ(parse_json("nope").error().code, Code::invalid_argument);
    EXPECT_FALSE(parse_json("nope").error().hint.empty());
}

TEST(JsonText, RefusesCommentsTrailingCommasAndMalformedUtf8) {
    for (const char* text :
         {"[1,]", "{\"a\":1,}", "// no\n1", "[1 2]", "'a'", "\"\xFF\"", "\"\\ud800\"", "NaN", "01"}) {
        EXPECT_NE(parse_error(text), "no error") << text;
    }
}

TEST(JsonText, BoundsTheDepth) {
    const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    EXPECT_TRUE(parse_json(nested(kJsonDepthMax)));
    EXPECT_EQ(parse_error(nested(kJsonDepthMax + 1)),
              "not valid JSON at line 1, column 129: it is nested deeper than 128 levels");
    EXPECT_FALSE(parse_json(std::string(1'000'000, '[')));
}

TEST(JsonText, TakesTheLastOfTwoEqualFields) {
    EXPECT_EQ(to_text(*parse_json(R"({"a":1,"a":2})")), R"({"a":2})");
}

}  // namespace
}  // namespace quaestor
