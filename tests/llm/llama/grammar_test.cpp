#include "llm/llama/grammar.hpp"

#include "base/json.hpp"
#include "llm/llama/llama.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <llama.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

// llama.cpp's own grammar engine, which its tests call like this: exported, and in none of its public headers. It tells
// without a model what a grammar admits.
struct llama_grammar;
struct llama_grammar_element;
llama_grammar* llama_grammar_init_impl(const llama_vocab* vocabulary, const char* text, const char* root, bool is_lazy,
                                       const char** patterns, std::size_t pattern_count, const llama_token* tokens,
                                       std::size_t token_count);
void llama_grammar_free_impl(llama_grammar* grammar);
void llama_grammar_accept_str(llama_grammar& grammar, const std::string& piece);
std::vector<std::vector<const llama_grammar_element*>>& llama_grammar_get_stacks(llama_grammar* grammar);

namespace quaestor::llm {

namespace {

using testing::HasSubstr;

/// Whether `grammar` admits exactly the whole of `text`.
bool admits(const std::string& grammar, const std::string& text) {
    const std::unique_ptr<llama_grammar, void (*)(llama_grammar*)> engine(
        llama_grammar_init_impl(nullptr, grammar.c_str(), "root", false, nullptr, 0, nullptr, 0),
        llama_grammar_free_impl);
    if (!engine) throw std::runtime_error("llama.cpp does not read the grammar:\n" + grammar);
    try {
        llama_grammar_accept_str(*engine, text);
    } catch (const std::runtime_error&) {
        return false;
    }
    const auto& stacks = llama_grammar_get_stacks(engine.get());
    return std::ranges::any_of(stacks, [](const auto& stack) { return stack.empty(); });
}

struct GrammarCase {
    std::string name;
    std::string schema;
    std::vector<std::string> yes;
    std::vector<std::string> no;
    std::string unsupported;
    friend void PrintTo(const GrammarCase& grammar_case, std::ostream* out) { *out << grammar_case.name; }
};

std::string with_line_ends(std::string text) {
    for (std::size_t at = 0; (at = text.find("\\n", at)) != std::string::npos; ++at) {
        if (at == 0 || text[at - 1] != '\\') text.replace(at, 2, "\n");
    }
    return text;
}

std::vector<GrammarCase> read_cases() {
    std::ifstream file(QUAESTOR_TEST_DIR "/cases/grammar.cases");
    std::vector<GrammarCase> cases;
    const auto after = [](const std::string& line, std::string_view key) { return line.substr(key.size()); };
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with("--- ")) {
            cases.push_back({.name = after(line, "--- ")});
            std::getline(file, cases.back().schema);
        } else if (cases.empty() || line.empty()) {
            continue;
        } else if (line.starts_with("yes: ")) {
            cases.back().yes.push_back(with_line_ends(after(line, "yes: ")));
        } else if (line.starts_with("no: ")) {
            cases.back().no.push_back(with_line_ends(after(line, "no: ")));
        } else if (line.starts_with("unsupported: ")) {
            cases.back().unsupported = after(line, "unsupported: ");
        } else {
            throw std::runtime_error("grammar.cases: what is this? " + line);
        }
    }
    return cases;
}

std::string test_name(const testing::TestParamInfo<GrammarCase>& info) {
    std::string name;
    for (const char c : info.param.name) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    return name;
}

class Grammar : public testing::TestWithParam<GrammarCase> {};

TEST_P(Grammar, AdmitsExactlyWhatTheSchemaDoes) {
    const auto& expected = GetParam();
    const auto grammar = grammar_of(*parse_json(expected.schema));
    if (!expected.unsupported.empty()) {
        ASSERT_FALSE(grammar) << *grammar;
        EXPECT_EQ(grammar.error().code, Code::unsupported);
        EXPECT_THAT(grammar.error().message, HasSubstr(expected.unsupported));
        return;
    }
    ASSERT_TRUE(grammar) << grammar.error().describe();
    for (const auto& text : expected.yes) EXPECT_TRUE(admits(*grammar, text)) << text << "\n" << *grammar;
    for (const auto& text : expected.no) EXPECT_FALSE(admits(*grammar, text)) << text << "\n" << *grammar;
}

INSTANTIATE_TEST_SUITE_P(Cases, Grammar, testing::ValuesIn(read_cases()), test_name);

TEST(GrammarBounds, NestingBeyondTheBoundIsRefused) {
    json::value schema{{"type", "null"}};
    for (int i = 0; i < 64; ++i) schema = {{"type", "array"}, {"items", schema}};
    const auto grammar = grammar_of(schema);
    ASSERT_FALSE(grammar);
    EXPECT_EQ(grammar.error().code, Code::unsupported);
}

TEST(GrammarBounds, AHugeSchemaIsRefused) {
    json::array values;
    for (int i = 0; i < 40'000; ++i) values.emplace_back("value number " + std::to_string(i));
    const auto grammar = grammar_of({{"enum", std::move(values)}});
    ASSERT_FALSE(grammar);
    EXPECT_EQ(grammar.error().code, Code::unsupported);
}

TEST(GrammarText, ReadsAsOneWouldWriteIt) {
    const auto grammar = grammar_of(
        *parse_json(R"({"type": "object", "properties": {"kind": {"enum": ["sum", "rank"]}, "n": {"type": "integer"}},
                        "required": ["kind", "n"]})"));
    ASSERT_TRUE(grammar);
    EXPECT_THAT(*grammar, HasSubstr(R"(root ::= reply
reply-kind ::= "\"sum\"" | "\"rank\""
reply ::= "{" space "\"kind\":" space reply-kind "," space "\"n\":" space integer space "}"
)"));
}

ChatRequest with_tools(ToolChoice choice) {
    return {.messages = {user("how much?")},
            .tools = {{"sum", "adds", *parse_json(R"({"type": "object", "properties": {"of": {"type": "string"}},
                                                      "required": ["of"]})")},
                      {"find", "finds", *parse_json(R"({"type": "object", "properties": {"limit": {"type": "integer"}},
                                                        "required": []})")}},
            .tool_choice = choice};
}

constexpr const char* kSumCall = R"({"tool_calls": [{"name": "sum", "arguments": {"of": "sales"}}]})";

TEST(ToolGrammar, AdmitsATextOrCalls) {
    const auto grammar = llama::reply_grammar(with_tools(ToolChoice::automatic));
    ASSERT_TRUE(grammar);
    EXPECT_TRUE(admits(*grammar, "It is 42.\nSurely {so}."));
    EXPECT_TRUE(admits(*grammar, " It is 42."));
    EXPECT_TRUE(admits(*grammar, ""));
    EXPECT_TRUE(admits(*grammar, kSumCall));
    EXPECT_TRUE(admits(*grammar, std::string(" ") + kSumCall));
    EXPECT_FALSE(admits(*grammar, std::string(kSumCall) + " and so on"));
    EXPECT_FALSE(admits(*grammar, R"({"answer": 42})"));
    EXPECT_FALSE(admits(*grammar, R"({"tool_calls": []})"));
    EXPECT_FALSE(admits(*grammar, R"({"tool_calls": [{"name": "drop", "arguments": {"of": "sales"}}]})"));
    EXPECT_FALSE(admits(*grammar, R"({"tool_calls": [{"name": "sum", "arguments": {}}]})"));
}

TEST(ToolGrammar, ArgumentsWithoutAStrictSchemaAreAnyObject) {
    const auto grammar = llama::reply_grammar(with_tools(ToolChoice::automatic));
    ASSERT_TRUE(grammar);
    EXPECT_TRUE(admits(*grammar, R"({"tool_calls": [{"name": "find", "arguments": {}}]})"));
    EXPECT_TRUE(
        admits(*grammar, R"({"tool_calls": [{"name": "find", "arguments": {"limit": 3, "x": [true, {"y": null}]}}]})"));
    EXPECT_FALSE(admits(*grammar, R"({"tool_calls": [{"name": "find", "arguments": [3]}]})"));
}

TEST(ToolGrammar, CallsMayBeParallelUpToTheBound) {
    const auto grammar = llama::reply_grammar(with_tools(ToolChoice::automatic));
    ASSERT_TRUE(grammar);
    const auto calls = [](std::size_t count) {
        std::string list;
        for (std::size_t i = 0; i < count; ++i) {
            list += std::string(i == 0 ? "" : ", ") + R"({"name": "sum", "arguments": {"of": "sales"}})";
        }
        return R"({"tool_calls": [)" + list + "]}";
    };
    EXPECT_TRUE(admits(*grammar, calls(llama::kToolCallsMax)));
    EXPECT_FALSE(admits(*grammar, calls(llama::kToolCallsMax + 1)));
}

TEST(ToolGrammar, RequiredAdmitsNoText) {
    const auto grammar = llama::reply_grammar(with_tools(ToolChoice::required));
    ASSERT_TRUE(grammar);
    EXPECT_TRUE(admits(*grammar, kSumCall));
    EXPECT_FALSE(admits(*grammar, "It is 42."));
    EXPECT_FALSE(admits(*grammar, ""));
}

TEST(ToolGrammar, NoneAdmitsEverything) {
    EXPECT_EQ(*llama::reply_grammar(with_tools(ToolChoice::none)), "");
    EXPECT_EQ(*llama::reply_grammar({.messages = {user("hello")}}), "");
}

TEST(ToolGrammar, AShapeStandsBesideTheTools) {
    auto request = with_tools(ToolChoice::automatic);
    request.output = {.name = "answer",
                      .schema = *parse_json(R"({"type": "object", "properties": {"n": {"type": "integer"}},
                                                "required": ["n"]})")};
    const auto grammar = llama::reply_grammar(request);
    ASSERT_TRUE(grammar);
    EXPECT_TRUE(admits(*grammar, R"({"n": 42})"));
    EXPECT_TRUE(admits(*grammar, kSumCall));
    EXPECT_FALSE(admits(*grammar, "It is 42."));
}

}  // namespace

}  // namespace quaestor::llm
