#include "every_kind.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace quaestor {

struct Step {
    static constexpr auto kRequired = std::array{"node"};
    std::string node;
    std::uint8_t attempts = 1;
    std::map<std::string, Circle> circles;
};
BOOST_DESCRIBE_STRUCT(Step, (), (node, attempts, circles))

struct Plan {
    std::vector<Step> steps;
    std::optional<Step> fallback;
    Colour colour = Colour::red;
    std::variant<Circle, Label> shape;
    std::variant<std::int64_t, std::string> cell;
    std::variant<Label, std::string, Step> target;
};
BOOST_DESCRIBE_STRUCT(Plan, (), (steps, fallback, colour, shape, cell, target))

/// Refuses everything, for a reason of its own.
struct Stubborn {
    friend json::value encode_json(const Stubborn&) { return {}; }
    friend Result<Stubborn> decode_json(std::type_identity<Stubborn>, const json::value&) {
        return fail(Code::invalid_argument, "never", "give up");
    }
};

namespace {

/// What decode() says of `text`: "message | hint".
template <class T>
std::string complaint(std::string_view text, UnknownFields unknown = UnknownFields::ignore) {
    const auto value = decode<T>(parse_json(text).value(), unknown);
    if (value) return "no error";
    EXPECT_EQ(value.error().code, Code::invalid_argument);
    return value.error().hint.empty() ? value.error().message : value.error().message + " | " + value.error().hint;
}

TEST(DecodeError, SaysWhatWasExpectedAndWhatCame) {
    EXPECT_EQ(complaint<bool>("1"), "expected true or false, got 1");
    EXPECT_EQ(complaint<int>("true"), "expected a whole number, got true");
    EXPECT_EQ(complaint<double>(R"("1")"), R"(expected a number, got "1")");
    EXPECT_EQ(complaint<std::string>("null"), "expected a string, got null");
    EXPECT_EQ(complaint<std::vector<int>>("{}"), "expected a list, got an object");
    EXPECT_EQ((complaint<std::map<std::string, int>>("[]")), "expected an object, got a list");
    EXPECT_EQ(complaint<Step>("[]"), "expected an object, got a list");
    EXPECT_EQ(complaint<json::object>("1"), "expected an object, got 1");
    EXPECT_EQ(complaint<json::array>("1"), "expected a list, got 1");
    EXPECT_EQ(complaint<json::string>("1"), "expected a string, got 1");
}

TEST(DecodeError, NeverCutsANumber) {
    EXPECT_EQ(complaint<std::uint8_t>("256"), "expected a whole number from 0 to 255, got 256");
    EXPECT_EQ(complaint<std::uint8_t>("-1"), "expected a whole number from 0 to 255, got -1");
    EXPECT_EQ(complaint<std::int8_t>("128"), "expected a whole number from -128 to 127, got 128");
    EXPECT_EQ(complaint<int>("1.5"), "expected a whole number, got 1.5");
    EXPECT_EQ(complaint<std::int64_t>("9223372036854775808"),
              "expected a whole number from -9223372036854775808 to 9223372036854775807, got 9223372036854775808");
    EXPECT_EQ(complaint<std::uint64_t>("-1"), "expected a whole number from 0 to 18446744073709551615, got -1");
    EXPECT_EQ(complaint<std::uint64_t>("18446744073709551616"),
              "expected a whole number from 0 to 18446744073709551615, got 1.8446744073709552e+19");
    EXPECT_EQ(complaint<float>("1e39"), "expected a number of single precision, got 1e+39");
}

TEST(DecodeError, RefusesNullWhereANumberIsExpected) {
    EXPECT_EQ(complaint<double>("null"), "expected a number, got null");
}

TEST(DecodeError, NamesThePath) {
    EXPECT_EQ(complaint<Plan>(R"({"steps":[{"node":"a"},{"node":"b"},{"node":7}]})"),
              "steps[2].node: expected a string, got 7");
    EXPECT_EQ(complaint<Plan>(R"({"fallback":{"node":"a","attempts":300}})"),
              "fallback.attempts: expected a whole number from 0 to 255, got 300");
    EXPECT_EQ(complaint<std::vector<std::vector<int>>>("[[1],[2,\"x\"]]"),
              R"([1][1]: expected a whole number, got "x")");
}

TEST(DecodeError, QuotesMapKeysThatAreNoPlainNames) {
    EXPECT_EQ(complaint<Step>(R"({"node":"a","circles":{"größe":{"radius":"x"}}})"),
              R"(circles.größe.radius: expected a number, got "x")");
    EXPECT_EQ(complaint<Step>(R"({"node":"a","circles":{"a.b":{"radius":"x"}}})"),
              R"(circles["a.b"].radius: expected a number, got "x")");
    EXPECT_EQ((complaint<std::map<std::string, int>>(R"({"":null})")), R"([""]: expected a whole number, got null)");
}

TEST(DecodeError, ShortensWhatItShows) {
    const std::string long_text = '"' + std::string(1000, 'x') + '"';
    EXPECT_EQ(complaint<int>(long_text), "expected a whole number, got \"" + std::string(38, 'x') + "…");
}

TEST(DecodeError, SuggestsTheNearestEnumName) {
    EXPECT_EQ(complaint<Plan>(R"({"colour":"gren"})"),
              R"(colour: unknown value "gren" | did you mean "green"? allowed: red, green, blue)");
    EXPECT_EQ(complaint<Colour>(R"("purple")"), R"(unknown value "purple" | allowed: red, green, blue)");
    EXPECT_EQ(complaint<Colour>("1"), "expected a string, got 1");
}

TEST(DecodeError, NamesMissingFields) {
    EXPECT_EQ(complaint<Plan>(R"({"steps":[{}]})"), R"(steps[0]: missing field "node" | it must be given)");
}

TEST(DecodeError, NamesRefusedFieldsAndTheAllowedOnes) {
    EXPECT_EQ(complaint<Plan>(R"({"steps":[{"nod":"a"}]})", UnknownFields::refuse),
              R"(steps[0]: unknown field "nod" | did you mean "node"? allowed: node, attempts, circles)");
    EXPECT_EQ(complaint<Named>(R"({"age":1})", UnknownFields::refuse), R"(unknown field "age" | allowed: name)");
}

TEST(DecodeError, ExplainsKindsOfVariants) {
    EXPECT_EQ(complaint<Plan>(R"({"shape":{"kind":"lable"}})"),
              R"(shape.kind: unknown value "lable" | did you mean "label"? allowed: circle, label)");
    EXPECT_EQ(complaint<Plan>(R"({"shape":{}})"), R"(shape: missing field "kind" | allowed: circle, label)");
    EXPECT_EQ(complaint<Plan>(R"({"shape":{"kind":7}})"), "shape.kind: expected a string, got 7");
    EXPECT_EQ(complaint<Plan>(R"({"shape":"circle"})"), R"(shape: expected an object, got "circle")");
    EXPECT_EQ(complaint<Plan>(R"({"shape":{"kind":"circle","radius":true}})"),
              "shape.radius: expected a number, got true");
}

TEST(DecodeError, ListsTheShapesOfOtherAlternatives) {
    EXPECT_EQ(complaint<Plan>(R"({"cell":true})"), "cell: expected a whole number or a string, got true");
    EXPECT_EQ((complaint<std::variant<int, std::int64_t, std::vector<int>>>(R"("x")")),
              R"(expected a whole number or a list, got "x")");
}

TEST(DecodeError, ExplainsTheAlternativeOfTheRightShape) {
    EXPECT_EQ(complaint<Plan>(R"({"cell":1.5})"), "cell: expected a whole number, got 1.5");
    EXPECT_EQ(complaint<Plan>(R"({"target":{"kind":"step"}})"),
              R"(target.kind: unknown value "step" | allowed: label)");
    EXPECT_EQ((complaint<std::variant<std::string, Step>>(R"({"node":1})")), "node: expected a string, got 1");
}

TEST(DecodeError, CountsTheItemsOfFixedLists) {
    EXPECT_EQ((complaint<std::array<int, 3>>("[1,2]")), "expected a list of 3 items, got 2");
    EXPECT_EQ((complaint<std::array<int, 3>>("[1,2,null]")), "[2]: expected a whole number, got null");
}

TEST(DecodeError, RefusesDurationsThatDoNotFit) {
    EXPECT_EQ(complaint<std::chrono::milliseconds>("1.5"), "expected a whole number of milliseconds, got 1.5");
    EXPECT_EQ(complaint<std::chrono::seconds>("1500"), "expected a number of milliseconds in steps of 1000, got 1500");
    EXPECT_EQ(complaint<Duration>(R"("1s")"), R"(expected a number of milliseconds, got "1s")");
    EXPECT_EQ(complaint<Duration>("1e300"), "expected a number of milliseconds, got 1e+300");
    EXPECT_EQ(complaint<Duration>("9223372036855"), "expected a number of milliseconds, got 9223372036855");
    EXPECT_EQ((complaint<std::chrono::duration<int, std::milli>>("3000000000")),
              "expected a shorter time, got 3000000000");
}

TEST(DecodeError, RefusesTimesThatAreNone) {
    EXPECT_EQ(complaint<WallTime>(R"("yesterday")"),
              R"(expected a time such as "2026-11-15T02:39:58.123Z", got "yesterday")");
    EXPECT_EQ(complaint<WallTime>("0"), R"(expected a time such as "2026-11-15T02:39:58.123Z", got 0)");
}

TEST(DecodeError, PutsThePathBeforeTheErrorOfATypeThatLooksAfterItself) {
    EXPECT_EQ((complaint<std::map<std::string, Stubborn>>(R"({"mule":1})")), "mule: never | give up");
}

}  // namespace
}  // namespace quaestor
