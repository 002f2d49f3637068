#include "llm/usage.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

namespace quaestor::llm {
namespace {

using testing::HasSubstr;

UsageRecord call(std::string model, std::int64_t input, std::int64_t output, double cost = 0) {
    return {.node = "node", .prompt = "prompt", .model = std::move(model), .usage = {input, output}, .cost_usd = cost};
}

TEST(CostTest, IsForAMillionTokens) {
    EXPECT_DOUBLE_EQ(cost_of({.input_tokens = 2'000'000, .output_tokens = 500'000}, {.input = 1, .output = 8}), 6);
}

TEST(CostTest, TakesTheCachedPartOfTheInputAtItsOwnPrice) {
    const Usage usage{.input_tokens = 1'000'000, .cached_tokens = 400'000};
    EXPECT_DOUBLE_EQ(cost_of(usage, {.input = 1, .cached_input = 0.1}), 0.64);
    EXPECT_DOUBLE_EQ(cost_of(usage, {.input = 1}), 1) << "without a price of their own cached tokens cost as others";
}

TEST(CostTest, IsNeverMoreThanAllInputWhenAProviderSaysNonsense) {
    const Usage usage{.input_tokens = 1'000'000, .cached_tokens = 9'000'000};
    EXPECT_DOUBLE_EQ(cost_of(usage, {.input = 1, .cached_input = 0.5}), 0.5);
}

TEST(UsageLedgerTest, CountsCallsAndNotAnswersThatCameWithout) {
    UsageLedger ledger;
    ledger.add(call("a", 10, 1, 0.5));
    ledger.add(call("native", 0, 0));
    ledger.add(call("cache", 0, 0));
    ledger.add(call("b", 20, 2, 0.25));
    ledger.add(call("a", 30, 3));
    EXPECT_EQ(ledger.total().llm_calls, 3);
    EXPECT_EQ(ledger.total().input_tokens, 60);
    EXPECT_EQ(ledger.total().output_tokens, 6);
    EXPECT_DOUBLE_EQ(ledger.total().cost_usd, 0.75);
    EXPECT_EQ(ledger.records().size(), 5U);
    const auto by_model = ledger.by_model();
    EXPECT_EQ(by_model.size(), 2U);
    EXPECT_EQ(by_model.at("a").llm_calls, 2);
    EXPECT_EQ(by_model.at("a").input_tokens, 40);
}

TEST(UsageLedgerTest, CountsFailedCallsAgainstTheBudget) {
    UsageLedger ledger({.calls = 2});
    UsageRecord failed = call("a", 0, 0);
    failed.failed = true;
    ledger.add(failed);
    EXPECT_TRUE(ledger.admit());
    ledger.add(failed);
    const auto admitted = ledger.admit();
    ASSERT_FALSE(admitted);
    EXPECT_EQ(admitted.error().code, Code::limit_exceeded);
    EXPECT_THAT(admitted.error().message, HasSubstr("2 calls"));
    EXPECT_THAT(admitted.error().hint, HasSubstr("llm.budget.calls"));
}

TEST(UsageLedgerTest, StopsAtTheBudgetOfTokensWithTheFigures) {
    UsageLedger ledger({.calls = 0, .tokens = 100});
    ledger.add(call("a", 60, 39));
    EXPECT_TRUE(ledger.admit());
    ledger.add(call("a", 10, 3));
    const auto admitted = ledger.admit();
    ASSERT_FALSE(admitted);
    EXPECT_THAT(admitted.error().message, HasSubstr("100 tokens: 112 are spent"));
    EXPECT_THAT(admitted.error().hint, HasSubstr("llm.budget.tokens"));
}

TEST(UsageLedgerTest, StopsAtTheBudgetOfMoneyWithTheFigures) {
    UsageLedger ledger({.calls = 0, .cost_usd = 0.05});
    ledger.add(call("a", 1, 1, 0.0712));
    const auto admitted = ledger.admit();
    ASSERT_FALSE(admitted);
    EXPECT_THAT(admitted.error().message, HasSubstr("0.0500 US dollars: 0.0712 are spent"));
    EXPECT_THAT(admitted.error().hint, HasSubstr("llm.budget.cost_usd"));
}

TEST(UsageLedgerTest, CountsWhatWasSpentBeforeAgainstTheBudgetAndNotInItsTotal) {
    UsageLedger ledger({.calls = 3}, false, {.llm_calls = 2});
    EXPECT_TRUE(ledger.admit());
    ledger.add(UsageRecord{.node = "n", .prompt = "p", .model = "m", .usage = {}});
    EXPECT_EQ(ledger.total().llm_calls, 1);
    const auto admitted = ledger.admit();
    ASSERT_FALSE(admitted);
    EXPECT_EQ(admitted.error().code, Code::limit_exceeded);
}

TEST(UsageLedgerTest, HasNoBoundWhereTheBudgetIsZero) {
    UsageLedger ledger({.calls = 0});
    for (int i = 0; i < 1000; ++i) ledger.add(call("a", 1'000'000, 1'000'000, 100));
    EXPECT_TRUE(ledger.admit());
}

TEST(UsageLedgerTest, KeepsExchangesOnlyWhenAskedTo) {
    UsageLedger silent;
    silent.add(Exchange{.request = "secret question"});
    EXPECT_TRUE(silent.exchanges().empty());
    UsageLedger talkative({}, true);
    talkative.add(Exchange{.request = "question", .reply = "answer"});
    ASSERT_EQ(talkative.exchanges().size(), 1U);
    EXPECT_EQ(talkative.exchanges()[0].reply, "answer");
}

TEST(UsageLedgerTest, CutsLongExchangesBetweenCharacters) {
    UsageLedger ledger({}, true);
    std::string text(kExchangeBytesMax - 1, 'x');
    text += "é and more";
    ledger.add(Exchange{.request = text, .reply = text});
    EXPECT_EQ(ledger.exchanges()[0].request, std::string(kExchangeBytesMax - 1, 'x'));
    EXPECT_EQ(ledger.exchanges()[0].reply.size(), kExchangeBytesMax - 1);
}

TEST(UsageLedgerTest, CountsWhatManyThreadsAdd) {
    UsageLedger ledger({.calls = 0});
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&ledger] {
            for (int j = 0; j < 100; ++j) {
                ledger.add(call("a", 1, 0));
                EXPECT_TRUE(ledger.admit());
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(ledger.total().input_tokens, 400);
}

}  // namespace
}  // namespace quaestor::llm
