// What every provider's faults have in common: said by the provider, and done to it by the network.
#include "llm/providers/conformance.hpp"

#include <boost/describe/enum_to_string.hpp>

namespace quaestor::test {

using ConformanceFault = Conformance;
using ConformanceEnd = Conformance;  ///< for those who have a word for the end of a reply

namespace {

using llm::Delta;
using llm::Fault;
using llm::ModelError;
using llm::user;
using namespace std::chrono_literals;

INSTANTIATE_TEST_SUITE_P(Providers, ConformanceFault, testing::Values("openai", "compatible", "anthropic", "google"),
                         [](const auto& name) { return name.param; });

INSTANTIATE_TEST_SUITE_P(Providers, ConformanceEnd, testing::Values("openai", "anthropic"),
                         [](const auto& name) { return name.param; });

TEST_P(ConformanceFault, EachKindIsTold) {
    for (const Fault fault : {Fault::auth, Fault::rate_limited, Fault::overloaded, Fault::context_too_long,
                              Fault::refused, Fault::bad_request}) {
        SCOPED_TRACE(boost::describe::enum_to_string(fault, "?"));
        script(provider_->error(fault));
        const ModelError error = fault_of();
        EXPECT_EQ(error.fault, fault) << error.error.describe();
        EXPECT_TRUE(error.error.message.starts_with(GetParam() + "/fake: ")) << error.error.message;
        EXPECT_FALSE(error.error.hint.empty());
        EXPECT_FALSE(error.retry_after);
    }
}

TEST_P(ConformanceFault, TheTimeToWaitIsTold) {
    script(provider_->error(Fault::rate_limited).header("retry-after", "17"));
    EXPECT_EQ(fault_of().retry_after, 17s);
    script(provider_->error(Fault::overloaded).header("retry-after", "2"));
    EXPECT_EQ(fault_of().retry_after, 2s);
}

TEST_P(ConformanceFault, AFaultOfTheServerWithoutWordsIsOverloaded) {
    script(Reply(500));
    EXPECT_EQ(fault_of().fault, Fault::overloaded);
    script(Reply(502).header("content-type", "text/html").body("<html><h1>Bad Gateway</h1></html>"));
    const ModelError error = fault_of();
    EXPECT_EQ(error.fault, Fault::overloaded);
    EXPECT_FALSE(error.error.message.contains("<h1>"));
}

TEST_P(ConformanceFault, AKeyThatTheServerEchoesIsNotShown) {
    script(Reply::json(R"({"error":{"message":"wrong key: )" + kFakeKey + R"( is not known"}})", 401));
    const ModelError error = fault_of();
    EXPECT_EQ(error.fault, Fault::auth);
    EXPECT_FALSE(error.error.describe().contains(kFakeKey)) << error.error.describe();
}

TEST_P(ConformanceFault, AnErrorInsideAStreamEndsIt) {
    script(streaming({provider_->stream({.text = {"Hi"}}).front(), provider_->error_event()}).stall());
    EXPECT_EQ(fault_of().fault, Fault::overloaded);
    EXPECT_TRUE(server_.wait_until_closed());
}

TEST_P(ConformanceFault, SilenceBeforeTheFirstByteIsATimeout) {
    limits_.silence = 100ms;
    script(Reply(200).stall());
    EXPECT_EQ(fault_of().fault, Fault::timeout);
    EXPECT_TRUE(server_.wait_until_closed());
}

TEST_P(ConformanceFault, SilenceInTheMiddleIsATimeout) {
    limits_.silence = 100ms;
    script(streaming({provider_->stream({.text = {"Hi"}}).front()}).stall());
    EXPECT_EQ(fault_of().fault, Fault::timeout);
    EXPECT_TRUE(server_.wait_until_closed());
}

TEST_P(ConformanceFault, ADeadlineIsATimeout) {
    script(Reply(200).stall());
    EXPECT_EQ(fault_of({}, {.deadline = Deadline::after(system_clock(), 100ms)}).fault, Fault::timeout);
    EXPECT_TRUE(server_.wait_until_closed());
}

TEST_P(ConformanceFault, ALostConnectionIsANetworkFault) {
    script(streaming({provider_->stream({.text = {"Hi"}}).front()}).reset());
    EXPECT_EQ(fault_of().fault, Fault::network);
    script(streaming({provider_->stream({.text = {"Hi"}}).front()}).close());
    EXPECT_EQ(fault_of().fault, Fault::network);
    script(Reply(200).close());
    EXPECT_EQ(fault_of().fault, Fault::network);
}

TEST_P(ConformanceFault, NobodyThereIsANetworkFault) {
    llm::HttpChatModel model(provider_->protocol("http://127.0.0.1:1"), client_);
    const auto reply = run_to_end(model.chat({.messages = {user("q")}}, {}));
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().fault, Fault::network);
}

TEST_P(ConformanceFault, AStreamThatEndsTooEarlyIsMalformed) {
    auto events = provider_->stream({.text = {"Hi", " you"}});
    events.resize(3);
    script(streaming(events));
    EXPECT_EQ(fault_of().fault, Fault::malformed);
    events.back().resize(events.back().size() / 2);
    script(streaming(events));
    EXPECT_EQ(fault_of().fault, Fault::malformed);
}

TEST_P(ConformanceFault, JsonThatIsCutIsMalformed) {
    script(streaming({"data: {\"choices\": [\n\n"}).stall());
    EXPECT_EQ(fault_of().fault, Fault::malformed);
    script(Reply::json(R"({"choices": [{"message")"));
    EXPECT_EQ(fault_of().fault, Fault::malformed);
}

TEST_P(ConformanceFault, NothingAtAllIsMalformed) {
    script(Reply(200).header("content-type", "text/event-stream").body(""));
    EXPECT_EQ(fault_of().fault, Fault::malformed);
}

TEST_P(ConformanceFault, AWebPageInPlaceOfAReplyIsExplained) {
    for (const std::string page : {"<!doctype html><title>Log in</title>", "Please log in\n\nto this network\n"}) {
        script(Reply(200).header("content-type", "text/html; charset=utf-8").body(page));
        const ModelError error = fault_of();
        EXPECT_EQ(error.fault, Fault::malformed);
        EXPECT_TRUE(error.error.message.contains("a web page")) << error.error.message;
        EXPECT_TRUE(error.error.hint.contains("proxy")) << error.error.hint;
    }
}

TEST_P(ConformanceFault, AReplyIsTakenWhateverItsTypeIsCalled) {
    std::string stream;
    for (const std::string& event : provider_->stream({.text = {"Hi"}})) stream += event;
    script(Reply(200).header("content-type", "text/plain").body(stream));
    EXPECT_EQ(chat({.messages = {user("q")}}).reply.value().message.content, "Hi");
}

TEST_P(ConformanceFault, AnEndlessReplyStopsAtTheBound) {
    limits_.reply_bytes = 64 << 10;
    script(streaming({provider_->stream({}).front()}).endless(provider_->text_event("on and on ")));
    const ModelError error = fault_of();
    EXPECT_EQ(error.fault, Fault::malformed) << error.error.describe();
    EXPECT_TRUE(server_.wait_until_closed());
}

TEST_P(ConformanceFault, ACancelledCallClosesItsConnection) {
    script(streaming({provider_->stream({.text = {"Hi"}}).front()}).endless(provider_->text_event("on and on ")));
    CancelSource source;
    int pieces = 0;
    const ModelError error =
        fault_of({.messages = {user("q")}}, {.cancel = source.token(), .on_delta = [&](const Delta&) -> Task<> {
                                                 if (++pieces == 10) source.cancel(CancelReason::user_request);
                                                 co_return;
                                             }});
    EXPECT_EQ(error.fault, Fault::cancelled) << error.error.describe();
    EXPECT_TRUE(server_.wait_until_closed());
}

TEST_P(ConformanceFault, ACallThatWasCancelledForADeadlineIsNotTriedAgain) {
    CancelSource source;
    source.cancel(CancelReason::deadline);
    const ModelError error = fault_of({.messages = {user("q")}}, {.cancel = source.token()});
    EXPECT_EQ(error.fault, Fault::cancelled);
    EXPECT_EQ(error.error.code, Code::timeout);
    EXPECT_FALSE(is_worth_retrying(error.fault));
    EXPECT_EQ(server_.connections(), 0U);
}

TEST_P(ConformanceEnd, AServerThatLeavesTheConnectionOpenIsNotWaitedFor) {
    script(streaming(provider_->stream({.text = {"Hi"}})).stall());
    EXPECT_EQ(chat({.messages = {user("q")}}).reply.value().message.content, "Hi");
    EXPECT_TRUE(server_.wait_until_closed());
}

TEST_P(ConformanceEnd, WhatComesBehindItIsNoPartOfTheReply) {
    script(streaming(provider_->stream({.text = {"Hi"}})).endless(provider_->text_event("on and on ")));
    const auto heard = chat({.messages = {user("q")}});
    EXPECT_EQ(heard.reply.value().message.content, "Hi");
    EXPECT_EQ(heard.deltas.size(), 1U);
    EXPECT_TRUE(server_.wait_until_closed());
}

}  // namespace
}  // namespace quaestor::test
