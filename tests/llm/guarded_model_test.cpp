#include "llm/guarded_model.hpp"

#include "resilience/hand_driven_loop.hpp"
#include "scripted_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quaestor::llm {
namespace {

using namespace std::chrono_literals;
using quaestor::test::HandDrivenLoop;
using quaestor::test::Started;

using test::Scripted;
using testing::ElementsAre;
using testing::HasSubstr;

using Outcome = std::shared_ptr<Started<ModelResult<ChatReply>>>;

/// Nothing in the way but what a test puts there; delays without jitter.
GuardSettings easy() {
    GuardSettings settings;
    settings.rate = {.per_minute = 6000, .burst = 100};
    settings.retry.jitter = 0;
    return settings;
}

class GuardedModelTest : public testing::Test {
protected:
    GuardedModel& guard(GuardSettings settings = easy()) {
        return guarded_.emplace(std::move(scripted_.owned), settings, shared_, clock_, random_);
    }
    Outcome ask(CallOptions options = {}) {
        return loop_.start(guarded_->chat({.messages = {user("hello")}}, std::move(options)));
    }
    void advance(Duration time) {
        clock_.advance(time);
        loop_.settle();
    }
    static Fault fault_of(const Outcome& outcome) { return outcome->value->error().fault; }
    [[nodiscard]] std::size_t calls() const { return scripted_.model.requests.size(); }

    ManualClock clock_;
    SeededRandom random_{1};
    RateLimit shared_{{.per_minute = 6000, .burst = 100}, clock_};
    Scripted scripted_;
    test::ScriptedModel& model_ = scripted_.model;
    std::optional<GuardedModel> guarded_;
    HandDrivenLoop loop_;
};

TEST_F(GuardedModelTest, HandsOnTheRequestAndTheReply) {
    model_.says("hi");
    guard();
    const auto outcome = ask();
    ASSERT_TRUE(outcome->ended());
    EXPECT_EQ(outcome->value->value().message.content, "hi");
    EXPECT_EQ(model_.requests.at(0).messages, std::vector{user("hello")});
    EXPECT_EQ(guarded_->name(), "test/scripted");
}

TEST_F(GuardedModelTest, TriesAgainAfterFaultsThatPassTwiceAsLongEachTime) {
    model_.fails(Fault::overloaded).fails(Fault::network).says("hi");
    guard();
    const auto outcome = ask();
    EXPECT_EQ(calls(), 1U);
    advance(2s - 1ns);
    EXPECT_EQ(calls(), 1U);
    advance(1ns);
    EXPECT_EQ(calls(), 2U);
    advance(4s);
    ASSERT_TRUE(outcome->ended());
    EXPECT_TRUE(outcome->value->has_value());
}

TEST_F(GuardedModelTest, GivesUpAfterItsAttemptsWithTheLastFault) {
    model_.fails(Fault::overloaded).fails(Fault::overloaded).fails(Fault::network).says("too late");
    guard();
    const auto outcome = ask();
    advance(2s);
    advance(4s);
    ASSERT_TRUE(outcome->ended());
    EXPECT_EQ(fault_of(outcome), Fault::network);
    EXPECT_EQ(calls(), 3U);
}

TEST_F(GuardedModelTest, DoesNotTryAgainWhatCannotGoBetter) {
    for (const Fault hopeless : {Fault::auth, Fault::bad_request, Fault::refused, Fault::context_too_long,
                                 Fault::malformed, Fault::cancelled}) {
        Scripted scripted;
        scripted.model.fails(hopeless).says("never");
        GuardedModel guarded(std::move(scripted.owned), easy(), shared_, clock_, random_);
        const auto outcome = loop_.start(guarded.chat({}, {}));
        ASSERT_TRUE(outcome->ended());
        EXPECT_EQ(fault_of(outcome), hopeless);
    }
}

TEST_F(GuardedModelTest, WaitsAsLongAsTheProviderSaysWhenItIsOverloaded) {
    model_.fails(Fault::overloaded, 30s).says("hi");
    guard();
    const auto outcome = ask();
    advance(29s);
    EXPECT_EQ(calls(), 1U);
    advance(1s);
    EXPECT_TRUE(outcome->ended());
}

TEST_F(GuardedModelTest, MakesEverybodyWaitAfterTooMany) {
    model_.fails(Fault::rate_limited, 10s).says("first").says("second");
    guard();
    const auto first = ask();
    const auto second = ask();
    EXPECT_EQ(calls(), 1U) << "the second knows already that it must wait";
    EXPECT_GT(guarded_->health().wait, 9s);
    EXPECT_EQ(shared_.wait_time(), 0s) << "one provider's limit does not concern the others";
    advance(10s - 1ns);
    EXPECT_EQ(calls(), 1U);
    advance(1s);
    EXPECT_EQ(calls(), 3U);
    EXPECT_TRUE(first->value->has_value() && second->value->has_value());
}

TEST_F(GuardedModelTest, BacksOffInLargerStepsUntilACallSucceeds) {
    GuardSettings settings = easy();
    settings.retry.attempts = 4;
    model_.fails(Fault::rate_limited).fails(Fault::rate_limited).says("hi").fails(Fault::rate_limited).says("hi");
    guard(settings);
    const auto outcome = ask();
    advance(2s);
    EXPECT_EQ(calls(), 2U);
    advance(3900ms);
    EXPECT_EQ(calls(), 2U);
    advance(200ms);
    EXPECT_TRUE(outcome->ended());
    const auto next = ask();
    advance(2100ms);
    EXPECT_TRUE(next->ended()) << "the success has set the steps back to the first";
}

TEST_F(GuardedModelTest, SaysAtOnceThatTheRateLimitWouldLetItGoTooLate) {
    GuardSettings settings = easy();
    settings.rate = {.per_minute = 1, .burst = 1};
    settings.timeout = 10s;
    model_.says("hi");
    guard(settings);
    EXPECT_TRUE(ask()->value->has_value());
    const auto refused = ask();
    ASSERT_TRUE(refused->ended());
    EXPECT_EQ(fault_of(refused), Fault::rate_limited);
    EXPECT_GT(refused->value->error().retry_after, 50s);
    EXPECT_EQ(calls(), 1U);
}

TEST_F(GuardedModelTest, RespectsTheLimitForAllProviders) {
    RateLimit narrow({.per_minute = 60, .burst = 1}, clock_);
    Scripted other;
    other.model.says("other");
    model_.says("hi");
    GuardedModel one(std::move(scripted_.owned), easy(), narrow, clock_, random_);
    GuardedModel two(std::move(other.owned), easy(), narrow, clock_, random_);
    EXPECT_TRUE(loop_.start(one.chat({}, {}))->ended());
    const auto waits = loop_.start(two.chat({}, {}));
    EXPECT_FALSE(waits->ended());
    advance(1s);
    EXPECT_TRUE(waits->ended());
}

TEST_F(GuardedModelTest, RestsAfterFailuresInARowAndThenLetsOneProbe) {
    GuardSettings settings = easy();
    settings.retry.attempts = 1;
    settings.breaker = {.failure_limit = 2, .open_time = 120s};
    model_.fails(Fault::overloaded).fails(Fault::malformed).says("well again");
    guard(settings);
    ask();
    ask();
    EXPECT_EQ(guarded_->health().breaker, Breaker::State::open);
    const auto refused = ask();
    EXPECT_EQ(fault_of(refused), Fault::overloaded);
    EXPECT_THAT(refused->value->error().error.message, HasSubstr("test/scripted is resting after 2 failures"));
    EXPECT_EQ(refused->value->error().retry_after, Duration(120s));
    EXPECT_EQ(calls(), 2U);
    advance(120s);
    EXPECT_TRUE(ask()->value->has_value());
    EXPECT_EQ(guarded_->health().breaker, Breaker::State::closed);
}

TEST_F(GuardedModelTest, DoesNotTakeTheCallersOwnMistakesForIllness) {
    GuardSettings settings = easy();
    settings.breaker.failure_limit = 1;
    model_.fails(Fault::auth).fails(Fault::bad_request).fails(Fault::refused).fails(Fault::cancelled);
    guard(settings);
    for (int i = 0; i < 4; ++i) ask();
    EXPECT_EQ(guarded_->health().breaker, Breaker::State::closed);
}

TEST_F(GuardedModelTest, DoesNotTryAgainOnceTheBreakerHasOpened) {
    GuardSettings settings = easy();
    settings.breaker.failure_limit = 1;
    model_.fails(Fault::network).says("never");
    guard(settings);
    const auto outcome = ask();
    ASSERT_TRUE(outcome->ended());
    EXPECT_EQ(fault_of(outcome), Fault::network);
}

TEST_F(GuardedModelTest, EndsACallThatTakesTooLongAndCountsItAsAFailure) {
    GuardSettings settings = easy();
    settings.timeout = 5s;
    settings.breaker.failure_limit = 1;
    model_.takes(clock_, 1h, "too late");
    guard(settings);
    const auto outcome = ask();
    advance(5s);
    ASSERT_TRUE(outcome->ended());
    EXPECT_EQ(fault_of(outcome), Fault::timeout);
    EXPECT_EQ(guarded_->health().breaker, Breaker::State::open);
    EXPECT_EQ(guarded_->health().running, 0);
}

TEST_F(GuardedModelTest, TakesTheCallersDeadlineWhenItIsEarlier) {
    model_.takes(clock_, 1h, "too late");
    guard();
    const auto outcome = ask({.deadline = Deadline::after(clock_, 1s)});
    advance(1s);
    ASSERT_TRUE(outcome->ended());
    EXPECT_EQ(fault_of(outcome), Fault::timeout);
}

TEST_F(GuardedModelTest, ReturnsTheFaultRatherThanWaitPastTheDeadline) {
    model_.fails(Fault::overloaded).says("never");
    guard();
    const auto outcome = ask({.deadline = Deadline::after(clock_, 1s)});
    ASSERT_TRUE(outcome->ended());
    EXPECT_EQ(fault_of(outcome), Fault::overloaded);
}

TEST_F(GuardedModelTest, EndsForOneWhoLeavesAndBlamesNobody) {
    GuardSettings settings = easy();
    settings.breaker.failure_limit = 1;
    model_.takes(clock_, 1h, "too late");
    guard(settings);
    CancelSource source;
    const auto outcome = ask({.cancel = source.token()});
    source.cancel(CancelReason::deadline);
    loop_.settle();
    ASSERT_TRUE(outcome->ended());
    EXPECT_EQ(fault_of(outcome), Fault::cancelled);
    EXPECT_EQ(guarded_->health().breaker, Breaker::State::closed);
}

TEST_F(GuardedModelTest, EndsTheWaitForAnotherTryForOneWhoLeaves) {
    model_.fails(Fault::overloaded).says("never");
    guard();
    CancelSource source;
    const auto outcome = ask({.cancel = source.token()});
    EXPECT_FALSE(outcome->ended());
    source.cancel(CancelReason::user_request);
    loop_.settle();
    ASSERT_TRUE(outcome->ended());
    EXPECT_EQ(fault_of(outcome), Fault::cancelled);
    EXPECT_EQ(calls(), 1U);
}

TEST_F(GuardedModelTest, LetsOnlySoManyRunAtATimeInOrderOfArrival) {
    GuardSettings settings = easy();
    settings.concurrency = 1;
    model_.takes(clock_, 1s, "one").takes(clock_, 1s, "two").takes(clock_, 1s, "three");
    guard(settings);
    const auto one = ask();
    const auto two = ask();
    const auto three = ask();
    EXPECT_EQ(calls(), 1U);
    EXPECT_EQ(guarded_->health().running, 1);
    advance(1s);
    EXPECT_TRUE(one->ended());
    EXPECT_EQ(calls(), 2U);
    advance(1s);
    EXPECT_EQ(two->value->value().message.content, "two");
    EXPECT_FALSE(three->ended());
    advance(1s);
    EXPECT_EQ(three->value->value().message.content, "three");
    EXPECT_EQ(guarded_->health().running, 0);
}

TEST_F(GuardedModelTest, GivesTheSeatOfOneWhoLeftTheQueueToTheNext) {
    GuardSettings settings = easy();
    settings.concurrency = 1;
    model_.takes(clock_, 1s, "one").says("three");
    guard(settings);
    CancelSource source;
    const auto one = ask();
    const auto two = ask({.cancel = source.token()});
    const auto three = ask();
    source.cancel(CancelReason::client_gone);
    loop_.settle();
    EXPECT_EQ(fault_of(two), Fault::cancelled);
    EXPECT_FALSE(three->ended());
    advance(1s);
    EXPECT_TRUE(one->ended());
    EXPECT_EQ(three->value->value().message.content, "three");
    EXPECT_EQ(guarded_->health().running, 0);
}

TEST_F(GuardedModelTest, GivesItsSeatBackWhenTheTaskAroundItIsCancelled) {
    GuardSettings settings = easy();
    settings.concurrency = 1;
    settings.breaker.failure_limit = 1;
    model_.takes(clock_, 1h, "one").says("two");
    guard(settings);
    const auto one = ask();
    const auto two = ask();
    loop_.cancel(*one);
    EXPECT_TRUE(one->aborted());
    ASSERT_TRUE(two->ended());
    EXPECT_EQ(two->value->value().message.content, "two");
    EXPECT_EQ(guarded_->health().running, 0);
}

TEST_F(GuardedModelTest, DoesNotAskAgainOnceAPieceHasBeenTold) {
    model_.breaks_off_after("Once upon", Fault::network).says("never");
    guard();
    std::vector<std::string> told;
    const auto outcome = ask({.on_delta = [&told](const Delta& delta) -> Task<> {
        told.push_back(std::get<TextDelta>(delta).text);
        co_return;
    }});
    ASSERT_TRUE(outcome->ended());
    EXPECT_EQ(fault_of(outcome), Fault::network);
    EXPECT_THAT(told, ElementsAre("Once upon"));
}

TEST_F(GuardedModelTest, AsksAgainWhenNobodyListensToPieces) {
    model_.breaks_off_after("Once upon", Fault::network).says("hi");
    guard();
    const auto outcome = ask();
    advance(2s);
    ASSERT_TRUE(outcome->ended());
    EXPECT_TRUE(outcome->value->has_value());
}

class ModelChainTest : public testing::Test {
protected:
    Outcome ask(CallOptions options = {}) { return loop_.start(chain_.chat({}, std::move(options))); }

    test::ScriptedModel first_{"test/first"};
    test::ScriptedModel second_{"test/second"};
    ModelChain chain_{{&first_, &second_}};
    HandDrivenLoop loop_;
};

TEST_F(ModelChainTest, AsksTheFirstAlone) {
    first_.says("hi");
    EXPECT_EQ(ask()->value->value().message.content, "hi");
    EXPECT_TRUE(second_.requests.empty());
    EXPECT_EQ(chain_.name(), "test/first");
}

TEST_F(ModelChainTest, AsksTheNextWhenAModelCannotAndSaysWhoAnswered) {
    first_.fails(Fault::auth);
    second_.says("hi");
    const auto outcome = ask();
    EXPECT_EQ(outcome->value->value().message.content, "hi");
    EXPECT_EQ(outcome->value->value().model, "test/second");
}

TEST_F(ModelChainTest, GoesOnWhenTheBreakerOfTheFirstIsOpen) {
    ManualClock clock;
    SeededRandom random(1);
    RateLimit shared({}, clock);
    Scripted ill;
    ill.model.fails(Fault::network).says("never");
    GuardSettings settings;
    settings.breaker.failure_limit = 1;
    settings.retry.attempts = 1;
    GuardedModel guarded(std::move(ill.owned), settings, shared, clock, random);
    ModelChain chain({&guarded, &second_});
    second_.says("one").says("two");
    for (const char* wanted : {"one", "two"}) {
        EXPECT_EQ(loop_.start(chain.chat({}, {}))->value->value().message.content, wanted);
    }
    EXPECT_EQ(guarded.health().breaker, Breaker::State::open);
}

TEST_F(ModelChainTest, StopsWhereAnotherModelWouldDoNoBetter) {
    for (const Fault hopeless : {Fault::refused, Fault::cancelled, Fault::bad_request}) {
        first_.fails(hopeless);
        EXPECT_EQ(ask()->value->error().fault, hopeless);
    }
    EXPECT_TRUE(second_.requests.empty());
}

TEST_F(ModelChainTest, TellsTheFaultOfTheLastWithThoseBeforeAsItsCauses) {
    first_.fails(Fault::overloaded);
    second_.fails(Fault::timeout);
    const auto outcome = ask();
    const ModelError& error = outcome->value->error();
    EXPECT_EQ(error.fault, Fault::timeout);
    EXPECT_EQ(error.error.describe(), "test/second: as scripted: test/first: as scripted");
}

TEST_F(ModelChainTest, DoesNotLetAnotherBeginAnewWhatWasHalfTold) {
    first_.breaks_off_after("Once", Fault::network);
    second_.says("never");
    const auto outcome = ask({.on_delta = [](const Delta&) -> Task<> { co_return; }});
    EXPECT_EQ(outcome->value->error().fault, Fault::network);
    EXPECT_TRUE(second_.requests.empty());
}

}  // namespace
}  // namespace quaestor::llm
