#include "llm/fault.hpp"

#include "llm/chat.hpp"

#include <boost/describe/enumerators.hpp>
#include <boost/mp11.hpp>
#include <gtest/gtest.h>

namespace quaestor::llm {
namespace {

TEST(Faults, TellTheModelWhatHappenedAndWhatToDo) {
    const ModelError error = fault(Fault::rate_limited, "openai/gpt", "slow down", std::chrono::seconds(3)).error();
    EXPECT_EQ(error.error.message, "openai/gpt: slow down");
    EXPECT_EQ(error.error.code, Code::rate_limited);
    EXPECT_EQ(error.retry_after, std::chrono::seconds(3));
}

TEST(Faults, AllButACancellationHaveAHint) {
    boost::mp11::mp_for_each<boost::describe::describe_enumerators<Fault>>([](const auto& item) {
        const Error error = fault(item.value, "m", "x").error().error;
        EXPECT_EQ(error.hint.empty(), item.value == Fault::cancelled) << item.name;
        EXPECT_NE(error.code, Code::internal) << item.name;
    });
}

TEST(Faults, TheHintForAKeyNamesTheVariableOfTheProvider) {
    const auto hint = [](std::string_view model) { return fault(Fault::auth, model, "x").error().error.hint; };
    EXPECT_EQ(hint("openai"), "set OPENAI_API_KEY, or llm.models.….key; see quaestor doctor");
    EXPECT_TRUE(hint("openai/gpt-5").contains("OPENAI_API_KEY"));
    EXPECT_TRUE(hint("anthropic/claude").contains("ANTHROPIC_API_KEY"));
    EXPECT_TRUE(hint("google/gemini").contains("GEMINI_API_KEY"));
    EXPECT_EQ(hint("mine/qwen"), "set llm.models.….key; see quaestor doctor");
}

TEST(Faults, OfTheNetworkKeepTheirCauseAndItsHint) {
    const auto kind = [](Code code) { return fault_from("m", Error{code, "why", "do this", nullptr}).fault; };
    EXPECT_EQ(kind(Code::unavailable), Fault::network);
    EXPECT_EQ(kind(Code::permission_denied), Fault::network);
    EXPECT_EQ(kind(Code::timeout), Fault::timeout);
    EXPECT_EQ(kind(Code::limit_exceeded), Fault::malformed);
    EXPECT_EQ(kind(Code::corrupt), Fault::malformed);
    EXPECT_EQ(kind(Code::cancelled), Fault::cancelled);
    EXPECT_EQ(kind(Code::invalid_argument), Fault::bad_request);

    const Error error =
        fault_from("m", Error{Code::permission_denied, "the certificate is too old", "renew it", nullptr}).error;
    EXPECT_EQ(error.describe(), "m: no connection, or it broke: the certificate is too old");
    EXPECT_EQ(error.advice(), "renew it");
    EXPECT_EQ(error.code, Code::permission_denied);
}

TEST(Faults, SayWhetherToTryAgainToAskAnotherAndWhomToBlame) {
    struct Row {
        Fault fault;
        bool retry, other, blame;
    };
    for (const Row& row : {Row{Fault::auth, false, true, false}, Row{Fault::rate_limited, true, true, false},
                           Row{Fault::overloaded, true, true, true}, Row{Fault::context_too_long, false, true, false},
                           Row{Fault::refused, false, false, false}, Row{Fault::bad_request, false, false, false},
                           Row{Fault::timeout, true, true, true}, Row{Fault::network, true, true, true},
                           Row{Fault::malformed, false, true, true}, Row{Fault::cancelled, false, false, false}}) {
        SCOPED_TRACE(static_cast<int>(row.fault));
        EXPECT_EQ(is_worth_retrying(row.fault), row.retry);
        EXPECT_EQ(is_worth_another_model(row.fault), row.other);
        EXPECT_EQ(is_providers_fault(row.fault), row.blame);
    }
}

TEST(EstimatedUsage, CountsEverythingThatIsSent) {
    EXPECT_EQ(estimated_tokens(""), 0);
    EXPECT_EQ(estimated_tokens("abcde"), 2);
    const Message reply{.role = Role::assistant, .content = "12345678", .tool_calls = {{"id", "sum", "{}"}}};
    const Usage bare = estimated_usage({.messages = {user("1234")}}, reply);
    EXPECT_EQ(bare.input_tokens, 5);
    EXPECT_EQ(bare.output_tokens, 4);
    EXPECT_TRUE(bare.is_estimate);
    const json::value schema = json::parse(R"({"type":"object"})");
    const Usage full = estimated_usage(
        {.messages = {user("1234"), reply}, .tools = {{"sum", "adds", schema}}, .output = OutputShape{"o", schema}},
        {});
    EXPECT_EQ(full.input_tokens, 5 + 8 + 7 + 5);
}

}  // namespace
}  // namespace quaestor::llm
