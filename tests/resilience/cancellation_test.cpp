#include "resilience/cancellation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

namespace quaestor {
namespace {

using testing::HasSubstr;

TEST(CancelToken, OfNobodyIsNeverCancelled) {
    const CancelToken token;
    EXPECT_FALSE(token.cancelled());
    EXPECT_FALSE(token.can_be_cancelled());
}

TEST(CancelToken, OfASourceCanBeCancelled) {
    const CancelSource source;
    EXPECT_TRUE(source.token().can_be_cancelled());
    EXPECT_FALSE(source.token().cancelled());
}

TEST(CancelToken, CannotBeCancelledOnceItsSourceIsGone) {
    std::optional<CancelSource> source(std::in_place);
    const CancelToken token = source->token();
    source.reset();
    EXPECT_FALSE(token.can_be_cancelled());
}

TEST(CancelToken, StaysCancelledWhenItsSourceIsGone) {
    std::optional<CancelSource> source(std::in_place);
    const CancelToken token = source->token();
    source->cancel(CancelReason::shutdown);
    source.reset();
    EXPECT_TRUE(token.cancelled());
    EXPECT_EQ(token.reason(), CancelReason::shutdown);
}

TEST(CancelSource, TellsEveryTokenTheReason) {
    CancelSource source;
    const CancelToken before = source.token();
    EXPECT_TRUE(source.cancel(CancelReason::client_gone));
    const CancelToken after = source.token();
    EXPECT_TRUE(before.cancelled());
    EXPECT_EQ(before.reason(), CancelReason::client_gone);
    EXPECT_EQ(after.reason(), CancelReason::client_gone);
}

TEST(CancelSource, KeepsTheFirstReason) {
    CancelSource source;
    EXPECT_TRUE(source.cancel(CancelReason::budget, "1000 tokens"));
    EXPECT_FALSE(source.cancel(CancelReason::shutdown, "signal 15"));
    EXPECT_EQ(source.token().reason(), CancelReason::budget);
    EXPECT_THAT(source.token().error().message, HasSubstr("1000 tokens"));
}

TEST(CancelToken, IsATimeoutForADeadlineAndACancellationForEverythingElse) {
    for (const CancelReason reason : {CancelReason::user_request, CancelReason::client_gone, CancelReason::deadline,
                                      CancelReason::budget, CancelReason::shutdown}) {
        CancelSource source;
        source.cancel(reason);
        const Error error = source.token().error();
        EXPECT_EQ(error.code, reason == CancelReason::deadline ? Code::timeout : Code::cancelled) << to_string(reason);
        EXPECT_THAT(error.message, HasSubstr("stopped")) << to_string(reason);
    }
}

TEST(CancelToken, PutsTheDetailBehindTheReason) {
    CancelSource source;
    source.cancel(CancelReason::shutdown, "signal 15");
    EXPECT_EQ(source.token().error().message, "stopped because the program is shutting down: signal 15");
}

TEST(CancelReason, IsNamedAsInJson) {
    EXPECT_EQ(to_string(CancelReason::user_request), "user_request");
    EXPECT_EQ(to_string(CancelReason::client_gone), "client_gone");
    EXPECT_EQ(to_string(CancelReason::shutdown), "shutdown");
}

TEST(OnCancel, CallsTheActionOnce) {
    CancelSource source;
    int calls = 0;
    const auto registration = source.token().on_cancel([&] { ++calls; });
    EXPECT_EQ(calls, 0);
    source.cancel(CancelReason::user_request);
    source.cancel(CancelReason::user_request);
    EXPECT_EQ(calls, 1);
}

TEST(OnCancel, CallsTheActionAtOnceWhenCancelledAlready) {
    CancelSource source;
    source.cancel(CancelReason::user_request);
    int calls = 0;
    const auto registration = source.token().on_cancel([&] { ++calls; });
    EXPECT_EQ(calls, 1);
}

TEST(OnCancel, KnowsTheReasonInsideTheAction) {
    CancelSource source;
    const CancelToken token = source.token();
    std::optional<CancelReason> seen;
    const auto registration = token.on_cancel([&] { seen = token.reason(); });
    source.cancel(CancelReason::budget);
    EXPECT_EQ(seen, CancelReason::budget);
}

TEST(OnCancel, ForgetsAnActionThatWasUnregistered) {
    CancelSource source;
    int calls = 0;
    auto registration = source.token().on_cancel([&] { ++calls; });
    registration.reset();
    source.cancel(CancelReason::user_request);
    EXPECT_EQ(calls, 0);
}

TEST(OnCancel, OfATokenOfNobodyNeverCalls) {
    int calls = 0;
    {
        const auto registration = CancelToken().on_cancel([&] { ++calls; });
    }
    EXPECT_EQ(calls, 0);
}

TEST(CancelSource, IsCancelledByExactlyOneOfManyThreads) {
    constexpr int kRounds = 200;
    for (int round = 0; round < kRounds; ++round) {
        CancelSource source;
        const CancelToken token = source.token();
        std::atomic<int> winners = 0;
        std::atomic<int> actions = 0;
        const auto registration = token.on_cancel([&] { ++actions; });
        {
            std::vector<std::jthread> threads;
            for (const CancelReason reason : {CancelReason::budget, CancelReason::shutdown, CancelReason::deadline}) {
                threads.emplace_back([&, reason] {
                    if (!source.cancel(reason, std::string(to_string(reason)))) return;
                    ++winners;
                    EXPECT_EQ(token.reason(), reason);
                });
            }
        }
        EXPECT_EQ(winners, 1);
        EXPECT_EQ(actions, 1);
        EXPECT_THAT(token.error().message, HasSubstr(std::string(to_string(token.reason()))));
    }
}

TEST(OnCancel, IsNotCalledAfterUnregisteringHasReturned) {
    constexpr int kRounds = 500;
    for (int round = 0; round < kRounds; ++round) {
        CancelSource source;
        auto touched = std::make_unique<int>(0);  // a late call would be a use after free
        auto registration = source.token().on_cancel([&touched] { ++*touched; });
        std::jthread canceller([&] { source.cancel(CancelReason::user_request); });
        registration.reset();
        touched.reset();
    }
}

}  // namespace
}  // namespace quaestor
