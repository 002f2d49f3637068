#include "api_fixture.hpp"
#include "server/api/turns.hpp"

namespace quaestor::server::testing {

namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Threads : public ApiTest {
protected:
    void said(const std::string& question, const std::string& thread, const std::string& session = "ann") {
        ASSERT_EQ(get("POST", "/api/chat", chat_body(question, thread), session).status, 200);
    }
    [[nodiscard]] json::array list(const std::string& session = "ann") {
        return get("GET", "/api/threads", "", session).json().as_array();
    }
};

std::string word(const json::value& value) {
    return std::string(value.as_string());
}

TEST_F(Threads, GetIdsThatAreUuids) {
    const auto first = word(get("POST", "/api/threads").json().at("thread_id"));
    const auto second = word(get("POST", "/api/threads").json().at("thread_id"));
    EXPECT_THAT(first, ::testing::MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"));
    EXPECT_NE(first, second);
    EXPECT_TRUE(list().empty());
}

TEST_F(Threads, AreListedForTheirSessionTheLatestFirst) {
    said("How many teams? And players.", "t1");
    said("Second", "t2");
    said("Third", "t3", "bob");
    const auto threads = list();
    ASSERT_EQ(threads.size(), 2u);
    EXPECT_EQ(word(threads[0].at("thread_id")), "t2");
    EXPECT_EQ(word(threads[1].at("title")), "How many teams");
    EXPECT_EQ(threads[1].at("messages"), json::value(2));
    EXPECT_TRUE(threads[1].as_object().contains("created_at"));
    EXPECT_EQ(get("GET", "/api/threads?limit=1").json().as_array().size(), 1u);
    EXPECT_EQ(get("GET", "/api/threads", "", "").status, 400);
    EXPECT_EQ(get("GET", "/api/threads", "", "no id").status, 400);
}

TEST_F(Threads, GiveTheirMessagesWithASummaryForEachAnswer) {
    said("How many teams?", "t1");
    said("And players?", "t1");
    const auto read = get("GET", "/api/threads/t1/messages").json();
    const auto messages = read.at("messages").as_array();
    ASSERT_EQ(messages.size(), 4u);
    EXPECT_EQ(word(messages[2].at("role")), "human");
    EXPECT_EQ(word(messages[2].at("content")), "And players?");
    EXPECT_EQ(word(messages[3].at("role")), "ai");
    const auto summaries = read.at("turn_summaries").as_array();
    ASSERT_EQ(summaries.size(), 2u);
    for (const auto* name :
         {"entities", "queries", "total_rows", "total_execution_time_ms", "atlas_links", "docs_consulted",
          "graphql_summaries", "total_graphql_time_ms", "pipeline_steps", "answer"}) {
        EXPECT_TRUE(summaries[0].as_object().contains(name)) << name;
    }
    EXPECT_EQ(word(summaries[0].at("queries").at(0).at("sql")), "SELECT 42");
    EXPECT_EQ(word(summaries[1].at("answer").at("status")), "answered");
    EXPECT_EQ(word(read.at("agent")), "nba");
    EXPECT_EQ(get("GET", "/api/threads/t1/turns/1").json(), summaries[1]);
    EXPECT_EQ(get("GET", "/api/threads/t1/turns/2").status, 404);
    EXPECT_EQ(get("GET", "/api/threads/t1/turns/x").status, 404);
}

TEST_F(Threads, OfAnotherSessionAreNotThere) {
    said("How many teams?", "t1");
    for (const auto* session : {"bob", ""}) {
        EXPECT_EQ(get("GET", "/api/threads/t1/messages", "", session).status, 404);
        EXPECT_EQ(get("GET", "/api/threads/t1/export", "", session).status, 404);
        EXPECT_EQ(get("PATCH", "/api/threads/t1", R"({"title": "mine"})", session).status, 404);
        EXPECT_EQ(get("DELETE", "/api/threads/t1", "", session).status, 404);
        EXPECT_EQ(get("POST", "/api/chat", chat_body("mine?", "t1"), session).status, 404);
    }
    EXPECT_EQ(get("GET", "/api/threads/t1/messages").status, 200);
}

TEST_F(Threads, ThatNobodyBeganAreOpenToWhoeverKnowsTheirName) {
    said("How many teams?", "t1", "");
    EXPECT_EQ(get("GET", "/api/threads/t1/messages", "", "bob").status, 200);
    EXPECT_TRUE(list("bob").empty());
}

TEST_F(Threads, AreRenamed) {
    said("How many teams?", "t1");
    const auto renamed = get("PATCH", "/api/threads/t1", R"({"title": "Teams"})");
    EXPECT_EQ(renamed.status, 200);
    EXPECT_EQ(word(renamed.json().at("title")), "Teams");
    EXPECT_EQ(word(list()[0].at("title")), "Teams");
    EXPECT_EQ(get("PATCH", "/api/threads/t1", R"({"title": ""})").status, 422);
    EXPECT_EQ(get("PATCH", "/api/threads/t1", R"({})").status, 422);
    EXPECT_EQ(get("PATCH", "/api/threads/t2", R"({"title": "x"})").status, 404);
}

TEST_F(Threads, AreRemovedWithAllThatWasRemembered) {
    said("How many teams?", "t1");
    EXPECT_EQ(get("DELETE", "/api/threads/t1").status, 204);
    EXPECT_TRUE(list().empty());
    EXPECT_EQ(get("GET", "/api/threads/t1/messages").status, 404);
    EXPECT_EQ(get("DELETE", "/api/threads/t1").status, 404);
    EXPECT_FALSE(run_to_end(store().checkpoints().get("t1")).value());
}

TEST_F(Threads, ThatAreBusyAreNotRemoved) {
    const auto first = ask("wait for it", "t1");
    until([&] { return gate().waiting() == 1; });
    EXPECT_EQ(get("DELETE", "/api/threads/t1").status, 409);
    EXPECT_EQ(list()[0].at("running"), json::value(true));
    gate().open();
    until_ended(*first);
}

TEST_F(Threads, AreExportedAsMarkdownJsonAndCsv) {
    said("How many | teams?", "t1");
    said("=1+1", "t1");
    const auto markdown = get("GET", "/api/threads/t1/export");
    EXPECT_THAT(markdown.header("Content-Type"), HasSubstr("text/markdown"));
    EXPECT_THAT(markdown.body, HasSubstr("## How many \\| teams?"));
    EXPECT_THAT(markdown.body, HasSubstr("```sql\nSELECT 42\n```\n\n| n |\n| --- |\n| 42 |"));
    const auto csv = get("GET", "/api/threads/t1/export?format=csv");
    EXPECT_THAT(csv.body, HasSubstr("\"'=1+1\""));
    EXPECT_THAT(csv.body, HasSubstr("The answer to \"\"How many"));
    const auto whole = get("GET", "/api/threads/t1/export?format=json").json();
    EXPECT_EQ(whole.at("turns").as_array().size(), 2u);
    EXPECT_EQ(get("GET", "/api/threads/t1/export?format=pdf").status, 422);
}

TEST_F(Threads, KeepOneOpinionForEachTurn) {
    said("How many teams?", "t1");
    const auto first = get("POST", "/api/feedback", R"({"thread_id": "t1", "turn_index": 0, "rating": "up"})");
    EXPECT_EQ(first.status, 201) << first.body;
    const auto second =
        get("POST", "/api/feedback", R"({"thread_id": "t1", "turn_index": 0, "rating": "down", "comment": "no"})");
    EXPECT_EQ(second.json().at("id"), first.json().at("id"));
    EXPECT_EQ(word(second.json().at("rating")), "down");
    const std::string id = word(first.json().at("id"));
    EXPECT_EQ(get("PUT", "/api/feedback/" + id, R"({"rating": "up"})", "bob").status, 403);
    EXPECT_EQ(get("PUT", "/api/feedback/none", R"({"rating": "up"})").status, 404);
    EXPECT_EQ(word(get("PUT", "/api/feedback/" + id, R"({"rating": "up"})").json().at("rating")), "up");
    EXPECT_EQ(get("GET", "/api/feedback?thread_id=t1").json().as_array().size(), 1u);
    const auto exported = get("GET", "/api/feedback/export?rating=up").json().as_array();
    ASSERT_EQ(exported.size(), 1u);
    EXPECT_EQ(word(exported[0].at("session_id")), "ann");
    EXPECT_EQ(word(exported[0].at("context").at("question")), "How many teams?");
    EXPECT_TRUE(get("GET", "/api/feedback/export?rating=down").json().as_array().empty());
}

TEST_F(Threads, RefuseOpinionsThatMakeNoSense) {
    said("How many teams?", "t1");
    const auto give = [&](std::string_view turn, std::string_view rating, std::string session = "ann") {
        return get("POST", "/api/feedback",
                   std::string(R"({"thread_id": "t1", "turn_index": )") + std::string(turn) + R"(, "rating": ")" +
                       std::string(rating) + "\"}",
                   std::move(session))
            .status;
    };
    EXPECT_EQ(give("1", "up"), 422);
    EXPECT_EQ(give("-1", "up"), 422);
    EXPECT_EQ(give("0", "sideways"), 422);
    EXPECT_EQ(give("0", "up", "bob"), 404);
    EXPECT_EQ(give("0", "up", ""), 400);
    EXPECT_EQ(get("GET", "/api/feedback", "", "").status, 400);
    EXPECT_EQ(get("GET", "/api/feedback/export?rating=x").status, 422);
}

}  // namespace

}  // namespace quaestor::server::testing
