#include "cli/agents.hpp"

#include "base/text.hpp"
#include "program.hpp"
#include "temporary_folder.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace quaestor::cli {

namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

SourceConfig file_source(std::string path) {
    SourceConfig source;
    source.path = std::move(path);
    return source;
}

TEST(AgentConfig, IsRightWhereEachAgentHasASource) {
    const SourceConfigs sources{{"shop", file_source("shop.db")}};
    EXPECT_TRUE(check(sources, {{"a", {.source = "shop"}}, {"b", {.source = "nba"}}}));
    EXPECT_TRUE(check({}, {}));
}

TEST(AgentConfig, NamesTheSourceThatWasProbablyMeant) {
    const auto checked = check({{"shop", file_source("shop.db")}}, {{"seller", {.source = "shpo"}}});
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().code, Code::invalid_argument);
    EXPECT_EQ(checked.error().message, "agents.seller.source: there is no source called \"shpo\"");
    EXPECT_EQ(checked.error().advice(), "did you mean \"shop\"?");
}

TEST(AgentConfig, RefusesASourceThatIsNowhereInTwoPlacesOrOfAnotherType) {
    SourceConfig both = file_source("shop.db");
    both.url = Secret("postgres://host/shop");
    SourceConfig no_url = file_source("shop.db");
    no_url.type = SourceType::postgres;
    SourceConfig no_path;
    no_path.url = Secret("postgres://host/shop");
    no_path.type = SourceType::sqlite;
    for (const auto& source : {SourceConfig{}, both, no_url, no_path}) {
        const auto checked = check({{"shop", source}}, {});
        ASSERT_FALSE(checked);
        EXPECT_THAT(checked.error().message, HasSubstr("sources.shop "));
        EXPECT_THAT(std::string(checked.error().advice()), Not(IsEmpty()));
    }
}

TEST(AgentConfig, AnAgentOverDocumentsHasACorpusAndRisingLevels) {
    const auto reader = [](AgentConfig config) { return check({}, {{"reader", std::move(config)}}); };
    EXPECT_TRUE(reader({.workflow = Workflow::cited, .corpus = "papers"}));
    EXPECT_TRUE(reader({.corpus = "papers"}));
    EXPECT_FALSE(reader({.workflow = Workflow::cited}));
    EXPECT_FALSE(reader({.workflow = Workflow::cited, .source = "nba", .corpus = "papers"}));
    const auto falling = reader({.corpus = "papers", .confidence = {.high = 0.2, .medium = 0.4, .low = 0.1}});
    ASSERT_FALSE(falling);
    EXPECT_THAT(falling.error().message, HasSubstr("agents.reader.confidence"));
    EXPECT_FALSE(check({}, {}, {{"papers", {}}}));
    EXPECT_FALSE(check({}, {}, {{"no/name", {.path = "papers"}}}));
}

TEST(AgentSpecs, AreOneForEachCorpusToo) {
    const auto specs = agent_specs({{"shop", file_source("s.db")}}, {}, {{"papers", {.path = "docs"}}});
    ASSERT_THAT(specs, SizeIs(2));
    EXPECT_EQ(specs[1].config.workflow, Workflow::cited);
    EXPECT_EQ(specs[1].corpus->path, "docs");
}

TEST(AgentSpecs, OfACorpusOnTheCommandLineIsNamedAfterIt) {
    EXPECT_EQ(spec_for_corpus("papers/rules/").name, "rules");
    EXPECT_EQ(spec_for_corpus("papers").config.corpus, "papers");
    EXPECT_TRUE(spec_for_corpus("papers").is_for_this_call);
}

TEST(AgentSpecs, AreTheDemoAgentsWithoutAnyConfiguration) {
    const auto specs = agent_specs({}, {});
    ASSERT_THAT(specs, SizeIs(2));
    EXPECT_EQ(specs[1].name, "fomc");
    EXPECT_EQ(specs[1].config.workflow, Workflow::cited);
    EXPECT_EQ(specs[0].name, "nba");
    EXPECT_FALSE(specs[0].source);
    EXPECT_THAT(specs[0].config.about, HasSubstr("Synthetic"));
    EXPECT_THAT(specs[0].config.examples, Not(IsEmpty()));
}

TEST(AgentSpecs, AreOneForEachSourceWithoutAgents) {
    const auto specs = agent_specs({{"music", file_source("m.db")}, {"shop", file_source("s.db")}}, {});
    ASSERT_THAT(specs, SizeIs(2));
    EXPECT_EQ(specs[0].name, "music");
    EXPECT_EQ(uri_of(*specs[0].source), "m.db");
    EXPECT_EQ(specs[1].config.source, "shop");
}

TEST(AgentSpecs, ASourceOfOnesOwnTakesTheDemosPlace) {
    const auto specs = agent_specs({{"nba", file_source("real.duckdb")}}, {{"fan", {.source = "nba"}}});
    ASSERT_THAT(specs, SizeIs(1));
    EXPECT_EQ(uri_of(*specs[0].source), "real.duckdb");
    EXPECT_THAT(specs[0].config.about, Not(HasSubstr("Synthetic")));
}

TEST(SpecForSource, IsNamedAfterTheFileOrFolder) {
    EXPECT_EQ(spec_for_source("data/shop.duckdb").name, "shop");
    EXPECT_EQ(spec_for_source("/data/sales/").name, "sales");
    EXPECT_EQ(spec_for_source("postgres://host/shop").name, "source");
}

TEST(SpecForSource, KeepsNoPasswordWithTheThread) {
    const auto spec = spec_for_source("postgres://me:hunter2secret@host/shop");
    const auto kept = to_text(thread_metadata(spec));
    EXPECT_THAT(kept, Not(HasSubstr("hunter2secret")));
    EXPECT_THAT(kept, HasSubstr("host/shop"));
    EXPECT_THAT(spec.config.source + spec.config.about, Not(HasSubstr("hunter2secret")));
}

/// Questions that the program gets as no text file can hold them.
class OddQuestions : public testing::Test {
protected:
    OddQuestions() {
        std::ofstream(folder_.file("singers.csv")) << "singer_id,name,age\n1,Ada,31\n2,Bo,27\n";
        std::filesystem::create_directory(folder_.file("music"));
        std::filesystem::rename(folder_.file("singers.csv"), folder_.file("music/singers.csv"));
    }

    ProgramEnd run(std::vector<std::string> arguments, const std::string& input = "") {
        std::ofstream(folder_.file("input"), std::ios::binary) << input;
        ProgramCall call;
        call.arguments = std::move(arguments);
        call.folder = folder_.path();
        call.input_file = folder_.file("input");
        return run_program(call).value();
    }

    store::TemporaryFolder folder_;
};

TEST_F(OddQuestions, OfAHundredKilobytesAreRefusedAtOnce) {
    const auto end = run({"ask", "--source", "music", std::string(100'000, 'x')});
    EXPECT_EQ(end.exit_code, 2);
    EXPECT_THAT(end.errors, HasSubstr("the question has 100000 bytes; at most 8000 are read"));
}

TEST_F(OddQuestions, ThatAreNoTextAreRefusedAtOnce) {
    for (const std::string& question : {std::string("how\xff many"), std::string("how\0many", 8)}) {
        const auto end = run({"ask", "--source", "music", "-"}, question);
        EXPECT_EQ(end.exit_code, 2);
        EXPECT_THAT(end.errors, HasSubstr("the question is not text"));
    }
}

TEST_F(OddQuestions, InAConversationGetOneAnswerEachAndDoNotEndIt) {
    const std::string lines = std::string(100'000, 'x') + "\n\xff\xfe\nHow many singers are there?";
    const auto end = run({"chat", "--source", "music", "--json", "--quiet"}, lines);
    EXPECT_EQ(end.exit_code, 0) << end.errors;
    const auto answers = text::lines(end.output);
    ASSERT_THAT(answers, SizeIs(3)) << end.output;
    EXPECT_EQ(parse_json(answers[0])->at("status"), "refused");
    EXPECT_EQ(parse_json(answers[1])->at("status"), "refused");
    EXPECT_EQ(parse_json(answers[2])->at("status"), "answered");
}

TEST_F(OddQuestions, WhoseReaderHasLeftEndTheConversationQuietly) {
    const std::string command = fmt::format(
        "cd '{}' && yes 'How many singers are there?' | head -n 50 | HOME=. XDG_DATA_HOME=. bash -c '{} chat --source "
        "music --quiet; echo $? > code' 2> errors | true; sleep 0; cat errors >> code",
        folder_.path().string(), QUAESTOR_PROGRAM);
    ASSERT_EQ(std::system(command.c_str()), 0);
    std::ifstream code(folder_.file("code"));
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(code), {}), "0\n");
}

}  // namespace

}  // namespace quaestor::cli
