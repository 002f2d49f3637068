#include "graph/shape.hpp"

#include "graph/graph.hpp"

#include <boost/describe/class.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quaestor::graph {

namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

/// START -> a -> b -> END.
Shape good_shape() {
    Shape shape;
    shape.name = "demo";
    shape.nodes = {{.name = "a"}, {.name = "b"}};
    shape.edges = {{"START", "a"}, {"a", "b"}, {"b", "END"}};
    return shape;
}

/// One of everything.
Shape rich_shape() {
    Shape shape;
    shape.name = "rich";
    shape.nodes = {{.name = "plan", .retry = {.attempts = 3, .delay = 100ms, .jitter = 0.5}, .timeout = 60s},
                   {.name = "search", .item_type = "Query"},
                   {.name = "combine", .is_cached = true},
                   {.name = "check"},
                   {.name = "answer"}};
    shape.edges = {{"START", "plan"}, {"plan", "check"}, {"answer", "END"}};
    shape.branches = {{"check", {"plan", "END"}}};
    shape.fan_outs = {{"plan", "search", "combine", "Query"}};
    shape.joins = {{{"combine", "check"}, "answer"}};
    return shape;
}

TEST(ShapeMistakes, AreNoneInGoodShapes) {
    EXPECT_THAT(good_shape().mistakes(), IsEmpty());
    EXPECT_THAT(rich_shape().mistakes(), IsEmpty());
}

TEST(ShapeMistakes, MissingGraphName) {
    auto shape = good_shape();
    shape.name = "";
    EXPECT_THAT(shape.mistakes(), ElementsAre("the graph has no name"));
}

TEST(ShapeMistakes, NoNodes) {
    Shape shape;
    shape.name = "empty";
    shape.edges = {{"START", "END"}};
    EXPECT_THAT(shape.mistakes(), ElementsAre("it has no nodes"));
}

TEST(ShapeMistakes, NodeWithoutName) {
    auto shape = good_shape();
    shape.nodes.push_back({.name = ""});
    EXPECT_THAT(shape.mistakes(), ElementsAre("a node has no name"));
}

TEST(ShapeMistakes, NodeCalledLikeAnEnd) {
    auto shape = good_shape();
    shape.nodes[0].name = "START";
    shape.edges = {{"START", "b"}, {"b", "END"}};
    EXPECT_THAT(shape.mistakes(), Contains("a node may not be called START"));
}

TEST(ShapeMistakes, NodeTwice) {
    auto shape = good_shape();
    shape.nodes.push_back({.name = "a"});
    EXPECT_THAT(shape.mistakes(), ElementsAre("node \"a\" is there twice"));
}

TEST(ShapeMistakes, NoAttempts) {
    auto shape = good_shape();
    shape.nodes[0].retry.attempts = 0;
    EXPECT_THAT(shape.mistakes(), ElementsAre("node \"a\" has 0 attempts; it needs at least 1"));
}

TEST(ShapeMistakes, WayFromEnd) {
    auto shape = good_shape();
    shape.edges.push_back({"END", "a"});
    EXPECT_THAT(shape.mistakes(), ElementsAre("a way leads from END to \"a\""));
}

TEST(ShapeMistakes, WayBackToStart) {
    auto shape = good_shape();
    shape.edges.push_back({"b", "START"});
    EXPECT_THAT(shape.mistakes(), ElementsAre("a way leads from \"b\" back to START"));
}

TEST(ShapeMistakes, UnknownNodeWithTheNearestName) {
    auto shape = rich_shape();
    shape.edges.push_back({"plan", "combin"});
    EXPECT_THAT(shape.mistakes(),
                ElementsAre("the edge from \"plan\" to \"combin\" names \"combin\", which is no node (did you mean "
                            "\"combine\"?)"));
}

TEST(ShapeMistakes, UnknownNodesInEveryKindOfWay) {
    auto shape = good_shape();
    shape.branches = {{"a", {"b", "nowhere1"}}};
    shape.fan_outs = {{"a", "nowhere2", "b", "int"}};
    shape.joins = {{{"a", "nowhere3"}, "b"}};
    const auto mistakes = shape.mistakes();
    EXPECT_THAT(mistakes, Contains(HasSubstr("the branch from \"a\" to \"nowhere1\" names \"nowhere1\"")));
    EXPECT_THAT(mistakes, Contains(HasSubstr("the fan_out from \"a\" to \"nowhere2\" names \"nowhere2\"")));
    EXPECT_THAT(mistakes, Contains(HasSubstr("the join from \"nowhere3\" to \"b\" names \"nowhere3\"")));
}

TEST(ShapeMistakes, EdgeTwice) {
    auto shape = good_shape();
    shape.edges.push_back({"a", "b"});
    EXPECT_THAT(shape.mistakes(), ElementsAre("the edge from \"a\" to \"b\" is there twice"));
}

TEST(ShapeMistakes, BranchWithoutTargets) {
    auto shape = good_shape();
    shape.branches = {{"a", {}}};
    EXPECT_THAT(shape.mistakes(), ElementsAre("the branch after \"a\" declares no targets"));
}

TEST(ShapeMistakes, JoinOfOne) {
    auto shape = good_shape();
    shape.joins = {{{"a"}, "b"}};
    EXPECT_THAT(shape.mistakes(), ElementsAre("the join to \"b\" needs two sources or more; use an edge"));
}

TEST(ShapeMistakes, JoinThatNamesASourceTwice) {
    auto shape = good_shape();
    shape.joins = {{{"a", "a"}, "b"}};
    EXPECT_THAT(shape.mistakes(), ElementsAre("the join to \"b\" names a source twice"));
}

TEST(ShapeMistakes, JoinOfStart) {
    auto shape = good_shape();
    shape.joins = {{{"START", "a"}, "b"}};
    EXPECT_THAT(shape.mistakes(), ElementsAre("the join to \"b\" waits for START, which has always run"));
}

TEST(ShapeMistakes, JoinToEnd) {
    auto shape = good_shape();
    shape.joins = {{{"a", "b"}, "END"}};
    EXPECT_THAT(shape.mistakes(), ElementsAre("a join leads to END; END waits for everything by itself"));
}

TEST(ShapeMistakes, FanOutThatJoinsAtEnd) {
    auto shape = good_shape();
    shape.nodes.push_back({.name = "work", .item_type = "int"});
    shape.fan_outs = {{"a", "work", "END", "int"}};
    EXPECT_THAT(shape.mistakes(), ElementsAre("the fan-out after \"a\" joins at END; name a node"));
}

TEST(ShapeMistakes, FanOutOfAnotherItemType) {
    auto shape = rich_shape();
    shape.fan_outs[0].item_type = "int";
    EXPECT_THAT(shape.mistakes(),
                ElementsAre("the fan-out after \"plan\" makes items of type int, but \"search\" takes Query"));
}

TEST(ShapeMistakes, FanOutToANodeThatTakesNoItem) {
    auto shape = rich_shape();
    shape.nodes[1].item_type = "";
    EXPECT_THAT(shape.mistakes(),
                ElementsAre("the fan-out after \"plan\" makes items of type Query, but \"search\" takes none"));
}

TEST(ShapeMistakes, WorkerReachedWithoutAnItem) {
    auto shape = rich_shape();
    shape.edges.push_back({"check", "search"});
    EXPECT_THAT(shape.mistakes(),
                ElementsAre("\"search\" takes an item and is reached from \"check\" without one; only a "
                            "fan-out may lead to it"));
}

TEST(ShapeMistakes, NothingFromStart) {
    auto shape = good_shape();
    shape.edges = {{"a", "b"}, {"b", "END"}};
    EXPECT_THAT(shape.mistakes(), ElementsAre("nothing leads from START"));
}

TEST(ShapeMistakes, UnreachableNode) {
    auto shape = good_shape();
    shape.nodes.push_back({.name = "lonely"});
    shape.edges.push_back({"lonely", "END"});
    EXPECT_THAT(shape.mistakes(), ElementsAre("node \"lonely\" cannot be reached from START"));
}

TEST(ShapeMistakes, NoWayToEnd) {
    auto shape = good_shape();
    shape.nodes.push_back({.name = "trap"});
    shape.edges.push_back({"a", "trap"});
    shape.edges.push_back({"trap", "trap"});
    EXPECT_THAT(shape.mistakes(), ElementsAre("from node \"trap\" there is no way to END"));
}

TEST(ShapeMistakes, AreToldAllAtOnce) {
    Shape shape;
    shape.nodes = {{.name = "a"}, {.name = "a"}, {.name = "lonely"}, {.name = ""}};
    shape.edges = {{"START", "a"}, {"a", "b"}, {"END", "a"}};
    EXPECT_THAT(
        shape.mistakes(),
        UnorderedElementsAre("the graph has no name", "node \"a\" is there twice", "a node has no name",
                             "the edge from \"a\" to \"b\" names \"b\", which is no node (did you mean \"a\"?)",
                             "a way leads from END to \"a\"", "from node \"a\" there is no way to END",
                             "from node \"a\" there is no way to END", "node \"lonely\" cannot be reached from START",
                             "from node \"lonely\" there is no way to END"));
}

TEST(ShapePictures, MermaidShowsEveryKindOfWay) {
    EXPECT_EQ(to_mermaid(rich_shape()), R"(flowchart TD
    START([START])
    n0["plan"]
    n1["search"]
    n2["combine"]
    n3["check"]
    n4["answer"]
    END([END])
    START --> n0
    n0 --> n3
    n4 --> END
    n3 -.-> n0
    n3 -.-> END
    n0 == each ==> n1
    n1 == all ==> n2
    n2 == all ==> n4
    n3 == all ==> n4
)");
}

TEST(ShapePictures, OutlineShowsOneWayALine) {
    EXPECT_EQ(to_outline(rich_shape()), R"(rich
  START -> plan
  plan -> check
  plan -> search  (fan_out)
  search -> combine  (fan_in)
  combine -> answer  (join)
  check -> plan  (branch)
  check -> END  (branch)
  check -> answer  (join)
  answer -> END
)");
}

TEST(ShapePictures, JsonShowsPoliciesAndKinds) {
    EXPECT_EQ(to_text(to_json(rich_shape())),
              R"({"name":"rich","nodes":[)"
              R"({"name":"plan","retry":{"attempts":3,"delay":100,"factor":2.0,"cap":30000,"jitter":0.5},)"
              R"("timeout_ms":60000},)"
              R"({"name":"search","item_type":"Query"},)"
              R"({"name":"combine","cached":true},)"
              R"({"name":"check"},)"
              R"({"name":"answer"}],)"
              R"("edges":[)"
              R"({"kind":"edge","from":"START","to":"plan"},)"
              R"({"kind":"edge","from":"plan","to":"check"},)"
              R"({"kind":"edge","from":"answer","to":"END"},)"
              R"({"kind":"branch","from":"check","to":"plan"},)"
              R"({"kind":"branch","from":"check","to":"END"},)"
              R"({"kind":"fan_out","from":"plan","to":"search"},)"
              R"({"kind":"fan_in","from":"search","to":"combine"},)"
              R"({"kind":"join","from":"combine","to":"answer"},)"
              R"({"kind":"join","from":"check","to":"answer"}]})");
}

/// Names that mean something to Mermaid, to JSON or to a terminal.
Shape hostile_shape() {
    Shape shape;
    shape.name = "hostile";
    shape.nodes = {{.name = "a\"] --> END"},
                   {.name = "</script>"},
                   {.name = "#quot;&"},
                   {.name = "zwei\nZeilen"},
                   {.name = "größe ☃"}};
    for (const auto& node : shape.nodes) {
        shape.edges.push_back({"START", node.name});
        shape.edges.push_back({node.name, "END"});
    }
    return shape;
}

TEST(ShapePictures, MermaidKeepsHostileNamesInTheirLabels) {
    const auto picture = to_mermaid(hostile_shape());
    EXPECT_THAT(picture, HasSubstr("    n0[\"a#quot;] --#gt; END\"]\n"));
    EXPECT_THAT(picture, HasSubstr("    n1[\"#lt;/script#gt;\"]\n"));
    EXPECT_THAT(picture, HasSubstr("    n2[\"#35;quot;#amp;\"]\n"));
    EXPECT_THAT(picture, HasSubstr("    n3[\"zwei Zeilen\"]\n"));
    EXPECT_THAT(picture, HasSubstr("    n4[\"größe ☃\"]\n"));
    EXPECT_EQ(std::ranges::count(picture, '\n'), 3 + 5 + 10);
}

TEST(ShapePictures, JsonKeepsHostileNamesWhole) {
    const auto shape = hostile_shape();
    const auto back = parse_json(to_text(to_json(shape)));
    ASSERT_TRUE(back);
    for (std::size_t i = 0; i < shape.nodes.size(); ++i) {
        EXPECT_EQ(back->at("nodes").at(i).at("name"), json::value(shape.nodes[i].name));
    }
}

TEST(ShapePictures, OutlineStaysOneWayALineWhateverTheNames) {
    const auto outline = to_outline(hostile_shape());
    EXPECT_EQ(std::ranges::count(outline, '\n'), 1 + 10);
}

struct NumberState {
    int number = 0;
};
BOOST_DESCRIBE_STRUCT(NumberState, (), (number))

Update<NumberState> nothing(const NumberState&) {
    return {};
}
Update<NumberState> take_number(const NumberState&, const int&) {
    return {};
}

TEST(GraphBuilder, ListsEveryMistakeInOneError) {
    const auto graph = Graph<NumberState>("demo").node("a", nothing).node("b", nothing).edge(kStart, "a").compile();
    ASSERT_FALSE(graph);
    EXPECT_EQ(graph.error().code, Code::invalid_argument);
    EXPECT_EQ(graph.error().message,
              "graph demo cannot run: from node \"a\" there is no way to END; node \"b\" cannot be reached from START; "
              "from node \"b\" there is no way to END");
}

TEST(GraphBuilder, KnowsTheItemTypesOfWorkersAndFanOuts) {
    const auto graph =
        Graph<NumberState>("demo")
            .node("work", take_number)
            .node("join", nothing)
            .fan_out(kStart, [](const NumberState&) { return std::vector<std::string>{"a"}; }, "work", {.join = "join"})
            .edge("join", kEnd)
            .compile();
    ASSERT_FALSE(graph);
    EXPECT_THAT(graph.error().message, HasSubstr("but \"work\" takes int"));
}

TEST(GraphBuilder, TakesFunctionsOfEveryShape) {
    const auto with_item = [](const NumberState&, const int&, Context&) -> Task<Update<NumberState>> {
        co_return Update<NumberState>();
    };
    const auto graph =
        Graph<NumberState>("demo")
            .node("plain", nothing)
            .node("coroutine", [](const NumberState&) -> Task<Update<NumberState>> { co_return Update<NumberState>(); })
            .node("with_context", [](const NumberState&, Context&) { return Update<NumberState>(); })
            .node("with_item", with_item)
            .node("failing", [](const NumberState&) { return fail(Code::internal, "no"); })
            .edge(kStart, "plain")
            .edge("plain", "coroutine")
            .edge("coroutine", "with_context")
            .fan_out("with_context", [](const NumberState& state) { return std::vector{state.number}; }, "with_item",
                     {.join = "failing"})
            .edge("failing", kEnd)
            .compile();
    ASSERT_TRUE(graph) << graph.error().message;
    EXPECT_EQ(graph->shape().nodes[3].item_type, "int");
    EXPECT_EQ(graph->shape().nodes[0].item_type, "");
}

}  // namespace

}  // namespace quaestor::graph
