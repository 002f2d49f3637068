#include "native/reading/restating.hpp"

#include "native/rules/questioned_database.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace quaestor::native {

namespace {

constexpr const char* kToday = "2024-06-15";

/// A line of restating.cases that asks for something, with what was said before it.
struct Restating {
    std::string database;
    std::string earlier;
    std::vector<std::string> subjects;
    std::string question;
    bool is_bundle = false;
    std::optional<std::string> expected;
};

std::vector<Restating> restatings() {
    std::vector<Restating> cases;
    Restating now;
    std::istringstream lines(file_text(std::string(QUAESTOR_TEST_DIR) + "/rules/restating.cases"));
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line.front() == '#') continue;
        const std::string text = line.size() > 2 ? line.substr(2) : "";
        switch (line.front()) {
            case '@':
                now.database = text;
                break;
            case '?':
                now.earlier = text;
                now.subjects.clear();
                break;
            case 'a':
                now.subjects.push_back(text);
                break;
            case '+':
            case '*':
                now.question = text;
                now.is_bundle = line.front() == '*';
                break;
            case '=':
            case '!':
                now.expected = line.front() == '=' ? std::optional(text) : std::nullopt;
                cases.push_back(now);
                break;
            default:
                ADD_FAILURE() << line;
        }
    }
    return cases;
}

std::optional<std::string> said_in_full(const Restating& one, const QuestionedDatabase& about) {
    const LinkedQuestion linked = about.linked(one.question);
    if (one.is_bundle) return spelled_out(linked, about.knowledge());
    return restated(linked, {one.earlier, one.subjects}, about.knowledge(), kToday);
}

}  // namespace

TEST(Restating, SaysFollowUpsInFull) {
    const auto cases = restatings();
    ASSERT_GT(cases.size(), 15U);
    const QuestionedDatabase about(
        file_text(std::string(QUAESTOR_TEST_DIR) + "/rules/schemas/" + cases.front().database + ".sql"));
    for (const Restating& one : cases) {
        const auto said = said_in_full(one, about);
        EXPECT_EQ(said.value_or("nothing"), one.expected.value_or("nothing")) << one.earlier << "\n" << one.question;
    }
}

TEST(Restating, TellsWhoSpeaksOfSomebodyWithoutAName) {
    const QuestionedDatabase about(file_text(std::string(QUAESTOR_TEST_DIR) + "/rules/schemas/seasons.sql"));
    EXPECT_TRUE(points_back(about.linked("How tall is he?")));
    EXPECT_TRUE(points_back(about.linked("Which team does she play for?")));
    EXPECT_TRUE(points_back(about.linked("what is their record")));
    EXPECT_TRUE(points_back(about.linked("How many players do they have?")));
    EXPECT_FALSE(points_back(about.linked("List the players and their teams")));
    EXPECT_FALSE(points_back(about.linked("How tall is Ana Brook and what is her salary?")));
    EXPECT_FALSE(points_back(about.linked("How many wins do the Herons have?")));
}

TEST(Restating, PutsNamesInThePlaceOfPersons) {
    const QuestionedDatabase about(file_text(std::string(QUAESTOR_TEST_DIR) + "/rules/schemas/seasons.sql"));
    const std::vector<std::string> names{"Herons", "Rams"};
    EXPECT_EQ(with_each_name(about.linked("How many wins do they have?"), names),
              (std::vector<std::string>{"How many wins do Herons have?", "How many wins do Rams have?"}));
    EXPECT_EQ(with_each_name(about.linked("What is her height?"), names).front(), "What is Herons's height?");
    EXPECT_TRUE(with_each_name(about.linked("Is it raining?"), names).empty());
}

}  // namespace quaestor::native
