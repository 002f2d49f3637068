// Who may ask, how often, from where; what is told about the server itself; and the small parts by themselves.
#include "api_fixture.hpp"
#include "base/log.hpp"
#include "server/api/chat_request.hpp"
#include "server/api/event_map.hpp"
#include "server/api/stage_payload.hpp"

#include <filesystem>
#include <fstream>

namespace quaestor::server::testing {

namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

class Gates : public ApiTest {
protected:
    [[nodiscard]] static Request with(Request made, std::string name, std::string value) {
        made.headers.push_back({std::move(name), std::move(value)});
        return made;
    }
    void use_keys() {
        auto guarded = settings();
        guarded.needs_key = true;
        use(guarded);
    }
};

TEST_F(Gates, NeedAKeyWhereKeysAreUsedAndSayHowToGetOne) {
    use_keys();
    const auto user = keys_.create("ann", KeyRole::user).value();
    const auto refused = get("GET", "/api/agents");
    EXPECT_EQ(refused.status, 401);
    EXPECT_EQ(refused.header("WWW-Authenticate"), "Bearer");
    EXPECT_THAT(refused.body, HasSubstr("quaestor keys create"));
    EXPECT_EQ(get(with(request("GET", "/api/agents"), "Authorization", "Bearer wrong")).status, 401);
    EXPECT_EQ(get(with(request("GET", "/api/agents"), "Authorization", "Bearer " + user.key)).status, 200);
    EXPECT_EQ(get(with(request("GET", "/api/agents"), "X-API-Key", user.key)).status, 200);
    EXPECT_EQ(get("GET", "/health").status, 200);
    EXPECT_EQ(get("GET", "/openapi.json").status, 200);
}

TEST_F(Gates, KeepFiguresAndEverybodysFeedbackForAdmins) {
    use_keys();
    const auto user = keys_.create("ann", KeyRole::user).value();
    const auto admin = keys_.create("root", KeyRole::admin).value();
    for (const auto* path : {"/metrics", "/api/debug/caches", "/api/debug/pool", "/api/feedback/export"}) {
        EXPECT_EQ(get(with(request("GET", path), "X-API-Key", user.key)).status, 403) << path;
        EXPECT_EQ(get(with(request("GET", path), "X-API-Key", admin.key)).status, 200) << path;
    }
}

TEST_F(Gates, KeepTheSessionsOfDifferentKeysApart) {
    use_keys();
    const auto ann = keys_.create("ann", KeyRole::user).value();
    const auto bob = keys_.create("bob", KeyRole::user).value();
    const auto made = get(with(request("POST", "/api/chat", chat_body("How many?", "t1"), "s"), "X-API-Key", ann.key));
    EXPECT_EQ(made.status, 200);
    EXPECT_EQ(get(with(request("GET", "/api/threads/t1/messages", "", "s"), "X-API-Key", bob.key)).status, 404);
    EXPECT_EQ(get(with(request("GET", "/api/threads/t1/messages", "", "s"), "X-API-Key", ann.key)).status, 200);
}

TEST_F(Gates, CountRequestsOfASessionInASlidingWindow) {
    auto narrow = settings();
    narrow.session_rate = {.requests = 2, .window = 60s};
    use(narrow);
    EXPECT_EQ(get("GET", "/api/agents").status, 200);
    clock_.advance(20s);
    EXPECT_EQ(get("GET", "/api/agents").status, 200);
    const auto refused = get("GET", "/api/agents");
    EXPECT_EQ(refused.status, 429);
    EXPECT_EQ(refused.header("Retry-After"), "40");
    EXPECT_EQ(get("GET", "/api/agents", "", "bob").status, 200);
    EXPECT_EQ(get("GET", "/health").status, 200);
    clock_.advance(40s);
    EXPECT_EQ(get("GET", "/api/agents").status, 200);
    EXPECT_EQ(get("GET", "/api/agents").status, 429);
}

TEST_F(Gates, CountRequestsOfAKeyOverItsSessions) {
    auto narrow = settings();
    narrow.needs_key = true;
    narrow.key_rate = {.requests = 1, .window = 60s};
    use(narrow);
    const auto key = keys_.create("ann", KeyRole::user).value().key;
    EXPECT_EQ(get(with(request("GET", "/api/agents", "", "a"), "X-API-Key", key)).status, 200);
    EXPECT_EQ(get(with(request("GET", "/api/agents", "", "b"), "X-API-Key", key)).status, 429);
}

TEST_F(Gates, AnswerPagesOfDevelopmentServersAndOfNoOthers) {
    const auto allowed = settings();
    auto with_origins = allowed;
    with_origins.cors_origins = development_origins();
    use(with_origins);
    const auto preflight = get(with(request("OPTIONS", "/api/chat/stream"), "Origin", "http://localhost:5173"));
    EXPECT_EQ(preflight.status, 204);
    EXPECT_EQ(preflight.header("Access-Control-Allow-Origin"), "http://localhost:5173");
    EXPECT_THAT(preflight.header("Access-Control-Allow-Headers"), HasSubstr("X-Session-Id"));
    const auto stranger = get(with(request("POST", "/api/threads"), "Origin", "https://evil.example"));
    EXPECT_EQ(stranger.status, 403);
    EXPECT_EQ(stranger.header("Access-Control-Allow-Origin"), "");
    auto own = with(request("POST", "/api/threads"), "Origin", "http://localhost:8080");
    EXPECT_EQ(get(with(own, "Host", "localhost:8080")).status, 200);
}

TEST_F(Gates, DoNotAnswerAsAHostThatSomebodyElseNamed) {
    EXPECT_EQ(get(with(request("GET", "/api/agents"), "Host", "evil.example:8080")).status, 403);
    for (const auto* host : {"localhost:1", "127.0.0.1:8080", "[::1]:8080", "localhost"}) {
        EXPECT_EQ(get(with(request("GET", "/api/agents"), "Host", host)).status, 200) << host;
    }
    auto named = settings();
    named.hosts = {"quaestor.example"};
    use(named);
    EXPECT_EQ(get(with(request("GET", "/api/agents"), "Host", "quaestor.example:8080")).status, 200);
}

TEST_F(Gates, TellUnknownPathsFromWrongMethods) {
    EXPECT_EQ(get("GET", "/api/nothing").status, 404);
    EXPECT_EQ(get("GET", "/nothing").status, 404);
    const auto wrong = get("PUT", "/api/chat");
    EXPECT_EQ(wrong.status, 405);
    EXPECT_EQ(wrong.header("Allow"), "POST");
}

TEST_F(Gates, DescribeEveryRouteAsOpenApi) {
    const auto document = get("GET", "/openapi.json").json();
    EXPECT_EQ(document.at("openapi"), json::value("3.1.0"));
    for (const auto& route : service().router().routes()) {
        std::string shown = route.pattern;
        std::erase(shown, '*');
        const auto& path = document.at("paths").at(shown).as_object();
        std::string method = route.method;
        std::ranges::transform(method, method.begin(), [](unsigned char c) { return std::tolower(c); });
        ASSERT_TRUE(path.contains(method)) << route.pattern;
        EXPECT_FALSE(path.at(method).at("summary").as_string().empty());
        EXPECT_FALSE(path.at(method).at("responses").as_object().empty());
        const auto placeholders = static_cast<std::size_t>(std::ranges::count(route.pattern, '{'));
        const auto in_path = std::ranges::count(route.about.parameters, "path", &Parameter::in);
        EXPECT_EQ(placeholders, static_cast<std::size_t>(in_path)) << route.pattern;
    }
}

TEST_F(Gates, CountWhatHappensForPrometheus) {
    EXPECT_EQ(get("POST", "/api/chat", chat_body("How many?")).status, 200);
    const auto text = get("GET", "/metrics").body;
    EXPECT_THAT(text, HasSubstr("quaestor_requests_total{method=\"POST\",route=\"/api/chat\",status=\"200\"} 1\n"));
    EXPECT_THAT(text, HasSubstr("quaestor_runs_total{agent=\"nba\",status=\"answered\"} 1\n"));
    EXPECT_THAT(text, HasSubstr("quaestor_node_seconds_count{node=\"analyze_data\"} 1\n"));
    EXPECT_THAT(text, HasSubstr("quaestor_llm_tokens_total{agent=\"nba\",direction=\"input\"} 10\n"));
    EXPECT_THAT(text, HasSubstr("quaestor_llm_cost_usd_total{agent=\"nba\"} 0.25\n"));
    EXPECT_THAT(text, HasSubstr("quaestor_cache_hits_total{cache=\"understood\"} 3\n"));
    EXPECT_THAT(text, HasSubstr("quaestor_breaker_state{guards=\"model mini\",state=\"open\"} 1\n"));
    EXPECT_THAT(text, HasSubstr("quaestor_runs_running 0\n"));
}

TEST_F(Gates, LogEachRequestWithItsId) {
    std::string line;
    redirect_log([&](std::string_view written) { line = written; });
    (void)get("GET", "/api/agents");
    redirect_log({});
    const auto logged = parse_json(line).value().as_object();
    EXPECT_EQ(logged.at("trace_id"), json::value("r1"));
    EXPECT_THAT(line, HasSubstr("\"route\":\"/api/agents\""));
    EXPECT_THAT(line, HasSubstr("\"status\":200"));
}

TEST_F(Gates, TellOfAgentsModelsCachesAndMissingCorpora) {
    const auto agents = get("GET", "/api/agents").json().as_array();
    ASSERT_EQ(agents.size(), 1u);
    for (const auto* name : {"name", "workflow", "about", "source", "examples", "synthetic", "available"}) {
        EXPECT_TRUE(agents[0].as_object().contains(name)) << name;
    }
    EXPECT_EQ(get("GET", "/api/models").json().at("native"), json::value(true));
    EXPECT_EQ(get("GET", "/api/debug/caches").json().at("understood").at("hit_rate"), json::value(0.75));
    EXPECT_EQ(get("GET", "/api/debug/pool").json().at("runs_running"), json::value(0));
    EXPECT_EQ(get("GET", "/api/corpora/fomc/documents/a.md").status, 404);
    EXPECT_EQ(get("GET", "/ready").status, 200);
}

// ---- keys

TEST(KeyRing, KeepsHashesAndNeverKeys) {
    const store::TemporaryFolder folder;
    KeyRing ring(folder.path() / "keys.json");
    const auto created = ring.create("ann", KeyRole::user).value();
    EXPECT_THAT(created.key, ::testing::MatchesRegex("qk_[0-9a-f]{12}_[0-9a-f]{64}"));
    std::ifstream file(folder.path() / "keys.json");
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    EXPECT_THAT(text, Not(HasSubstr(created.key.substr(16))));
    const auto rights = std::filesystem::status(folder.path() / "keys.json").permissions();
    EXPECT_EQ(rights & std::filesystem::perms::all,
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST(KeyRing, TakesAKeyUntilItIsRevokedAlsoByAnotherProcess) {
    const store::TemporaryFolder folder;
    KeyRing server(folder.path() / "keys.json");
    EXPECT_FALSE(server.find("qk_x"));
    KeyRing command(folder.path() / "keys.json");
    const auto created = command.create("ann", KeyRole::admin).value();
    ASSERT_TRUE(server.find(created.key));
    EXPECT_EQ(server.find(created.key)->role, KeyRole::admin);
    EXPECT_FALSE(server.find(created.key + "0"));
    EXPECT_FALSE(server.find(created.record.sha256));
    ASSERT_TRUE(command.revoke(created.record.id));
    EXPECT_FALSE(server.find(created.key));
    EXPECT_EQ(command.revoke(created.record.id).error().code, Code::not_found);
}

TEST(KeyRing, TakesNobodyFromAFileThatCannotBeRead) {
    const store::TemporaryFolder folder;
    std::ofstream(folder.path() / "keys.json") << "[{";
    KeyRing ring(folder.path() / "keys.json");
    EXPECT_FALSE(ring.find("anything"));
    EXPECT_EQ(ring.list().error().code, Code::corrupt);
    EXPECT_EQ(ring.create("ann", KeyRole::user).error().code, Code::corrupt);
}

// ---- small parts

TEST(Title, EndsWithTheFirstSentenceOrBetweenWords) {
    EXPECT_EQ(title_of("Which team won? Show five."), "Which team won");
    EXPECT_EQ(title_of("short"), "short");
    EXPECT_EQ(title_of("..."), "...");
    EXPECT_EQ(title_of("one two three four five six seven eight nine ten eleven"),
              "one two three four five six seven eight nine ten...");
    EXPECT_EQ(title_of(std::string(60, 'x')), std::string(50, 'x') + "...");
    std::string accents;
    for (int n = 0; n < 60; ++n) accents += "é";
    EXPECT_EQ(title_of(accents), accents.substr(0, 100) + "...");
}

TEST(StagePayload, HasTheFieldsOfTheStage) {
    const json::value result{{"columns", {{{"name", "wins"}}}},
                             {"rows", {{5}}},
                             {"row_count", 1},
                             {"truncated", false},
                             {"execution_time_ms", 2.5}};
    const json::value finding{
        {"sql", "SELECT wins"}, {"question", "How many?"},
        {"tables", {"games"}},  {"assumptions", json::array()},
        {"reading", "wins"},    {"attempts", {{{"sql", "SELECT wins"}, {"by", "native"}, {"errors", json::array()}}}},
        {"result", result}};
    const json::value update{{"set", {{"finding", finding}}}};
    const auto executed = stage_payload("execute_sql", update);
    EXPECT_EQ(executed.at("columns").as_array(), (json::array{"wins"}));
    EXPECT_EQ(executed.at("rows").at(0).at(0), json::value(5));
    for (const auto* name : {"sql", "row_count", "execution_time_ms", "tables", "schema", "success"}) {
        EXPECT_TRUE(executed.contains(name)) << name;
    }
    const auto generated = stage_payload("generate_sql", update);
    EXPECT_EQ(generated.at("is_valid"), json::value(true));
    EXPECT_EQ(generated.at("sql"), json::value("SELECT wins"));
    EXPECT_FALSE(generated.contains("rows"));
    const json::value parts{{"set", {{"findings", {finding}}}}};
    EXPECT_EQ(stage_payload("answer_sub_query", parts).at("row_count"), json::value(1));
}

TEST(StagePayload, OfAnUnknownStepIsWhatItChangedAsFarAsItIsSmall) {
    const json::value update{
        {"set", {{"query_type", "share"}, {"answer", "no"}, {"large", std::string(kFieldBytesMax, 'x')}}}};
    const auto payload = stage_payload("classify_query", update);
    EXPECT_EQ(payload, (json::object{{"query_type", "share"}}));
    EXPECT_TRUE(stage_payload("classify_query", json::value()).empty());
    EXPECT_TRUE(stage_payload("answer_sub_query", json::value()).empty());
}

TEST(EventMap, TellsOfANodeThatFailedAndOfCitations) {
    EventMap map({"r", "t", "", "nba", "q"});
    graph::Event failed;
    failed.kind = graph::EventKind::node_end;
    failed.node = "execute_sql";
    failed.status = graph::NodeStatus::error;
    failed.data = encode(Error{Code::unavailable, "gone", {}, {}});
    const auto told = map.hear(failed);
    ASSERT_EQ(told.size(), 1u);
    EXPECT_EQ(told[0].data.at("error"), json::value("gone"));
    EXPECT_EQ(told[0].data.at("status"), json::value("error"));
    workflows::Answer answer;
    answer.status = workflows::AnswerStatus::answered;
    answer.citations.push_back({.n = 1, .document = "minutes.md"});
    answer.grounding = workflows::GroundingSummary{2, 1, {"7"}, {}};
    std::vector<std::string> names;
    for (const auto& event : map.end(answer)) names.push_back(event.name);
    EXPECT_THAT(names, ::testing::ElementsAre("thread_id", "run", "citation", "grounding", "answer", "done"));
}

TEST(SlidingWindow, ForgetsQuietNamesBeforeItRefusesNewOnes) {
    ManualClock clock;
    SlidingWindow window({.requests = 1, .window = 1s}, clock);
    for (std::size_t n = 0; n < kRateNamesMax; ++n) EXPECT_FALSE(window.take(std::to_string(n)));
    EXPECT_TRUE(window.take("one more"));
    clock.advance(1s);
    EXPECT_FALSE(window.take("one more"));
    EXPECT_EQ(window.names(), 1u);
}

}  // namespace

}  // namespace quaestor::server::testing
