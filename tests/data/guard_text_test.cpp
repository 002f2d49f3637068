// SQL as text: where its tokens are, and texts that no case file can hold.
#include "data/guard.hpp"
#include "data/sql_text.hpp"

#include <gmock/gmock.h>

namespace quaestor::data {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Kind = SqlToken::Kind;

std::vector<std::string> texts(std::string_view sql, Dialect dialect = Dialect::duckdb) {
    std::vector<std::string> all;
    for (const auto& token : tokens_of(sql, dialect)) all.emplace_back(token.text);
    return all;
}

TEST(SqlText, SplitsIntoTokensWithTheirPlaces) {
    const auto tokens = tokens_of("SELECT a1, \"b c\" FROM t WHERE x >= 1.5e3", Dialect::duckdb);
    ASSERT_EQ(tokens.size(), 11U);
    EXPECT_EQ(tokens[0].kind, Kind::word);
    EXPECT_EQ(tokens[2].kind, Kind::symbol);
    EXPECT_EQ(tokens[3].kind, Kind::quoted_name);
    EXPECT_EQ(tokens[3].at, 11U);
    EXPECT_EQ(tokens[10].kind, Kind::number);
    EXPECT_EQ(tokens[10].text, "1.5e3");
}

TEST(SqlText, KeepsQuotesWithinQuotes) {
    EXPECT_THAT(texts("'a''b' \"c\"\"d\""), ElementsAre("'a''b'", "\"c\"\"d\""));
    EXPECT_THAT(texts("'a\\' 'b'"), ElementsAre("'a\\'", "'b'"));
    EXPECT_THAT(texts("E'a\\'b' e'\\\\' c"), ElementsAre("E'a\\'b'", "e'\\\\'", "c"));
    EXPECT_THAT(texts("name'x'"), ElementsAre("name", "'x'"));
    EXPECT_THAT(texts("E'a\\'b' c", Dialect::sqlite), ElementsAre("E", "'a\\'", "b", "' c"));
}

TEST(SqlText, KnowsDollarQuotesButNotInNamesNumbersOrSqlite) {
    EXPECT_THAT(texts("$$a;'b$$ $x$ $$ $y$ $x$"), ElementsAre("$$a;'b$$", "$x$ $$ $y$ $x$"));
    EXPECT_THAT(texts("a$$b"), ElementsAre("a$$b"));
    EXPECT_THAT(texts("1$$;$$"), ElementsAre("1", "$$;$$"));
    EXPECT_THAT(texts("$1 $2"), ElementsAre("$", "1", "$", "2"));
    EXPECT_THAT(texts("$$a$$", Dialect::sqlite), ElementsAre("$", "$", "a$$"));
}

TEST(SqlText, LeavesOutCommentsAsEachEngineDoes) {
    EXPECT_THAT(texts("a -- b\nc"), ElementsAre("a", "c"));
    EXPECT_THAT(texts("a -- b\rc"), ElementsAre("a", "c"));
    EXPECT_THAT(texts("a -- b\rc", Dialect::sqlite), ElementsAre("a"));
    EXPECT_THAT(texts("a /* b /* c */ d */ e"), ElementsAre("a", "e"));
    EXPECT_THAT(texts("a /* b /* c */ d", Dialect::sqlite), ElementsAre("a", "d"));
    EXPECT_THAT(texts("a /* b"), ElementsAre("a"));
    EXPECT_THAT(texts("a /*/ b */ c"), ElementsAre("a", "c"));
    EXPECT_THAT(texts("1--1\n-2"), ElementsAre("1", "-", "2"));
}

TEST(SqlText, KnowsTheQuotesOfSqlite) {
    EXPECT_THAT(texts("`a``b` [c d] [", Dialect::sqlite), ElementsAre("`a``b`", "[c d]", "["));
    EXPECT_THAT(texts("[c d]"), ElementsAre("[", "c", "d", "]"));
}

TEST(SqlText, ReachesToTheEndWhereAQuoteIsNotClosed) {
    for (const char* open : {"'a", "\"a", "$$a", "E'a\\"}) EXPECT_THAT(texts(open), ElementsAre(open));
}

TEST(SqlText, CutsOffWhatStandsBehindAStatement) {
    EXPECT_EQ(without_tail("SELECT 1 ; -- x\n; /* y */ ", Dialect::duckdb), "SELECT 1");
    EXPECT_EQ(without_tail("SELECT ';' -- ;", Dialect::duckdb), "SELECT ';'");
    EXPECT_EQ(without_tail(" -- nothing", Dialect::duckdb), "");
    EXPECT_EQ(without_tail("SELECT '--'", Dialect::postgres), "SELECT '--'");
}

TEST(SqlText, ShowsNoControlCharacters) {
    EXPECT_EQ(printable("a\x1b[2J\n\tb\x7f c ü"), "a [2J  b  c ü");
}

class GuardOnText : public testing::Test {
protected:
    [[nodiscard]] Verdict check(std::string_view sql) const { return Guard(Dialect::duckdb, tables_).check(sql); }
    [[nodiscard]] static Problem::Code code_of(const Verdict& verdict) {
        return verdict.errors.empty() ? Problem::Code::select_star : verdict.errors[0].code;
    }

    TableNames tables_ = TableNames::parse("orders");
};

TEST_F(GuardOnText, RefusesAZeroByteWhereverItStands) {
    using namespace std::string_view_literals;
    for (const auto sql : {"SELECT 1\0; DROP TABLE orders"sv, "\0SELECT 1"sv, "SELECT '\0'"sv}) {
        const Verdict verdict = check(sql);
        EXPECT_EQ(code_of(verdict), Problem::Code::syntax);
        EXPECT_EQ(verdict.errors[0].at, sql.find('\0'));
    }
}

TEST_F(GuardOnText, RefusesWhatIsNotUtf8) {
    EXPECT_EQ(code_of(check("SELECT '\xff'")), Problem::Code::syntax);
    EXPECT_EQ(code_of(check("SELECT '\xc0\xa7; DROP TABLE orders --'")), Problem::Code::syntax);
}

TEST_F(GuardOnText, ReadsPastAByteOrderMark) {
    const Verdict verdict = check("\xef\xbb\xbfSELECT id FROM orders");
    EXPECT_TRUE(verdict.ok);
    EXPECT_EQ(code_of(check("\xef\xbb\xbf"
                            "DROP TABLE orders")),
              Problem::Code::not_a_query);
}

TEST_F(GuardOnText, EndsACommentAtACarriageReturnAsDuckdbDoes) {
    const Verdict stacked = check("SELECT 1 -- \rFROM orders; DROP TABLE orders");
    EXPECT_EQ(code_of(stacked), Problem::Code::several_statements);
    const Verdict whole = check("SELECT id -- \rFROM orders");
    EXPECT_THAT(whole.sql, HasSubstr("FROM orders"));
    EXPECT_THAT(whole.tables, ElementsAre("orders"));
}

TEST_F(GuardOnText, IsNotMisledByUnicodeSpaces) {
    EXPECT_EQ(code_of(check("SELECT\u00a01\u3000;\u2003DROP\u00a0TABLE orders")), Problem::Code::several_statements);
    EXPECT_TRUE(check("SELECT\u00a0id\u2003FROM\u3000orders").ok);
}

TEST_F(GuardOnText, TellsNoMoreThanAFewProblems) {
    std::string sql = "SELECT 1 FROM a0";
    for (int i = 1; i < 400; ++i) sql += ", a" + std::to_string(i);
    const Verdict verdict = check(sql);
    EXPECT_FALSE(verdict.ok);
    EXPECT_LE(verdict.errors.size(), 20U);
}

TEST_F(GuardOnText, NamesEachTableColumnAndFunctionOnce) {
    const Verdict verdict =
        check("SELECT a, o.a, o.b, sum(a), SUM(b) FROM orders o, orders p WHERE p.b = o.b ORDER BY a");
    EXPECT_THAT(verdict.tables, ElementsAre("orders"));
    EXPECT_THAT(verdict.columns, ElementsAre("a", "orders.a", "orders.b", "b"));
    EXPECT_THAT(verdict.functions, ElementsAre("sum"));
}

TEST_F(GuardOnText, KnowsParametersOfLambdasFromColumns) {
    const Verdict verdict =
        check("SELECT list_transform(l, lambda x: x + y), doc -> 'part', list_filter(l, z -> z > w) FROM orders");
    EXPECT_THAT(verdict.columns, ElementsAre("l", "y", "doc", "w"));
}

TEST_F(GuardOnText, AdmitsOnlyWhatIsWellAndTellsWhyNot) {
    const Guard guard(Dialect::duckdb, tables_, 5);
    const auto admitted = guard.admit(guard.check("SELECT id FROM orders"));
    ASSERT_TRUE(admitted.has_value());
    EXPECT_EQ(admitted->text(), "SELECT id FROM orders\nLIMIT 6");
    EXPECT_EQ(guard.admit(guard.check("DROP TABLE orders")).error().code, Code::permission_denied);
    EXPECT_EQ(guard.admit(guard.check("SELECT id FROM oders")).error().code, Code::invalid_argument);
    EXPECT_THAT(guard.admit(guard.check("SELECT id FROM oders")).error().hint, HasSubstr("orders"));
}

}  // namespace

}  // namespace quaestor::data
