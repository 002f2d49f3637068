// A parser proposes what a linked question may mean. Parsers stand behind one interface; who is right is decided
// elsewhere (choosing.hpp). Threads: propose() may be called from any thread; it may block: call it on a worker.
#pragma once

#include "base/error.hpp"
#include "native/logical_form.hpp"
#include "native/reading/linking.hpp"
#include "native/text2sql_model.hpp"
#include "resilience/cancellation.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

/// The parsers' names.
inline constexpr std::string_view kTrainedParser = "trained";
inline constexpr std::string_view kRuleParser = "rules";
inline constexpr std::string_view kFactParser = "facts";
inline constexpr std::string_view kAmendedParser =
    "amended";  ///< readings of the trained one, made whole (amending.hpp)

/// Ends the rule of a fact reading that leaves the figure out by which another one orders or compares.
inline constexpr std::string_view kNamesAloneRule = ", names alone";

struct Proposal {
    Query form;
    double score = 0;  ///< a logarithm of a probability by the parser's own measure, at most 0
    std::string_view parser;
    std::string rule;                        ///< for the rule parser: which construct, "difference of two groups"
    std::vector<std::string> assumptions{};  ///< what was taken for granted, in words for a person
};

class QuestionParser {
public:
    virtual ~QuestionParser() = default;
    [[nodiscard]] virtual std::string_view name() const = 0;
    /// Best first; none when it has nothing to say.
    [[nodiscard]] virtual Result<std::vector<Proposal>> propose(const LinkedQuestion& question,
                                                                const Knowledge& knowledge,
                                                                const CancelToken& cancel) const = 0;
};

/// The network of text2sql_model.hpp: eight candidates.
[[nodiscard]] std::unique_ptr<QuestionParser> trained_parser(std::shared_ptr<Text2SqlModel> model);

/// Rules for what the network's training data lacks: date and season ranges, ratios, shares, "per game", differences
/// between two groups or periods, previous and running values, ranks with ties, "how many more … than", plain counts
/// and superlatives. It proposes only forms that cover every word of the question that means something.
[[nodiscard]] std::unique_ptr<QuestionParser> rule_parser();

/// Reads a question as a bag of what it mentions, wherever it stands: which measure, of whom, when, compared how; and
/// asks for every table whether its rows, with what they belong to, can hold all of it. For tables of facts (box
/// scores, sales, salaries), where sentences vary more than what is meant.
[[nodiscard]] std::unique_ptr<QuestionParser> fact_parser();

/// A question that leans on the one before it ("How about the Warriors?", "and in 2022?", "only at home", "sort that by
/// assists"): the earlier form with what the new words change. Nothing when it stands for itself.
inline constexpr std::string_view kFollowUpRule = "a follow-up";
struct EarlierQuestion {
    std::string question;
    Query form;  ///< without words: every value is a constant
};
[[nodiscard]] std::vector<Proposal> follow_up(const LinkedQuestion& question, const EarlierQuestion& earlier,
                                              const Knowledge& knowledge);
/// Whether it cannot be understood without what was asked before.
[[nodiscard]] bool leans_on_earlier(const LinkedQuestion& question);

/// The form with its words replaced by what they say, so that it can be kept without its question.
[[nodiscard]] Query without_words(const Query& form, const LinkedQuestion& question);

}  // namespace quaestor::native
