#include "demo/league.hpp"
#include "league_kit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quaestor::demo {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace fs = std::filesystem;

class LeagueFile : public testing::Test {
protected:
    [[nodiscard]] std::string path() const { return folder_.file("league.duckdb"); }
    [[nodiscard]] std::string data_dir() const { return folder_.file("data"); }

    [[nodiscard]] std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder_.path())) names.push_back(entry.path().filename());
        return names;
    }
    static void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

    store::TemporaryFolder folder_;
    LeagueOptions small_{.is_small = true};
};

TEST_F(LeagueFile, TakesThePlaceOfWhatIsThereAndTellsHowFarItIs) {
    write(path(), "no database");
    std::vector<double> told;
    small_.progress = [&](std::string_view, double done) { told.push_back(done); };
    ASSERT_TRUE(make_league(path(), small_));
    EXPECT_THAT(files(), ElementsAre("league.duckdb"));
    EXPECT_TRUE(std::ranges::is_sorted(told));
    EXPECT_EQ(told.front(), 0.0);
    EXPECT_EQ(told.back(), 1.0);

    const OpenLeague before(path());
    ASSERT_TRUE(make_league(path(), {.seed = 5, .is_small = true}));
    EXPECT_EQ(before.value("SELECT value FROM about_this_data WHERE item = 'seed'"), std::to_string(kLeagueSeed));
}

TEST_F(LeagueFile, StaysAsItWasWhenMakingItIsCancelled) {
    for (const std::string_view moment : {"season 2022", "rows", "standings and averages"}) {
        write(path(), "as it was");
        CancelSource source;
        LeagueOptions options{.is_small = true, .stop = source.token()};
        options.progress = [&](std::string_view what, double) {
            if (what == moment) source.cancel(CancelReason::user_request);
        };
        const auto made = make_league(path(), options);
        ASSERT_FALSE(made) << moment;
        EXPECT_EQ(made.error().code, Code::cancelled) << moment;
        EXPECT_EQ(read_text(path()), "as it was") << moment;
        EXPECT_THAT(files(), ElementsAre("league.duckdb")) << moment;
    }
}

TEST_F(LeagueFile, CannotBeMadeWhereThereIsNoFolder) {
    const auto made = make_league(folder_.file("missing/league.duckdb"), small_);
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().message, HasSubstr("missing/league.duckdb"));
    EXPECT_THAT(made.error().hint, HasSubstr("data directory"));
    EXPECT_THAT(files(), IsEmpty());
}

/// One league all along: making it takes longer than all else here.
TEST_F(LeagueFile, IsMadeWhenItIsMissingOrWrongAndOtherwiseLeftAlone) {
    const auto path = league_path(data_dir());
    int times_made = 0;
    LeagueOptions options = small_;
    options.progress = [&](std::string_view, double done) { times_made += done == 1.0 ? 1 : 0; };
    const auto ensure = [&] {
        const auto ensured = ensure_league(data_dir(), options);
        ASSERT_TRUE(ensured) << ensured.error().describe();
        EXPECT_EQ(*ensured, path);
    };
    ensure();
    EXPECT_EQ(times_made, 1) << "it was missing";
    EXPECT_EQ(OpenLeague(path).value("SELECT count(*) FROM seasons"), "2");
    ensure();
    EXPECT_EQ(times_made, 1) << "it was there";
    fs::remove(path + ".quaestor.yaml");
    ensure();
    EXPECT_THAT(read_text(path + ".quaestor.yaml"), HasSubstr("efficiency: team_season_stats.offensive_rating"));
    EXPECT_EQ(times_made, 1) << "only its words were missing";

    std::string stamp = read_text(path + ".stamp");
    stamp.replace(stamp.find("version ") + 8, 1, "0");
    write(path + ".stamp", stamp);
    ensure();
    EXPECT_EQ(times_made, 2) << "it was of another version";

    fs::resize_file(path, 1000);
    ensure();
    EXPECT_EQ(times_made, 3) << "it was cut short";

    fs::remove(path + ".stamp");
    options.seed = 5;
    ensure();
    EXPECT_EQ(times_made, 4) << "it had no stamp, and was of another seed";
    EXPECT_EQ(OpenLeague(path).value("SELECT value FROM about_this_data WHERE item = 'seed'"), "5");
    ensure();
    EXPECT_EQ(times_made, 4) << "it was there again";
}

TEST_F(LeagueFile, CannotBeEnsuredWhereAFileIsInTheWay) {
    write(data_dir(), "a file");
    const auto ensured = ensure_league(data_dir(), small_);
    ASSERT_FALSE(ensured);
    EXPECT_THAT(ensured.error().hint, HasSubstr("--data-dir"));
}

}  // namespace

}  // namespace quaestor::demo
