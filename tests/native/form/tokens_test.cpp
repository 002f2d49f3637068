#include "native/form/golden_forms.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace quaestor::native {

namespace {

std::vector<FormToken> tokens_in(const std::string& line) {
    std::vector<FormToken> tokens;
    std::istringstream words(line);
    for (std::string word; words >> word;) tokens.push_back(token_of(word));
    return tokens;
}

TEST(FormTokens, ComeBackAsTheyWereForEveryFormOfTheReference) {
    for (const GoldenForm& form : golden().forms) {
        const auto query = form_of(form.tokens);
        ASSERT_TRUE(query) << line_of(form.tokens);
        EXPECT_EQ(line_of(tokens_of(*query, form.database->schema).value()), line_of(form.tokens));
    }
}

TEST(FormTokens, AreThoseOfTheReferenceForRandomForms) {
    for (const GoldenWalk& walk : golden().walks) {
        if (walk.again.empty()) continue;
        const auto query = form_of(walk.tokens);
        ASSERT_TRUE(query) << line_of(walk.tokens);
        const auto again = tokens_of(*query, golden().databases.front()->schema).value();
        EXPECT_EQ(line_of(again), line_of(walk.again)) << line_of(walk.tokens);
        const auto query_again = form_of(again);
        ASSERT_TRUE(query_again);
        EXPECT_EQ(line_of(tokens_of(*query_again, golden().databases.front()->schema).value()), line_of(again));
    }
}

TEST(FormTokens, GiveTheTreeThatTheyMean) {
    const Query query =
        form_of(tokens_in("SELECT c2 WHERE c3 > w4 w5 AND OPEN c6 = V:1 OR c6 ISNULL CLOSE END")).value();
    const auto& all = std::get<AllOf>(query.where->node);
    ASSERT_EQ(all.parts.size(), 2U);
    const auto& compare = std::get<Compare>(all.parts[0].node);
    EXPECT_EQ(compare.comparison, Comparison::greater);
    EXPECT_EQ(std::get<Words>(compare.right), (Words{4, 5}));
    const auto& any = std::get<AnyOf>(all.parts[1].node);
    EXPECT_EQ(std::get<Constant>(std::get<Compare>(any.parts[0].node).right).text, "1");
    EXPECT_FALSE(std::get<IsNull>(any.parts[1].node).negated);
}

TEST(FormTokens, AreRefusedWhenTheyAreNoForm) {
    for (const std::string line :
         {"", "SELECT", "SELECT END", "SELECT c1", "SELECT c1 END END", "c1 END", "SELECT c1 WHERE c2 = END",
          "SELECT c1 WHERE c2 = w5 w4 END", "SELECT c1 WHERE c2 = w1 w11 END", "SELECT c1 LIMIT c2 END",
          "SELECT c1 WHERE c2 IN w1 w1 END", "SELECT SUM END", "SELECT c1 HAVING c2 = w1 w1 END"}) {
        const auto query = form_of(tokens_in(line));
        ASSERT_FALSE(query) << line;
        EXPECT_EQ(query.error().code, Code::invalid_argument);
    }
    EXPECT_TRUE(form_of(tokens_in("SELECT c1 WHERE c2 = w1 w10 END")));
    EXPECT_FALSE(form_of(std::vector<FormToken>{token_of("SELECT"), {FormToken::Kind::column, -3}, token_of("END")}));
}

TEST(FormTokens, AreBoundedInNumber) {
    std::string line = "SELECT c1 WHERE ";
    for (int depth = 0; depth < 240; ++depth) line += "OPEN ";
    line += "c2 ISNULL ";
    for (int depth = 0; depth < 240; ++depth) line += "CLOSE ";
    EXPECT_TRUE(form_of(tokens_in(line + "END")));
    std::string long_line = "SELECT ";
    for (std::size_t at = 0; at < kFormTokensMax; ++at) long_line += "c1 ";
    EXPECT_FALSE(form_of(tokens_in(long_line + "END")));
}

TEST(FormTokens, WriteAnUnknownConstantAsUnknown) {
    const Schema& schema = golden().databases.front()->schema;
    Query query{.select = {{ColumnRef{1, 0}}}};
    query.limit = Limit{Limit::Kind::first, Constant{"12345"}};
    EXPECT_EQ(line_of(tokens_of(query, schema).value()), "SELECT c1 LIMIT V:UNK END");
    query.limit->count = Constant{"10"};
    EXPECT_EQ(line_of(tokens_of(query, schema).value()), "SELECT c1 LIMIT V:10 END");
}

}  // namespace

}  // namespace quaestor::native
