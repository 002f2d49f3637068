// `quaestor serve` as a process: it answers, drains, is killed in the middle of an answer and loses nothing.
#include "base/json.hpp"
#include "served_process.hpp"
#include "shop_file.hpp"
#include "temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>

namespace quaestor::server::testing {

namespace {

using ::testing::HasSubstr;

constexpr const char* kQuestion = R"({"question": "How many customers are there?", "thread_id": "t1"})";

/// A folder with a small database and a configuration that names it.
class Serving : public ::testing::Test {
protected:
    Serving() {
        make_shop(folder_.file("shop.db"));
        std::ofstream(folder_.file("quaestor.yaml")) << "sources: {shop: {path: shop.db}}\n";
    }

    /// Documents to ask beside the database; reading them takes a moment.
    void add_notes() {
        std::filesystem::create_directory(folder_.path() / "notes");
        std::ofstream(folder_.path() / "notes" / "harbour.md")
            << "# The harbour of Lindau\n\nThe harbour of Lindau was opened in 1856. Its lighthouse is 33 metres "
               "high.\n";
        std::ofstream(folder_.file("quaestor.yaml"))
            << "sources: {shop: {path: shop.db}}\ncorpora: {notes: {path: notes}}\n";
    }

    /// Asks, kills the server as soon as `sign` was told, starts another, and expects the whole answer, once.
    void expect_nothing_lost(const std::string& body, std::string_view sign, std::string_view answer);

    store::TemporaryFolder folder_;
};

std::string value_in(std::string_view text, std::string_view name) {
    const std::string before = fmt::format("\"{}\":\"", name);
    const auto begin = text.find(before);
    if (begin == std::string_view::npos) return {};
    text.remove_prefix(begin + before.size());
    return std::string(text.substr(0, text.find('"')));
}

bool is_over(std::string_view text) {
    return text.contains("event: done\n");
}

TEST_F(Serving, AnswersAQuestionOverItsSocketFromBeginningToEnd) {
    ServedProcess server(folder_.path());
    const auto told = server.stream("POST", "/api/chat/stream", kQuestion, is_over);
    EXPECT_TRUE(told.starts_with("id: ")) << told;
    EXPECT_THAT(told, HasSubstr("event: pipeline_state\ndata: "));
    EXPECT_THAT(told, HasSubstr("\"stage\":\"execute_sql\""));
    EXPECT_THAT(told, HasSubstr("\"status\":\"answered\""));
    const auto messages = server.call("GET", "/api/threads/t1/messages").value();
    EXPECT_EQ(messages.status, 200);
    EXPECT_THAT(messages.body, HasSubstr("How many customers are there?"));
    server.send_signal(SIGTERM);
    EXPECT_EQ(server.wait(), 0);
}

void Serving::expect_nothing_lost(const std::string& body, std::string_view sign, std::string_view answer) {
    std::string run;
    {
        ServedProcess server(folder_.path());
        const auto told = server.stream("POST", "/api/chat/stream", body, [&](std::string_view text) {
            if (!text.contains(sign)) return false;
            server.send_signal(SIGKILL);
            return true;
        });
        run = value_in(told, "run_id");
        ASSERT_FALSE(run.empty()) << told;
        EXPECT_EQ(server.wait(), 128 + SIGKILL);
    }
    ServedProcess server(folder_.path());
    std::string told;
    // The first look may come before the run goes on, and is then told so.
    while (!is_over(told)) told = server.stream("GET", "/api/runs/" + run + "/events", "", is_over);
    EXPECT_THAT(told, HasSubstr("\"resumed\":true"));
    EXPECT_THAT(told, HasSubstr("\"status\":\"answered\""));
    const auto messages = parse_json(server.call("GET", "/api/threads/t1/messages").value().body).value();
    ASSERT_EQ(messages.at("messages").as_array().size(), 2u);
    EXPECT_THAT(std::string(messages.at("messages").at(1).at("content").as_string()), HasSubstr(answer));
    EXPECT_EQ(messages.at("turn_summaries").at(0).at("answer").at("run_id"), json::value(run));
    EXPECT_EQ(parse_json(server.call("GET", "/api/runs/" + run).value().body).value().at("status"),
              json::value("finished"));
}

TEST_F(Serving, LosesNothingWhenItIsKilledAtTheFirstStepOfAnAnswer) {
    expect_nothing_lost(kQuestion, "event: node_start\n", "customers");
}

TEST_F(Serving, LosesNothingWhenItIsKilledAfterTheQueryWasRun) {
    expect_nothing_lost(kQuestion, "\"stage\":\"execute_sql\"", "customers");
}

TEST_F(Serving, LosesNothingWhenItIsKilledWhileDocumentsAreAsked) {
    add_notes();
    expect_nothing_lost(
        R"({"question": "When was the harbour of Lindau opened?", "thread_id": "t1", "agent": "notes"})",
        "\"stage\":\"search_corpus\"", "1856");
}

TEST_F(Serving, IsAloneWithItsStore) {
    const ServedProcess server(folder_.path());
    const auto second = run_quaestor(folder_.path(), {"serve", "--port", "0"});
    EXPECT_EQ(second.code, 3);
    EXPECT_THAT(second.text, HasSubstr("another server uses the store"));
}

TEST_F(Serving, IsRefusedToOthersWithoutKeys) {
    const auto open = run_quaestor(folder_.path(), {"serve", "--host", "0.0.0.0", "--port", "0"});
    EXPECT_NE(open.code, 0);
    EXPECT_THAT(open.text, HasSubstr("quaestor keys create"));
    std::ofstream(folder_.file("quaestor.yaml")) << "sources: {shop: {path: shop.db}}\nserver: {auth: true}\n";
    const auto no_keys = run_quaestor(folder_.path(), {"serve", "--host", "0.0.0.0", "--port", "0"});
    EXPECT_NE(no_keys.code, 0);
    EXPECT_THAT(no_keys.text, HasSubstr("there is none"));
}

TEST_F(Serving, TakesKeysThatTheCommandMadeAndNoneThatItRevoked) {
    std::ofstream(folder_.file("quaestor.yaml")) << "sources: {shop: {path: shop.db}}\nserver: {auth: true}\n";
    const auto made = parse_json(run_quaestor(folder_.path(), {"keys", "create", "ann", "--json"}).text).value();
    const std::string key(made.at("key").as_string());
    ServedProcess server(folder_.path());
    EXPECT_EQ(server.call("GET", "/api/agents").value().status, 401);
    EXPECT_EQ(server.call("GET", "/api/agents", "", {{"Authorization", "Bearer " + key}}).value().status, 200);
    EXPECT_EQ(server.call("GET", "/metrics", "", {{"X-API-Key", key}}).value().status, 403);
    EXPECT_THAT(run_quaestor(folder_.path(), {"keys", "list"}).text, HasSubstr("ann"));
    EXPECT_EQ(run_quaestor(folder_.path(), {"keys", "revoke", std::string(made.at("id").as_string())}).code, 0);
    EXPECT_EQ(server.call("GET", "/api/agents", "", {{"X-API-Key", key}}).value().status, 401);
}

TEST_F(Serving, ReadsItsConfigurationAgainWhenToldTo) {
    ServedProcess server(folder_.path());
    EXPECT_THAT(server.call("GET", "/api/agents").value().body, HasSubstr("\"name\":\"shop\""));
    make_shop(folder_.file("store.db"));
    std::ofstream(folder_.file("quaestor.yaml")) << "sources: {depot: {path: store.db}}\n";
    server.send_signal(SIGHUP);
    std::string agents;
    while (!agents.contains("\"name\":\"depot\"")) agents = server.call("GET", "/api/agents").value().body;
    EXPECT_FALSE(agents.contains("\"name\":\"shop\""));
}

}  // namespace

}  // namespace quaestor::server::testing
