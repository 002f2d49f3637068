#include "cli/chart_view.hpp"

#include "base/text.hpp"
#include "cli/chart_plot.hpp"
#include "workflows/common/chart.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quaestor::cli {

namespace {

using testing::HasSubstr;
using testing::Not;
using workflows::ResultTable;

constexpr ChartLook kUnicode{.width = 40, .is_unicode = true};
constexpr ChartLook kAscii{.width = 40, .is_unicode = false};

ResultTable table_with(std::vector<workflows::TableColumn> columns, std::vector<json::array> rows) {
    ResultTable table;
    table.columns = std::move(columns);
    table.row_count = static_cast<std::int64_t>(rows.size());
    table.rows = std::move(rows);
    return table;
}

using data::ValueKind;

/// Drawn from the description that a workflow makes, so that the two understand each other.
std::string drawn(const ResultTable& table, const ChartLook& look, std::string_view question = "") {
    const auto spec = workflows::chart_for(table, question);
    return spec ? draw_chart(*spec, look) : "no chart";
}

bool is_ascii(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

std::size_t widest_line(const std::string& text) {
    std::size_t widest = 0;
    for (const auto& line : text::lines(text)) widest = std::max(widest, text::display_width(line));
    return widest;
}

TEST(BarChart, HasALabelANumberAndABarForEachRow) {
    const auto table = table_with({{"region", ValueKind::text, ""}, {"sales", ValueKind::integer, ""}},
                                  {{"North", 1200}, {"South", 600}, {"West", 0}});
    EXPECT_EQ(drawn(table, kAscii),
              "sales by region\n"
              "North  1,200  ##########################\n"
              "South    600  #############\n"
              "West       0\n");
    EXPECT_EQ(drawn(table, {.width = 24, .is_unicode = true}),
              "sales by region\n"
              "North  1,200  ██████████\n"
              "South    600  █████\n"
              "West       0\n");
}

TEST(BarChart, ShowsEighthsWhereTheLocaleHasSignsForThem) {
    const auto table =
        table_with({{"name", ValueKind::text, ""}, {"share", ValueKind::number, ""}}, {{"a", 1.0}, {"b", 0.55}});
    EXPECT_THAT(drawn(table, {.width = 20, .is_unicode = true}), HasSubstr("b  0.55  ██████"));
    EXPECT_TRUE(is_ascii(drawn(table, kAscii)));
}

TEST(BarChart, GoesToBothSidesOfZero) {
    const auto table =
        table_with({{"team", ValueKind::text, ""}, {"margin", ValueKind::integer, ""}}, {{"Up", 10}, {"Down", -10}});
    EXPECT_EQ(drawn(table, {.width = 31, .is_unicode = false}),
              "margin by team\n"
              "Up     10            ##########\n"
              "Down  -10  ##########\n");
}

TEST(BarChart, TakesExactNumbersThatAreWrittenAsText) {
    const auto table = table_with({{"name", ValueKind::text, ""}, {"amount", ValueKind::decimal, ""}},
                                  {{"a", "12.50"}, {"b", "25.00"}});
    EXPECT_THAT(drawn(table, kAscii), HasSubstr("12.5  #"));
}

TEST(BarChart, LabelsDoNothingToTheTerminalAndLeaveRoomForTheBars) {
    const auto table = table_with({{"name", ValueKind::text, ""}, {"n", ValueKind::integer, ""}},
                                  {{"\x1b[31mred\nline", 2}, {std::string(300, 'x'), 1}});
    const auto chart = drawn(table, kUnicode);
    EXPECT_THAT(chart, Not(HasSubstr("\x1b")));
    EXPECT_EQ(text::lines(chart).size(), 3U);
    EXPECT_LE(widest_line(chart), kUnicode.width);
}

TEST(LineChart, MarksEachYearInItsOrderAndConnectsThem) {
    const auto table = table_with({{"season", ValueKind::integer, ""}, {"points", ValueKind::number, ""}},
                                  {{2023, 30.0}, {2021, 10.0}, {2022, 20.0}});
    EXPECT_EQ(drawn(table, {.width = 24, .is_unicode = false}),
              "points by season\n"
              "   30 +                *\n"
              "      |              ..\n"
              "      |            ..\n"
              "      |          ..\n"
              "      |         .\n"
              "18.89 +       .*\n"
              "      |     ..\n"
              "      |   ..\n"
              "      | ..\n"
              "   10 +*\n"
              "      +-----------------\n"
              "       2021  2022   2023\n");
}

TEST(LineChart, TellsSeriesApartAndNamesThem) {
    const auto table =
        table_with({{"year", ValueKind::integer, ""}, {"team", ValueKind::text, ""}, {"wins", ValueKind::integer, ""}},
                   {{2022, "Lakers", 40}, {2023, "Lakers", 50}, {2022, "Celtics", 50}, {2023, "Celtics", 60}});
    const auto chart = drawn(table, kUnicode);
    EXPECT_THAT(chart, HasSubstr("● Celtics  ▲ Lakers\n"));
    EXPECT_THAT(chart, HasSubstr("└"));
    EXPECT_LE(widest_line(chart), kUnicode.width);
    EXPECT_TRUE(is_ascii(drawn(table, kAscii)));
}

TEST(LineChart, OfOneValueAllAlongIsDrawnToo) {
    const auto table =
        table_with({{"year", ValueKind::integer, ""}, {"n", ValueKind::integer, ""}}, {{2022, 5}, {2023, 5}});
    EXPECT_THAT(drawn(table, kUnicode), HasSubstr("5.5 ┤"));
}

TEST(PointChart, SpreadsItsPointsOverBothAxes) {
    const auto table = table_with({{"height", ValueKind::number, ""}, {"weight", ValueKind::number, ""}},
                                  {{180.0, 80.0}, {190.0, 90.0}, {200.0, 100.0}, {210.0, 110.0}});
    const auto chart = drawn(table, kUnicode, "plot weight against height");
    EXPECT_THAT(chart, HasSubstr("weight by height\n"));
    EXPECT_EQ(std::ranges::count(chart, '\n'), 13);
    EXPECT_THAT(chart, HasSubstr("180"));
    EXPECT_THAT(chart, HasSubstr("210"));
}

TEST(Chart, OfAnotherKindOrWithoutNumbersIsNotDrawn) {
    EXPECT_EQ(draw_chart({}, kUnicode), "");
    const auto spec = parse_json(R"({"mark": {"type": "arc"}, "encoding": {"x": {"field": "a"}, "y": {"field": "b"}},
                                     "data": {"values": [{"a": 1, "b": "c"}]}})");
    EXPECT_EQ(draw_chart(spec->as_object(), kUnicode), "");
    for (const char* values : {"[]", "[1, null]", R"([{"a": "x", "b": "y"}])", R"({"a": 1})"}) {
        auto bars = parse_json(R"({"mark": {"type": "bar"}, "encoding": {"x": {"field": "a"}, "y": {"field": "b"}}})");
        bars->as_object()["data"] = json::object{{"values", *parse_json(values)}};
        EXPECT_EQ(draw_chart(bars->as_object(), kUnicode), "") << values;
    }
}

TEST(ShortNumber, SaysAsMuchAsAnAxisNeeds) {
    EXPECT_EQ(short_number(1234567), "1,234,567");
    EXPECT_EQ(short_number(1234.56), "1,235");
    EXPECT_EQ(short_number(123.456), "123.5");
    EXPECT_EQ(short_number(12.5), "12.5");
    EXPECT_EQ(short_number(0.45678), "0.457");
    EXPECT_EQ(short_number(-0.5), "-0.5");
    EXPECT_EQ(short_number(-0.0), "0");
    EXPECT_EQ(short_number(1e300), "1e+300");
    EXPECT_EQ(short_number(std::numeric_limits<double>::quiet_NaN()), "");
}

TEST(UsesUnicode, GoesByTheFirstVariableThatIsSet) {
    const auto with = [](const char* all, const char* type, const char* language) {
        setenv("LC_ALL", all, 1);
        setenv("LC_CTYPE", type, 1);
        setenv("LANG", language, 1);
        const bool answer = uses_unicode();
        for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) unsetenv(name);
        return answer;
    };
    EXPECT_TRUE(with("", "", "en_US.UTF-8"));
    EXPECT_TRUE(with("C.utf8", "C", "C"));
    EXPECT_FALSE(with("C", "", "en_US.UTF-8"));
    EXPECT_FALSE(with("", "", "de_DE.ISO-8859-1"));
    EXPECT_FALSE(with("", "", ""));
}

}  // namespace

}  // namespace quaestor::cli
