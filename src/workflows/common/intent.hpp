// What a text wants, before any work is done for it: a greeting is greeted, a question goes to those who can answer it.
// The prompt is asked through a Reasoner; the native answer is a classifier over the bundled embedding model.
// Threads: all may be called from any executor.
#pragma once

#include "llm/models.hpp"
#include "llm/prompt.hpp"
#include "llm/reasoner.hpp"

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::workflows {

enum class Intent { greeting, thanks, data_question, document_question, out_of_scope, unclear };
BOOST_DESCRIBE_ENUM(Intent, greeting, thanks, data_question, document_question, out_of_scope, unclear)

constexpr auto explain(std::type_identity<Intent>) {
    using llm::Explained;
    return std::array{
        Explained{"greeting", "hello, goodbye or small talk, with no question about anything"},
        Explained{"thanks", "thanks, praise or a plain acknowledgement"},
        Explained{"data_question", "asks for figures, lists, rankings or comparisons that a database can give"},
        Explained{"document_question", "asks what a report, a rule, a policy or another text says or means"},
        Explained{"out_of_scope", "wants something that neither data nor documents can give: poems, code, advice"},
        Explained{"unclear", "cannot be told from the text"},
    };
}

struct IntentClassification {
    static constexpr std::string_view kKey = "intent_classification";
    static constexpr llm::Tier kTier = llm::Tier::lightweight;
    static constexpr std::string_view kInstructions =
        "You sort what people write to an assistant that answers questions over databases and documents. "
        "Say in one sentence what the text wants, then choose the one intent that fits it best. "
        "A text that greets and asks is a question. When two intents fit equally well, choose unclear.";

    struct Input {
        std::string text;
    };
    struct Output {
        std::string reasoning;
        Intent intent = Intent::unclear;
        static constexpr auto kExplained = std::array{
            llm::Explained{"reasoning", "one sentence on what the text wants"}, llm::Explained{"intent", "what it is"}};
    };
    static std::vector<llm::Example<IntentClassification>> examples();
};
BOOST_DESCRIBE_STRUCT(IntentClassification::Input, (), (text))
BOOST_DESCRIBE_STRUCT(IntentClassification::Output, (), (reasoning, intent))

/// A linear map from the vector of a text to its intent, fitted by training/intents.py.
class IntentClassifier {
public:
    /// models/intents.json. Code::not_found, or Code::corrupt when it is something else.
    [[nodiscard]] static Result<IntentClassifier> open(const std::string& path);
    /// The one beside the program.
    [[nodiscard]] static Result<IntentClassifier> bundled();

    struct Judgement {
        Intent likeliest = Intent::unclear;
        double probability = 0;
        bool is_sure = false;
    };
    [[nodiscard]] Judgement judge(std::span<const float> vector) const;
    /// Whose vectors it knows.
    [[nodiscard]] const std::string& embedder() const { return embedder_; }
    [[nodiscard]] std::size_t dimensions() const { return classes_.front().weights.size(); }

private:
    struct Class {
        Intent intent = Intent::unclear;
        double bias = 0;
        std::vector<double> weights;
        BOOST_DESCRIBE_CLASS(Class, (), (intent, bias, weights), (), ())
    };
    struct Stored;

    std::string embedder_;
    double sure_from_ = 1;
    std::vector<Class> classes_;
};

/// Asks the classifier; Intent::unclear where it is not sure.
class NativeIntent {
public:
    /// `models` gives the embedder, and outlives this.
    explicit NativeIntent(llm::Models& models) : models_(models), classifier_(IntentClassifier::bundled()) {}
    Task<Result<IntentClassification::Output>> classify(const IntentClassification::Input& input, CancelToken cancel);

private:
    llm::Models& models_;
    const Result<IntentClassifier> classifier_;
};

}  // namespace quaestor::workflows
