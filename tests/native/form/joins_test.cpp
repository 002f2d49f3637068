#include "native/joins.hpp"

#include "native/form/golden_forms.hpp"

#include <gmock/gmock.h>

namespace quaestor::native {

namespace {

json::value encoded(const JoinNode& node) {
    return json::array{node.via, node.table};
}

json::array encoded(const std::vector<JoinStep>& plan) {
    json::array steps;
    for (const JoinStep& step : plan) {
        const json::value there = step.there ? encoded(*step.there) : json::value();
        const json::value on = step.on ? json::array{step.on->first, step.on->second} : json::value();
        steps.push_back(json::array{encoded(step.node), there, on});
    }
    return steps;
}

/// Games with two players, lessons with two, and a tournament; a room that nothing points to.
Schema chess() {
    std::vector<SchemaTable> tables{
        {"", "player", "player"}, {"", "game", "game"}, {"", "tournament", "tournament"}, {"", "room", "room"}};
    std::vector<SchemaColumn> columns{{.name = "*"},
                                      {.table = 0, .name = "id", .is_primary = true},
                                      {.table = 0, .name = "name"},
                                      {.table = 1, .name = "id", .is_primary = true},
                                      {.table = 1, .name = "white_id"},
                                      {.table = 1, .name = "black_id"},
                                      {.table = 1, .name = "tournament_id"},
                                      {.table = 2, .name = "id", .is_primary = true},
                                      {.table = 2, .name = "city"},
                                      {.table = 3, .name = "City"},
                                      {.table = 3, .name = "seats"}};
    return {std::move(tables), std::move(columns), {{4, 1}, {5, 1}, {6, 7}}};
}

TEST(JoinPlan, IsThatOfTheReference) {
    for (const GoldenForm& form : golden().forms) {
        const Query query = form.form();
        const auto plan = join_plan(form.database->schema, columns_in(query), query.tables);
        ASSERT_TRUE(plan) << form.question;
        EXPECT_EQ(to_text(encoded(*plan)), to_text(form.plan)) << form.question;
    }
}

TEST(JoinPlan, GoesThroughTablesThatNoColumnNames) {
    const auto plan = join_plan(chess(), {{2, 0}, {8, 0}}, {}).value();
    EXPECT_EQ(to_text(encoded(plan)), "[[[0,0],null,null],[[0,1],[0,0],[1,4]],[[0,2],[0,1],[6,7]]]");
}

TEST(JoinPlan, ReachesATableOncePerNamedKey) {
    const auto plan = join_plan(chess(), {{2, 4}, {2, 5}}, {}).value();
    EXPECT_EQ(to_text(encoded(plan)), "[[[0,1],null,null],[[4,0],[0,1],[4,1]],[[5,0],[0,1],[5,1]]]");
}

TEST(JoinPlan, JoinsByAColumnOfTheSameNameWhereThereIsNoKey) {
    const auto plan = join_plan(chess(), {{8, 0}, {10, 0}}, {}).value();
    EXPECT_EQ(to_text(encoded(plan)), "[[[0,2],null,null],[[0,3],[0,2],[8,9]]]");
}

TEST(JoinPlan, PutsTablesSideBySideWhereNothingJoinsThem) {
    const auto plan = join_plan(chess(), {{2, 0}, {10, 0}}, {}).value();
    EXPECT_EQ(to_text(encoded(plan)), "[[[0,0],null,null],[[0,3],[0,0],null]]");
}

TEST(JoinPlan, RefusesWhatCannotBeBroughtTogether) {
    const Schema schema = chess();
    const std::vector<std::pair<std::vector<ColumnRef>, std::vector<TableId>>> wrong{
        {{}, {}},        {{{0, 0}}, {}}, {{{2, 6000}}, {}}, {{{99, 0}}, {}}, {{{-1, 0}}, {}},
        {{{2, 10}}, {}}, {{{0, 4}}, {}}, {{{2, 0}}, {7}},   {{{2, 0}}, {-1}}};
    for (const auto& [columns, tables] : wrong) {
        const auto plan = join_plan(schema, columns, tables);
        ASSERT_FALSE(plan);
        EXPECT_EQ(plan.error().code, Code::invalid_argument);
    }
}

TEST(OtherWays, AreTheKeysThatThePlanDidNotTake) {
    const Schema schema = chess();
    const auto others = other_ways(schema, join_plan(schema, {{2, 0}, {3, 0}}, {}).value());
    ASSERT_EQ(others.size(), 1U);
    EXPECT_EQ(others[0].from, 5);
    EXPECT_EQ(others[0].to, 1);
}

TEST(OtherWays, AreNoneWhereTheKeyWasNamedOrOnlyOneIsThere) {
    const Schema schema = chess();
    EXPECT_TRUE(other_ways(schema, join_plan(schema, {{2, 5}}, {}).value()).empty());
    EXPECT_TRUE(other_ways(schema, join_plan(schema, {{3, 0}, {8, 0}}, {}).value()).empty());
    EXPECT_TRUE(other_ways(schema, join_plan(schema, {{2, 0}}, {}).value()).empty());
}

/// Departments with a head, who is a doctor, and doctors with a department.
Schema clinic() {
    std::vector<SchemaTable> tables{{"", "departments", "departments"}, {"", "doctors", "doctors"}};
    std::vector<SchemaColumn> columns{{.name = "*"},
                                      {.table = 0, .name = "dept_id", .words = "department id", .is_primary = true},
                                      {.table = 0, .name = "head_doctor_id", .words = "head doctor id"},
                                      {.table = 1, .name = "doctor_id", .words = "doctor id", .is_primary = true},
                                      {.table = 1, .name = "dept_id", .words = "department id"}};
    return {std::move(tables), std::move(columns), {{2, 3}, {4, 1}}};
}

TEST(JoinPlan, TakesTheKeyThatIsCalledByWhatItLeadsToBeforeARole) {
    const Schema schema = clinic();
    for (const auto& columns : {std::vector<ColumnRef>{{1, 0}, {3, 0}}, std::vector<ColumnRef>{{3, 0}, {1, 0}}}) {
        const auto plan = join_plan(schema, columns, {}).value();
        ASSERT_EQ(plan.size(), 2U);
        EXPECT_TRUE(plan[1].on == std::pair(1, 4) || plan[1].on == std::pair(4, 1));
        EXPECT_TRUE(other_ways(schema, plan).empty());
    }
    const auto by_role = join_plan(schema, {{3, 2}}, {}).value();
    EXPECT_EQ(by_role[1].on, std::pair(2, 3));
}

TEST(ExtraTables, AreThoseThatTheColumnsDoNotBringAlong) {
    Query query{.select = {{ColumnRef{2, 0}}, {ColumnRef{8, 0}}}};
    query.tables = {0, 1, 2, 3, 3};
    EXPECT_THAT(extra_tables(chess(), query), testing::ElementsAre(3));
}

}  // namespace

}  // namespace quaestor::native
