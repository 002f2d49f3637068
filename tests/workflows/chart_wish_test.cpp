#include "workflows/common/chart_wish.hpp"

#include <gtest/gtest.h>

namespace quaestor::workflows {
namespace {

struct Wished {
    const char* question;
    ChartKind kind;
    const char* left;
};

class ChartWishes : public testing::TestWithParam<Wished> {};

TEST_P(ChartWishes, AreFoundAndTheQuestionIsLeft) {
    const auto wish = chart_wish(GetParam().question);
    ASSERT_TRUE(wish) << GetParam().question;
    EXPECT_EQ(wish->kind, GetParam().kind) << GetParam().question;
    EXPECT_EQ(wish->question, GetParam().left);
}

INSTANTIATE_TEST_SUITE_P(
    ChartWish, ChartWishes,
    testing::Values(
        Wished{"Plot the number of games per season as a line chart", ChartKind::line,
               "the number of games per season"},
        Wished{"Show me a bar chart of wins by team in 2024", ChartKind::bar, "wins by team in 2024"},
        Wished{"Draw a pie chart of players by position.", ChartKind::pie, "players by position."},
        Wished{"Can you graph average points per game by season?", ChartKind::any,
               "average points per game by season?"},
        Wished{"Could you please make a histogram of ages?", ChartKind::bar, "ages?"},
        Wished{"Give me a scatter plot of points against rebounds", ChartKind::scatter, "points and rebounds"},
        Wished{"I'd like to see a graph showing revenue by month", ChartKind::any, "revenue by month"},
        Wished{"bar chart of orders per city", ChartKind::bar, "orders per city"},
        Wished{"What was our revenue by month, as bars?", ChartKind::bar, "What was our revenue by month"},
        Wished{"Show revenue by month on a graph please", ChartKind::any, "revenue by month"},
        Wished{"How many orders came in each month? Plot it", ChartKind::any, "How many orders came in each month"},
        Wished{"List orders per city and plot them", ChartKind::any, "List orders per city"},
        Wished{"Visualise sales over time", ChartKind::any, "sales over time"}, Wished{"Plot that", ChartKind::any, ""},
        Wished{"now as a bar chart please", ChartKind::bar, ""}, Wished{"Show it as a line chart", ChartKind::line, ""},
        Wished{"a chart, please", ChartKind::any, ""}, Wished{"Can you draw a graph?", ChartKind::any, ""}));

class NoChartWishes : public testing::TestWithParam<const char*> {};

TEST_P(NoChartWishes, AreLeftAlone) {
    EXPECT_FALSE(chart_wish(GetParam())) << GetParam();
}

INSTANTIATE_TEST_SUITE_P(ChartWish, NoChartWishes,
                         testing::Values("", "Which songs were in the chart in 2020?", "Which song topped the charts?",
                                         "How many games ended in a draw?", "Which films have a twist in the plot?",
                                         "Who draws the biggest crowd?", "Which airline flies the most lines?",
                                         "What is the average bar height?", "Who opened the most bars in Texas?",
                                         "Show the graph databases that were founded after 2010"));

}  // namespace
}  // namespace quaestor::workflows
