// A small prompt to try a model with: what does somebody want who writes this?
// Asked by `quaestor prompt intent_classification`. Threads: pure.
#pragma once

#include "llm/prompt.hpp"

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <array>
#include <string>
#include <type_traits>
#include <vector>

namespace quaestor::llm {

enum class Intent { greeting, thanks, data_question, document_question, other };
BOOST_DESCRIBE_ENUM(Intent, greeting, thanks, data_question, document_question, other)

constexpr auto explain(std::type_identity<Intent>) {
    return std::array{
        Explained{"greeting", "says hello or goodbye and asks for nothing"},
        Explained{"thanks", "thanks, praises or confirms, and asks for nothing"},
        Explained{"data_question", "wants figures, counts, lists or comparisons that rows of tables can answer"},
        Explained{"document_question", "wants what texts say: rules, reasons, definitions, how something is done"},
        Explained{"other", "anything else, also what no data or document can answer"},
    };
}

struct IntentClassification {
    static constexpr std::string_view kKey = "intent_classification";
    static constexpr Tier kTier = Tier::lightweight;
    static constexpr std::string_view kInstructions =
        "Somebody writes to a program that answers questions over databases and documents. Say what the text wants. "
        "A text that greets or thanks and also asks is what it asks. When a question may be meant for tables as well "
        "as for documents, choose data_question if its answer is a number or a list, else document_question.";

    struct Input {
        std::string text;
        BOOST_DESCRIBE_CLASS(Input, (), (text), (), ())
    };
    struct Output {
        std::string reasoning;
        Intent intent = Intent::other;
        static constexpr auto kExplained = std::array{Explained{"reasoning", "one sentence: what in the text decides"},
                                                      Explained{"intent", "what the text wants"}};
        BOOST_DESCRIBE_CLASS(Output, (), (reasoning, intent), (), ())
    };

    static std::vector<Example<IntentClassification>> examples() {
        return {
            {{"Good morning!"}, {"It greets and asks for nothing.", Intent::greeting}},
            {{"Thanks, and how many orders came in last week?"},
             {"It thanks, but then asks for a count of orders.", Intent::data_question}},
            {{"How do I return something that arrived broken?"},
             {"It asks how something is done, which a policy says.", Intent::document_question}},
            {{"Write me a poem about autumn."}, {"It wants a poem, not data or documents.", Intent::other}},
        };
    }
};

}  // namespace quaestor::llm
