#include "native/reading/reading_kit.hpp"

#include <gmock/gmock.h>

namespace quaestor::native {

namespace {

/// The released weights, opened once.
std::shared_ptr<Text2SqlModel> released_model() {
    static const auto model = Text2SqlModel::open(QUAESTOR_SOURCE_DIR "/models/text2sql.gguf").value();
    return model;
}

std::vector<std::string> proposed_sql(const std::string& question, const AskedDatabase& database) {
    const LinkedQuestion linked = link(question, database.knowledge(), "2026-11-15");
    const auto proposals = trained_parser(released_model())->propose(linked, database.knowledge(), {});
    EXPECT_TRUE(proposals) << proposals.error().describe();
    std::vector<std::string> sql;
    for (const Proposal& proposal : proposals.value_or(std::vector<Proposal>())) {
        const auto written = write_sql(proposal.form, database.knowledge().schema(), data::Dialect::sqlite,
                                       {linked.text, linked.words, &database.knowledge().values()});
        if (written) sql.push_back(written->sql);
        EXPECT_LE(proposal.score, 0);
    }
    return sql;
}

}  // namespace

TEST(TrainedParser, ProposesTheRightStatementForAPlainQuestion) {
    const AskedDatabase database(kSingersSql);
    const auto sql = proposed_sql("How many singers are from France?", database);
    ASSERT_FALSE(sql.empty());
    EXPECT_THAT(sql, testing::Contains(testing::AllOf(testing::HasSubstr("COUNT(*)"), testing::HasSubstr("'France'"))));
}

TEST(TrainedParser, ReadsOtherWordsWhereTheGlossaryHasThem) {
    const AskedDatabase database(kSingersSql, AskedDatabase::Engine::sqlite, "glossary: {frogs: singers from France}");
    const auto sql = proposed_sql("How many frogs are there?", database);
    EXPECT_THAT(sql, testing::Contains(testing::HasSubstr("'France'")));
}

TEST(TrainedParser, StopsWhenItIsCancelled) {
    const AskedDatabase database(kSingersSql);
    CancelSource stop;
    stop.cancel(CancelReason::user_request);
    const LinkedQuestion linked = link("How many singers?", database.knowledge(), "2026-11-15");
    const auto proposals = trained_parser(released_model())->propose(linked, database.knowledge(), stop.token());
    ASSERT_FALSE(proposals);
    EXPECT_EQ(proposals.error().code, Code::cancelled);
}

TEST(TrainedParser, HasNothingToSayAboutAnEmptyDatabase) {
    const Knowledge nothing(std::make_shared<const data::Catalog>(), {});
    const LinkedQuestion linked = link("How many singers?", nothing, "2026-11-15");
    const auto proposals = trained_parser(released_model())->propose(linked, nothing, {});
    ASSERT_TRUE(proposals);
    EXPECT_TRUE(proposals->empty());
}

}  // namespace quaestor::native
