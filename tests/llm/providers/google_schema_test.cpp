#include "llm/providers/google_schema.hpp"

#include <gtest/gtest.h>

namespace quaestor::llm {
namespace {

std::string converted(std::string_view schema) {
    return to_text(google_schema(parse_json(schema).value().get_object()));
}

TEST(GoogleSchema, ObjectsLoseAdditionalPropertiesAndSayTheirOrder) {
    EXPECT_EQ(converted(R"({"type":"object","properties":{"b":{"type":"string"},"a":{"type":"integer"}},
                            "required":["b","a"],"additionalProperties":false})"),
              R"({"type":"OBJECT","required":["b","a"],"properties":{"b":{"type":"STRING"},"a":{"type":"INTEGER"}},)"
              R"("propertyOrdering":["b","a"]})");
}

TEST(GoogleSchema, ANullTypeMakesItNullable) {
    EXPECT_EQ(converted(R"({"type":["string","null"],"description":"d"})"),
              R"({"nullable":true,"type":"STRING","description":"d"})");
    EXPECT_EQ(converted(R"({"anyOf":[{"type":"number"},{"type":"null"}]})"), R"({"nullable":true,"type":"NUMBER"})");
    EXPECT_EQ(converted(R"({"type":["string","null"],"enum":["a",null]})"),
              R"({"nullable":true,"type":"STRING","enum":["a"]})");
}

TEST(GoogleSchema, SeveralTypesBecomeAlternatives) {
    EXPECT_EQ(converted(R"({"type":["string","integer","null"]})"),
              R"({"nullable":true,"anyOf":[{"type":"STRING"},{"type":"INTEGER"}]})");
    EXPECT_EQ(converted(R"({"anyOf":[{"type":"string"},{"type":"boolean"}]})"),
              R"({"anyOf":[{"type":"STRING"},{"type":"BOOLEAN"}]})");
}

TEST(GoogleSchema, ListsAreConvertedInside) {
    EXPECT_EQ(converted(R"({"type":"array","maxItems":3,"items":{"type":"object","properties":{"x":{"type":"null"}},
                            "additionalProperties":false}})"),
              R"({"type":"ARRAY","maxItems":3,"items":{"type":"OBJECT","properties":{"x":{"type":"NULL"}},)"
              R"("propertyOrdering":["x"]}})");
}

TEST(GoogleSchema, WhatTheyDoNotKnowIsLeftOut) {
    EXPECT_EQ(converted(R"({"$schema":"x","type":"integer","enum":[1,2],"const":1,"multipleOf":2})"),
              R"({"type":"INTEGER"})");
}

}  // namespace
}  // namespace quaestor::llm
