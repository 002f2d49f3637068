#include "store/materialise.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

namespace quaestor::store {

namespace {

using graph::Patch;
using testing::HasSubstr;

/// A chain, newest first, that owns what its links point to.
class ChainOf {
public:
    ChainOf& add(std::string id, std::string parent_id, Patch change, bool is_snapshot = false) {
        ids_.push_back(std::move(id));
        ids_.push_back(std::move(parent_id));
        changes_.push_back(std::move(change));
        links_.push_back({.id = ids_[ids_.size() - 2],
                          .parent_id = ids_.back(),
                          .is_snapshot = is_snapshot,
                          .change = &changes_.back()});
        return *this;
    }
    [[nodiscard]] Result<json::object> state() const { return materialise("t", links_); }

private:
    std::deque<std::string> ids_;
    std::deque<Patch> changes_;
    std::vector<ChainLink> links_;
};

Patch set(json::object fields) {
    return {.set = std::move(fields), .append = {}};
}

Patch append(json::object fields) {
    return {.set = {}, .append = std::move(fields)};
}

std::string failure_of(const ChainOf& chain) {
    const auto state = chain.state();
    EXPECT_FALSE(state);
    EXPECT_EQ(state.error().code, Code::corrupt);
    EXPECT_FALSE(state.error().hint.empty());
    return state.error().message;
}

}  // namespace

// ---- graph::apply

TEST(ApplyPatch, SetsFieldsAndKeepsTheOthers) {
    json::object state{{"a", 1}, {"b", 2}};
    ASSERT_TRUE(graph::apply(set({{"b", 3}, {"c", nullptr}}), state));
    EXPECT_EQ(state, (json::object{{"a", 1}, {"b", 3}, {"c", nullptr}}));
}

TEST(ApplyPatch, AppendsToAListAndBeginsOneWhereThereIsNone) {
    json::object state{{"log", json::array{1}}};
    ASSERT_TRUE(graph::apply(append({{"log", {2, 3}}, {"new", json::array{4}}, {"empty", json::array{}}}), state));
    EXPECT_EQ(state, (json::object{{"log", {1, 2, 3}}, {"new", json::array{4}}, {"empty", json::array{}}}));
}

TEST(ApplyPatch, SetsBeforeItAppends) {
    json::object state{{"log", "text"}};
    ASSERT_TRUE(graph::apply({.set = {{"log", json::array{}}}, .append = {{"log", json::array{1}}}}, state));
    EXPECT_EQ(state, (json::object{{"log", json::array{1}}}));
}

TEST(ApplyPatch, RefusesToAppendToWhatIsNoList) {
    json::object state{{"log", "text"}};
    const auto applied = graph::apply(append({{"log", json::array{1}}}), state);
    ASSERT_FALSE(applied);
    EXPECT_EQ(applied.error().code, Code::corrupt);
    EXPECT_THAT(applied.error().message, HasSubstr("log"));
}

TEST(ApplyPatch, RefusesToAppendWhatIsNoList) {
    json::object state;
    const auto applied = graph::apply(append({{"log", "text"}}), state);
    ASSERT_FALSE(applied);
    EXPECT_EQ(applied.error().code, Code::corrupt);
}

// ---- materialise

TEST(Materialise, ReadsASnapshotAlone) {
    EXPECT_EQ(*ChainOf().add("c1", "c0", set({{"a", 1}}), true).state(), (json::object{{"a", 1}}));
}

TEST(Materialise, StartsFromNothingAtACheckpointWithoutAParent) {
    EXPECT_EQ(*ChainOf().add("c1", "", append({{"log", json::array{1}}})).state(),
              (json::object{{"log", json::array{1}}}));
}

TEST(Materialise, AppliesChangesFromTheOldestToTheNewest) {
    const auto state = ChainOf()
                           .add("c3", "c2", append({{"log", json::array{3}}}))
                           .add("c2", "c1", set({{"a", 2}, {"log", json::array{2}}}))
                           .add("c1", "", set({{"a", 1}, {"b", 1}}), true)
                           .state();
    EXPECT_EQ(*state, (json::object{{"a", 2}, {"b", 1}, {"log", {2, 3}}}));
}

TEST(Materialise, NamesTheAncestorThatIsMissing) {
    const auto message = failure_of(ChainOf().add("c3", "c2", set({})).add("c2", "c1", set({})));
    EXPECT_THAT(message, HasSubstr("checkpoint c3 of thread t"));
    EXPECT_THAT(message, HasSubstr("c1 is missing"));
}

TEST(Materialise, TellsACycleFromALongChain) {
    ChainOf cycle;
    for (std::size_t n = 0; n <= kChainMax; ++n)
        cycle.add(n % 2 == 0 ? "even" : "odd", n % 2 == 0 ? "odd" : "even", {});
    EXPECT_THAT(failure_of(cycle), HasSubstr("cycle"));

    ChainOf chain;
    for (std::size_t n = 0; n <= kChainMax; ++n) chain.add(fmt::format("c{}", n), fmt::format("c{}", n + 1), {});
    EXPECT_THAT(failure_of(chain), HasSubstr("no snapshot"));
}

TEST(Materialise, ReadsTheLongestChain) {
    ChainOf chain;
    for (std::size_t n = 1; n < kChainMax; ++n) {
        chain.add(fmt::format("c{}", n), fmt::format("c{}", n + 1), append({{"log", json::array{n}}}));
    }
    chain.add(fmt::format("c{}", kChainMax), "", set({{"log", json::array{}}}), true);
    EXPECT_EQ(chain.state()->at("log").as_array().size(), kChainMax - 1);
}

TEST(Materialise, SaysWhichFieldAChangeDoesNotFit) {
    const auto message =
        failure_of(ChainOf().add("c2", "c1", append({{"log", json::array{1}}})).add("c1", "", set({{"log", 7}}), true));
    EXPECT_THAT(message, HasSubstr("\"log\""));
}

}  // namespace quaestor::store
