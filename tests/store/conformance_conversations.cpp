// Whose conversations they are, what they are called, and what people thought of them.

#include "conformance.hpp"

namespace quaestor::store {

namespace {

using Rating = Feedback::Rating;

ConversationInfo of_owner(std::string thread_id, std::string owner, std::string title = {}) {
    ConversationInfo info;
    info.thread_id = std::move(thread_id);
    info.owner = std::move(owner);
    info.title = std::move(title);
    info.created_at = second(5);
    return info;
}

Message said(std::string id, std::string text, WallTime time) {
    Message message;
    message.id = std::move(id);
    message.text = std::move(text);
    message.created_at = time;
    return message;
}

Feedback opinion(std::string id, std::int64_t turn, std::string owner, Rating rating, int at = 0) {
    Feedback feedback;
    feedback.id = std::move(id);
    feedback.thread_id = "t";
    feedback.turn = turn;
    feedback.owner = std::move(owner);
    feedback.rating = rating;
    feedback.created_at = feedback.updated_at = second(at);
    return feedback;
}

std::vector<std::string> threads_in(const std::vector<ConversationInfo>& infos) {
    std::vector<std::string> threads;
    for (const auto& info : infos) threads.push_back(info.thread_id);
    return threads;
}

std::vector<std::string> ids_in(const std::vector<Feedback>& all) {
    std::vector<std::string> ids;
    for (const auto& feedback : all) ids.push_back(feedback.id);
    return ids;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_P(StoreConformance, ConversationBeginsWithOwnerAndTitleBeforeAnythingIsSaid) {
    wait(conversations().begin(of_owner("t", "ann", "Teams")));
    reopen();
    const auto info = wait(conversations().info("t")).value();
    EXPECT_EQ(info.owner, "ann");
    EXPECT_EQ(info.title, "Teams");
    EXPECT_EQ(info.messages, 0u);
    EXPECT_EQ(info.created_at, second(5));
    EXPECT_EQ(info.updated_at, second(5));
}

TEST_P(StoreConformance, ConversationThatIsThereKeepsItsOwnerAndTitle) {
    wait(conversations().begin(of_owner("t", "ann", "Teams")));
    wait(conversations().begin(of_owner("t", "bob", "Players")));
    const auto info = wait(conversations().info("t")).value();
    EXPECT_EQ(info.owner, "ann");
    EXPECT_EQ(info.title, "Teams");
}

TEST_P(StoreConformance, ConversationThatBeganWithAMessageHasNoOwnerAndTheMessagesTime) {
    wait(conversations().append("t", said("m1", "how many?", second(7))));
    wait(conversations().append("t", said("m2", "and now?", second(9))));
    const auto info = wait(conversations().info("t")).value();
    EXPECT_EQ(info.owner, "");
    EXPECT_EQ(info.title, "how many?");
    EXPECT_EQ(info.created_at, second(7));
    EXPECT_EQ(info.updated_at, second(9));
    EXPECT_EQ(info.messages, 2u);
    EXPECT_FALSE(wait(conversations().info("other")));
}

TEST_P(StoreConformance, ConversationsOfAnOwnerAreListedApartAndInPages) {
    for (const char* thread : {"a1", "a2", "a3"}) wait(conversations().begin(of_owner(thread, "ann")));
    wait(conversations().begin(of_owner("b1", "bob")));
    wait(conversations().append("a1", said("m1", "again", second(9))));
    EXPECT_EQ(threads_in(wait(conversations().list({.owner = "ann"}))), (Texts{"a1", "a3", "a2"}));
    EXPECT_EQ(threads_in(wait(conversations().list({.owner = "ann", .limit = 1, .offset = 1}))), (Texts{"a3"}));
    EXPECT_EQ(threads_in(wait(conversations().list({.owner = "bob"}))), (Texts{"b1"}));
    EXPECT_TRUE(wait(conversations().list({.owner = "nobody"})).empty());
    EXPECT_EQ(wait(conversations().list()).size(), 4u);
}

TEST_P(StoreConformance, ConversationIsRenamedWithoutBecomingTheNewest) {
    wait(conversations().begin(of_owner("old", "ann", "First")));
    wait(conversations().begin(of_owner("new", "ann")));
    EXPECT_TRUE(wait(conversations().rename("old", "Better: '); DROP TABLE conversations; --")));
    EXPECT_FALSE(wait(conversations().rename("unknown", "Better")));
    reopen();
    EXPECT_EQ(wait(conversations().info("old")).value().title, "Better: '); DROP TABLE conversations; --");
    EXPECT_EQ(threads_in(wait(conversations().list({.owner = "ann"}))), (Texts{"new", "old"}));
    EXPECT_EQ(failure_of(conversations().rename("old", std::string("a\0b", 3))), Code::invalid_argument);
}

TEST_P(StoreConformance, FeedbackIsKeptOnceForEachOwnerThreadAndTurn) {
    auto first = opinion("f1", 0, "ann", Rating::up, 1);
    first.comment = "right";
    wait(conversations().rate(first));
    wait(conversations().rate(opinion("f2", 1, "ann", Rating::up, 2)));
    wait(conversations().rate(opinion("f3", 0, "bob", Rating::down, 3)));
    auto again = opinion("f4", 0, "ann", Rating::down, 4);
    again.comment = "wrong after all";
    wait(conversations().rate(again));
    reopen();
    EXPECT_EQ(ids_in(wait(conversations().feedback({}))), (Texts{"f3", "f2", "f1"}));
    const auto changed = wait(conversations().feedback({.id = "f1"})).at(0);
    EXPECT_EQ(changed.rating, Rating::down);
    EXPECT_EQ(changed.comment, "wrong after all");
    EXPECT_EQ(changed.created_at, second(1));
    EXPECT_EQ(changed.updated_at, second(4));
}

TEST_P(StoreConformance, FeedbackIsFoundByWhatItIs) {
    wait(conversations().rate(opinion("f1", 0, "ann", Rating::up)));
    wait(conversations().rate(opinion("f2", 1, "ann", Rating::down)));
    wait(conversations().rate(opinion("f3", 0, "bob", Rating::down)));
    EXPECT_EQ(ids_in(wait(conversations().feedback({.owner = "ann"}))), (Texts{"f2", "f1"}));
    EXPECT_EQ(ids_in(wait(conversations().feedback({.rating = Rating::down}))), (Texts{"f3", "f2"}));
    EXPECT_EQ(ids_in(wait(conversations().feedback({.thread_id = "t", .limit = 1, .offset = 1}))), (Texts{"f2"}));
    EXPECT_TRUE(wait(conversations().feedback({.thread_id = "other"})).empty());
}

TEST_P(StoreConformance, FeedbackGoesWithItsConversation) {
    wait(conversations().begin(of_owner("t", "ann")));
    wait(conversations().rate(opinion("f1", 0, "ann", Rating::up)));
    wait(conversations().remove("t"));
    EXPECT_TRUE(wait(conversations().feedback({})).empty());
    EXPECT_FALSE(wait(conversations().info("t")));
}

TEST_P(StoreConformance, FeedbackThatCannotBeKeptIsRefused) {
    EXPECT_EQ(failure_of(conversations().rate(opinion("", 0, "ann", Rating::up))), Code::invalid_argument);
    EXPECT_EQ(failure_of(conversations().rate(opinion("f1", -1, "ann", Rating::up))), Code::invalid_argument);
    EXPECT_EQ(failure_of(conversations().rate(opinion("f1", 0, "\xff", Rating::up))), Code::invalid_argument);
}

}  // namespace quaestor::store
