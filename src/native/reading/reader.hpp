// Understands a question about a source without a language model: links its words, lets the parsers propose, runs what
// they propose (guarded and bounded), chooses, and is honest about how sure it is.
// Owned by whoever opened the source; the source outlives it. Threads: read() may be called from any executor and never
// blocks it; the parsers work on one worker thread of their own.
#pragma once

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/task.hpp"
#include "base/worker_pool.hpp"
#include "data/source.hpp"
#include "native/reading/choosing.hpp"
#include "native/reading/knowledge.hpp"
#include "native/reading/parser.hpp"

#include <boost/describe/enum.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace quaestor::native {

enum class Decision { answer, ask, decline };
BOOST_DESCRIBE_ENUM(Decision, answer, ask, decline)

struct Reading {
    std::string sql;
    double score = 0;        ///< of the parser that proposed it
    double probability = 0;  ///< that it is what was meant
    std::string_view parser;
    Query form;
    std::string logical_form;               ///< form_line()
    std::string explanation;                ///< in_words()
    std::vector<UsedValue> values;          ///< said and written
    std::vector<std::string> assumptions;   ///< what was taken for granted: a spelling, a year, a join
    std::optional<data::ResultSet> result;  ///< a first look, at most kPreviewRows rows
    Features features{};                    ///< what it was judged by
};

/// What became of a question.
struct Understanding {
    LinkedQuestion question;
    Decision decision = Decision::decline;
    std::vector<Reading> readings;            ///< best first, no two with the same SQL
    std::vector<std::string> not_understood;  ///< words that no reading accounts for, or values that are not there
    std::string ask;                          ///< for Decision::ask: what to ask the person, in one sentence
    std::vector<std::string> options;         ///< for Decision::ask: the two or three best readings in words
    std::vector<std::string> option_sql;      ///< the query behind each of them
    std::vector<std::string> near_values;     ///< for a value that is not there: those that are, nearest first
};

/// Rows that a candidate is judged by, and how long it may run.
inline constexpr std::size_t kPreviewRows = 200;
inline constexpr std::chrono::milliseconds kPreviewTime{2'000};
inline constexpr std::size_t kCandidatesMax = 12;

class QuestionReader {
public:
    struct Parts {
        std::shared_ptr<Text2SqlModel> model;  ///< none: rules alone
        ChoiceModel choice;
        Clock* clock = &system_clock();
        /// Who proposes; none: the rules, and the trained one where there is a model.
        std::vector<std::shared_ptr<const QuestionParser>> parsers{};
    };
    QuestionReader(data::Source& source, std::shared_ptr<const Knowledge> knowledge, Parts parts);
    ~QuestionReader();

    [[nodiscard]] const Knowledge& knowledge() const;
    /// `earlier`: the last question that was answered in this conversation.
    /// Code::invalid_argument for an empty question or one that is no text; an error of the database as it is.
    Task<Result<Understanding>> read(std::string question, std::optional<EarlierQuestion> earlier = {},
                                     CancelToken cancel = {});

private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace quaestor::native
