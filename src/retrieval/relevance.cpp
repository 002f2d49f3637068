#include "retrieval/relevance.hpp"

#include <algorithm>
#include <cmath>

namespace quaestor::retrieval {

namespace {

/// How strongly weights are held back, in examples.
constexpr double kPrior = 1.0;
constexpr double kPriorWeight = 0.02;
constexpr int kSteps = 4'000;
constexpr double kStepLength = 0.5;
constexpr std::size_t kWeights = 4;

using Weights = std::array<double, kWeights>;

Weights row_of(const RelevanceFeatures& features) {
    return {1, std::max(features.dense, 0.0), features.keyword, features.coverage};
}

double logistic(double sum) {
    return 1 / (1 + std::exp(-sum));
}

/// The slope of the mean loss; the weights of both kinds add up to the same.
Weights slope_at(std::span<const LabelledFeatures> examples, const Weights& weights, double answer_weight,
                 double other_weight) {
    Weights slope{};
    for (const LabelledFeatures& example : examples) {
        const Weights row = row_of(example.features);
        double sum = 0;
        for (std::size_t i = 0; i < kWeights; ++i) sum += weights[i] * row[i];
        const double error = logistic(sum) - (example.is_answer ? 1 : 0);
        for (std::size_t i = 0; i < kWeights; ++i) {
            slope[i] += error * row[i] * (example.is_answer ? answer_weight : other_weight);
        }
    }
    for (std::size_t i = 1; i < kWeights; ++i)
        slope[i] += kPriorWeight * weights[i] / static_cast<double>(examples.size());
    return slope;
}

}  // namespace

double Relevance::probability(const RelevanceFeatures& features) const {
    const double sum =
        bias + dense * std::max(features.dense, 0.0) + keyword * features.keyword + coverage * features.coverage;
    return logistic(sum);
}

Result<Relevance> fit_relevance(std::span<const LabelledFeatures> examples) {
    const auto answers = static_cast<double>(std::ranges::count_if(examples, &LabelledFeatures::is_answer));
    const double others = static_cast<double>(examples.size()) - answers;
    if (answers == 0 || others == 0) {
        return fail(Code::invalid_argument, "calibration needs chunks that answer and chunks that do not",
                    "label some of both");
    }
    // Gradient descent with momentum on features that are all of the same size; it is convex, so any start will do.
    Weights weights{-2, 1, 1, 1};
    Weights speed{};
    for (int step = 0; step < kSteps; ++step) {
        const Weights slope = slope_at(examples, weights, 0.5 / (answers + kPrior), 0.5 / (others + kPrior));
        for (std::size_t i = 0; i < kWeights; ++i) {
            speed[i] = 0.9 * speed[i] - kStepLength * slope[i];
            weights[i] += speed[i];
            if (i > 0 && weights[i] < 0) weights[i] = speed[i] = 0;
        }
    }
    return Relevance{weights[0], weights[1], weights[2], weights[3]};
}

}  // namespace quaestor::retrieval
