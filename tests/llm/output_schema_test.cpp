#include "llm/output_schema.hpp"

#include "base/clock.hpp"

#include <boost/describe.hpp>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <optional>
#include <set>
#include <vector>

namespace quaestor::llm {
namespace {

enum class Kind { sum, rank, plain };
BOOST_DESCRIBE_ENUM(Kind, sum, rank, plain)
constexpr auto explain(std::type_identity<Kind>) {
    return std::array{Explained{"rank", "the first few of many"}, Explained{"sum", "a total over a time"}};
}

enum class Colour { red, blue };
BOOST_DESCRIBE_ENUM(Colour, red, blue)

struct Inner {
    int count = 0;
};
BOOST_DESCRIBE_STRUCT(Inner, (), (count))

struct Base {
    std::string reasoning;
};
BOOST_DESCRIBE_STRUCT(Base, (), (reasoning))

struct Verdict : Base {
    Kind kind = Kind::sum;
    std::optional<Kind> second;
    std::optional<std::string> note;
    std::optional<Inner> inner;
    std::vector<Inner> many;
    std::optional<std::vector<double>> numbers;
    std::set<std::string> names;
    Colour colour = Colour::red;
    bool is_sure = false;
    std::chrono::milliseconds time{0};
    WallTime when;
    static constexpr auto kExplained =
        std::array{Explained{"kind", "what is asked for"}, Explained{"inner", "what is inside"},
                   Explained{"reasoning", "first think"}, Explained{"time", "how long it took"}};
};
BOOST_DESCRIBE_STRUCT(Verdict, (Base), (kind, second, note, inner, many, numbers, names, colour, is_sure, time, when))

const json::value& property(const json::value& schema, std::string_view name) {
    return schema.at("properties").at(name);
}

TEST(OutputSchemaTest, IsStrictAndKeepsTheOrderOfTheStruct) {
    const json::value schema = output_schema<Verdict>();
    EXPECT_EQ(schema.at("type"), "object");
    EXPECT_EQ(schema.at("additionalProperties"), false);
    const std::string order =
        R"(["reasoning","kind","second","note","inner","many","numbers","names","colour","is_sure","time","when"])";
    EXPECT_EQ(to_text(schema.at("required")), order);
    json::array names;
    for (const auto& field : schema.at("properties").as_object()) names.emplace_back(field.key());
    EXPECT_EQ(to_text(names), order);
}

TEST(OutputSchemaTest, ExplainsFieldsAndTheValuesOfAnEnum) {
    const json::value schema = output_schema<Verdict>();
    EXPECT_EQ(property(schema, "reasoning").at("description"), "first think");
    EXPECT_EQ(property(schema, "kind").at("description"),
              "what is asked for\n- sum : a total over a time\n- rank : the first few of many");
    EXPECT_EQ(property(schema, "second").at("description"),
              "- sum : a total over a time\n- rank : the first few of many");
    EXPECT_FALSE(property(schema, "colour").as_object().contains("description"));
}

TEST(OutputSchemaTest, WritesEnumsByName) {
    const json::value schema = output_schema<Verdict>();
    EXPECT_EQ(to_text(property(schema, "kind").at("enum")), R"(["sum","rank","plain"])");
    EXPECT_EQ(to_text(property(schema, "colour")), R"({"type":"string","enum":["red","blue"]})");
}

TEST(OutputSchemaTest, LetsAnOptionalBeNull) {
    const json::value schema = output_schema<Verdict>();
    EXPECT_EQ(to_text(property(schema, "note")), R"({"type":["string","null"]})");
    EXPECT_EQ(to_text(property(schema, "second").at("type")), R"(["string","null"])");
    EXPECT_EQ(to_text(property(schema, "second").at("enum")), R"(["sum","rank","plain",null])");
    EXPECT_EQ(to_text(property(schema, "numbers")), R"({"type":["array","null"],"items":{"type":"number"}})");
    EXPECT_EQ(to_text(property(schema, "inner")),
              R"({"anyOf":[{"type":"object","properties":{"count":{"type":"integer"}},"required":["count"],)"
              R"("additionalProperties":false},{"type":"null"}],"description":"what is inside"})");
}

TEST(OutputSchemaTest, GoesIntoListsAndOtherTypes) {
    const json::value schema = output_schema<Verdict>();
    EXPECT_EQ(property(schema, "many").at("items").at("additionalProperties"), false);
    EXPECT_EQ(to_text(property(schema, "names")), R"({"type":"array","items":{"type":"string"}})");
    EXPECT_EQ(to_text(property(schema, "is_sure")), R"({"type":"boolean"})");
    EXPECT_EQ(property(schema, "time").at("type"), "integer");
    EXPECT_EQ(property(schema, "time").at("description"), "how long it took\nin milliseconds");
    EXPECT_EQ(property(schema, "when").at("type"), "string");
}

struct Misspelt {
    int count = 0;
    static constexpr auto kExplained = std::array{Explained{"counts", "how many"}};
};
BOOST_DESCRIBE_STRUCT(Misspelt, (), (count))

TEST(OutputSchemaTest, SeesWhileCompilingThatAnExplainedFieldDoesNotExist) {
    static_assert(!schema_of::names_all<json_codec::Fields<Misspelt>>(Misspelt::kExplained));
    static_assert(schema_of::names_all<json_codec::Fields<Verdict>>(Verdict::kExplained));
    static_assert(
        !schema_of::names_all<boost::describe::describe_enumerators<Colour>>(explain(std::type_identity<Kind>())));
}

}  // namespace
}  // namespace quaestor::llm
