#include "demo/league.hpp"

#include "demo/schema.hpp"
#include "league_kit.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quaestor::demo {

namespace {

using testing::AllOf;
using testing::Ge;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Le;
using testing::Not;

/// A statement with the sentence above it.
struct Rule {
    std::string sentence;
    std::string sql;
};

std::vector<Rule> read_rules(const std::string& name) {
    const std::string text = read_text(std::string(QUAESTOR_TEST_DIR) + "/" + name);
    std::vector<Rule> rules;
    Rule rule;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, end - at);
        at = end + 1;
        if (line.starts_with("-- ")) {
            rule.sentence = line.substr(3);
        } else if (line.ends_with(";")) {
            rule.sql += line.substr(0, line.size() - 1);
            rules.push_back({rule.sentence, std::exchange(rule.sql, {})});
        } else {
            rule.sql += line + "\n";
        }
    }
    return rules;
}

void expect_invariants(const MadeLeague& league) {
    const auto rules = read_rules("invariants.sql");
    ASSERT_THAT(rules.size(), Ge(25U));
    for (const auto& rule : rules) {
        for (const auto& row : league->ask(rule.sql)) EXPECT_EQ(row.at(0), "0") << rule.sentence << '\n' << rule.sql;
    }
}

/// A text that changes when any value in the league does.
std::string fingerprint(const MadeLeague& league) {
    std::string each;
    for (const TableSpec& table : league_tables()) {
        each += league->value(
            fmt::format("SELECT md5(string_agg(t::VARCHAR, '\n' ORDER BY t::VARCHAR)) FROM {} AS t", table.name));
    }
    return league->value(fmt::format("SELECT md5('{}')", each));
}

TEST(League, KeepsItsInvariantsWhenItIsSmall) {
    expect_invariants(small_league());
}

TEST(League, KeepsItsInvariantsWhenItIsFull) {
    expect_invariants(full_league());
}

TEST(League, KeepsItsInvariantsWithAnotherSeed) {
    expect_invariants(other_league());
}

TEST(League, HasFiguresLikeARealOne) {
    for (const auto& rule : read_rules("ranges.sql")) {
        const auto rows = full_league()->ask(rule.sql);
        ASSERT_EQ(rows.size(), 1U) << rule.sentence;
        EXPECT_THAT(std::stod(rows[0].at(0)), AllOf(Ge(std::stod(rows[0].at(1))), Le(std::stod(rows[0].at(2)))))
            << rule.sentence << '\n'
            << rule.sql;
    }
}

TEST(League, IsTheSameForTheSameSeed) {
    const MadeLeague again({.is_small = true});
    EXPECT_EQ(fingerprint(again), fingerprint(small_league()));
}

TEST(League, IsAnotherForAnotherSeed) {
    EXPECT_NE(fingerprint(other_league()), fingerprint(small_league()));
}

TEST(League, IsTheSameOnEveryMachine) {
    EXPECT_EQ(fingerprint(full_league()), "e4f9797d71ccd5de601f316723909e9d")
        << "rows changed: on purpose? then raise kLeagueVersion and write the new fingerprint here. On another machine "
           "or "
           "compiler only? then chance or arithmetic depends on it";
}

TEST(League, SaysThatItIsSynthetic) {
    const auto notice = small_league()->ask("SELECT value FROM about_this_data WHERE item = 'notice'");
    EXPECT_THAT(notice.at(0).at(0), HasSubstr("Synthetic data"));
    const auto version = small_league()->ask("SELECT value FROM about_this_data WHERE item = 'version'");
    EXPECT_EQ(version.at(0).at(0), std::to_string(kLeagueVersion));
    EXPECT_THAT(small_league()->ask("SELECT table_name FROM duckdb_tables() WHERE comment NOT LIKE '%synthetic%'"),
                IsEmpty());
    EXPECT_THAT(league_path("/data"), HasSubstr("synthetic"));
}

TEST(League, DescribesEveryTableAndColumn) {
    EXPECT_THAT(small_league()->ask("SELECT table_name FROM duckdb_tables() WHERE comment IS NULL"), IsEmpty());
    EXPECT_THAT(small_league()->ask(
                    "SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal AND comment IS NULL"),
                IsEmpty());
}

TEST(League, DeclaresItsKeys) {
    EXPECT_THAT(small_league()->ask("SELECT table_name FROM duckdb_tables() WHERE NOT has_primary_key"), IsEmpty());
    EXPECT_THAT(
        small_league()->ask(
            "SELECT table_name, column_name FROM duckdb_columns() AS c WHERE NOT internal AND column_name LIKE "
            "'%\\_id' "
            "ESCAPE '\\' AND NOT EXISTS (SELECT 1 FROM duckdb_constraints() AS k WHERE k.table_name = c.table_name AND "
            "list_contains(k.constraint_column_names, c.column_name) AND constraint_type IN ('PRIMARY KEY', 'FOREIGN "
            "KEY'))"),
        IsEmpty());
}

TEST(League, CountsItsRows) {
    const auto& counts = full_league().counts();
    EXPECT_GE(counts.tables.size(), 12U);
    std::int64_t sum = 0;
    for (const auto& [table, rows] : counts.tables) {
        EXPECT_GT(rows, 0) << table;
        EXPECT_EQ(full_league()->ask("SELECT count(*) FROM " + table).at(0).at(0), std::to_string(rows)) << table;
        sum += rows;
    }
    EXPECT_EQ(counts.rows, sum);
}

TEST(League, FitsInThirtyMegabytes) {
    constexpr std::int64_t kMost = 30'000'000;
    EXPECT_LT(full_league().counts().bytes, kMost);
    EXPECT_EQ(full_league().counts().bytes,
              static_cast<std::int64_t>(std::filesystem::file_size(full_league().path())));
}

TEST(League, HasTheTeamsThatPeopleAskFor) {
    const auto teams = full_league()->ask(
        "SELECT count(*), count(DISTINCT conference), count(DISTINCT division), "
        "count(DISTINCT abbreviation), count(DISTINCT arena_id) FROM teams");
    EXPECT_EQ(teams.at(0), (std::vector<std::string>{"30", "2", "6", "30", "30"}));
    for (const auto* league : {&full_league(), &small_league()}) {
        EXPECT_EQ(
            (*league)->ask("SELECT count(*) FROM teams WHERE name IN ('Lakers', 'Celtics', 'Warriors')").at(0).at(0),
            "3");
    }
}

}  // namespace

}  // namespace quaestor::demo
