#include "every_kind.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace quaestor {
namespace {

using namespace std::chrono_literals;

template <class T>
std::string text_of(const T& value) {
    return to_text(encode(value));
}

template <class T>
Result<T> read(std::string_view text, UnknownFields unknown = UnknownFields::ignore) {
    return decode<T>(parse_json(text).value(), unknown);
}

struct Settings {
    static constexpr auto kRequired = std::array{"name"};
    std::string name;
    int attempts = 3;
    std::optional<double> factor;
    Named owner{"somebody"};
};
BOOST_DESCRIBE_STRUCT(Settings, (), (name, attempts, factor, owner))

/// A type that looks after itself.
struct Celsius {
    double degrees = 0;
    friend json::value encode_json(const Celsius& value) {
        return json::value(std::to_string(int(value.degrees)) + "C");
    }
    friend Result<Celsius> decode_json(std::type_identity<Celsius>, const json::value& value) {
        if (!value.is_string()) return fail(Code::corrupt, "no temperature", "write 20C");
        return Celsius{std::stod(std::string(std::string_view(value.get_string())))};
    }
};

TEST(Encode, WritesScalarsAsThemselves) {
    EXPECT_EQ(text_of(true), "true");
    EXPECT_EQ(text_of(-7), "-7");
    EXPECT_EQ(text_of(std::uint8_t{200}), "200");
    EXPECT_EQ(text_of(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
    EXPECT_EQ(text_of(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
    EXPECT_EQ(text_of(0.5f), "0.5");
    EXPECT_EQ(text_of(std::string("a\"b")), R"("a\"b")");
    EXPECT_EQ(text_of("literal"), R"("literal")");
    EXPECT_EQ(text_of(std::string_view("view")), R"("view")");
}

TEST(Encode, WritesNumbersThatJsonDoesNotHaveByName) {
    EXPECT_EQ(text_of(NAN), R"("NaN")");
    EXPECT_EQ(text_of(std::numeric_limits<double>::infinity()), R"("Infinity")");
    EXPECT_EQ(text_of(-std::numeric_limits<float>::infinity()), R"("-Infinity")");
}

TEST(Decode, ReadsNumbersThatJsonDoesNotHaveByName) {
    EXPECT_TRUE(std::isnan(decode<double>(json::value("NaN")).value()));
    EXPECT_EQ(decode<double>(json::value("Infinity")).value(), std::numeric_limits<double>::infinity());
    EXPECT_EQ(decode<float>(json::value("-Infinity")).value(), -std::numeric_limits<float>::infinity());
    EXPECT_FALSE(decode<double>(json::value("infinity")));
}

TEST(Encode, WritesEnumsByName) {
    EXPECT_EQ(text_of(Colour::green), R"("green")");
}

TEST(Encode, WritesAnUnnamedEnumValueAsItsNumber) {
    EXPECT_EQ(text_of(static_cast<Colour>(42)), "42");
}

TEST(Encode, LeavesEmptyOptionalFieldsOut) {
    EXPECT_EQ(text_of(Label{"hi", {}}), R"({"text":"hi"})");
    EXPECT_EQ(text_of(Label{"hi", Colour::blue}), R"({"text":"hi","colour":"blue"})");
}

TEST(Encode, WritesEmptyOptionalsElsewhereAsNull) {
    EXPECT_EQ(text_of(std::vector<std::optional<int>>{1, {}, 3}), "[1,null,3]");
    EXPECT_EQ(text_of(std::optional<int>()), "null");
}

TEST(Encode, WritesInheritedFieldsFirst) {
    EXPECT_TRUE(text_of(EveryKind()).starts_with(R"({"name":"nobody","flag":false,)"));
}

TEST(Encode, WritesTheKindOfATaggedAlternativeFirst) {
    EXPECT_EQ(text_of(std::variant<Circle, Label>(Label{"x", {}})), R"({"kind":"label","text":"x"})");
    EXPECT_EQ(text_of(Label{"x", {}}), R"({"text":"x"})");
}

TEST(Encode, WritesOtherAlternativesAsThemselves) {
    using Cell = std::variant<int, std::string, Circle>;
    EXPECT_EQ(text_of(std::vector<Cell>{1, "a", Circle{2}}), R"([1,"a",{"kind":"circle","radius":2.0}])");
}

TEST(Encode, WritesListsAndMaps) {
    EXPECT_EQ(text_of(std::array<int, 3>{1, 2, 3}), "[1,2,3]");
    EXPECT_EQ(text_of(std::set<std::string>{"b", "a"}), R"(["a","b"])");
    EXPECT_EQ(text_of(std::vector<bool>{true, false}), "[true,false]");
    EXPECT_EQ(text_of(std::map<std::string, int>{{"x", 1}, {"y", 2}}), R"({"x":1,"y":2})");
    EXPECT_EQ(text_of(std::vector<int>{}), "[]");
}

TEST(Encode, WritesDurationsInMilliseconds) {
    EXPECT_EQ(text_of(1500ms), "1500");
    EXPECT_EQ(text_of(90s), "90000");
    EXPECT_EQ(text_of(2h), "7200000");
    EXPECT_EQ(text_of(1500us), "1.5");
    EXPECT_EQ(text_of(Duration(3ms)), "3");
    EXPECT_EQ(text_of(Duration(-1ns)), "-1e-06");
}

TEST(Encode, WritesDurationsTooLongForWholeMillisecondsRoughly) {
    EXPECT_EQ(text_of(std::chrono::seconds::max()), "9.223372036854776e+21");
}

TEST(Encode, WritesTimesAsIso8601) {
    EXPECT_EQ(text_of(WallTime(1'767'225'600'123ms)), R"("2026-01-01T00:00:00.123Z")");
    EXPECT_EQ(text_of(WallTime(1us)), R"("1970-01-01T00:00:00.000001Z")");
}

TEST(Encode, LeavesJsonValuesAlone) {
    EXPECT_EQ(text_of(json::value(json::object{{"a", json::array{1, "x"}}})), R"({"a":[1,"x"]})");
    EXPECT_EQ(text_of(json::array{1}), "[1]");
    EXPECT_EQ(text_of(json::string("s")), R"("s")");
}

TEST(Encode, AsksTypesThatLookAfterThemselves) {
    EXPECT_EQ(text_of(std::vector<Celsius>{{20}, {-3}}), R"(["20C","-3C"])");
}

TEST(Decode, KeepsDefaultsOfMissingFields) {
    const auto settings = read<Settings>(R"({"name":"x"})");
    ASSERT_TRUE(settings);
    EXPECT_EQ(settings->attempts, 3);
    EXPECT_FALSE(settings->factor);
    EXPECT_EQ(settings->owner.name, "somebody");
}

TEST(Decode, ReadsNullAsAnEmptyOptional) {
    EXPECT_FALSE(read<Settings>(R"({"name":"x","factor":null})")->factor);
    EXPECT_EQ(read<Settings>(R"({"name":"x","factor":2})")->factor, 2.0);
}

TEST(Decode, ReplacesDefaultContainersInsteadOfAddingToThem) {
    struct Defaults {
        std::vector<int> list{1, 2, 3};
        std::map<std::string, int> map{{"a", 1}};
    };
    using Reading = json_codec::Reading;
    Defaults defaults;
    Reading reading{UnknownFields::ignore, {}};
    EXPECT_TRUE(json_codec::read(json::array{9}, defaults.list, reading));
    EXPECT_TRUE(json_codec::read(json::object{{"b", 2}}, defaults.map, reading));
    EXPECT_EQ(defaults.list, std::vector<int>{9});
    EXPECT_EQ(defaults.map, (std::map<std::string, int>{{"b", 2}}));
}

TEST(Decode, IgnoresUnknownFieldsUnlessToldToRefuse) {
    EXPECT_TRUE(read<Named>(R"({"name":"x","age":7})"));
    EXPECT_FALSE(read<Named>(R"({"name":"x","age":7})", UnknownFields::refuse));
}

TEST(Decode, ReadsNumbersAtTheEdgesOfTheirTypes) {
    EXPECT_EQ(read<std::int8_t>("-128"), -128);
    EXPECT_EQ(read<std::uint64_t>("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(read<std::int64_t>("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(read<double>("18446744073709551615"), 18446744073709551615.0);
    EXPECT_EQ(read<double>("-3"), -3.0);
}

TEST(Decode, ReadsAWholeNumberWrittenWithAPoint) {
    EXPECT_EQ(read<int>("3.0"), 3);
    EXPECT_EQ(read<int>("1e3"), 1000);
    EXPECT_EQ(read<std::int64_t>("9007199254740992.0"), 9007199254740992);
}

TEST(Decode, ReadsUnsignedJsonNumbersThatAProgramMade) {
    EXPECT_EQ(decode<int>(json::value(std::uint64_t{5})), 5);
    EXPECT_EQ(decode<std::chrono::milliseconds>(json::value(std::uint64_t{5})), 5ms);
}

TEST(Decode, ChoosesTheTaggedAlternativeByItsKind) {
    using Shape = std::variant<Circle, Label>;
    EXPECT_EQ(read<Shape>(R"({"text":"x","kind":"label"})"), Shape(Label{"x", {}}));
    EXPECT_EQ(read<Shape>(R"({"kind":"circle"})"), Shape(Circle{1}));
}

TEST(Decode, AllowsTheKindWhenUnknownFieldsAreRefused) {
    using Shape = std::variant<Circle, Label>;
    EXPECT_TRUE(read<Shape>(R"({"kind":"circle","radius":2})", UnknownFields::refuse));
    EXPECT_FALSE(read<Shape>(R"({"kind":"circle","text":"x"})", UnknownFields::refuse));
}

TEST(Decode, TakesTheFirstOtherAlternativeThatFits) {
    using Cell = std::variant<std::int64_t, double, std::string, std::vector<int>>;
    EXPECT_EQ(read<Cell>("3"), Cell(std::int64_t{3}));
    EXPECT_EQ(read<Cell>("3.5"), Cell(3.5));
    EXPECT_EQ(read<Cell>(R"("3")"), Cell("3"));
    EXPECT_EQ(read<Cell>("[3]"), Cell(std::vector<int>{3}));
}

TEST(Decode, MixesTaggedAndOtherAlternatives) {
    using Mixed = std::variant<Label, std::string, std::map<std::string, int>>;
    EXPECT_EQ(read<Mixed>(R"({"kind":"label"})"), Mixed(Label{}));
    EXPECT_EQ(read<Mixed>(R"("plain")"), Mixed("plain"));
    EXPECT_EQ(read<Mixed>(R"({"a":1})"), Mixed(std::map<std::string, int>{{"a", 1}}));
}

TEST(Decode, ReadsDurationsFromMilliseconds) {
    EXPECT_EQ(read<std::chrono::milliseconds>("1500"), 1500ms);
    EXPECT_EQ(read<std::chrono::milliseconds>("1500.0"), 1500ms);
    EXPECT_EQ(read<std::chrono::seconds>("90000"), 90s);
    EXPECT_EQ(read<std::chrono::microseconds>("1.5"), 1500us);
    EXPECT_EQ(read<Duration>("0.000001"), 1ns);
    EXPECT_EQ(read<Duration>("-2.5"), -2500us);
}

TEST(Decode, ReadsSetsFromListsWithRepeats) {
    EXPECT_EQ(read<std::set<int>>("[2,1,2]"), (std::set<int>{1, 2}));
}

TEST(Decode, AsksTypesThatLookAfterThemselves) {
    EXPECT_EQ(read<Celsius>(R"("20C")")->degrees, 20);
}

TEST(ErrorAsJson, LeavesEmptyPartsOut) {
    EXPECT_EQ(text_of(Error{Code::not_found, "no run", "", nullptr}), R"({"code":"not_found","message":"no run"})");
}

TEST(ErrorAsJson, ComesBackWithItsCauses) {
    const Error disk{Code::unavailable, "disk is full", "free some space", nullptr};
    const Error error = Error{Code::conflict, "no", "try", nullptr}.because(disk);
    const Error back = decode_error(encode(error));
    EXPECT_EQ(text_of(back), text_of(error));
    EXPECT_EQ(back.code, Code::conflict);
    EXPECT_EQ(back.advice(), "try");
    EXPECT_EQ(back.cause->code, Code::unavailable);
}

TEST(ErrorAsJson, CanBeAFieldOfAStruct) {
    const auto errors = read<std::vector<Error>>(R"([{"code":"timeout","message":"late"}])");
    EXPECT_EQ(errors->at(0).code, Code::timeout);
    EXPECT_EQ(text_of(*errors), R"([{"code":"timeout","message":"late"}])");
    EXPECT_EQ(read<std::vector<Error>>("[7]").error().message, "[0]: expected an object, got 7");
}

TEST(ErrorAsJson, MakesTheBestOfWhatIsNoError) {
    EXPECT_EQ(decode_error(*parse_json(R"({"code":"new_code","message":7})")).code, Code::internal);
    EXPECT_EQ(decode_error(json::value(7)).message, "unknown error 7");
    EXPECT_FALSE(decode_error(*parse_json(R"({"message":"x","cause":null})")).cause);
}

}  // namespace
}  // namespace quaestor
