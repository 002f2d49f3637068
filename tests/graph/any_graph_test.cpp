#include "graph/any_graph.hpp"

#include "run_fixture.hpp"

#include <gmock/gmock.h>

namespace quaestor::graph {

namespace {

using testing::HasSubstr;

class AnyGraphTest : public RunTest {
protected:
    std::shared_ptr<const AnyGraph> make(std::string name) {
        Graph<Notes> graph(std::move(name));
        graph.node("ask", [](const Notes& state, Context& context) {
            if (state.route == "quiet") return note("quiet");
            return note(to_text(context.interrupt("which?")));
        });
        graph.edge(kStart, "ask").edge("ask", kEnd);
        return std::make_shared<CompiledGraph<Notes>>(must_compile(graph));
    }
};

TEST_F(AnyGraphTest, RunsOnJson) {
    const auto result = loop_.run(make("demo")->run_json({{"route", "quiet"}, {"log", {"before"}}}, options()));
    EXPECT_EQ(result.status, RunStatus::finished);
    EXPECT_EQ(result.steps, 1);
    EXPECT_EQ(to_text(result.state), R"({"log":["before","quiet"],"route":"quiet","items":[]})");
}

TEST_F(AnyGraphTest, ResumesAndForksOnJson) {
    const auto graph = make("demo");
    const auto asked = loop_.run(graph->run_json(json::object(), saved()));
    EXPECT_EQ(asked.status, RunStatus::interrupted);
    const auto answered = loop_.run(graph->resume_json(saved(), {{"ask:0:0", 7}}));
    EXPECT_EQ(to_text(answered.state.at("log")), R"(["7"])");

    const auto forked =
        loop_.run(graph->fork_json(asked.checkpoint_id, {{"route", "quiet"}, {"log", {"new"}}}, saved()));
    ASSERT_TRUE(forked) << forked.error().describe();
    const auto again = loop_.run(graph->resume_json(saved(), {}));
    EXPECT_EQ(again.status, RunStatus::finished);
    EXPECT_EQ(to_text(again.state.at("log")), R"(["new","quiet"])");
}

TEST_F(AnyGraphTest, RefusesInputThatDoesNotFit) {
    const auto refused = [this](json::value input) {
        const auto result = loop_.run(make("demo")->run_json(std::move(input), saved()));
        EXPECT_EQ(result.status, RunStatus::failed);
        EXPECT_EQ(result.error->code, Code::invalid_argument);
        EXPECT_EQ(result.error->message, "the input does not fit the state of graph demo");
        EXPECT_EQ(result.error->hint, "its fields: quaestor graph show demo --format json");
        return result.error->cause->message;
    };
    EXPECT_THAT(refused({{"log", "not a list"}}), HasSubstr("log: expected a list"));
    EXPECT_EQ(refused({{"rout", "quiet"}}), "the state has no field \"rout\"");
    EXPECT_THAT(refused("text"), HasSubstr("expected an object"));
    EXPECT_TRUE(checkpoints().empty());
}

TEST_F(AnyGraphTest, EndsTheEventsOfARunItRefuses) {
    EventStream events(loop_.context().get_executor());
    auto heard = options();
    heard.events = &events;
    loop_.run(make("demo")->run_json({{"rout", "quiet"}}, heard));
    EXPECT_EQ(loop_.run(events.next()), std::nullopt);
}

TEST_F(AnyGraphTest, RefusesAForkThatDoesNotFit) {
    const auto graph = make("demo");
    const auto asked = loop_.run(graph->run_json(json::object(), saved()));
    const auto forked = loop_.run(graph->fork_json(asked.checkpoint_id, {{"item", {1}}}, saved()));
    ASSERT_FALSE(forked);
    EXPECT_EQ(forked.error().advice(), "did you mean \"items\"?");
}

TEST_F(AnyGraphTest, ExportsTheSchemaOfItsState) {
    const auto schema = make("demo")->state_schema();
    EXPECT_EQ(schema.at("type"), json::value("object"));
    EXPECT_EQ(to_text(schema.at("properties").at("log")), R"({"type":"array","items":{"type":"string"}})");
    EXPECT_EQ(to_text(schema.at("required")), R"(["log","route","items"])");
}

TEST_F(AnyGraphTest, IsFoundByNameInTheRegistry) {
    GraphRegistry registry;
    registry.add(make("reflective"));
    registry.add(make("scenarios"));
    ASSERT_TRUE(registry.find("scenarios"));
    EXPECT_EQ(registry.find("scenarios").value()->name(), "scenarios");
    EXPECT_EQ(registry.all().front()->name(), "reflective");
}

TEST_F(AnyGraphTest, IsSuggestedWhenTheNameIsNearlyRight) {
    GraphRegistry registry;
    registry.add(make("reflective"));
    const auto near = registry.find("reflectiv");
    ASSERT_FALSE(near);
    EXPECT_EQ(near.error().code, Code::not_found);
    EXPECT_EQ(near.error().message, "there is no graph called \"reflectiv\"");
    EXPECT_EQ(near.error().hint, "did you mean \"reflective\"?");
    EXPECT_EQ(registry.find("atlas").error().hint, "list them: quaestor graph list");
}

}  // namespace

}  // namespace quaestor::graph
