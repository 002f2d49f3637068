#include "calls.hpp"
#include "kit/http_server.hpp"
#include "net/http_client.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/system/system_error.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <thread>

namespace quaestor::net {
namespace {

using namespace std::chrono_literals;
using test::HttpServer;
using test::ReceivedRequest;
using test::Reply;
using test::Signal;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

HttpCall cancellable(const CancelSource& source, std::string url) {
    HttpCall call = get(std::move(url));
    call.cancel = source.token();
    return call;
}

TEST(HttpClientStop, GivesUpOnSilenceBeforeTheFirstByteAndCloses) {
    const HttpServer server([](const ReceivedRequest&) { return Reply().stall(); });
    HttpClient client;
    EXPECT_THAT(summary(run(client, within(50ms, get(server.url())))),
                AllOf(StartsWith("timeout: 127.0.0.1:"), HasSubstr("has sent nothing for 50 ms")));
    EXPECT_TRUE(server.wait_until_closed());
}

TEST(HttpClientStop, GivesUpOnSilenceInTheMiddleAndCloses) {
    const HttpServer server([](const ReceivedRequest&) { return Reply().piece("begun").stall(); });
    HttpClient client;
    std::vector<std::string> pieces;
    EXPECT_THAT(summary(run(client, within(50ms, get(server.url())), into(pieces))), StartsWith("timeout: "));
    EXPECT_THAT(pieces, testing::ElementsAre("begun"));
    EXPECT_TRUE(server.wait_until_closed());
}

TEST(HttpClientStop, DoesNotTakeASlowSinkForASilentServer) {
    const HttpServer server([](const ReceivedRequest&) { return Reply().piece("one").piece("two"); });
    ManualClock clock;
    HttpClient client({}, clock);
    const auto response = run(client, within(50ms, get(server.url())), [&](std::string_view) -> Task<bool> {
        clock.advance(1h);
        co_return true;
    });
    EXPECT_EQ(summary(response), "200 ");
}

TEST(HttpClientStop, GivesUpAtTheDeadlineThoughTheServerKeepsTalking) {
    const HttpServer server([](const ReceivedRequest&) { return Reply().endless("x"); });
    HttpClient client;
    HttpCall call = get(server.url());
    call.limits.body_bytes = std::size_t{1} << 40;
    call.deadline = Deadline::after(system_clock(), 50ms);
    const auto ignore = [](std::string_view) -> Task<bool> { co_return true; };
    EXPECT_THAT(summary(run(client, std::move(call), ignore)),
                AllOf(StartsWith("timeout: the request to 127.0.0.1:"), HasSubstr("did not finish in time")));
    EXPECT_TRUE(server.wait_until_closed());
}

TEST(HttpClientStop, DoesNotBeginAfterTheDeadlineOrACancellation) {
    const HttpServer server([](const ReceivedRequest&) { return Reply(); });
    HttpClient client;
    HttpCall late = get(server.url());
    late.deadline = Deadline::at(system_clock().now());
    EXPECT_THAT(summary(run(client, std::move(late))), StartsWith("timeout: "));
    CancelSource source;
    source.cancel(CancelReason::user_request);
    EXPECT_THAT(summary(run(client, cancellable(source, server.url()))), StartsWith("cancelled: stopped on request"));
    EXPECT_EQ(server.connections(), 0U);
}

TEST(HttpClientStop, IsCancelledFromAnotherThreadWhileItWaitsForTheFirstByte) {
    const HttpServer server([](const ReceivedRequest&) { return Reply().stall(); });
    HttpClient client;
    CancelSource source;
    std::thread other([&] {
        EXPECT_TRUE(server.wait_for_requests(1));
        source.cancel(CancelReason::user_request);
    });
    EXPECT_THAT(summary(run(client, cancellable(source, server.url()))), StartsWith("cancelled: stopped on request"));
    EXPECT_TRUE(server.wait_until_closed());
    other.join();
}

TEST(HttpClientStop, IsCancelledInTheMiddleOfTheBody) {
    const HttpServer server([](const ReceivedRequest&) { return Reply().piece("begun").stall(); });
    HttpClient client;
    CancelSource source;
    std::thread other;
    const auto response = run(client, cancellable(source, server.url()), [&](std::string_view) -> Task<bool> {
        other = std::thread([&] { source.cancel(CancelReason::client_gone); });
        co_return true;
    });
    EXPECT_THAT(summary(response), StartsWith("cancelled: "));
    EXPECT_TRUE(server.wait_until_closed());
    other.join();
}

TEST(HttpClientStop, IsCancelledWhileTheSinkIsAtWork) {
    const HttpServer server([](const ReceivedRequest&) { return Reply().endless("x"); });
    HttpClient client;
    CancelSource source;
    const auto response = run(client, cancellable(source, server.url()), [&](std::string_view) -> Task<bool> {
        source.cancel(CancelReason::user_request);
        co_await system_clock().sleep_for(1h);
        co_return true;
    });
    EXPECT_THAT(summary(response), StartsWith("cancelled: "));
    EXPECT_TRUE(server.wait_until_closed());
}

TEST(HttpClientStop, IsCancelledWhileALargeBodyIsBeingSent) {
    // A listener whose connections nobody reads: the body fills the buffers of the system and gets stuck.
    asio::io_context loop(1);
    asio::ip::tcp::acceptor listener(loop, {asio::ip::address_v4::loopback(), 0});
    const std::string url = "http://127.0.0.1:" + std::to_string(listener.local_endpoint().port());
    HttpClient client;
    CancelSource source;
    HttpCall call = post(url, std::string(std::size_t{64} << 20, 'x'));
    call.cancel = source.token();
    asio::ip::tcp::socket peer(loop);
    std::thread other([&] {
        listener.accept(peer);
        source.cancel(CancelReason::user_request);
    });
    EXPECT_THAT(summary(run(client, std::move(call))), StartsWith("cancelled: "));
    other.join();
}

TEST(HttpClientStop, IsCancelledWhileItLooksUpAName) {
    // The lookup may end before the cancellation, or be left behind by it.
    for (int round = 0; round < 20; ++round) {
        const HttpServer server([](const ReceivedRequest&) { return Reply().stall(); });
        HttpClient client;
        CancelSource source;
        asio::io_context loop(1);
        std::string end;
        const auto keep = [&](std::exception_ptr, const Result<HttpResponse>& result) { end = summary(result); };
        asio::co_spawn(loop, client.send(cancellable(source, "http://localhost:" + std::to_string(server.port()))),
                       keep);
        loop.poll();
        source.cancel(CancelReason::user_request);
        loop.restart();
        loop.run();
        EXPECT_THAT(end, StartsWith("cancelled: "));
    }
}

TEST(HttpClientStop, EndsWithTheTaskThatAwaitsIt) {
    const HttpServer server([](const ReceivedRequest&) { return Reply().stall(); });
    HttpClient client;
    asio::io_context loop(1);
    asio::cancellation_signal parent;
    std::exception_ptr thrown;
    const auto end = [&](std::exception_ptr error, const Result<HttpResponse>&) { thrown = error; };
    asio::co_spawn(loop, client.send(get(server.url())), asio::bind_cancellation_slot(parent.slot(), end));
    std::thread other([&] {
        EXPECT_TRUE(server.wait_for_requests(1));
        asio::post(loop, [&] { parent.emit(asio::cancellation_type::terminal); });
    });
    loop.run();
    other.join();
    ASSERT_TRUE(thrown);
    EXPECT_THROW(std::rethrow_exception(thrown), boost::system::system_error);
    EXPECT_TRUE(server.wait_until_closed());
}

TEST(HttpClientStop, GivesUpOnAServerThatNeverFinishesTls) {
    // A plain server takes the greeting of TLS for the beginning of a request and waits for its end.
    const HttpServer server([](const ReceivedRequest&) { return Reply(); });
    HttpClient client;
    HttpCall call = get("https://127.0.0.1:" + std::to_string(server.port()));
    call.limits.connect = 50ms;
    EXPECT_THAT(summary(run(client, std::move(call))),
                AllOf(StartsWith("timeout: connecting to 127.0.0.1:"), HasSubstr("did not finish in time")));
    EXPECT_TRUE(server.wait_until_closed());
}

TEST(HttpClientStop, IsCancelledDuringTls) {
    const HttpServer server([](const ReceivedRequest&) { return Reply(); });
    HttpClient client;
    CancelSource source;
    HttpCall call = cancellable(source, "https://127.0.0.1:" + std::to_string(server.port()));
    std::thread other([&] {
        EXPECT_TRUE(server.wait_for_connections(1));
        source.cancel(CancelReason::shutdown);
    });
    EXPECT_THAT(summary(run(client, std::move(call))), StartsWith("cancelled: "));
    EXPECT_TRUE(server.wait_until_closed());
    other.join();
}

}  // namespace
}  // namespace quaestor::net
