#include "native/form/concerts.hpp"

#include <gmock/gmock.h>

namespace quaestor::native {

namespace {

using testing::HasSubstr;

Query read(const std::string& sql) {
    const auto query = read_sql(sql, concerts());
    EXPECT_TRUE(query) << sql << "\n" << query.error().describe();
    return query ? *query : Query{};
}

Condition where_in(const std::string& condition) {
    return read("SELECT name FROM singer WHERE " + condition).where.value_or(Condition{AllOf{}});
}

TEST(SqlReader, FindsColumnsByAliasOrAlone) {
    const Query expected{.select = {column(kSingerName), column(kHeld)}};
    EXPECT_EQ(read("select T1.name, held from singer as T1 join concert as T2 on T1.id = T2.singer_id"), expected);
    EXPECT_EQ(read("SELECT s.NAME, c.held FROM singer s INNER JOIN \"live\".\"concert\" c ON c.singer_id = s.id;"),
              expected);
}

TEST(SqlReader, KeepsOnlyTablesThatNoColumnBringsAlong) {
    const Query query = read("SELECT count(*) FROM singer JOIN concert ON singer.id = concert.singer_id WHERE age > 3");
    EXPECT_THAT(query.tables, testing::ElementsAre(1));
    EXPECT_TRUE(read("SELECT name FROM singer").tables.empty());
}

TEST(SqlReader, ReadsEveryTest) {
    EXPECT_EQ(where_in("age <> 3"), compare(kAge, Comparison::unequal, "3"));
    EXPECT_EQ(where_in("age > = -2.5"), compare(kAge, Comparison::greater_equal, "-2.5"));
    EXPECT_EQ(where_in("country = \"France\""), compare(kCountry, Comparison::equal, "France"));
    EXPECT_EQ(where_in("country = 'Côte d''Ivoire'"), compare(kCountry, Comparison::equal, "Côte d'Ivoire"));
    EXPECT_EQ(where_in("is_alive = TRUE"), compare(kIsAlive, Comparison::equal, "1"));
    EXPECT_EQ(where_in("age IS NOT NULL"), (Condition{IsNull{column(kAge), true}}));
    EXPECT_EQ(where_in("age NOT IN (1, 2)"),
              (Condition{Among{column(kAge), true, std::vector<Value>{Constant{"1"}, Constant{"2"}}}}));
    EXPECT_EQ(where_in("age NOT BETWEEN 1 AND 5"),
              (Condition{Between{column(kAge), true, Constant{"1"}, Constant{"5"}}}));
    const Condition outer{Compare{column(kVisitors), Comparison::less, OuterColumn{kAge}}};
    for (const std::string inner : {"visitors < age", "singer.age > visitors"}) {
        const Condition in = where_in("id IN (SELECT singer_id FROM concert WHERE " + inner + ")");
        EXPECT_EQ(std::get<Subquery>(std::get<Among>(in.node).members).query->where, outer) << inner;
    }
}

TEST(SqlReader, ReadsPatternsByTheirShape) {
    const auto match = [](TextMatch shape, std::string text, bool negated = false) {
        return Condition{Match{column(kSingerName), shape, negated, Constant{std::move(text)}}};
    };
    EXPECT_EQ(where_in("name LIKE '%an%'"), match(TextMatch::contains, "an"));
    EXPECT_EQ(where_in("name NOT ILIKE 'an%'"), match(TextMatch::starts_with, "an", true));
    EXPECT_EQ(where_in("name LIKE '%an'"), match(TextMatch::ends_with, "an"));
    EXPECT_EQ(where_in("name LIKE 'an'"), match(TextMatch::like, "an"));
    EXPECT_EQ(where_in("name LIKE '%a_n%'"), match(TextMatch::like, "%a_n%"));
    EXPECT_EQ(where_in("name LIKE '%50\\%%' ESCAPE '\\'"), match(TextMatch::contains, "50%"));
    EXPECT_EQ(where_in("name LIKE '%'"), match(TextMatch::contains, ""));
}

TEST(SqlReader, GroupsConditionsAsBracketsAndPrecedenceSay) {
    const Condition a = compare(kAge, Comparison::equal, "1");
    const Condition b = compare(kAge, Comparison::equal, "2");
    const Condition c = compare(kAge, Comparison::equal, "3");
    EXPECT_EQ(where_in("age = 1 OR age = 2 AND age = 3"), (Condition{AnyOf{{a, Condition{AllOf{{b, c}}}}}}));
    EXPECT_EQ(where_in("((age = 1 OR age = 2)) AND age = 3"), (Condition{AllOf{{Condition{AnyOf{{a, b}}}, c}}}));
    EXPECT_EQ(where_in("age = 1 AND (age = 2 AND age = 3)"), (Condition{AllOf{{a, b, c}}}));
    EXPECT_EQ(where_in("NOT (age = 1 OR age = 2)"), (Condition{NotThat{Condition{AnyOf{{a, b}}}}}));
    EXPECT_EQ(where_in("(age) = 1"), a);
}

TEST(SqlReader, ReadsDatePartsOfAllDialectsAlike) {
    const Expression year{PartOf{DatePart::year, {kHeld, 0}}};
    for (const std::string sql : {"EXTRACT(YEAR FROM held)", "CAST(strftime('%Y', held) AS INTEGER)", "year(held)",
                                  "date_part('year', concert.held)", "EXTRACT(year FROM CAST(held AS TIMESTAMP))"}) {
        EXPECT_EQ(read("SELECT " + sql + " FROM concert").select.front(), year) << sql;
    }
}

TEST(SqlReader, ReadsDaysUpToADayAsTheirPeriod) {
    const auto held = [](const std::string& text) {
        return read("SELECT id FROM concert WHERE " + text).where.value();
    };
    EXPECT_EQ(held("(held >= '2021-01-01' AND held < '2022-01-01')"), compare(kHeld, Comparison::equal, "2021"));
    EXPECT_EQ(held("(held >= DATE '2023-05-01' AND held < DATE '2023-06-01')"),
              compare(kHeld, Comparison::equal, "2023-05"));
    EXPECT_EQ(held("NOT (held >= '2023-04-01' AND held < '2023-07-01')"),
              compare(kHeld, Comparison::unequal, "Q2 2023"));
    EXPECT_EQ(held("(held >= '2023-04-02' AND held < '2024-03-01')"),
              (Condition{Between{column(kHeld), false, Constant{"2023-04-02"}, Constant{"2024-02-29"}}}));
}

TEST(SqlReader, ReadsCalculationsWithTheirPrecedence) {
    const Expression age = column(kAge);
    const Expression born = column(kBorn);
    const Expression product{Calculation{Arithmetic::multiply, age, born}};
    EXPECT_EQ(read("SELECT born + age * born FROM singer").select.front(),
              (Expression{Calculation{Arithmetic::plus, born, product}}));
    EXPECT_EQ(read("SELECT (1.0 * age / NULLIF(born, 0)) FROM singer").select.front(),
              (Expression{Calculation{Arithmetic::divide, age, born}}));
    EXPECT_EQ(read("SELECT age * 100.0 / born FROM singer").select.front(),
              (Expression{Calculation{Arithmetic::percent, age, born}}));
}

TEST(SqlReader, OrdersByNamesAndPlacesOfResults) {
    const Query expected = read("SELECT country, COUNT(*) FROM singer GROUP BY country ORDER BY COUNT(*) DESC");
    EXPECT_EQ(read("SELECT country, COUNT(*) AS n FROM singer GROUP BY country ORDER BY n DESC"), expected);
    EXPECT_EQ(read("SELECT country, COUNT(*) AS \"n\" FROM singer GROUP BY country ORDER BY 2 DESC NULLS LAST"),
              expected);
}

TEST(SqlReader, SaysWhatItCannotHold) {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"SELECT name FROM singer LEFT JOIN concert ON singer.id = concert.singer_id", "without a partner"},
        {"SELECT name FROM singer UNION ALL SELECT name FROM concert", "keeps equal rows"},
        {"SELECT s.name FROM singer s JOIN concert c ON s.age = c.visitors", "keys of the tables do not imply"},
        {"SELECT s.name FROM singer s CROSS JOIN concert c", "side by side"},
        {"SELECT name FROM singer s JOIN singer t ON s.id = t.id", "same table twice"},
        {"SELECT name FROM (SELECT name FROM singer) x", "query in FROM"},
        {"SELECT lower(name) FROM singer", "lower"},
        {"SELECT height FROM singer", "height"},
        {"SELECT name FROM band", "band"},
        {"SELECT x.name FROM singer", "which is not there"},
        {"SELECT age + 5 FROM singer", "\"5\""},
        {"SELECT name FROM singer LIMIT 5 OFFSET 5", "offset"},
        {"SELECT name FROM singer WHERE EXISTS (SELECT id FROM concert)", "EXISTS"},
        {"SELECT name FROM singer WHERE name = 'open", "quote"},
        {"SELECT name FROM singer; DROP TABLE singer", "\";\""},
        {"SELECT name FROM singer -- all", "\"-\""},
        {"SELECT 1", "no table"},
        {"", "too early"},
        {"DELETE FROM singer", "DELETE"},
        {"SELECT name FROM singer WHERE", "too early"},
        {"SELECT name FROM singer WHERE name = $1", "the sign $"},
    };
    for (const auto& [sql, reason] : cases) {
        const auto query = read_sql(sql, concerts());
        ASSERT_FALSE(query) << sql;
        EXPECT_EQ(query.error().code, Code::unsupported);
        EXPECT_THAT(query.error().message, HasSubstr(reason)) << sql;
    }
}

TEST(SqlReader, IsBoundedInDepthAndLength) {
    const auto nested = [](std::size_t depth) {
        return "SELECT " + std::string(depth, '(') + "age" + std::string(depth, ')') + " FROM singer";
    };
    EXPECT_TRUE(read_sql(nested(10), concerts()));
    EXPECT_FALSE(read_sql(nested(20'000), concerts()));
    std::string conditions = "SELECT age FROM singer WHERE ";
    for (int at = 0; at < 10'000; ++at) conditions += "NOT (";
    EXPECT_FALSE(read_sql(conditions, concerts()));
    EXPECT_FALSE(read_sql(std::string(1 << 20, ' ') + "SELECT age FROM singer", concerts()));
}

}  // namespace

}  // namespace quaestor::native
