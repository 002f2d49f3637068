// How likely a chunk answers: what the searches say, as a probability. Fitted on labelled questions, kept with a
// corpus. Plain values and pure functions. Threads: safe everywhere.
#pragma once

#include "base/error.hpp"

#include <boost/describe/class.hpp>

#include <array>
#include <span>

namespace quaestor::retrieval {

/// What is known of a chunk for a question, each from 0 to 1.
struct RelevanceFeatures {
    double dense = 0;     ///< cosine of question and chunk; below 0 counts as 0
    double keyword = 0;   ///< BM25, as a share of what a perfect match would have
    double coverage = 0;  ///< share of the question's words that occur, rare ones weighing more
};
BOOST_DESCRIBE_STRUCT(RelevanceFeatures, (), (dense, keyword, coverage))

/// A logistic map; the defaults suit the bundled embedder.
struct Relevance {
    double bias = -4.0;
    double dense = 4.0;
    double keyword = 2.0;
    double coverage = 5.0;

    /// From 0 to 1.
    [[nodiscard]] double probability(const RelevanceFeatures& features) const;
    friend bool operator==(const Relevance&, const Relevance&) = default;
};
BOOST_DESCRIBE_STRUCT(Relevance, (), (bias, dense, keyword, coverage))

struct LabelledFeatures {
    RelevanceFeatures features;
    bool is_answer = false;
};

/// The likeliest map for these examples, both kinds weighing alike, with weights held back a little so that few
/// examples do not make it certain. More of a feature never makes a chunk less relevant. Code::invalid_argument without
/// examples of both kinds.
[[nodiscard]] Result<Relevance> fit_relevance(std::span<const LabelledFeatures> examples);

}  // namespace quaestor::retrieval
