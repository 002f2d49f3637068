#include "llm/output_schema.hpp"
#include "llm/structured.hpp"

#include <boost/describe.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quaestor::llm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

enum class QuestionKind { sum, rank, trend };
BOOST_DESCRIBE_ENUM(QuestionKind, sum, rank, trend)

struct Filter {
    std::string column;
    int limit = 0;
};
BOOST_DESCRIBE_STRUCT(Filter, (), (column, limit))

struct Plan {
    QuestionKind kind = QuestionKind::sum;
    std::vector<Filter> filters;
    std::optional<Filter> best;
    std::optional<QuestionKind> other;
    double share = 0;
    bool is_sure = false;
};
BOOST_DESCRIBE_STRUCT(Plan, (), (kind, filters, best, other, share, is_sure))

json::value good() {
    return {{"kind", "sum"},   {"filters", json::array{{{"column", "a"}, {"limit", 1}}}},
            {"best", nullptr}, {"other", nullptr},
            {"share", 1},      {"is_sure", true}};
}

std::vector<std::string> problems(const json::value& value) {
    return schema_problems(value, output_schema<Plan>());
}

json::value with(std::string_view field, json::value value) {
    json::value plan = good();
    plan.as_object()[field] = std::move(value);
    return plan;
}

TEST(SchemaProblemsTest, AreNoneForWhatFits) {
    EXPECT_THAT(problems(good()), IsEmpty());
    EXPECT_THAT(problems(with("best", {{"column", "b"}, {"limit", 2.0}})), IsEmpty());
    EXPECT_THAT(problems(with("other", "rank")), IsEmpty());
    EXPECT_THAT(problems(with("filters", json::array{})), IsEmpty());
}

TEST(SchemaProblemsTest, NameThePath) {
    const json::value filters = json::array{{{"column", "a"}, {"limit", 1}}, {{"column", 7}, {"limit", 1}}};
    EXPECT_THAT(problems(with("filters", filters)), ElementsAre("filters[1].column: expected a string, got 7"));
}

TEST(SchemaProblemsTest, TellAllOfThemAtOnce) {
    const json::value plan = {{"kind", 3}, {"filters", "x"}, {"best", nullptr}, {"other", nullptr}, {"is_sure", 0}};
    EXPECT_THAT(problems(plan),
                UnorderedElementsAre("missing field \"share\"", "kind: expected a string, got 3",
                                     "filters: expected a list, got \"x\"", "is_sure: expected true or false, got 0"));
}

TEST(SchemaProblemsTest, SuggestTheNearestValueOfAnEnum) {
    EXPECT_THAT(problems(with("kind", "ranks")),
                ElementsAre("kind: unknown value \"ranks\" (did you mean \"rank\"? allowed: sum, rank, trend)"));
    EXPECT_THAT(problems(with("other", "trends")), ElementsAre(HasSubstr("did you mean \"trend\"?")));
}

TEST(SchemaProblemsTest, SuggestTheNearestField) {
    EXPECT_THAT(problems(with("shares", 1)),
                ElementsAre(HasSubstr("unknown field \"shares\" (did you mean \"share\"?")));
}

TEST(SchemaProblemsTest, SayWhatIsWrongInsideOfAnOptionalStruct) {
    EXPECT_THAT(problems(with("best", {{"column", "b"}})), ElementsAre("best: missing field \"limit\""));
    EXPECT_THAT(problems(with("best", 5)), ElementsAre("best: expected an object, got 5"));
}

TEST(SchemaProblemsTest, SayThatNullIsAllowedToo) {
    EXPECT_THAT(problems(with("other", 5)), ElementsAre("other: expected a string or null, got 5"));
}

TEST(SchemaProblemsTest, KnowWholeNumbersFromOthers) {
    const json::value filters = json::array{{{"column", "a"}, {"limit", 1.5}}};
    EXPECT_THAT(problems(with("filters", filters)), ElementsAre("filters[0].limit: expected a whole number, got 1.5"));
}

TEST(SchemaProblemsTest, RefuseWhatIsNoObject) {
    EXPECT_THAT(problems(json::array{}), ElementsAre("expected an object, got a list"));
    EXPECT_THAT(problems(nullptr), ElementsAre("expected an object, got null"));
}

TEST(SchemaProblemsTest, AreBoundedInNumber) {
    json::array filters;
    for (int i = 0; i < 1000; ++i) filters.push_back(i);
    EXPECT_THAT(problems(with("filters", filters)), SizeIs(20));
}

}  // namespace
}  // namespace quaestor::llm
