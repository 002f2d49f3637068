#include "native/form/golden_forms.hpp"

#include <gmock/gmock.h>

#include <set>

namespace quaestor::native {

namespace {

std::set<std::string> names_of(const GrammarState::Allowed& allowed) {
    std::set<std::string> names;
    for (std::size_t at = 0; at < kFormKeywords; ++at) {
        if (allowed.keywords[at]) names.emplace(form_keywords()[at]);
    }
    if (allowed.columns) names.insert("<column>");
    if (allowed.keys) names.insert("<key>");
    if (allowed.tables) names.insert("<table>");
    if (allowed.words) names.insert("<word>");
    if (allowed.word_ends) names.insert("<end>");
    return names;
}

void expect_same_way(const std::vector<FormToken>& tokens, const std::vector<std::size_t>& allowed, bool is_whole) {
    GrammarState state;
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        const auto& expected = golden().allowed_sets[allowed[at]];
        ASSERT_EQ(names_of(state.allowed()), std::set(expected.begin(), expected.end()))
            << "before token " << at << " of " << line_of(tokens);
        EXPECT_FALSE(state.is_complete());
        ASSERT_TRUE(state.step(tokens[at])) << "token " << at << " of " << line_of(tokens);
    }
    EXPECT_EQ(state.is_complete(), is_whole) << line_of(tokens);
}

FormToken keyword(std::string_view name) {
    return {FormToken::Kind::keyword, keyword_id(name)};
}

TEST(Grammar, AllowsTheSameTokensAsTheReferenceAlongEveryForm) {
    ASSERT_GE(golden().forms.size(), 150U);
    for (const GoldenForm& form : golden().forms) expect_same_way(form.tokens, form.allowed, true);
}

TEST(Grammar, AllowsTheSameTokensAsTheReferenceAlongRandomWays) {
    ASSERT_GE(golden().walks.size(), 100U);
    for (const GoldenWalk& walk : golden().walks) expect_same_way(walk.tokens, walk.allowed, !walk.again.empty());
}

TEST(Grammar, RefusesWhatMayNotComeAndStaysWhereItWas) {
    GrammarState state;
    for (const std::string_view first : {"WHERE", "END", "V:1", "PAD"}) EXPECT_FALSE(state.step(keyword(first)));
    EXPECT_FALSE(state.step({FormToken::Kind::column, 1}));
    EXPECT_FALSE(state.step({FormToken::Kind::keyword, -1}));
    EXPECT_FALSE(state.step({FormToken::Kind::keyword, 80}));
    EXPECT_TRUE(state.step(keyword("SELECT")));
    const auto before = names_of(state.allowed());
    EXPECT_FALSE(state.step({FormToken::Kind::word, 1}));
    EXPECT_FALSE(state.step({FormToken::Kind::table, 1}));
    EXPECT_FALSE(state.step(keyword("END")));
    EXPECT_EQ(names_of(state.allowed()), before);
}

TEST(Grammar, AllowsNothingOnceTheQueryIsComplete) {
    GrammarState state;
    for (const FormToken& token : {keyword("SELECT"), FormToken{FormToken::Kind::column, 1}, keyword("END")}) {
        ASSERT_TRUE(state.step(token));
    }
    EXPECT_TRUE(state.is_complete());
    EXPECT_TRUE(names_of(state.allowed()).empty());
    EXPECT_FALSE(state.step(keyword("END")));
    EXPECT_FALSE(state.step({FormToken::Kind::column, 1}));
}

TEST(Grammar, TakesOnlyAKeyBehindVia) {
    GrammarState state;
    ASSERT_TRUE(state.step(keyword("SELECT")));
    ASSERT_TRUE(state.step(keyword("VIA")));
    EXPECT_THAT(names_of(state.allowed()), testing::ElementsAre("<key>"));
    ASSERT_TRUE(state.step({FormToken::Kind::column, 7}));
    EXPECT_THAT(names_of(state.allowed()), testing::ElementsAre("<column>"));
}

TEST(Grammar, KnowsItsKeywordsByName) {
    EXPECT_EQ(form_keywords().size(), kFormKeywords);
    for (std::size_t at = 0; at < form_keywords().size(); ++at) {
        EXPECT_EQ(keyword_id(form_keywords()[at]), static_cast<int>(at));
    }
    EXPECT_EQ(keyword_id("select"), -1);
    EXPECT_EQ(keyword_id(""), -1);
}

}  // namespace

}  // namespace quaestor::native
