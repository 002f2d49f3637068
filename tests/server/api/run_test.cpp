#include "api_fixture.hpp"
#include "server/api/run_hub.hpp"

#include <thread>

namespace quaestor::server::testing {

namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

class Runs : public ApiTest {
protected:
    [[nodiscard]] Request follow(const std::string& run, const std::string& last_id,
                                 const std::string& session = "ann") {
        auto made = request("GET", "/api/runs/" + run + "/events", {}, session);
        if (!last_id.empty()) made.headers.push_back({"Last-Event-ID", last_id});
        return made;
    }
};

std::string str(const json::value& value) {
    return std::string(value.as_string());
}

TEST_F(Runs, AreFollowedFromWhereAClientLeftThemWithoutLossOrRepetition) {
    const auto first = ask("wait for it", "t1");
    until([&] { return gate().waiting() == 1; });
    until([&] { return first->events().size() >= 5; });
    first->leave();
    until_ended(*first);
    const auto seen = first->events();
    const auto second = open(follow(run_of(*first), seen.back().id));
    gate().open();
    until_ended(*second);
    EXPECT_THAT(second->names(), Not(Contains("thread_id")));
    const auto whole = open(follow(run_of(*first), ""));
    until_ended(*whole);
    std::string together;
    for (const auto& event : first->events()) together += event.id + " ";
    for (const auto& event : second->events()) together += event.id + " ";
    std::string all;
    for (const auto& event : whole->events()) all += event.id + " ";
    EXPECT_EQ(together, all);
}

TEST_F(Runs, AreFollowedByTwoAtOnceWhoHearTheSame) {
    const auto first = ask("wait for it", "t1");
    const auto second = open(follow(run_of(*first), ""));
    gate().open();
    until([&] { return first->ended && second->ended; });
    EXPECT_EQ(first->text, second->text);
}

TEST_F(Runs, AreFollowedByAQueryToo) {
    const auto first = ask("How many?", "t1");
    until_ended(*first);
    const auto last = first->events().at(2).id;
    const auto rest = open(request("GET", "/api/runs/" + run_of(*first) + "/events?after=" + last));
    until_ended(*rest);
    EXPECT_EQ(rest->events().size() + 3, first->events().size());
}

TEST_F(Runs, ThatEndedAreToldFromTheirLogThenFromTheStore) {
    const auto first = ask("How many?", "t1");
    until_ended(*first);
    const auto again = open(follow(run_of(*first), "nonsense"));
    until_ended(*again);
    EXPECT_EQ(again->text, first->text);
    restart(settings());
    const auto stored = open(follow(run_of(*first), first->events().back().id));
    until_ended(*stored);
    EXPECT_EQ(stored->names().front(), "thread_id");
    EXPECT_EQ(stored->names().back(), "done");
    EXPECT_EQ(stored->talk(), first->talk());
}

TEST_F(Runs, OfAnotherSessionAreNotThere) {
    const auto first = ask("How many?", "t1");
    until_ended(*first);
    const std::string run = run_of(*first);
    EXPECT_EQ(get(follow(run, "", "bob")).status, 404);
    EXPECT_EQ(get("GET", "/api/runs/" + run, "", "bob").status, 404);
    EXPECT_EQ(get("GET", "/api/runs/" + run, "", "").status, 404);
    EXPECT_EQ(get("POST", "/api/runs/" + run + "/cancel", "", "bob").status, 404);
    EXPECT_EQ(get("GET", "/api/runs", "", "bob").json().at("runs").as_array().size(), 0u);
    EXPECT_EQ(get("GET", "/api/runs/x%20y", "", "bob").status, 404);
}

TEST_F(Runs, AreListedAndShownWithTheirSteps) {
    until_ended(*ask("How many?", "t1"));
    const auto second = ask("And players?", "t2");
    until_ended(*second);
    const auto runs = get("GET", "/api/runs?limit=1").json().at("runs").as_array();
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_EQ(str(runs[0].at("title")), "And players");
    const auto run = get("GET", "/api/runs/" + run_of(*second)).json();
    EXPECT_EQ(str(run.at("status")), "finished");
    ASSERT_EQ(run.at("trace").as_array().size(), 3u);
    EXPECT_EQ(str(run.at("trace").at(1).at("label")), "Selecting tables");
    EXPECT_EQ(str(run.at("answer").at("status")), "answered");
    EXPECT_EQ(get("GET", "/api/runs", "", "").status, 400);
    EXPECT_EQ(get("GET", "/api/runs?limit=0").status, 422);
    EXPECT_EQ(get("GET", "/api/runs?limit=many").status, 422);
}

TEST_F(Runs, AreStoppedWhenAsked) {
    const auto first = ask("wait for it", "t1");
    until([&] { return gate().waiting() == 1; });
    EXPECT_EQ(get("POST", "/api/runs/" + run_of(*first) + "/cancel").status, 202);
    until_ended(*first);
    EXPECT_EQ(str(first->event("error").data.at("code")), "cancelled");
    EXPECT_EQ(first->names().back(), "done");
    EXPECT_EQ(get("POST", "/api/runs/" + run_of(*first) + "/cancel").status, 409);
    EXPECT_EQ(get("POST", "/api/chat", chat_body("and now?", "t1")).status, 200);
}

TEST_F(Runs, ThatNobodyFollowsAnyMoreAreStoppedAfterAWhile) {
    const auto first = ask("wait for it", "t1");
    until([&] { return gate().waiting() == 1; });
    CancelSource stop;
    asio::co_spawn(loop(), service().keep_house(stop.token()), asio::detached);
    until([&] { return clock_.sleepers() == 1; });
    first->leave();
    until_ended(*first);
    clock_.advance(5s);
    until([&] { return clock_.sleepers() == 1; });
    EXPECT_EQ(service().running(), 1u);
    clock_.advance(61s);
    // The housekeeper may have looked just before, and sleeps again.
    until([&] {
        clock_.advance(5s);
        return service().running() == 0;
    });
    stop.cancel(CancelReason::shutdown);
    clock_.advance(5s);
}

TEST_F(Runs, LeftByAProcessThatDiedGoOnFromTheirLastStep) {
    const auto first = ask("wait for it", "t1");
    until([&] { return gate().waiting() == 1; });
    const std::string run = run_of(*first);
    auto next_life = settings();
    next_life.runner = "server test 2";
    restart(next_life);
    EXPECT_EQ(get(follow(run, "")).status, 409);  // nobody works on it yet
    auto adopting = service().adopt_runs([](std::string_view runner) { return runner == "server test 1"; });
    const auto soon = get(follow(run, ""));  // a client that asks again will find it
    EXPECT_EQ(soon.status, 503);
    EXPECT_EQ(soon.header("Retry-After"), "2");
    asio::co_spawn(loop(), std::move(adopting), asio::detached);
    until([&] { return gate().waiting() == 1; });
    const auto second = open(follow(run, first->events().back().id));
    EXPECT_EQ(get("POST", "/api/chat", chat_body("me too", "t1")).status, 409);
    const auto running = get("GET", "/api/threads/t1/messages").json();
    EXPECT_EQ(str(running.at("running").at("run_id")), run);
    gate().open();
    until_ended(*second);
    EXPECT_EQ(second->event("run").data.at("resumed"), json::value(true));
    EXPECT_THAT(second->talk(), HasSubstr("\"wait for it\" is forty-two"));
    const auto messages = get("GET", "/api/threads/t1/messages").json().at("messages").as_array();
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_EQ(str(messages[0].at("content")), "wait for it");
    // The step before the one that was cut off was not done again.
    EXPECT_THAT(second->names(), Contains("node_start"));
    EXPECT_EQ(str(second->event("node_start").data.at("node")), "select_tables");
}

TEST_F(Runs, OfProcessesThatLiveAreLeftAlone) {
    const auto first = ask("wait for it", "t1");
    until([&] { return gate().waiting() == 1; });
    restart(settings());
    bool is_done = false;
    const auto adopt = [&]() -> Task<> {
        co_await service().adopt_runs([](std::string_view) { return false; });
        is_done = true;
    };
    asio::co_spawn(loop(), adopt(), asio::detached);
    until([&] { return is_done; });
    EXPECT_EQ(service().running(), 0u);
}

// ---- the log of a run

TEST(RunLog, WakesAFollowerOnAnotherThreadAndSendsWhatIsReadyTogether) {
    RunLog log("e");
    std::string heard;
    std::size_t pieces = 0;
    std::thread follower([&] {
        run_to_end([](RunLog& from, std::string& text, std::size_t& count) -> Task<> {
            for (std::uint64_t after = 0;;) {
                auto piece = co_await from.next(after, 60s, {});
                text += piece.bytes;
                ++count;
                after = piece.last;
                if (piece.ended) co_return;
            }
        }(log, heard, pieces));
    });
    std::string expected;
    for (int n = 1; n <= 500; ++n) {
        const ServerEvent event{"tick", {{"n", n}}};
        log.append(event);
        append_frame(expected, "e." + std::to_string(n), event);
    }
    log.close();
    follower.join();
    EXPECT_EQ(heard, expected);
    EXPECT_LE(pieces, 502u);
}

TEST(RunLog, GivesAnEmptyPieceWhenPatienceIsOverAndWhenTheClientIsGone) {
    RunLog log("e");
    const auto silent = run_to_end(log.next(0, 1ms, {}));
    EXPECT_TRUE(silent.bytes.empty());
    EXPECT_FALSE(silent.ended);
    CancelSource gone;
    gone.cancel(CancelReason::client_gone);
    EXPECT_TRUE(run_to_end(log.next(0, 60s, gone.token())).bytes.empty());
}

TEST(RunLog, KnowsThePlacesOfItsOwnIdsOnly) {
    RunLog log("e");
    log.append({"a", {}});
    log.append({"b", {}});
    EXPECT_EQ(log.place_of("e.1"), 1u);
    EXPECT_EQ(log.place_of("e.2"), 2u);
    for (const auto* strange : {"", "e", "e.", "e.3", "f.1", "e.1x", "e.-1", "e.99999999999999999999"}) {
        EXPECT_EQ(log.place_of(strange), 0u) << strange;
    }
}

TEST(RunLog, TakesNothingAfterItsEnd) {
    RunLog log("e");
    log.close();
    log.append({"late", {}});
    const auto piece = run_to_end(log.next(0, 60s, {}));
    EXPECT_TRUE(piece.ended);
    EXPECT_TRUE(piece.bytes.empty());
}

TEST(RunHub, ForgetsLogsByAgeAndByNumber) {
    ManualClock clock;
    RunHub hub({.runs = 10, .logs_kept = 2, .log_time = 10s}, clock);
    const auto run = [&](std::string id) {
        auto begun = hub.begin({id, id, "", "", ""}).value();
        hub.release(begun);
        begun->log.close();
    };
    for (const auto* id : {"a", "b", "c"}) run(id);
    EXPECT_EQ(hub.find("a"), nullptr);
    EXPECT_NE(hub.find("c"), nullptr);
    clock.advance(11s);
    hub.sweep();
    EXPECT_EQ(hub.find("c"), nullptr);
    EXPECT_EQ(hub.kept(), 0u);
}

}  // namespace

}  // namespace quaestor::server::testing
