#include "llm/semantic_cache.hpp"

#include <boost/asio/detached.hpp>
#include <boost/asio/thread_pool.hpp>
#include <gtest/gtest.h>

#include <string>

namespace quaestor::llm {
namespace {

using namespace std::chrono_literals;

const CachePlace kPlace{.prompt = "sql_generation", .model = "openai/x", .session = "", .exact = ""};

/// Says that it cannot, as one without network.
class BrokenEmbedder final : public Embedder {
public:
    [[nodiscard]] const std::string& name() const override { return name_; }
    [[nodiscard]] std::size_t dimensions() const override { return 0; }
    Task<Result<Embeddings>> embed(std::vector<std::string>, CancelToken) override {
        co_return fail(Code::unavailable, "no network");
    }

private:
    std::string name_ = "broken";
};

class SemanticCacheTest : public testing::Test {
protected:
    void make(SemanticCacheSettings settings) { cache_.emplace(settings, *embedder_, clock_); }
    std::optional<json::value> find(const std::string& text, const CachePlace& place = kPlace) {
        return run_to_end(cache_->find(place, text));
    }
    void keep(const std::string& text, json::value reply, const CachePlace& place = kPlace) {
        run_to_end(cache_->keep(place, text, std::move(reply)));
    }

    ManualClock clock_;
    std::unique_ptr<Embedder> embedder_ = hashing_embedder();
    std::optional<SemanticCache> cache_{std::in_place, SemanticCacheSettings{}, *embedder_, clock_};
};

TEST_F(SemanticCacheTest, FindsTheReplyToTheSameWordsInAnotherOrder) {
    keep("revenue by country in Europe", "SELECT 1");
    EXPECT_EQ(find("Revenue in Europe by country?"), json::value("SELECT 1"));
    EXPECT_EQ(find("orders of last week"), std::nullopt);
}

TEST_F(SemanticCacheTest, TakesTheNearestOfThoseNearEnough) {
    make({.similarity = 0.5});
    keep("revenue by country and month", "month");
    keep("revenue by country and week", "week");
    EXPECT_EQ(find("revenue by country and week"), json::value("week"));
    EXPECT_EQ(find("revenue by country and month"), json::value("month"));
}

TEST_F(SemanticCacheTest, NeverFindsTheReplyOfAnotherPromptModelSessionOrExactPart) {
    keep("revenue", 1);
    for (const auto& [field, value] : {std::pair{&CachePlace::prompt, "other"},
                                       {&CachePlace::model, "other"},
                                       {&CachePlace::session, "s"},
                                       {&CachePlace::exact, "5"}}) {
        CachePlace other = kPlace;
        other.*field = value;
        EXPECT_EQ(find("revenue", other), std::nullopt) << value;
    }
}

TEST_F(SemanticCacheTest, DoesNotMistakeWhereOnePartOfAPlaceEnds) {
    keep("revenue", 1, {.prompt = "ab", .model = "c", .session = {}, .exact = {}});
    EXPECT_EQ(find("revenue", {.prompt = "a", .model = "bc", .session = {}, .exact = {}}), std::nullopt);
}

TEST_F(SemanticCacheTest, ForgetsAfterTheLifetime) {
    make({.lifetime = 1h});
    keep("revenue", 1);
    clock_.advance(1h - 1ns);
    EXPECT_TRUE(find("revenue"));
    clock_.advance(1ns);
    EXPECT_FALSE(find("revenue"));
    keep("revenue", 2);
    EXPECT_EQ(find("revenue"), json::value(2));
    EXPECT_EQ(cache_->stats().size, 1U);
}

TEST_F(SemanticCacheTest, TakesOutWhatIsTooOldWhenSomethingNewComes) {
    make({.lifetime = 1h});
    for (const char* text : {"apples", "pears", "plums"}) keep(text, text);
    clock_.advance(30min);
    keep("cherries", "cherries");
    clock_.advance(30min);
    keep("figs", "figs");
    EXPECT_EQ(cache_->stats().size, 2U);
    EXPECT_EQ(find("cherries"), json::value("cherries")) << "the rows that stay are still those of their entries";
    EXPECT_EQ(find("figs"), json::value("figs"));
}

TEST_F(SemanticCacheTest, LetsTheLeastRecentlyUsedGoWhenFull) {
    make({.capacity = 2});
    keep("apples", 1);
    keep("pears", 2);
    EXPECT_TRUE(find("apples"));
    keep("plums", 3);
    EXPECT_EQ(cache_->stats().size, 2U);
    EXPECT_FALSE(find("pears"));
    EXPECT_EQ(find("apples"), json::value(1));
    EXPECT_EQ(find("plums"), json::value(3));
}

TEST_F(SemanticCacheTest, CountsCapacityOverAllPlaces) {
    make({.capacity = 2});
    for (const char* session : {"a", "b", "c"}) {
        CachePlace place = kPlace;
        place.session = session;
        keep("revenue", session, place);
    }
    EXPECT_EQ(cache_->stats().size, 2U);
    CachePlace first = kPlace;
    first.session = "a";
    EXPECT_FALSE(find("revenue", first));
}

TEST_F(SemanticCacheTest, KeepsOneReplyForEachTextTheLast) {
    keep("revenue", 1);
    keep("revenue", 2);
    EXPECT_EQ(cache_->stats().size, 1U);
    EXPECT_EQ(find("revenue"), json::value(2));
}

TEST_F(SemanticCacheTest, KeepsNothingWithoutCapacityOrWhenOff) {
    make({.capacity = 0});
    keep("revenue", 1);
    EXPECT_FALSE(find("revenue"));
    make({.on = false});
    keep("revenue", 1);
    EXPECT_FALSE(find("revenue"));
    EXPECT_EQ(cache_->stats().misses, 0U) << "one that is off is not asked";
}

TEST_F(SemanticCacheTest, InvalidatesByPromptOrByText) {
    CachePlace tables = kPlace;
    tables.prompt = "table_choice";
    keep("apples of Spain", 1);
    keep("pears of Spain", 2);
    keep("plums", 3);
    keep("plums", 4, tables);
    EXPECT_EQ(cache_->invalidate("*of Spain"), 2U);
    EXPECT_EQ(cache_->invalidate("nothing*"), 0U);
    EXPECT_EQ(cache_->invalidate("table_*"), 1U);
    EXPECT_EQ(find("plums"), json::value(3));
    EXPECT_EQ(cache_->invalidate("*"), 1U);
    EXPECT_EQ(cache_->stats().size, 0U);
}

TEST_F(SemanticCacheTest, MatchesStarsAnywhereInAPattern) {
    keep("a long text about many things", 1);
    EXPECT_EQ(cache_->invalidate("a*b*c*things?"), 0U);
    EXPECT_EQ(cache_->invalidate("long"), 0U) << "without stars the whole must be the same";
    EXPECT_EQ(cache_->invalidate("a*text**many*s"), 1U);
}

TEST_F(SemanticCacheTest, TellsItsHitRate) {
    EXPECT_EQ(cache_->stats().hit_rate(), 0);
    keep("revenue", 1);
    (void)find("revenue");
    (void)find("revenue");
    (void)find("revenue");
    (void)find("orders of last week");
    EXPECT_EQ(cache_->stats().hits, 3U);
    EXPECT_EQ(cache_->stats().misses, 1U);
    EXPECT_DOUBLE_EQ(cache_->stats().hit_rate(), 0.75);
}

TEST_F(SemanticCacheTest, MissesWhenNothingCanBeEmbedded) {
    BrokenEmbedder broken;
    SemanticCache cache({}, broken, clock_);
    run_to_end(cache.keep(kPlace, "revenue", 1));
    EXPECT_FALSE(run_to_end(cache.find(kPlace, "revenue")));
    EXPECT_EQ(cache.stats().misses, 1U);
}

TEST_F(SemanticCacheTest, MayBeUsedByManyThreads) {
    make({.capacity = 8});
    asio::thread_pool pool(4);
    for (int worker = 0; worker < 4; ++worker) {
        asio::co_spawn(
            pool,
            [this, worker]() -> Task<> {
                for (int i = 0; i < 50; ++i) {
                    const std::string text = "fruit" + std::to_string((i * 7 + worker) % 20);
                    co_await cache_->keep(kPlace, text, json::value(text));
                    const auto found = co_await cache_->find(kPlace, text);
                    EXPECT_TRUE(!found || *found == json::value(text));
                    if (i % 10 == 0) (void)cache_->invalidate("*fruit1*");
                }
            },
            asio::detached);
    }
    pool.join();
    EXPECT_LE(cache_->stats().size, 8U);
}

TEST(ExactPartsTest, AreTheSameForTheSameQuestionInOtherWords) {
    EXPECT_EQ(exact_parts("show the revenue of stores"), exact_parts("please tell me what stores earn"));
    EXPECT_EQ(exact_parts("top 5 stores in 2024"), exact_parts("give me the top 5 of the stores for 2024, please"));
    EXPECT_EQ(exact_parts("Top 5 stores"), exact_parts("the top 5 stores"));
}

TEST(ExactPartsTest, TellQuestionsApartThatVectorsDoNot) {
    const std::pair<const char*, const char*> others[] = {
        {"top 5 stores", "top 50 stores"},
        {"orders of 2024-01-05", "orders of 2024-01-06"},
        {"sales in q1", "sales in q2"},
        {"orders above average", "orders below average"},
        {"customers that ordered", "customers that never ordered"},
        {"customers who bought", "customers who didn't buy"},
        {"stores with more staff", "stores with less staff"},
        {"total revenue", "average revenue"},
        {"orders named \"blue\"", "orders named \"red\""},
        {"orders named 'blue sky'", "orders named 'red sky'"},
        {"orders named “blue”", "orders named “red”"},
        {"sales in Austria", "sales in Australia"},
        {"Germany by month", "France by month"},
        {"sales in january", "sales in february"},
        {"three stores", "four stores"},
        {"rows of order_items", "rows of order_lines"},
        {"highest price", "lowest price"},
    };
    for (const auto& [left, right] : others) EXPECT_NE(exact_parts(left), exact_parts(right)) << left;
}

TEST(ExactPartsTest, DoNotTakeTheFirstWordOfAQuestionForAName) {
    EXPECT_EQ(exact_parts("What do stores earn?"), exact_parts("Please show the earnings of stores"));
}

TEST(ExactPartsTest, DoNotTakeAnApostropheForAQuote) {
    EXPECT_EQ(exact_parts("the store's revenue and the clerk's name"), exact_parts("revenue of a store and its clerk"));
}

TEST(ExactPartsTest, LookIntoTheTextsOfJsonAndTakeItsNamesAndNumbersToTheLetter) {
    EXPECT_EQ(exact_parts(R"({"question":"what do stores earn","limit":5})"),
              exact_parts(R"({"question":"please show what stores make","limit":5})"));
    EXPECT_NE(exact_parts(R"({"question":"what do stores earn","limit":5})"),
              exact_parts(R"({"question":"what do stores earn","limit":6})"));
    EXPECT_NE(exact_parts(R"({"tables":["orders"]})"), exact_parts(R"({"tables":["stores"]})"));
    EXPECT_NE(exact_parts(R"({"a":["x y"],"b":[]})"), exact_parts(R"({"a":[],"b":["x y"]})"));
}

}  // namespace
}  // namespace quaestor::llm
