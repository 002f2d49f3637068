#include "api_fixture.hpp"

namespace quaestor::server::testing {

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class Chat : public ApiTest {};

std::string text_of(const json::value& value) {
    return std::string(value.as_string());
}

TEST_F(Chat, StreamTellsStepsThenAnswerThenDoneInTheOrderOfTheProtocol) {
    const auto listener = ask("How many teams?", "t1");
    until_ended(*listener);
    auto names = listener->names();
    names.erase(std::ranges::unique(names).begin(), names.end());  // the pieces of the text are many
    EXPECT_THAT(names, ElementsAre("thread_id", "run", "node_start", "pipeline_state", "node_start", "pipeline_state",
                                   "node_start", "agent_talk", "pipeline_state", "chart", "answer", "done"));
    EXPECT_EQ(listener->event("thread_id").data, (json::object{{"thread_id", "t1"}}));
    EXPECT_EQ(text_of(listener->event("node_start").data.at("label")), "Asking back");
    EXPECT_EQ(listener->talk(), "The answer to \"How many teams?\" is forty-two, and it is right.");
    EXPECT_EQ(text_of(listener->event("answer").data.at("status")), "answered");
    const auto done = listener->event("done").data;
    EXPECT_EQ(done.at("total_rows"), json::value(1));
    EXPECT_EQ(done.at("total_queries"), json::value(1));
    EXPECT_EQ(done.at("token_usage").at("total").at("total_tokens"), json::value(15));
    EXPECT_EQ(done.at("cost").at("total_cost_usd"), json::value(0.25));
}

TEST_F(Chat, StreamIsFramedWithIdsAndOneDataLineForEachEvent) {
    const auto listener = ask("How many\nteams?");
    until_ended(*listener);
    const auto events = listener->events();
    std::string prefix = events.at(0).id.substr(0, events.at(0).id.find('.'));
    for (std::size_t at = 0; at < events.size(); ++at) {
        EXPECT_EQ(events[at].id, prefix + "." + std::to_string(at + 1));
    }
    EXPECT_THAT(listener->headers, Contains(::testing::Field(&net::HttpHeader::value, "text/event-stream")));
}

TEST_F(Chat, WithoutStreamGivesTheAnswerWithTheFieldsOfBothProtocols) {
    const auto got = get("POST", "/api/chat", chat_body("How many teams?", "t1"));
    ASSERT_EQ(got.status, 200) << got.body;
    const auto answer = got.json().as_object();
    for (const auto* name :
         {"answer", "thread_id", "queries", "resolved_products", "schemas_used", "total_rows",
          "total_execution_time_ms", "token_usage", "cost", "tool_call_counts", "step_timing", "status", "run_id"}) {
        EXPECT_TRUE(answer.contains(name)) << name;
    }
    EXPECT_EQ(text_of(answer.at("queries").as_array().at(0).at("sql")), "SELECT 42");
    EXPECT_EQ(text_of(answer.at("queries").as_array().at(0).at("text")), "SELECT 42");
}

TEST_F(Chat, OnABusyThreadIsAConflictUntilTheFirstHasEnded) {
    const auto first = ask("wait for it", "t1");
    until([&] { return gate().waiting() == 1; });
    const auto second = get("POST", "/api/chat", chat_body("and now?", "t1"));
    EXPECT_EQ(second.status, 409);
    EXPECT_THAT(second.body, HasSubstr("/cancel"));
    EXPECT_EQ(get("POST", "/api/chat", chat_body("elsewhere", "t2")).status, 200);
    gate().open();
    until_ended(*first);
    EXPECT_EQ(get("POST", "/api/chat", chat_body("and now?", "t1")).status, 200);
}

TEST_F(Chat, ThatFailsTellsWhatHappenedAsEventAndAsStatus) {
    const auto listener = ask("fail please", "t1");
    until_ended(*listener);
    const auto error = listener->event("error").data;
    EXPECT_THAT(text_of(error.at("message")), HasSubstr("the database is down"));
    EXPECT_EQ(text_of(error.at("code")), "unavailable");
    EXPECT_EQ(text_of(error.at("hint")), "start it");
    EXPECT_EQ(listener->names().back(), "done");
    const auto got = get("POST", "/api/chat", chat_body("fail again", "t1"));
    EXPECT_EQ(got.status, 503);
    EXPECT_EQ(got.header("Retry-After"), "2");
    EXPECT_THAT(text_of(got.json().at("detail")), HasSubstr("the database is down"));
}

TEST_F(Chat, ThatThrowsIsAFailureOfItsOwnAndNotOfTheServer) {
    EXPECT_EQ(get("POST", "/api/chat", chat_body("throw it")).status, 500);
    EXPECT_EQ(get("POST", "/api/chat", chat_body("How many?")).status, 200);
}

TEST_F(Chat, PastItsTimeIs504) {
    auto brief = settings();
    brief.run_time = std::chrono::milliseconds(0);
    use(brief);
    EXPECT_EQ(get("POST", "/api/chat", chat_body("How many?")).status, 504);
    const auto listener = ask("How many?");
    until_ended(*listener);
    EXPECT_EQ(text_of(listener->event("error").data.at("code")), "timeout");
}

TEST_F(Chat, IsRefusedWithTheNameOfTheFieldThatIsWrong) {
    const auto refused = [&](std::string body, int status, std::string_view part) {
        const auto got = get("POST", "/api/chat/stream", std::move(body));
        EXPECT_EQ(got.status, status) << got.body;
        EXPECT_THAT(got.body, HasSubstr(part));
        EXPECT_TRUE(got.json().as_object().contains("detail"));
        EXPECT_EQ(text_of(got.json().at("error").at("request_id")), "r1");
    };
    refused("{", 400, "no JSON");
    refused("{}", 422, "question");
    refused(R"({"question": 7})", 422, "question");
    refused(R"({"question": "  "})", 422, "question");
    refused(to_text(json::object{{"question", std::string(9'000, 'x')}}), 422, "question");
    refused(R"({"question": "q", "thread_id": "a b"})", 422, "thread_id");
    refused(R"({"question": "q", "override_schema": "hs22"})", 422, "override_schema");
    refused(R"({"question": "q", "override_direction": "up"})", 422, "override_direction");
    refused(R"({"question": "q", "override_mode": "x"})", 422, "override_mode");
    refused(R"({"question": "q", "mode": "x"})", 422, "mode");
    refused(R"({"question": "q", "agent": "nobody"})", 404, "there is: nba");
}

TEST_F(Chat, AsksBackAndGoesOnWithTheAnswer) {
    const auto first = ask("which team?", "t1");
    until_ended(*first);
    const auto asked = first->event("clarification").data;
    EXPECT_EQ(text_of(asked.at("reason")), "There are two.");
    EXPECT_EQ(asked.at("options").as_array().size(), 2u);
    const std::string run = text_of(asked.at("run_id"));
    EXPECT_EQ(text_of(first->event("done").data.at("status")), "clarification");

    auto reply = request("POST", "/api/runs/" + run + "/resume", R"({"answer": "2"})");
    reply.headers.push_back({"Accept", "text/event-stream"});
    const auto second = open(reply);
    until_ended(*second);
    EXPECT_EQ(run_of(*second), run);
    EXPECT_THAT(second->talk(), HasSubstr("the second"));
    EXPECT_EQ(get("POST", "/api/runs/" + run + "/resume", R"({"answer": "1"})").status, 409);
}

TEST_F(Chat, TakesTheNextQuestionOfAWaitingThreadForItsAnswer) {
    const auto first = ask("which team?", "t1");
    until_ended(*first);
    const auto got = get("POST", "/api/chat", chat_body("the first", "t1"));
    EXPECT_THAT(text_of(got.json().at("answer")), HasSubstr("the first"));
    EXPECT_EQ(text_of(got.json().at("run_id")), run_of(*first));
}

TEST_F(Chat, WaitsForItsAnswerOverARestart) {
    const auto first = ask("which team?", "t1");
    until_ended(*first);
    const std::string run = run_of(*first);
    restart(settings());
    const auto got = get("POST", "/api/runs/" + run + "/resume", R"({"answer": "the first"})");
    EXPECT_EQ(got.status, 200) << got.body;
    EXPECT_THAT(text_of(got.json().at("answer")), HasSubstr("the first"));
}

TEST_F(Chat, ResumingIsRefusedForRunsThatDoNotWaitAndThoseOfOthers) {
    const auto first = ask("which team?", "t1");
    until_ended(*first);
    const std::string run = run_of(*first);
    EXPECT_EQ(get("POST", "/api/runs/" + run + "/resume", R"({"answer": "1"})", "bob").status, 404);
    EXPECT_EQ(get("POST", "/api/runs/unknown/resume", R"({"answer": "1"})").status, 404);
    EXPECT_EQ(get("POST", "/api/runs/" + run + "/resume", R"({})").status, 422);
    EXPECT_EQ(get("POST", "/api/runs/" + run + "/resume", R"({"answer": ""})").status, 422);
}

TEST_F(Chat, ThatWritesItsAnswerAnewTakesBackWhatItSaid) {
    const auto listener = ask("regenerate it");
    until_ended(*listener);
    EXPECT_THAT(listener->names(), Contains("retract"));
    EXPECT_THAT(listener->talk(), HasSubstr("does not hold"));
    EXPECT_THAT(listener->talk(), ::testing::EndsWith("is forty-two, and it is right."));
}

TEST_F(Chat, GivesTheWorkflowWhatWasSetBesideTheQuestionAndRestoresItWithTheThread) {
    const auto got = get("POST", "/api/chat",
                         R"({"question": "How many?", "thread_id": "t1", "override_schema": "hs92", "mode": "auto"})");
    EXPECT_THAT(text_of(got.json().at("answer")), HasSubstr("In hs92."));
    const auto messages = get("GET", "/api/threads/t1/messages").json();
    EXPECT_EQ(text_of(messages.at("overrides").at("override_schema")), "hs92");
    EXPECT_TRUE(messages.at("overrides").at("override_mode").is_null());
}

TEST_F(Chat, GoesToTheAgentThatIsNamedAndStaysWithIt) {
    use(settings(), {"nba", "shop"});
    const auto routed = ask("a question for the shop", "t1");
    until_ended(*routed);
    EXPECT_EQ(text_of(routed->event("run").data.at("agent")), "shop");
    EXPECT_EQ(text_of(routed->event("run").data.at("reason")), "it is named");
    const auto next = get("POST", "/api/chat", chat_body("and now?", "t1"));
    EXPECT_EQ(text_of(next.json().at("agent")), "shop");
    const auto other = get("POST", "/api/chat", R"({"question": "q", "thread_id": "t1", "agent": "nba"})");
    EXPECT_EQ(other.status, 409);
}

TEST_F(Chat, BeyondTheNumberOfRunsIsTurnedAwayForAMoment) {
    auto narrow = settings();
    narrow.hub.runs = 1;
    use(narrow);
    const auto first = ask("wait for it", "t1");
    until([&] { return gate().waiting() == 1; });
    const auto second = get("POST", "/api/chat", chat_body("me too", "t2"));
    EXPECT_EQ(second.status, 503);
    EXPECT_EQ(second.header("Retry-After"), "2");
    gate().open();
    until_ended(*first);
}

TEST_F(Chat, TakesNoNewQuestionsWhileDrainingAndFinishesTheOldOnes) {
    const auto first = ask("wait for it", "t1");
    until([&] { return gate().waiting() == 1; });
    service().drain();
    EXPECT_EQ(get("POST", "/api/chat", chat_body("me too", "t2")).status, 503);
    EXPECT_EQ(get("GET", "/ready").status, 503);
    EXPECT_EQ(get("GET", "/health").status, 200);
    gate().open();
    until_ended(*first);
    EXPECT_EQ(service().running(), 0u);
    EXPECT_EQ(first->names().back(), "done");
}

}  // namespace

}  // namespace quaestor::server::testing
