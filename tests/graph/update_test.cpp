#include "graph/update.hpp"

#include <boost/describe/class.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace quaestor::graph {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Message {
    std::string id;
    std::string text;
    bool operator==(const Message&) const = default;
};
BOOST_DESCRIBE_STRUCT(Message, (), (id, text))

std::map<std::string, int> add_counts(std::map<std::string, int> there, const std::map<std::string, int>& change) {
    for (const auto& [word, count] : change) there[word] += count;
    return there;
}

struct Base {
    std::string owner;
};
BOOST_DESCRIBE_STRUCT(Base, (), (owner))

struct State : Base {
    std::vector<std::string> log;
    std::vector<Message> messages;
    std::map<std::string, int> counts;
    std::string sql;
    int rows = 0;
    std::optional<double> share;

    static constexpr auto kReducers =
        std::tuple{append<&State::log>, merge_by_id<&State::messages>, reduce<&State::counts, &add_counts>};
};
BOOST_DESCRIBE_STRUCT(State, (Base), (log, messages, counts, sql, rows, share))

using Change = Update<State>;

/// Applies the updates as one step.
Patch apply_step(State& state, std::vector<Change> updates) {
    const ValueMemory elsewhere;
    auto patch = merge(state, std::span(updates), &elsewhere);
    if (!patch) throw std::runtime_error(patch.error().describe());
    return std::move(*patch);
}

TEST(Update, ChangesNothingByDefault) {
    State state{.log = {"there"}, .sql = "select 1"};
    const auto patch = apply_step(state, {Change()});
    EXPECT_THAT(state.log, ElementsAre("there"));
    EXPECT_EQ(state.sql, "select 1");
    EXPECT_TRUE(patch.set.empty());
    EXPECT_TRUE(patch.append.empty());
}

TEST(Update, ReplacesAFieldWithoutReducer) {
    State state{.sql = "select 1"};
    apply_step(state, {Change().set<&State::sql>("select 2").set<&State::sql>("select 3").set<&State::share>(0.5)});
    EXPECT_EQ(state.sql, "select 3");
    EXPECT_EQ(state.share, 0.5);
}

TEST(Update, AppendsInTheOrderOfContributionsAndTasks) {
    State state{.log = {"there"}};
    apply_step(state, {Change().add<&State::log>("a").set<&State::log>({"b", "c"}), Change().add<&State::log>("d")});
    EXPECT_THAT(state.log, ElementsAre("there", "a", "b", "c", "d"));
}

TEST(Update, MergesById) {
    State state{.messages = {{"1", "hello"}, {"2", "world"}}};
    apply_step(state, {Change().add<&State::messages>(Message{"2", "moon"}).add<&State::messages>(Message{"3", "new"}),
                       Change().set<&State::messages>({{"3", "newer"}, {"1", "good day"}})});
    EXPECT_THAT(state.messages, ElementsAre(Message{"1", "good day"}, Message{"2", "moon"}, Message{"3", "newer"}));
}

TEST(Update, MergesAnIdThatOneContributionNamesTwice) {
    State state;
    apply_step(state, {Change()
                           .set<&State::messages>({{"1", "first"}, {"1", "second"}})
                           .add<&State::messages>(Message{"1", "third"})});
    EXPECT_THAT(state.messages, ElementsAre(Message{"1", "third"}));
}

TEST(Update, UsesAReducerOfOnesOwn) {
    State state{.counts = {{"a", 1}}};
    using Counts = std::map<std::string, int>;
    apply_step(state, {Change().set<&State::counts>(Counts{{"a", 1}}).set<&State::counts>(Counts{{"b", 5}}),
                       Change().set<&State::counts>(Counts{{"a", 10}})});
    EXPECT_EQ(state.counts, (Counts{{"a", 12}, {"b", 5}}));
}

TEST(Update, ChangesAFieldOfABase) {
    State state;
    apply_step(state, {Change().set<&State::owner>("ada")});
    EXPECT_EQ(state.owner, "ada");
}

TEST(Update, ReplacesPastTheReducer) {
    State state{.log = {"old"}, .messages = {{"1", "old"}}};
    apply_step(state, {Change().replace<&State::log>({"new"}).add<&State::log>("newer").replace<&State::messages>({})});
    EXPECT_THAT(state.log, ElementsAre("new", "newer"));
    EXPECT_THAT(state.messages, IsEmpty());
}

TEST(Update, ForgetsContributionsThatAreReplaced) {
    State state{.log = {"old"}};
    apply_step(state, {Change().add<&State::log>("lost").replace<&State::log>({"new"})});
    EXPECT_THAT(state.log, ElementsAre("new"));
}

TEST(Update, TakesAWholeState) {
    State state{{.owner = "bob"}, {"old"}, {{"1", "old"}}, {{"a", 1}}, "select 1", 7, 0.5};
    apply_step(state, {Change::whole({.log = {"new"}, .rows = 1})});
    EXPECT_EQ(encode(state), encode(State{.log = {"new"}, .rows = 1}));
}

TEST(Update, TellsWhatItHolds) {
    const auto change = Change().set<&State::rows>(3);
    EXPECT_TRUE(change.has<&State::rows>());
    EXPECT_EQ(change.get<&State::rows>(), 3);
    EXPECT_FALSE(change.has<&State::sql>());
    EXPECT_FALSE(change.failed());
}

TEST(Update, CarriesAFailure) {
    const Change from_error = Error{Code::unavailable, "down"};
    ASSERT_TRUE(from_error.failed());
    EXPECT_EQ(from_error.error().message, "down");
    const Change from_fail = fail(Code::timeout, "slow");
    EXPECT_EQ(from_fail.error().code, Code::timeout);
}

TEST(Merge, RefusesTwoWritersOfAFieldWithoutReducer) {
    State state{.log = {"there"}, .sql = "select 1"};
    std::vector<Change> updates{Change().set<&State::sql>("a").add<&State::log>("a"), Change().set<&State::sql>("b")};
    const ValueMemory elsewhere;
    const auto patch = merge(state, std::span(updates), &elsewhere);
    ASSERT_FALSE(patch);
    EXPECT_EQ(patch.error().code, Code::conflict);
    EXPECT_EQ(patch.error().message, "several tasks of one step set \"sql\", which has no reducer");
    EXPECT_EQ(patch.error().hint, "give the field a reducer in kReducers, or let one node set it");
    EXPECT_THAT(state.log, ElementsAre("there"));
    EXPECT_EQ(state.sql, "select 1");
}

TEST(Merge, LetsDifferentTasksSetDifferentFields) {
    State state;
    apply_step(state, {Change().set<&State::sql>("a"), Change().set<&State::rows>(2)});
    EXPECT_EQ(state.sql, "a");
    EXPECT_EQ(state.rows, 2);
}

TEST(Merge, MakesNoPatchUnlessAsked) {
    State state;
    std::vector<Change> updates{Change().set<&State::rows>(2)};
    const auto patch = merge(state, std::span(updates), nullptr);
    ASSERT_TRUE(patch);
    EXPECT_TRUE(patch->set.empty());
    EXPECT_EQ(state.rows, 2);
}

TEST(Patch, HoldsOnlyTheItemsThatWereAppended) {
    State state{.log = {"there"}};
    const auto patch = apply_step(state, {Change().add<&State::log>("a"), Change().set<&State::log>({"b", "c"})});
    EXPECT_EQ(to_text(encode(patch)), R"({"set":{},"append":{"log":["a","b","c"]}})");
}

TEST(Patch, HoldsTheNewValueOfOtherFields) {
    State state{.messages = {{"1", "old"}}};
    const auto patch = apply_step(state, {Change().set<&State::sql>("x").add<&State::messages>(Message{"2", "new"})});
    EXPECT_EQ(to_text(encode(patch)),
              R"({"set":{"messages":[{"id":"1","text":"old"},{"id":"2","text":"new"}],"sql":"x"},"append":{}})");
}

TEST(Patch, HoldsTheWholeListWhenOneTaskAppendedAndAnotherReplaced) {
    for (const bool replaces_first : {true, false}) {
        State state{.log = {"there"}};
        const auto added = Change().add<&State::log>("added");
        const auto replaced = Change().replace<&State::log>({"replaced"});
        std::vector<Change> updates{added, replaced};
        if (replaces_first) updates = {replaced, added};
        const auto patch = apply_step(state, std::move(updates));
        EXPECT_TRUE(patch.append.empty());
        EXPECT_EQ(patch.set.at("log"), encode(state.log));
    }
}

TEST(Patch, IsAppliedToAStoredState) {
    json::object state{{"log", {"a"}}, {"rows", 1}};
    ASSERT_TRUE(apply({.set = {{"rows", 2}, {"sql", "x"}}, .append = {{"log", {"b"}}, {"more", {"c"}}}}, state));
    EXPECT_EQ(to_text(state), R"({"log":["a","b"],"rows":2,"sql":"x","more":["c"]})");
}

TEST(Patch, CannotAppendToWhatIsNoList) {
    json::object state{{"rows", 1}};
    const auto applied = apply({.set = {}, .append = {{"rows", {"b"}}}}, state);
    ASSERT_FALSE(applied);
    EXPECT_EQ(applied.error().code, Code::corrupt);
    EXPECT_THAT(applied.error().message, HasSubstr("\"rows\""));
}

TEST(UpdateJson, GoesThereAndBack) {
    const auto change = Change()
                            .add<&State::log>("a")
                            .replace<&State::messages>({{"1", "x"}})
                            .set<&State::rows>(2)
                            .set<&State::share>(std::nullopt);
    const auto text = to_text(change.to_json());
    EXPECT_EQ(text, R"({"set":{"log":["a"],"rows":2,"share":null},"replace":{"messages":[{"id":"1","text":"x"}]}})");

    const auto back = Change::from_json(*parse_json(text));
    ASSERT_TRUE(back);
    EXPECT_EQ(to_text(back->to_json()), text);
    State state{.log = {"there"}, .messages = {{"9", "gone"}}, .share = 1.0};
    apply_step(state, {*back});
    EXPECT_THAT(state.log, ElementsAre("there", "a"));
    EXPECT_THAT(state.messages, ElementsAre(Message{"1", "x"}));
    EXPECT_EQ(state.share, std::nullopt);
}

TEST(UpdateJson, OfNoChangeIsEmpty) {
    EXPECT_EQ(to_text(Change().to_json()), "{}");
    EXPECT_TRUE(Change::from_json(json::object()));
}

TEST(UpdateJson, NamesTheFieldThatDoesNotFit) {
    const auto change = Change::from_json({{"set", {{"rows", "many"}}}});
    ASSERT_FALSE(change);
    EXPECT_EQ(change.error().code, Code::invalid_argument);
    EXPECT_THAT(change.error().message, HasSubstr("rows: expected"));
}

TEST(UpdateJson, IgnoresUnknownFieldsUnlessTold) {
    const auto change = Change::from_json({{"set", {{"rows", 2}, {"colour", "red"}}}});
    ASSERT_TRUE(change);
    EXPECT_TRUE(change->has<&State::rows>());
}

TEST(UpdateJson, RefusesAnUnknownFieldAndSuggestsTheNearest) {
    const auto change = Change::from_json({{"set", {{"mesages", json::array()}}}}, UnknownFields::refuse);
    ASSERT_FALSE(change);
    EXPECT_EQ(change.error().code, Code::invalid_argument);
    EXPECT_EQ(change.error().message, "the state has no field \"mesages\"");
    EXPECT_EQ(change.error().hint, "did you mean \"messages\"?");
}

TEST(UpdateJson, ListsTheFieldsWhenNoneIsNear) {
    const auto change = Change::from_json({{"replace", {{"zzzzzzzzzz", 1}}}}, UnknownFields::refuse);
    ASSERT_FALSE(change);
    EXPECT_EQ(change.error().hint, "its fields are owner, log, messages, counts, sql, rows, share");
}

TEST(UpdateJson, RefusesAnUnknownPart) {
    const auto change = Change::from_json({{"sett", {{"rows", 1}}}}, UnknownFields::refuse);
    ASSERT_FALSE(change);
    EXPECT_EQ(change.error().message, "an update has no part \"sett\"");
}

TEST(UpdateJson, RefusesWhatIsNoObject) {
    EXPECT_FALSE(Change::from_json(json::value(3)));
    EXPECT_FALSE(Change::from_json({{"set", "rows"}}));
}

}  // namespace

}  // namespace quaestor::graph
