#include "llm/providers/tool_calls.hpp"

#include "llm/providers/stream_kit.hpp"

#include <gtest/gtest.h>

namespace quaestor::llm {
namespace {

struct Assembled {
    Result<std::vector<ToolCall>> calls;
    std::vector<Delta> deltas;
};

Assembled assemble(std::vector<CallPiece> pieces, std::size_t calls_before = 0) {
    Assembled assembled;
    const ReplyReader::Tell tell = [&](Delta delta) { assembled.deltas.push_back(std::move(delta)); };
    ToolCallAssembler assembler(calls_before);
    for (CallPiece& piece : pieces) {
        if (auto added = assembler.add(std::move(piece), tell); !added) {
            assembled.calls = fail(added.error());
            return assembled;
        }
    }
    assembled.calls = assembler.finish(tell);
    return assembled;
}

void expect_calls(const Assembled& assembled, const std::vector<ToolCall>& expected) {
    ASSERT_TRUE(assembled.calls) << assembled.calls.error().message;
    EXPECT_EQ(*assembled.calls, expected);
    EXPECT_EQ(test::joined(assembled.deltas).tool_calls, expected);
}

TEST(ToolCalls, ArgumentsOfCallsWithAnIndexAreKeptApartHoweverTheyAlternate) {
    expect_calls(assemble({{.index = 0, .id = "a", .name = "sum"},
                           {.index = 1, .id = "b", .name = "rank"},
                           {.index = 0, .arguments = R"({"x":)"},
                           {.index = 1, .arguments = R"({"y":)"},
                           {.index = 0, .arguments = "1}"},
                           {.index = 1, .arguments = "2}"}}),
                 {{"a", "sum", R"({"x":1})"}, {"b", "rank", R"({"y":2})"}});
}

TEST(ToolCalls, PiecesWithoutAnIndexBelongToTheirIdOrToTheLastCall) {
    expect_calls(assemble({{.id = "a", .name = "sum", .arguments = "{"},
                           {.arguments = "}"},
                           {.id = "b", .name = "rank", .arguments = R"({"y")"},
                           {.id = "b", .arguments = ":2}"}}),
                 {{"a", "sum", "{}"}, {"b", "rank", R"({"y":2})"}});
}

TEST(ToolCalls, WithoutAnIdEachNameBeginsACallAndGetsAnIdThatIsNewInTheConversation) {
    const auto assembled =
        assemble({{.name = "sum", .arguments = "{}"}, {.name = "sum", .arguments = R"({"x":1})"}}, 3);
    expect_calls(assembled, {{"call_made_up_3", "sum", "{}"}, {"call_made_up_4", "sum", R"({"x":1})"}});
    EXPECT_TRUE(is_made_up("call_made_up_4"));
    EXPECT_FALSE(is_made_up("call_abc"));
}

TEST(ToolCalls, TheSameIndexForEveryCallIsToldApartById) {
    expect_calls(assemble({{.index = 0, .id = "a", .name = "sum", .arguments = "{}"},
                           {.index = 0, .id = "b", .name = "rank", .arguments = "{}"}}),
                 {{"a", "sum", "{}"}, {"b", "rank", "{}"}});
}

TEST(ToolCalls, TheSameIndexWithoutIdsIsToldApartByCompleteArguments) {
    expect_calls(assemble({{.index = 0, .name = "sum", .arguments = R"({"x":1})"},
                           {.index = 0, .name = "sum", .arguments = R"({"x":2})"}}),
                 {{"call_made_up_0", "sum", R"({"x":1})"}, {"call_made_up_1", "sum", R"({"x":2})"}});
}

TEST(ToolCalls, ANameThatIsRepeatedInEveryPieceIsOneCall) {
    expect_calls(assemble({{.index = 0, .id = "a", .name = "sum", .arguments = R"({"x")"},
                           {.index = 0, .id = "a", .name = "sum", .arguments = ":1}"},
                           {.index = 0, .id = "a", .name = "sum"}}),
                 {{"a", "sum", R"({"x":1})"}});
}

TEST(ToolCalls, NothingIsToldBeforeTheNameIsKnown) {
    const auto assembled = assemble({{.index = 0, .id = "a"},
                                     {.index = 0, .arguments = "{"},
                                     {.index = 0, .name = "sum"},
                                     {.index = 0, .arguments = "}"}});
    expect_calls(assembled, {{"a", "sum", "{}"}});
    const auto& first = std::get<ToolCallDelta>(assembled.deltas.front());
    EXPECT_EQ(first.name, "sum");
    EXPECT_EQ(first.arguments, "{");
    EXPECT_EQ(assembled.deltas.size(), 2U);
}

TEST(ToolCalls, BeginInOrderThoughTheNameOfTheFirstComesLast) {
    const auto assembled = assemble({{.index = 0, .id = "a", .arguments = "{"},
                                     {.index = 1, .id = "b", .name = "rank", .arguments = R"({"y":1})"},
                                     {.index = 0, .name = "sum", .arguments = "}"}});
    expect_calls(assembled, {{"a", "sum", "{}"}, {"b", "rank", R"({"y":1})"}});
    EXPECT_EQ(std::get<ToolCallDelta>(assembled.deltas.front()).index, 0U);
}

TEST(ToolCalls, ACallWithoutArgumentsHasAnEmptyObject) {
    expect_calls(assemble({{.index = 0, .id = "a", .name = "now"}}), {{"a", "now", "{}"}});
}

TEST(ToolCalls, WholeCallsAreNeverMerged) {
    expect_calls(assemble({{.id = "a", .name = "sum", .arguments = "{}", .is_whole = true},
                           {.id = "a", .name = "sum", .arguments = "{}", .is_whole = true}}),
                 {{"a", "sum", "{}"}, {"a", "sum", "{}"}});
}

TEST(ToolCalls, ACallWithoutANameIsAnError) {
    const auto assembled = assemble({{.index = 0, .id = "a", .arguments = "{}"}});
    ASSERT_FALSE(assembled.calls);
    EXPECT_EQ(assembled.calls.error().code, Code::corrupt);
    EXPECT_TRUE(assembled.deltas.empty());
}

TEST(ToolCalls, APieceThatBelongsToNoCallIsAnError) {
    const auto assembled = assemble({{.arguments = "{}"}});
    ASSERT_FALSE(assembled.calls);
    EXPECT_EQ(assembled.calls.error().code, Code::corrupt);
}

TEST(ToolCalls, TheirNumberIsBounded) {
    std::vector<CallPiece> pieces(kToolCallsMax, CallPiece{.name = "sum", .is_whole = true});
    EXPECT_TRUE(assemble(pieces).calls);
    pieces.push_back(pieces.front());
    const auto assembled = assemble(pieces);
    ASSERT_FALSE(assembled.calls);
    EXPECT_EQ(assembled.calls.error().code, Code::limit_exceeded);
}

}  // namespace
}  // namespace quaestor::llm
