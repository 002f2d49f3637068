#include "native/reading/choosing.hpp"

#include "native/reading/reading_kit.hpp"

#include <gmock/gmock.h>

namespace quaestor::native {

namespace {

using testing::HasSubstr;

using Cells = std::vector<std::vector<const char*>>;

/// A result of texts and numbers; nullptr is NULL.
data::ResultSet table(const Cells& columns, data::ValueKind kind = data::ValueKind::text) {
    data::ResultSet result;
    result.row_count = columns.empty() ? 0 : columns.front().size();
    for (const auto& cells : columns) {
        auto& column = result.columns.emplace_back("c", kind, "");
        for (const char* cell : cells) {
            if (cell == nullptr) {
                column.add_null();
            } else if (kind == data::ValueKind::text) {
                column.add_text(cell);
            } else {
                column.add_number(std::stod(cell));
            }
        }
    }
    return result;
}
data::ResultSet numbers(const Cells& columns) {
    return table(columns, data::ValueKind::number);
}

constexpr const char* kShopSql =
    "CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, city TEXT, age INTEGER);"
    "INSERT INTO customer VALUES (1, 'Ann', 'Paris', 30), (2, 'Bob', 'Rome', 41), (3, 'Cy', 'Paris', 25);"
    "CREATE TABLE purchase (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer(id), price REAL);"
    "INSERT INTO purchase VALUES (1, 1, 9.5), (2, 1, 20), (3, 2, 3);"
    "CREATE TABLE complaint (id INTEGER PRIMARY KEY, reported_by INTEGER REFERENCES customer(id),"
    " closed_by INTEGER REFERENCES customer(id), text TEXT);"
    "INSERT INTO complaint VALUES (1, 1, 2, 'late'), (2, 3, 1, 'broken');";

class Choosing : public testing::Test {
protected:
    /// Candidates as they are when they have run; the later ones are less likely to their parser.
    [[nodiscard]] std::vector<Candidate> candidates(const std::string& question, const std::vector<std::string>& sqls) {
        linked_ = link(question, shop_.knowledge(), "2024-01-01");
        std::vector<Candidate> out;
        for (const std::string& sql : sqls) {
            const ScriptedParser parser({{sql, -0.5 * static_cast<double>(out.size())}});
            auto proposals = parser.propose(linked_, shop_.knowledge(), {});
            Candidate candidate{.proposal = proposals->at(0), .written = {}, .result = {}, .failure = {}};
            candidate.proposal.parser = "trained";
            const Spoken spoken{linked_.text, linked_.words, &shop_.knowledge().values()};
            candidate.written =
                write_sql(candidate.proposal.form, shop_.knowledge().schema(), data::Dialect::sqlite, spoken).value();
            candidate.result = run_to_end(shop_.source().query(candidate.written.sql)).value();
            out.push_back(std::move(candidate));
        }
        return out;
    }
    /// A feature of the only candidate.
    [[nodiscard]] double feature(std::string_view name, const std::string& question, const std::string& sql) {
        const auto all = features_of(linked_, shop_.knowledge(), {});
        EXPECT_TRUE(all.empty());
        const auto judged = candidates(question, {sql});
        const auto features = features_of(linked_, shop_.knowledge(), judged);
        const auto names = feature_names();
        const auto found = std::ranges::find(names, name);
        EXPECT_NE(found, names.end()) << name;
        return features[0][static_cast<std::size_t>(found - names.begin())];
    }

    AskedDatabase shop_{kShopSql};
    LinkedQuestion linked_;
};

/// A model that counts one feature only.
json::object stored_model(std::string_view feature, double weight, double bias) {
    json::array names;
    json::array weights;
    for (const std::string_view name : feature_names()) {
        names.emplace_back(name);
        weights.push_back(name == feature ? weight : 0.0);
    }
    return {
        {"features", names},
        {"mean", json::array(kFeatures, 0.0)},
        {"scale", json::array(kFeatures, 1.0)},
        {"layers", json::array(1, json::object{{"weights", json::array(1, weights)}, {"bias", json::array(1, bias)}})},
        {"calibration", {{"slope", 1.0}, {"offset", 0.0}}},
        {"answers_from", 0.8},
        {"asks_from", 0.3},
        {"offers_from", 0.7}};
}

Result<ChoiceModel> opened(const json::object& stored) {
    const TestFolder folder;
    std::ofstream(folder.file("choice.json")) << to_text(stored);
    return ChoiceModel::open(folder.file("choice.json"));
}

}  // namespace

TEST(SameRows, OrderOfRowsAndColumnsDoesNotCount) {
    EXPECT_TRUE(same_rows(table({{"a", "b"}, {"x", "y"}}), table({{"y", "x"}, {"b", "a"}})));
}

TEST(SameRows, WhichCellsStandTogetherCounts) {
    EXPECT_FALSE(same_rows(table({{"a", "b"}, {"x", "y"}}), table({{"a", "b"}, {"y", "x"}})));
}

TEST(SameRows, HowOftenARowComesCounts) {
    EXPECT_FALSE(same_rows(table({{"a", "a", "b"}}), table({{"a", "b", "b"}})));
    EXPECT_FALSE(same_rows(table({{"a", "a"}}), table({{"a"}})));
}

TEST(SameRows, NumbersAreComparedByValue) {
    EXPECT_TRUE(same_rows(numbers({{"0.30000000000000004"}}), numbers({{"0.3"}})));
    EXPECT_TRUE(same_rows(numbers({{"-0"}}), numbers({{"0"}})));
    EXPECT_FALSE(same_rows(numbers({{"1000001"}}), numbers({{"1000002"}})));
}

TEST(SameRows, NullIsNeitherZeroNorEmpty) {
    EXPECT_FALSE(same_rows(numbers({{nullptr}}), numbers({{"0"}})));
    EXPECT_FALSE(same_rows(table({{nullptr}}), table({{""}})));
    EXPECT_TRUE(same_rows(table({{nullptr}}), table({{nullptr}})));
}

TEST(SameRows, ColumnsWithTheSameValuesAreTakenRowByRow) {
    EXPECT_TRUE(same_rows(table({{"a", "b"}, {"b", "a"}}), table({{"b", "a"}, {"a", "b"}})));
    EXPECT_FALSE(same_rows(table({{"a", "b"}, {"b", "a"}}), table({{"a", "b"}, {"a", "b"}})));
}

TEST(SameRows, EmptyResultsDifferByTheirColumns) {
    EXPECT_TRUE(same_rows(table({{}}), table({{}})));
    EXPECT_FALSE(same_rows(table({{}}), table({{}, {}})));
}

TEST_F(Choosing, AValueThatIsSaidAndNotUsedIsCounted) {
    const std::string question = "Which customers are from Paris?";
    EXPECT_EQ(feature("values unused", question, "SELECT name FROM customer"), 1);
    EXPECT_EQ(feature("values unused", question, "SELECT name FROM customer WHERE city = 'Paris'"), 0);
}

TEST_F(Choosing, ANumberThatIsSaidAndNotUsedIsCounted) {
    const std::string question = "customers older than 28";
    EXPECT_EQ(feature("numbers unused", question, "SELECT name FROM customer"), 1);
    EXPECT_EQ(feature("numbers unused", question, "SELECT name FROM customer WHERE age > 28"), 0);
}

TEST_F(Choosing, CoverageGrowsWithWhatTheFormAccountsFor) {
    const std::string question = "average age of customers in Paris";
    const double all = feature("coverage", question, "SELECT avg(age) FROM customer WHERE city = 'Paris'");
    const double some = feature("coverage", question, "SELECT avg(age) FROM customer");
    const double none = feature("coverage", question, "SELECT price FROM purchase");
    EXPECT_GT(all, some);
    EXPECT_GT(some, none);
    EXPECT_GT(all, 0.9);
}

TEST_F(Choosing, OperationsAreHeldAgainstWhatIsSaid) {
    EXPECT_EQ(feature("count missing", "How many customers are there?", "SELECT name FROM customer"), 1);
    EXPECT_EQ(feature("count missing", "How many customers are there?", "SELECT count(*) FROM customer"), 0);
    EXPECT_EQ(feature("average unsaid", "ages of customers", "SELECT avg(age) FROM customer"), 1);
    EXPECT_EQ(feature("negation missing", "customers not from Rome", "SELECT name FROM customer WHERE city = 'Rome'"),
              1);
    EXPECT_EQ(feature("negation missing", "customers not from Rome", "SELECT name FROM customer WHERE city <> 'Rome'"),
              0);
    EXPECT_EQ(
        feature("wrong direction", "the youngest and smallest", "SELECT name FROM customer ORDER BY age DESC LIMIT 1"),
        0);
    EXPECT_EQ(
        feature("wrong direction", "the cheapest purchase", "SELECT id FROM purchase ORDER BY price DESC LIMIT 1"), 1);
    EXPECT_EQ(feature("wrong comparison", "purchases above 9", "SELECT id FROM purchase WHERE price < 9"), 1);
}

TEST_F(Choosing, TheShapeOfTheResultIsHeldAgainstTheQuestion) {
    EXPECT_EQ(feature("no number", "How many customers are there?", "SELECT name FROM customer"), 1);
    EXPECT_EQ(feature("number unasked", "Which customers are there?", "SELECT age FROM customer"), 1);
    EXPECT_EQ(feature("empty", "customers older than 99", "SELECT name FROM customer WHERE age > 99"), 1);
    EXPECT_EQ(feature("says nothing", "sum of prices over 99", "SELECT sum(price) FROM purchase WHERE price > 99"), 1);
    EXPECT_EQ(feature("repeated rows", "cities", "SELECT city FROM customer"), 1 - 2.0 / 3);
}

TEST_F(Choosing, TheKeyThatIsNamedIsTheBetterOne) {
    const std::string question = "complaints that Ann reported";
    const auto joined_by = [](const std::string& key) {
        return "SELECT complaint.text FROM complaint JOIN customer ON complaint." + key +
               " = customer.id WHERE customer.name = 'Ann'";
    };
    EXPECT_EQ(feature("better keys", question, joined_by("closed_by")), 1);
    EXPECT_EQ(feature("better keys", question, joined_by("reported_by")), -1);
    EXPECT_EQ(feature("better keys", "complaints of Ann", joined_by("closed_by")), 0);
    EXPECT_EQ(feature("better keys", question, "SELECT text FROM complaint"), 0);
}

TEST_F(Choosing, WhatTheGroupsLeaveOpenIsCounted) {
    const std::string question = "customers by city";
    EXPECT_EQ(feature("ungrouped", question, "SELECT city, count(*) FROM customer GROUP BY city"), 0);
    EXPECT_EQ(feature("ungrouped", question, "SELECT name, count(*) FROM customer GROUP BY city"), 1);
    EXPECT_EQ(feature("ungrouped", question, "SELECT name, count(*) FROM customer GROUP BY id"), 0);
    EXPECT_EQ(
        feature("ungrouped", question,
                "SELECT customer.name, count(*) FROM purchase JOIN customer ON purchase.customer_id = customer.id "
                "GROUP BY purchase.customer_id"),
        0);
}

TEST_F(Choosing, WhatHardlyAnybodyMeansIsCounted) {
    EXPECT_EQ(feature("shown compared", "Paris", "SELECT city FROM customer WHERE city = 'Paris'"), 1);
    EXPECT_EQ(feature("shown compared", "Paris", "SELECT name FROM customer WHERE city = 'Paris'"), 0);
    EXPECT_EQ(feature("text measured", "average", "SELECT avg(city) FROM customer"), 1);
    EXPECT_EQ(feature("text measured", "average", "SELECT avg(age) FROM customer"), 0);
    EXPECT_EQ(feature("odd tests", "age 3", "SELECT name FROM customer WHERE age LIKE '3%'"), 1);
    EXPECT_EQ(feature("odd tests", "name A", "SELECT name FROM customer WHERE name LIKE 'A%'"), 0);
    EXPECT_EQ(feature("null tests", "names", "SELECT name FROM customer WHERE city IS NULL"), 1);
    EXPECT_EQ(feature("shown twice", "names", "SELECT name, name FROM customer"), 1);
    EXPECT_EQ(feature("mixed combination", "not Rome",
                      "SELECT count(*) FROM customer EXCEPT SELECT city FROM customer WHERE city = 'Rome'"),
              1);
}

TEST_F(Choosing, PatternsAreHeldAgainstWhatIsSaid) {
    const std::string pattern = "SELECT name FROM customer WHERE name LIKE 'A%'";
    const std::string equal = "SELECT name FROM customer WHERE name = 'Ann'";
    EXPECT_EQ(feature("pattern missing", "names that start with A", equal), 1);
    EXPECT_EQ(feature("pattern missing", "names that start with A", pattern), 0);
    EXPECT_EQ(feature("pattern missing", "purchases that start in May", equal), 0);
    EXPECT_EQ(feature("pattern unsaid", "the customer Ann", pattern), 1);
}

TEST_F(Choosing, MoreThanIsNotAtLeast) {
    EXPECT_EQ(feature("wrong strictness", "purchases of more than 9", "SELECT id FROM purchase WHERE price >= 9"), 1);
    EXPECT_EQ(feature("wrong strictness", "purchases of more than 9", "SELECT id FROM purchase WHERE price > 9"), 0);
    EXPECT_EQ(feature("wrong strictness", "purchases of at least 9", "SELECT id FROM purchase WHERE price > 9"), 1);
}

TEST_F(Choosing, ReadingsWithTheSameRowsShareOneProbability) {
    auto judged = candidates(
        "names", {"SELECT name FROM customer", "SELECT age FROM customer", "SELECT name FROM customer ORDER BY name"});
    const auto model = opened(stored_model("trained score", 1.0, 0.0));
    ASSERT_TRUE(model) << model.error().describe();
    model->choose(linked_, shop_.knowledge(), judged);
    EXPECT_THAT(judged[0].written.sql, HasSubstr("name"));
    EXPECT_THAT(judged[1].written.sql, HasSubstr("ORDER BY"));
    EXPECT_THAT(judged[2].written.sql, HasSubstr("age"));
    const double all = 1 + 1 + std::exp(-0.5) + std::exp(-1);
    EXPECT_NEAR(judged[0].probability, (1 + std::exp(-1)) / all, 1e-9);
    EXPECT_EQ(judged[0].probability, judged[1].probability);
    EXPECT_NEAR(judged[2].probability, std::exp(-0.5) / all, 1e-9);
}

TEST_F(Choosing, NothingToChooseFromIsNoError) {
    std::vector<Candidate> none;
    ChoiceModel().choose(linked_, shop_.knowledge(), none);
    EXPECT_TRUE(none.empty());
}

TEST_F(Choosing, WithoutWeightsTheScoresDecide) {
    auto judged = candidates("names", {"SELECT age FROM customer", "SELECT name FROM customer"});
    ChoiceModel().choose(linked_, shop_.knowledge(), judged);
    EXPECT_THAT(judged[0].written.sql, HasSubstr("age"));
}

TEST(ChoiceModel, OpensWhatFits) {
    const auto model = opened(stored_model("coverage", 2, 0));
    ASSERT_TRUE(model) << model.error().describe();
    EXPECT_EQ(model->answers_from(), 0.8);
    EXPECT_EQ(model->asks_from(), 0.3);
    EXPECT_EQ(model->offers_from(), 0.7);
}

TEST(ChoiceModel, RefusesWhatDoesNotFit) {
    const auto refusal = [](std::string_view key, json::value value) {
        json::object stored = stored_model("coverage", 2, 0);
        stored[key] = std::move(value);
        const auto model = opened(stored);
        return model ? std::string("opened") : model.error().describe();
    };
    EXPECT_THAT(refusal("features", {"other"}), HasSubstr("features are not those"));
    EXPECT_THAT(refusal("mean", {1.0}), HasSubstr("scale for each feature"));
    EXPECT_THAT(refusal("scale", json::array(kFeatures, 0.0)), HasSubstr("not above 0"));
    EXPECT_THAT(refusal("layers", json::array()), HasSubstr("one layer or two"));
    EXPECT_THAT(refusal("layers", {{{"weights", {{1.0}}}, {"bias", {0.0}}}}), HasSubstr("do not fit"));
    EXPECT_THAT(refusal("answers_from", 0.1), HasSubstr("out of order"));
    EXPECT_THAT(refusal("offers_from", 0.1), HasSubstr("out of order"));
    EXPECT_THAT(refusal("mean", "text"), HasSubstr("no choice model"));
}

TEST(ChoiceModel, SaysWhatIsNotThere) {
    const auto model = ChoiceModel::open("/nowhere/choice.json");
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().code, Code::not_found);
}

TEST(ChoiceModel, TheReleasedOneFitsThisProgram) {
    const auto model = ChoiceModel::bundled();
    ASSERT_TRUE(model) << model.error().describe();
    EXPECT_LT(model->asks_from(), model->answers_from());
}

}  // namespace quaestor::native
