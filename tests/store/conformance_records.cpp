// Conversations, traces of runs, and the health of a store.

#include "base/text.hpp"
#include "conformance.hpp"

#include <fmt/format.h>

#include <limits>

namespace quaestor::store {

using Role = Message::Role;
using Names = std::vector<std::string>;

namespace {

Message message(std::string id, Role role, std::string text, WallTime time = second(0)) {
    Message made;
    made.id = std::move(id);
    made.role = role;
    made.text = std::move(text);
    made.created_at = time;
    return made;
}

RunRecord run(std::string id, WallTime started_at = second(0)) {
    RunRecord record;
    record.run_id = std::move(id);
    record.thread_id = "t";
    record.graph = "reflective";
    record.status = "running";
    record.started_at = started_at;
    return record;
}

Names ids_of(const std::vector<Message>& messages) {
    Names names;
    for (const Message& item : messages) names.push_back(item.id);
    return names;
}

Names ids_of(const std::vector<RunRecord>& records) {
    Names names;
    for (const RunRecord& record : records) names.push_back(record.run_id);
    return names;
}

Names threads_of(const std::vector<ConversationInfo>& infos) {
    Names names;
    for (const ConversationInfo& info : infos) names.push_back(info.thread_id);
    return names;
}

RunQuery limited(std::size_t limit) {
    RunQuery query;
    query.limit = limit;
    return query;
}

}  // namespace

// ---- conversations

TEST_P(StoreConformance, ConversationKeepsMessagesInOrderWithEveryPart) {
    auto answer = message("m2", Role::assistant, "42 €", second(2));
    answer.data = {{"run_id", "r1"}, {"citations", {1, 2}}};
    wait(conversations().append("t", message("m1", Role::user, "how much?", second(1))));
    wait(conversations().append("t", answer));
    wait(conversations().append("t", message("a3", Role::system, "", second(0))));
    reopen();
    const auto read = wait(conversations().messages("t"));
    ASSERT_EQ(ids_of(read), (Names{"m1", "m2", "a3"}));
    EXPECT_EQ(read[0].role, Role::user);
    EXPECT_EQ(read[1].role, Role::assistant);
    EXPECT_EQ(read[1].text, "42 €");
    EXPECT_EQ(read[1].data, answer.data);
    EXPECT_EQ(read[1].created_at, second(2));
    EXPECT_EQ(read[2].role, Role::system);
}

TEST_P(StoreConformance, ConversationOfAnUnknownThreadIsEmpty) {
    EXPECT_TRUE(wait(conversations().messages("t")).empty());
    EXPECT_TRUE(wait(conversations().list()).empty());
    EXPECT_EQ(wait(conversations().remove("t")), 0u);
}

TEST_P(StoreConformance, ConversationReplacesAMessageInItsPlace) {
    for (const char* id : {"m1", "m2", "m3"}) wait(conversations().append("t", message(id, Role::user, "old")));
    wait(conversations().append("t", message("m2", Role::assistant, "new", second(9))));
    reopen();
    const auto read = wait(conversations().messages("t"));
    ASSERT_EQ(ids_of(read), (Names{"m1", "m2", "m3"}));
    EXPECT_EQ(read[1].text, "new");
    EXPECT_EQ(read[1].role, Role::assistant);
    EXPECT_EQ(read[1].created_at, second(9));
}

TEST_P(StoreConformance, ConversationShowsItsLastMessagesOldestFirst) {
    for (int n = 1; n <= 120; ++n) wait(conversations().append("t", message(fmt::format("m{}", n), Role::user, "x")));
    EXPECT_EQ(ids_of(wait(conversations().messages("t", 3))), (Names{"m118", "m119", "m120"}));
    EXPECT_EQ(wait(conversations().messages("t")).size(), 100u);
    EXPECT_TRUE(wait(conversations().messages("t", 0)).empty());
    EXPECT_EQ(wait(conversations().messages("t", std::numeric_limits<std::size_t>::max())).size(), 120u);
}

TEST_P(StoreConformance, ConversationsKeepTheSameMessageIdApart) {
    wait(conversations().append("one", message("m1", Role::user, "first")));
    wait(conversations().append("two", message("m1", Role::user, "second")));
    EXPECT_EQ(wait(conversations().messages("one")).at(0).text, "first");
    EXPECT_EQ(wait(conversations().messages("two")).at(0).text, "second");
}

TEST_P(StoreConformance, ConversationsAreListedByTheirLastChange) {
    for (const char* thread : {"a", "b", "c"})
        wait(conversations().append(thread, message("m1", Role::user, thread, second(50))));
    wait(conversations().append("a", message("m2", Role::user, "again", second(1))));
    wait(conversations().append("b", message("m1", Role::user, "replaced", second(2))));
    reopen();
    const auto infos = wait(conversations().list());
    EXPECT_EQ(threads_of(infos), (Names{"b", "a", "c"}));
    EXPECT_EQ(infos[0].messages, 1u);
    EXPECT_EQ(infos[0].updated_at, second(2));
    EXPECT_EQ(infos[1].messages, 2u);
    EXPECT_EQ(infos[1].updated_at, second(1));
    EXPECT_EQ(threads_of(wait(conversations().list(2))), (Names{"b", "a"}));
    EXPECT_TRUE(wait(conversations().list(0)).empty());
}

TEST_P(StoreConformance, ConversationTitleIsItsFirstUserMessageShortened) {
    const std::string question = "数据 " + std::string(200, 'x');
    wait(conversations().append("t", message("m1", Role::system, "be brief")));
    wait(conversations().append("t", message("m2", Role::assistant, "hello")));
    wait(conversations().append("t", message("m3", Role::user, question)));
    wait(conversations().append("t", message("m4", Role::user, "later")));
    wait(conversations().append("silent", message("m1", Role::assistant, "hello")));
    const auto infos = wait(conversations().list());
    EXPECT_EQ(infos[0].title, "");
    EXPECT_EQ(infos[1].title, text::shorten(question, kTitleColumns));
    EXPECT_LE(text::display_width(infos[1].title), kTitleColumns);
}

TEST_P(StoreConformance, ConversationIsRemovedWholeAndMayBeginAnew) {
    for (const char* id : {"m1", "m2"}) wait(conversations().append("t", message(id, Role::user, "old")));
    wait(conversations().append("other", message("m1", Role::user, "kept")));
    EXPECT_EQ(wait(conversations().remove("t")), 2u);
    reopen();
    EXPECT_TRUE(wait(conversations().messages("t")).empty());
    EXPECT_EQ(threads_of(wait(conversations().list())), (Names{"other"}));
    wait(conversations().append("t", message("m2", Role::user, "new")));
    EXPECT_EQ(wait(conversations().messages("t")).at(0).text, "new");
}

TEST_P(StoreConformance, ConversationKeepsHostileAndLargeTexts) {
    const std::vector<std::string> texts{"'); DROP TABLE messages; --", "\"\\ \x01\x1f\r\n", "数据 🦉 naïve",
                                         std::string(1 << 20, 'y'),     "%s $1 ?1 :id",      ""};
    for (std::size_t n = 0; n < texts.size(); ++n) {
        auto item = message(fmt::format("m{}", n), Role::user, texts[n]);
        item.data = {{texts[n], texts[n]}};
        wait(conversations().append("t", item));
    }
    reopen();
    const auto read = wait(conversations().messages("t"));
    ASSERT_EQ(read.size(), texts.size());
    for (std::size_t n = 0; n < texts.size(); ++n) {
        EXPECT_EQ(read[n].text, texts[n]);
        EXPECT_EQ(read[n].data, (json::object{{texts[n], texts[n]}}));
    }
}

TEST_P(StoreConformance, ConversationRefusesWhatCannotBeStored) {
    EXPECT_EQ(failure_of(conversations().append("a b", message("m", Role::user, "x"))), Code::invalid_argument);
    EXPECT_EQ(failure_of(conversations().append("t", message("", Role::user, "x"))), Code::invalid_argument);
    EXPECT_EQ(failure_of(conversations().append("t", message("m", Role::user, "\xff"))), Code::invalid_argument);
    EXPECT_EQ(failure_of(conversations().append("t", message("m", Role::user, std::string("a\0b", 3)))),
              Code::invalid_argument);
    EXPECT_EQ(failure_of(conversations().messages("")), Code::invalid_argument);
    EXPECT_EQ(failure_of(conversations().remove("a b")), Code::invalid_argument);
    EXPECT_TRUE(wait(conversations().list()).empty());
}

// ---- traces

TEST_P(StoreConformance, TraceKeepsEveryPartOfARun) {
    auto record = run("r1", second(3));
    record.status = "failed";
    record.ended_at = second(5);
    record.input = {{"question", "why?"}};
    record.outcome = {{"code", "timeout"}};
    record.trace = {
        {.step = 1, .node = "parse", .status = "success", .attempt = 1, .latency_ms = 0.1, .error = ""},
        {.step = 2, .node = "query", .status = "error", .attempt = 3, .latency_ms = 1e6 / 3, .error = "it's \"gone\""}};
    wait(traces().save(record));
    reopen();
    const auto read = wait(traces().get("r1")).value();
    EXPECT_EQ(encode(read), encode(record));
    EXPECT_EQ(read.trace[1].latency_ms, 1e6 / 3);
}

TEST_P(StoreConformance, TraceOfARunThatHasNotEndedHasNoEnd) {
    wait(traces().save(run("r1", second(3))));
    reopen();
    const auto read = wait(traces().get("r1")).value();
    EXPECT_EQ(read.status, "running");
    EXPECT_FALSE(read.ended_at.has_value());
    EXPECT_TRUE(read.input.is_null());
    EXPECT_TRUE(read.outcome.is_null());
    EXPECT_TRUE(read.trace.empty());
}

TEST_P(StoreConformance, TraceSavedAgainIsReplaced) {
    wait(traces().save(run("r1", second(3))));
    auto ended = run("r1", second(3));
    ended.status = "finished";
    ended.ended_at = second(4);
    wait(traces().save(ended));
    reopen();
    EXPECT_EQ(wait(traces().get("r1"))->status, "finished");
    EXPECT_EQ(wait(traces().list({})).size(), 1u);
}

TEST_P(StoreConformance, TraceOfAnUnknownRunIsNothing) {
    EXPECT_FALSE(wait(traces().get("r1")).has_value());
    EXPECT_TRUE(wait(traces().list({})).empty());
}

TEST_P(StoreConformance, TracesAreListedByTheirStart) {
    wait(traces().save(run("middle", second(5))));
    wait(traces().save(run("last", second(9))));
    wait(traces().save(run("first", second(1))));
    reopen();
    EXPECT_EQ(ids_of(wait(traces().list({}))), (Names{"last", "middle", "first"}));
    EXPECT_EQ(ids_of(wait(traces().list(limited(2)))), (Names{"last", "middle"}));
    EXPECT_TRUE(wait(traces().list(limited(0))).empty());
    EXPECT_EQ(wait(traces().list(limited(std::numeric_limits<std::size_t>::max()))).size(), 3u);
}

TEST_P(StoreConformance, TracesThatStartedTogetherAreListedByTheirFirstSaving) {
    for (const char* id : {"r2", "r9", "r1"}) wait(traces().save(run(id)));
    wait(traces().save(run("r2")));
    reopen();
    EXPECT_EQ(ids_of(wait(traces().list({}))), (Names{"r1", "r9", "r2"}));
}

TEST_P(StoreConformance, TracesAreListedWithoutInputAndSteps) {
    auto record = run("r1", second(1));
    record.status = "interrupted";
    record.ended_at = second(2);
    record.input = "large";
    record.outcome = {{"questions", {"which year?"}}};
    record.trace.resize(3);
    wait(traces().save(record));
    reopen();
    const auto listed = wait(traces().list({})).at(0);
    EXPECT_TRUE(listed.input.is_null());
    EXPECT_TRUE(listed.trace.empty());
    EXPECT_EQ(listed.thread_id, "t");
    EXPECT_EQ(listed.graph, "reflective");
    EXPECT_EQ(listed.status, "interrupted");
    EXPECT_EQ(listed.started_at, second(1));
    EXPECT_EQ(listed.ended_at, second(2));
    EXPECT_EQ(listed.outcome, record.outcome);
}

TEST_P(StoreConformance, TracesAreFilteredByGraphStatusAndThread) {
    auto other_graph = run("r2");
    other_graph.graph = "cited";
    auto other_status = run("r3");
    other_status.status = "failed";
    auto other_thread = run("r4");
    other_thread.thread_id = "u";
    for (const auto& record : {run("r1"), other_graph, other_status, other_thread}) wait(traces().save(record));

    const auto listed = [&](RunQuery query) { return ids_of(wait(traces().list(std::move(query)))); };
    EXPECT_EQ(listed({.graph = "cited", .status = {}, .thread_id = {}}), (Names{"r2"}));
    EXPECT_EQ(listed({.graph = {}, .status = "failed", .thread_id = {}}), (Names{"r3"}));
    EXPECT_EQ(listed({.graph = {}, .status = {}, .thread_id = "u"}), (Names{"r4"}));
    EXPECT_EQ(listed({.graph = "reflective", .status = "running", .thread_id = "t"}), (Names{"r1"}));
    EXPECT_EQ(listed({.graph = "reflective", .status = "running", .thread_id = {}, .limit = 1}), (Names{"r4"}));
    EXPECT_TRUE(listed({.graph = "' OR 1=1 --", .status = {}, .thread_id = {}}).empty());
}

TEST_P(StoreConformance, TraceRefusesWhatCannotBeStored) {
    auto no_thread = run("r1");
    no_thread.thread_id = "a b";
    auto no_text = run("r1");
    no_text.graph = "\xff";
    auto no_step = run("r1");
    no_step.trace.resize(1);
    no_step.trace[0].error = "\xff";
    auto no_input = run("r1");
    no_input.input = json::array{std::numeric_limits<double>::infinity()};
    for (const auto& record : {run(""), no_thread, no_text, no_step, no_input}) {
        EXPECT_EQ(failure_of(traces().save(record)), Code::invalid_argument);
    }
    EXPECT_EQ(failure_of(traces().get("a b")), Code::invalid_argument);
    EXPECT_TRUE(wait(traces().list({})).empty());
}

// ---- health

TEST_P(StoreConformance, HealthCountsThreadsAndCheckpoints) {
    put_chain("a", 3);
    put_chain("b", 2);
    reopen();
    const auto health = wait(store().health());
    EXPECT_FALSE(health.backend.empty());
    EXPECT_FALSE(health.location.empty());
    EXPECT_EQ(health.threads, 2u);
    EXPECT_EQ(health.checkpoints, 5u);
    if (GetParam().durable) {
        EXPECT_GT(health.schema_version, 0);
        EXPECT_GT(health.bytes, 0u);
    }
}

TEST_P(StoreConformance, HealthOfAnEmptyStoreLeavesItEmpty) {
    EXPECT_EQ(wait(store().health()).checkpoints, 0u);
    EXPECT_EQ(wait(store().health()).threads, 0u);
    EXPECT_TRUE(ids({}).empty());
}

}  // namespace quaestor::store
