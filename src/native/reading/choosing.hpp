// Which of the proposed readings is right, and how sure that is: a small model over what the parsers say, how much of
// the question a reading covers, and what its result looks like. Its weights are fitted by training/choose.py on
// databases that the parser was not trained on, and lie in models/choice.json.
// Threads: pure functions; a ChoiceModel is immutable.
#pragma once

#include "base/error.hpp"
#include "data/result_set.hpp"
#include "native/reading/linking.hpp"
#include "native/reading/parser.hpp"
#include "native/sql_writer.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace quaestor::native {

/// What the choice is made from, in the order of the weights; each has a name in feature_names().
inline constexpr std::size_t kFeatures = 106;
using Features = std::array<double, kFeatures>;

/// Another parser that proposed the same SQL.
struct Support {
    std::string_view parser;
    double score = 0;
};

/// A proposal with its SQL and, when it ran, what came out.
struct Candidate {
    Proposal proposal;
    std::vector<Support> supports;
    WrittenSql written;
    std::optional<data::ResultSet> result;
    std::optional<Error> failure;  ///< the guard's or the database's objection
    double probability = 0;        ///< that it is what was meant; set by choose()
    Features features{};           ///< what that was judged by; set by choose()
};

[[nodiscard]] std::span<const std::string_view> feature_names();

/// Those of each candidate, among all of them.
[[nodiscard]] std::vector<Features> features_of(const LinkedQuestion& question, const Knowledge& knowledge,
                                                std::span<const Candidate> candidates);

class ChoiceModel {
public:
    /// models/choice.json: weights, and the two thresholds. Code::corrupt when it does not fit feature_names().
    [[nodiscard]] static Result<ChoiceModel> open(const std::string& path);
    /// The one beside the program (as text2sql_model_path()).
    [[nodiscard]] static Result<ChoiceModel> bundled();

    /// Sets the probabilities and puts the candidates in their order; those with equal results share one place.
    /// Without weights (a ChoiceModel that was not opened) the order is that of the scores.
    void choose(const LinkedQuestion& question, const Knowledge& knowledge, std::vector<Candidate>& candidates) const;

    /// Above the first it answers; above the second it asks which reading was meant; below it says what it did not
    /// understand, unless the best few readings together are above the third: then one of them is meant, and it asks.
    [[nodiscard]] double answers_from() const { return answers_from_; }
    [[nodiscard]] double asks_from() const { return asks_from_; }
    [[nodiscard]] double offers_from() const { return offers_from_; }

private:
    [[nodiscard]] double evidence_for(const Features& features) const;

    struct Layer {
        std::vector<std::vector<double>> weights;
        std::vector<double> bias;
    };
    Features mean_{};
    Features scale_{};
    std::vector<Layer> layers_;  ///< one hidden layer of a few units, or none; the last has one unit
    double slope_ = 1;           ///< of the calibration
    double offset_ = 0;
    double answers_from_ = 1;
    double asks_from_ = 1;
    double offers_from_ = 1;
};

/// Two results have the same key when they hold the same rows, order aside, columns in any order, numbers to nine
/// digits.
[[nodiscard]] std::string rows_key(const data::ResultSet& result);
/// Whether two results have the same key.
[[nodiscard]] bool same_rows(const data::ResultSet& left, const data::ResultSet& right);

}  // namespace quaestor::native
