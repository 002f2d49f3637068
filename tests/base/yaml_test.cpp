#include "base/yaml.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace quaestor {

namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// The document as JSON text, or what is wrong with it.
std::string read(std::string_view text) {
    const auto value = parse_yaml(text);
    return value ? to_text(*value) : value.error().describe();
}

Error error_of(std::string_view text) {
    const auto value = parse_yaml(text);
    EXPECT_FALSE(value) << to_text(*value);
    return value ? Error{} : value.error();
}

TEST(Yaml, ReadsMapsListsAndScalarsAsJson) {
    EXPECT_EQ(read("name: demo\nsteps:\n  - plan\n  - {node: report, limit: 3}\n"),
              R"({"name":"demo","steps":["plan",{"node":"report","limit":3}]})");
}

TEST(Yaml, GivesPlainScalarsTheTypeTheyLookLike) {
    EXPECT_EQ(read("[null, ~, true, false]"), "[null,null,true,false]");
    EXPECT_EQ(read("[0, -7, 9223372036854775807, -9223372036854775808]"),
              "[0,-7,9223372036854775807,-9223372036854775808]");
    EXPECT_EQ(read("[1.5, -0.25, 1e3, .5]"), "[1.5,-0.25,1000.0,0.5]");
    EXPECT_EQ(read("a:\nb: ''"), R"({"a":null,"b":""})");
}

TEST(Yaml, LeavesAsTextWhatOnlyResemblesANumber) {
    EXPECT_EQ(read("[1.2.3, 12 m, 0x10, 1_000, +, '-', nan, inf, -inf, 1e999]"),
              R"(["1.2.3","12 m","0x10","1_000","+","-","nan","inf","-inf","1e999"])");
    EXPECT_EQ(read("[yes, no, on, off, True, 2026-01-01]"), R"(["yes","no","on","off","True","2026-01-01"])");
}

TEST(Yaml, KeepsQuotedScalarsAsText) {
    EXPECT_EQ(read(R"(['1', "true", 'null', "1.5", "a\tb"])"), R"(["1","true","null","1.5","a\tb"])");
    EXPECT_EQ(read("!!str 5"), R"("5")");
    EXPECT_EQ(read("text: |\n  12\n"), R"({"text":"12\n"})");
}

TEST(Yaml, TakesKeysAsText) {
    EXPECT_EQ(read("{1: a, true: b, 'c d': e}"), R"({"1":"a","true":"b","c d":"e"})");
}

TEST(Yaml, TakesNothingAsNull) {
    for (const auto* text : {"", "\n\n", "# only a comment\n", "---\n", "~"}) EXPECT_EQ(read(text), "null") << text;
}

TEST(Yaml, KeepsTextBeyondAscii) {
    EXPECT_EQ(read("stadt: Zürich\nकुंजी: 東京\n"), R"({"stadt":"Zürich","कुंजी":"東京"})");
}

TEST(Yaml, FollowsAliases) {
    EXPECT_EQ(read("base: &base {a: 1}\nsame: *base\n"), R"({"base":{"a":1},"same":{"a":1}})");
}

TEST(Yaml, RefusesAKeyThatIsThereTwice) {
    EXPECT_EQ(read("run:\n  a: 1\n  b: 2\n  a: 3\n"), R"(line 4, column 3: "a" is there twice)");
    EXPECT_EQ(read("{1: a, '1': b}"), R"(line 1, column 8: "1" is there twice)");
}

TEST(Yaml, RefusesAKeyThatIsNoScalar) {
    EXPECT_EQ(read("? [a, b]\n: 1\n"), "line 1, column 3: a key must be a word or a number");
}

TEST(Yaml, RefusesASecondDocument) {
    EXPECT_THAT(read("a: 1\n---\nb: 2\n"), HasSubstr("a second document begins"));
    EXPECT_THAT(read("a: 1\n---\nb: 2\n"), StartsWith("line 3, column 1"));
}

TEST(Yaml, SaysLineAndColumnOfASyntaxError) {
    EXPECT_EQ(error_of("a: 1\nb: [1, 2\n").code, Code::invalid_argument);
    EXPECT_THAT(error_of("a: 1\nb: [1, 2\n").message, StartsWith("line 3, column 1: "));
    EXPECT_THAT(error_of("a: 1\n b: 2\n").message, StartsWith("line 2, column 3: "));
    EXPECT_THAT(error_of("a: *nowhere\n").message, StartsWith("line 1, column 4: "));
}

TEST(Yaml, DefusesABombOfAliases) {
    std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i <= 9; ++i) {
        bomb += fmt::format("a{0}: &a{0} [*a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}, *a{1}]\n", i,
                            i - 1);
    }
    const auto error = error_of(bomb);
    EXPECT_EQ(error.code, Code::limit_exceeded);
    EXPECT_THAT(error.message, HasSubstr("more than 100000 values"));
    EXPECT_THAT(error.message, StartsWith("line "));
}

TEST(Yaml, DefusesALongTextThatIsRepeatedByAliases) {
    std::string bomb = "text: &text " + std::string(100'000, 'x') + "\ncopies:\n";
    for (int i = 0; i < 100; ++i) bomb += "  - *text\n";
    const auto error = error_of(bomb);
    EXPECT_EQ(error.code, Code::limit_exceeded);
    EXPECT_THAT(error.message, HasSubstr("bytes of text"));
}

TEST(Yaml, RefusesAListThatHoldsItself) {
    EXPECT_EQ(error_of("a: &a [*a]\n").code, Code::limit_exceeded);
}

TEST(Yaml, BoundsTheDepth) {
    const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    EXPECT_TRUE(parse_yaml(nested(kJsonDepthMax)));
    EXPECT_EQ(error_of(nested(kJsonDepthMax + 2)).code, Code::limit_exceeded);
    EXPECT_THAT(error_of(nested(kJsonDepthMax + 2)).message, HasSubstr("nested more than 128 deep"));
    EXPECT_FALSE(parse_yaml(nested(100'000)));
}

TEST(Yaml, BoundsTheSizeOfTheDocument) {
    const auto error = error_of(std::string(kYamlBytesMax + 1, '#'));
    EXPECT_EQ(error.code, Code::limit_exceeded);
}

TEST(Yaml, TakesAsManyValuesAsItPromises) {
    std::string list = "[0";
    for (std::size_t i = 2; i < kYamlNodesMax; ++i) list += ",0";  // the list itself is a value, too
    EXPECT_TRUE(parse_yaml(list + "]"));
    EXPECT_FALSE(parse_yaml(list + ",0]"));
}

}  // namespace

}  // namespace quaestor
