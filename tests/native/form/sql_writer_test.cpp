#include "data/guard.hpp"
#include "native/form/concerts.hpp"

#include <gmock/gmock.h>

namespace quaestor::native {

namespace {

using data::Dialect;
using testing::ElementsAre;
using testing::HasSubstr;

/// SQLite reads its own statements; hostile_names_test.cpp asks it.
void expect_passes(const std::string& sql, Dialect dialect) {
    data::TableNames names("main");
    names.add("main", "singer");
    names.add("live", "concert");
    const data::Verdict verdict = data::Guard(dialect, names).check(sql);
    EXPECT_TRUE(verdict.ok) << sql << "\n" << (verdict.errors.empty() ? "" : verdict.errors.front().message);
}

std::string where_of(Condition condition, Dialect dialect) {
    Query query{.select = {column(kSingerId)}};
    query.where = std::move(condition);
    const std::string sql = sql_of(query, dialect);
    if (dialect != Dialect::sqlite) expect_passes(sql, dialect);
    return sql.substr(sql.find(" WHERE ") + 7);
}

TEST(SqlWriter, QualifiesTablesOfOtherSchemas) {
    Query query{.select = {column(kSingerName), column(kConcertName)}};
    EXPECT_EQ(sql_of(query, Dialect::postgres),
              "SELECT T1.\"name\" AS \"singer name\", T2.\"name\" AS \"concert name\" FROM \"singer\" AS T1 JOIN "
              "\"live\".\"concert\" AS T2 ON T1.\"id\" = T2.\"singer_id\"");
}

TEST(SqlWriter, NamesResultsSoThatAPersonUnderstandsThem) {
    Query query{.select = {count_rows(), aggregate(Aggregate::avg, column(kAge)),
                           aggregate(Aggregate::count, column(kCountry), true), column(kCountry),
                           aggregate(Aggregate::max, column(kAge)), aggregate(Aggregate::max, column(kAge))}};
    query.group = {column(kCountry)};
    EXPECT_EQ(sql_of(query, Dialect::sqlite),
              "SELECT COUNT(*) AS \"count\", AVG(T1.\"age\") AS \"average age\", COUNT(DISTINCT T1.\"country\") AS "
              "\"count of different country\", T1.\"country\", MAX(T1.\"age\") AS \"highest age\", MAX(T1.\"age\") AS "
              "\"highest age 2\" FROM \"singer\" AS T1 GROUP BY T1.\"country\"");
}

TEST(SqlWriter, WritesPeriodsAsHalfOpenRangesWithTypedDays) {
    EXPECT_EQ(where_of(compare(kHeld, Comparison::equal, "May 2023"), Dialect::postgres),
              "(T2.\"held\" >= DATE '2023-05-01' AND T2.\"held\" < DATE '2023-06-01')");
    EXPECT_EQ(where_of(compare(kHeld, Comparison::equal, "May 2023"), Dialect::sqlite),
              "(T2.\"held\" >= '2023-05-01' AND T2.\"held\" < '2023-06-01')");
    EXPECT_EQ(where_of(compare(kNotedOn, Comparison::greater, "2020"), Dialect::duckdb),
              "T2.\"noted_on\" >= '2021-01-01'");
    EXPECT_EQ(where_of(compare(kHeld, Comparison::less_equal, "2020"), Dialect::duckdb),
              "T2.\"held\" < DATE '2021-01-01'");
    EXPECT_EQ(where_of({Between{column(kHeld), true, Constant{"May"}, Constant{"July 2023"}}}, Dialect::duckdb),
              "NOT (T2.\"held\" >= DATE '2023-05-01' AND T2.\"held\" < DATE '2023-08-01')");
}

TEST(SqlWriter, TakesPartsOfDatesInEveryDialect) {
    const auto part = [](DatePart which, ColumnId of) {
        return Condition{Compare{{PartOf{which, {of, 0}}}, Comparison::equal, Constant{"3"}}};
    };
    EXPECT_EQ(where_of(part(DatePart::year, kHeld), Dialect::duckdb), "EXTRACT(YEAR FROM T2.\"held\") = 3");
    EXPECT_EQ(where_of(part(DatePart::weekday, kHeld), Dialect::postgres), "EXTRACT(ISODOW FROM T2.\"held\") = 3");
    EXPECT_EQ(where_of(part(DatePart::quarter, kNotedOn), Dialect::postgres),
              "EXTRACT(QUARTER FROM CAST(T2.\"noted_on\" AS TIMESTAMP)) = 3");
    EXPECT_EQ(where_of(part(DatePart::quarter, kHeld), Dialect::sqlite),
              "((CAST(strftime('%m', T2.\"held\") AS INTEGER) + 2) / 3) = 3");
    EXPECT_EQ(where_of(part(DatePart::year, kBorn), Dialect::duckdb), "T1.\"born\" = 3");
}

TEST(SqlWriter, DividesRealNumbersAndNeverByZero) {
    const auto ratio = [](Arithmetic operation) {
        return Query{.select = {{Calculation{operation, aggregate(Aggregate::sum, column(kAge)), count_rows()}}}};
    };
    EXPECT_THAT(sql_of(ratio(Arithmetic::divide), Dialect::postgres),
                HasSubstr("(1.0 * SUM(T1.\"age\") / NULLIF(COUNT(*), 0)) AS \"total age per count\""));
    EXPECT_THAT(sql_of(ratio(Arithmetic::percent), Dialect::sqlite), HasSubstr("(100.0 * SUM(T1.\"age\") / COUNT(*))"));
    const Query days{.select = {{Calculation{Arithmetic::minus, column(kHeld), column(kNotedOn)}}}};
    EXPECT_THAT(sql_of(days, Dialect::duckdb),
                HasSubstr("EXTRACT(EPOCH FROM CAST(T1.\"held\" AS TIMESTAMP) - CAST(T1.\"noted_on\" AS TIMESTAMP))"));
}

TEST(SqlWriter, MatchesTextsWithoutTheirMarksMeaningAnything) {
    const auto match = [](TextMatch shape, std::string text) {
        return Condition{Match{column(kSingerName), shape, false, Constant{std::move(text)}}};
    };
    EXPECT_EQ(where_of(match(TextMatch::contains, "50%_\\"), Dialect::sqlite),
              "T1.\"name\" LIKE '%50\\%\\_\\\\%' ESCAPE '\\'");
    EXPECT_EQ(where_of(match(TextMatch::starts_with, "An"), Dialect::duckdb), "T1.\"name\" ILIKE 'An%'");
    EXPECT_EQ(where_of(match(TextMatch::like, "A%n_"), Dialect::postgres), "T1.\"name\" ILIKE 'A%n_'");
    EXPECT_EQ(where_of({Match{column(kAge), TextMatch::ends_with, true, Constant{"3"}}}, Dialect::postgres),
              "CAST(T1.\"age\" AS VARCHAR) NOT ILIKE '%3'");
}

TEST(SqlWriter, SpeaksOfTruthAsTheDialectAndTheColumnDo) {
    EXPECT_EQ(where_of(compare(kIsAlive, Comparison::equal, "yes"), Dialect::sqlite), "T1.\"is_alive\" = 1");
    EXPECT_EQ(where_of(compare(kIsAlive, Comparison::equal, "No"), Dialect::duckdb), "T1.\"is_alive\" = FALSE");
    ValueIndex values;
    values.add(kCountry, "T");
    values.add(kCountry, "F");
    Query query{.select = {column(kSingerId)}};
    query.where = compare(kCountry, Comparison::equal, "yes");
    EXPECT_THAT(written(query, Dialect::duckdb, concerts(), &values)->sql, HasSubstr("T1.\"country\" = 'T'"));
}

TEST(SqlWriter, UsesTheSpellingOfTheDatabaseAndSaysSo) {
    ValueIndex values;
    values.add(kCountry, "Côte d'Ivoire");
    values.add(kCountry, "France");
    const Schema schema = concerts();
    const std::string question = "singers from cote d'ivoire younger than thirty five or from Narnia";
    const std::vector<WordSpan> words = split_words(question);
    const auto word = [&](std::string_view text) {
        const auto found = std::ranges::find_if(
            words, [&](const WordSpan& span) { return question.substr(span.begin, span.end - span.begin) == text; });
        return static_cast<std::size_t>(found - words.begin());
    };
    Query query{.select = {column(kSingerName)}};
    query.where =
        Condition{AllOf{{{Compare{column(kCountry), Comparison::equal, Words{word("cote"), word("ivoire")}}},
                         {Compare{column(kAge), Comparison::less, Words{word("thirty"), word("five")}}},
                         {Compare{column(kCountry), Comparison::unequal, Words{word("Narnia"), word("Narnia")}}}}}};
    const auto sql = write_sql(query, schema, Dialect::duckdb, {question, words, &values}).value();
    EXPECT_THAT(sql.sql,
                HasSubstr("(T1.\"country\" = 'Côte d''Ivoire' AND T1.\"age\" < 35 AND T1.\"country\" != 'Narnia')"));
    ASSERT_EQ(sql.values.size(), 3U);
    EXPECT_EQ(sql.values[0].said, "cote d'ivoire");
    EXPECT_EQ(sql.values[0].column, kCountry);
    EXPECT_EQ(sql.values[0].written.text, "Côte d'Ivoire");
    EXPECT_EQ(sql.values[0].written.certainty, Spelling::Certainty::exact);
    EXPECT_EQ(sql.values[1].written.text, "35");
    EXPECT_EQ(sql.values[2].written.certainty, Spelling::Certainty::unknown);
}

TEST(SqlWriter, TakesColumnsBesideAGroupFromTheRowThatIsMeant) {
    Query known{.select = {column(kSingerName), count_rows()}};
    known.group = {column(kConcertSinger)};
    EXPECT_THAT(sql_of(known, Dialect::postgres), HasSubstr("GROUP BY T2.\"singer_id\", T1.\"name\""));
    EXPECT_THAT(sql_of(known, Dialect::sqlite), testing::EndsWith("GROUP BY T2.\"singer_id\""));
    Query oldest{.select = {column(kSingerName), column(kCountry), aggregate(Aggregate::max, column(kAge))}};
    oldest.group = {column(kCountry)};
    EXPECT_THAT(sql_of(oldest, Dialect::duckdb),
                HasSubstr("ARG_MAX(T1.\"name\", T1.\"age\") AS \"name\", T1.\"country\""));
    EXPECT_THAT(sql_of(oldest, Dialect::postgres),
                HasSubstr("(ARRAY_AGG(T1.\"name\" ORDER BY T1.\"age\" DESC NULLS LAST))[1] AS \"name\""));
}

TEST(SqlWriter, OrdersDifferentRowsByWhatIsNotInThem) {
    Query query{.select = {column(kCountry)}, .distinct = true};
    query.order = {{column(kAge), true}};
    query.limit = Limit{Limit::Kind::first, Constant{"3"}};
    EXPECT_EQ(sql_of(query, Dialect::duckdb),
              "SELECT C0 AS \"country\" FROM (SELECT T1.\"country\" AS C0, T1.\"age\" AS O0 FROM \"singer\" AS T1) AS "
              "listed GROUP BY C0 ORDER BY MAX(O0) DESC LIMIT 3");
}

TEST(SqlWriter, LimitsWithTiesAndToOnePlace) {
    Query query{.select = {column(kSingerName)}};
    query.order = {{column(kAge), true}};
    query.limit = Limit{Limit::Kind::with_ties, Constant{"three"}};
    EXPECT_EQ(sql_of(query, Dialect::postgres),
              "SELECT C0 AS \"name\" FROM (SELECT T1.\"name\" AS C0, RANK() OVER (ORDER BY T1.\"age\" DESC NULLS LAST) "
              "AS place FROM \"singer\" AS T1) AS ranked WHERE place <= 3 ORDER BY place");
    query.limit = Limit{Limit::Kind::nth, Constant{"second"}};
    EXPECT_THAT(sql_of(query, Dialect::sqlite), testing::EndsWith("ORDER BY T1.\"age\" DESC LIMIT 1 OFFSET 1"));
    query.limit = Limit{Limit::Kind::first, Constant{"99999999999999999999999"}};
    EXPECT_THAT(sql_of(query, Dialect::sqlite), testing::EndsWith("LIMIT 1000000000"));
    query.limit = Limit{Limit::Kind::first, Constant{"some"}};
    EXPECT_THAT(sql_of(query, Dialect::sqlite), testing::EndsWith("LIMIT 1"));
}

TEST(SqlWriter, KeepsThePartsOfSetOperationsWhole) {
    Query query{.select = {column(kSingerName)}};
    query.order = {{column(kAge), false}};
    query.limit = Limit{Limit::Kind::first, Constant{"1"}};
    Query other{.select = {column(kConcertName)}};
    other.order = {{column(kConcertName), false}};
    query.combined = Query::Combined{SetOperation::unite, other};
    EXPECT_EQ(sql_of(query, Dialect::postgres),
              "SELECT * FROM (SELECT T1.\"name\" FROM \"singer\" AS T1 ORDER BY T1.\"age\" ASC LIMIT 1) AS part UNION "
              "SELECT T2.\"name\" FROM \"live\".\"concert\" AS T2 ORDER BY 1 ASC");
}

TEST(SqlWriter, RefusesWhatHasNoMeaning) {
    Query outside{.select = {column(kSingerName)}};
    outside.where = Condition{Compare{column(kAge), Comparison::equal, Words{3, 4}}};
    Query orphan{.select = {column(kSingerName)}};
    orphan.where = Condition{Compare{column(kAge), Comparison::equal, OuterColumn{kAge}}};
    Query star{.select = {aggregate(Aggregate::sum, column(0)), column(kAge)}};
    Query no_key{.select = {{ColumnRef{kSingerName, kAge}}}};
    Query nothing{.select = {count_rows()}};
    Query unknown{.select = {column(77)}};
    for (const Query& query : {outside, orphan, star, no_key, nothing, unknown}) {
        const auto sql = written(query, Dialect::duckdb);
        ASSERT_FALSE(sql);
        EXPECT_EQ(sql.error().code, Code::unsupported);
    }
}

}  // namespace

}  // namespace quaestor::native
