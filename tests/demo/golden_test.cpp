// The golden questions themselves: that each is complete, and that its expected rows can be had from the full league by
// statements that the guard admits.
#include "base/yaml.hpp"
#include "data/source.hpp"
#include "league_kit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

namespace quaestor::demo {

namespace {

using testing::Contains;
using testing::Ge;
using testing::Key;

constexpr std::size_t kQuestionsMin = 90;

/// A question, or a turn of a conversation.
struct Entry {
    std::string name;  ///< "id" or "id, turn 2"
    std::string kind;
    json::object fields;

    [[nodiscard]] std::string text(std::string_view field, std::string otherwise = {}) const {
        const auto* value = fields.if_contains(field);
        return value == nullptr ? otherwise : std::string(value->as_string());
    }
    [[nodiscard]] bool is(std::string_view field) const {
        const auto* value = fields.if_contains(field);
        return value != nullptr && value->as_bool();
    }
    [[nodiscard]] std::vector<std::string> texts(std::string_view field) const {
        std::vector<std::string> all;
        if (const auto* values = fields.if_contains(field)) {
            for (const auto& value : values->as_array()) all.emplace_back(value.as_string());
        }
        return all;
    }
};

json::array read_golden() {
    return parse_yaml(read_text(std::string(QUAESTOR_SOURCE_DIR) + "/tests/golden/nba.yaml")).value().as_array();
}

std::vector<Entry> all_entries() {
    std::vector<Entry> entries;
    for (const auto& item : read_golden()) {
        const auto& fields = item.as_object();
        const std::string id(fields.at("id").as_string());
        const std::string kind(fields.at("class").as_string());
        const auto* turns = fields.if_contains("turns");
        if (turns == nullptr) {
            entries.push_back({id, kind, fields});
            continue;
        }
        int number = 0;
        for (const auto& turn : turns->as_array()) {
            entries.push_back({id + ", turn " + std::to_string(++number), kind, turn.as_object()});
        }
    }
    return entries;
}

class Golden : public testing::Test {
protected:
    static void SetUpTestSuite() { source_ = run_to_end(data::open_source(full_league().path())).value(); }
    static void TearDownTestSuite() { source_.reset(); }

    static Result<data::ResultSet> query(const std::string& sql) { return run_to_end(source_->query(sql)); }

    static inline std::unique_ptr<data::Source> source_;
};

TEST_F(Golden, QuestionsAreManyAndOfEveryClass) {
    std::map<std::string, int> classes;
    std::set<std::string> ids;
    int held_out = 0;
    const auto golden = read_golden();
    for (const auto& item : golden) {
        ++classes[std::string(item.at("class").as_string())];
        EXPECT_TRUE(ids.emplace(item.at("id").as_string()).second) << item.at("id");
        if (const auto* held = item.as_object().if_contains("held_out")) held_out += held->as_bool() ? 1 : 0;
    }
    EXPECT_THAT(golden.size(), Ge(kQuestionsMin));
    for (const auto* name :
         {"simple", "filter", "aggregate", "ranking", "comparison", "multi_part", "trend", "rate", "share", "range",
          "join", "follow_up", "ambiguous", "unanswerable", "misspelt", "no_rows", "unit", "greeting"}) {
        EXPECT_THAT(classes, Contains(Key(name)));
    }
    EXPECT_NEAR(held_out, static_cast<double>(golden.size()) / 3, 3.0);
}

TEST_F(Golden, QuestionsHaveOnlyFieldsThatMeanSomething) {
    const std::set<std::string_view> known = {"id",
                                              "class",
                                              "question",
                                              "turns",
                                              "expected_status",
                                              "expected_sql",
                                              "tables",
                                              "ordered",
                                              "also_right",
                                              "no_rows",
                                              "expected_sql_contains",
                                              "expected_answer_contains",
                                              "held_out",
                                              "complexity",
                                              "expected_sub_queries",
                                              "clarification_contains"};
    for (const auto& entry : all_entries()) {
        for (const auto& field : entry.fields) {
            EXPECT_TRUE(known.contains(std::string_view(field.key()))) << entry.name << ": " << field.key();
        }
    }
}

TEST_F(Golden, QuestionsSayWhatIsExpectedOfThem) {
    const std::set<std::string> statuses = {"answered", "clarification", "refused", "uncertain"};
    for (const auto& entry : all_entries()) {
        const auto status = entry.text("expected_status", "answered");
        EXPECT_TRUE(statuses.contains(status)) << entry.name << ": " << status;
        EXPECT_FALSE(entry.text("question").empty()) << entry.name;
        const bool has_rows = status == "answered" && entry.kind != "greeting";
        EXPECT_EQ(!entry.text("expected_sql").empty(), has_rows) << entry.name;
        EXPECT_EQ(status == "refused", entry.kind == "unanswerable") << entry.name;
        EXPECT_EQ(entry.is("no_rows"), entry.kind == "no_rows") << entry.name;
        EXPECT_EQ(entry.text("complexity") == "complex", entry.fields.contains("expected_sub_queries")) << entry.name;
    }
}

TEST_F(Golden, ExpectedRowsCanBeHad) {
    for (const auto& entry : all_entries()) {
        auto statements = entry.texts("also_right");
        if (const auto sql = entry.text("expected_sql"); !sql.empty()) statements.push_back(sql);
        for (const auto& sql : statements) {
            const auto result = query(sql);
            ASSERT_TRUE(result) << entry.name << ": " << result.error().describe() << '\n' << sql;
            EXPECT_EQ(result->row_count == 0, entry.is("no_rows")) << entry.name << '\n' << sql;
            EXPECT_FALSE(result->truncated) << entry.name;
        }
    }
}

/// What an answer must contain is in the rows, or the person or the statement said it; else nobody could know it.
TEST_F(Golden, ExpectedWordsFollowFromTheRows) {
    for (const auto& entry : all_entries()) {
        const auto words = entry.texts("expected_answer_contains");
        if (words.empty()) continue;
        const auto result = query(entry.text("expected_sql"));
        ASSERT_TRUE(result) << entry.name;
        std::string known = entry.text("question") + entry.text("expected_sql") + data::to_json_text(*result);
        for (const auto& word : words) EXPECT_THAT(known, testing::HasSubstr(word)) << entry.name;
    }
}

TEST_F(Golden, ExpectedTablesAreThere) {
    const auto catalog = run_to_end(source_->schema()).value();
    for (const auto& entry : all_entries()) {
        for (const auto& table : entry.texts("tables")) EXPECT_NE(catalog->find_table(table), nullptr) << entry.name;
    }
}

}  // namespace

}  // namespace quaestor::demo
