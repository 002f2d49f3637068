#include "native/reading/choosing.hpp"

#include "base/json.hpp"
#include "native/text2sql_model.hpp"

#include <boost/describe/class.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>

namespace quaestor::native {

namespace {

constexpr std::uintmax_t kChoiceBytesMax = 1'000'000;
constexpr std::size_t kHiddenUnitsMax = 64;
constexpr const char* kChoiceFile = "choice.json";

/// models/choice.json as it is written by training/choose.py.
struct StoredLayer {
    std::vector<std::vector<double>> weights;  ///< by unit
    std::vector<double> bias;
};
BOOST_DESCRIBE_STRUCT(StoredLayer, (), (weights, bias))
struct StoredCalibration {
    double slope = 1;
    double offset = 0;
};
BOOST_DESCRIBE_STRUCT(StoredCalibration, (), (slope, offset))
struct StoredChoice {
    std::vector<std::string> features;
    std::vector<double> mean;
    std::vector<double> scale;
    std::vector<StoredLayer> layers;
    StoredCalibration calibration;
    double answers_from = 1;
    double asks_from = 1;
    double offers_from = 1;
};
BOOST_DESCRIBE_STRUCT(StoredChoice, (),
                      (features, mean, scale, layers, calibration, answers_from, asks_from, offers_from))

Result<std::string> text_of_file(const std::string& path) {
    std::error_code problem;
    const auto bytes = std::filesystem::file_size(path, problem);
    if (problem) return fail(Code::not_found, fmt::format("there is no choice model at {}", path));
    if (bytes > kChoiceBytesMax) return fail(Code::corrupt, fmt::format("{} is too large for a choice model", path));
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return std::move(text).str();
}

bool is_layer(const StoredLayer& layer, std::size_t inputs) {
    return !layer.weights.empty() && layer.weights.size() <= kHiddenUnitsMax &&
           layer.bias.size() == layer.weights.size() &&
           std::ranges::all_of(layer.weights, [inputs](const auto& unit) { return unit.size() == inputs; });
}

/// What does not fit; empty when all does.
std::string misfit_of(const StoredChoice& stored) {
    if (!std::ranges::equal(stored.features, feature_names())) return "its features are not those of this program";
    if (stored.mean.size() != kFeatures || stored.scale.size() != kFeatures) return "it has no scale for each feature";
    if (std::ranges::any_of(stored.scale, [](double scale) { return !(scale > 0); })) return "a scale is not above 0";
    if (stored.layers.empty() || stored.layers.size() > 2) return "it needs one layer or two";
    std::size_t inputs = kFeatures;
    for (const StoredLayer& layer : stored.layers) {
        if (!is_layer(layer, inputs)) return "the sizes of its layers do not fit";
        inputs = layer.weights.size();
    }
    if (inputs != 1) return "its last layer has more than one unit";
    const bool is_ordered = stored.asks_from >= 0 &&
                            stored.asks_from <= std::min(stored.answers_from, stored.offers_from) &&
                            stored.answers_from <= 1;
    return is_ordered ? "" : "its thresholds are out of order";
}

std::vector<double> outputs_of(const std::vector<std::vector<double>>& weights, const std::vector<double>& bias,
                               const std::vector<double>& inputs) {
    std::vector<double> out = bias;
    for (std::size_t unit = 0; unit < weights.size(); ++unit) {
        out[unit] = std::inner_product(inputs.begin(), inputs.end(), weights[unit].begin(), out[unit]);
    }
    return out;
}

double calibrated(double probability, double slope, double offset) {
    const double clamped = std::clamp(probability, 1e-9, 1 - 1e-9);
    return 1 / (1 + std::exp(-(slope * std::log(clamped / (1 - clamped)) + offset)));
}

/// Candidates with the same rows share a key; one without a result has its own.
std::vector<std::string> keys_of(const std::vector<Candidate>& candidates) {
    std::vector<std::string> keys;
    for (std::size_t at = 0; at < candidates.size(); ++at) {
        keys.push_back(candidates[at].result ? rows_key(*candidates[at].result) : fmt::format("none {}", at));
    }
    return keys;
}

}  // namespace

Result<ChoiceModel> ChoiceModel::open(const std::string& path) {
    const auto text = text_of_file(path);
    if (!text) return fail(text.error());
    const auto corrupt = [&path](std::string why) {
        return fail(Code::corrupt, fmt::format("{} is no choice model: {}", path, why),
                    "make it again with training/choose.py");
    };
    const auto document = parse_json(*text);
    if (!document) return corrupt(document.error().message);
    const auto stored = decode<StoredChoice>(*document);
    if (!stored) return corrupt(stored.error().message);
    if (const std::string misfit = misfit_of(*stored); !misfit.empty()) return corrupt(misfit);

    ChoiceModel model;
    std::ranges::copy(stored->mean, model.mean_.begin());
    std::ranges::copy(stored->scale, model.scale_.begin());
    for (const StoredLayer& layer : stored->layers) model.layers_.push_back({layer.weights, layer.bias});
    model.slope_ = stored->calibration.slope;
    model.offset_ = stored->calibration.offset;
    model.answers_from_ = stored->answers_from;
    model.asks_from_ = stored->asks_from;
    model.offers_from_ = stored->offers_from;
    return model;
}

Result<ChoiceModel> ChoiceModel::bundled() {
    const auto weights = text2sql_model_path();
    if (!weights) return fail(weights.error());
    const auto beside = std::filesystem::path(*weights).parent_path() / kChoiceFile;
    return open(beside.string());
}

double ChoiceModel::evidence_for(const Features& features) const {
    std::vector<double> values(kFeatures);
    for (std::size_t at = 0; at < kFeatures; ++at) values[at] = (features[at] - mean_[at]) / scale_[at];
    for (std::size_t at = 0; at < layers_.size(); ++at) {
        values = outputs_of(layers_[at].weights, layers_[at].bias, values);
        if (at + 1 == layers_.size()) break;
        for (double& value : values) value = std::tanh(value);
    }
    return values[0];
}

void ChoiceModel::choose(const LinkedQuestion& question, const Knowledge& knowledge,
                         std::vector<Candidate>& candidates) const {
    const auto features = features_of(question, knowledge, candidates);
    const auto keys = keys_of(candidates);
    std::vector<double> evidence;
    for (std::size_t at = 0; at < candidates.size(); ++at) {
        candidates[at].features = features[at];
        evidence.push_back(layers_.empty() ? candidates[at].proposal.score : evidence_for(features[at]));
    }
    // That none of them is right has the evidence 0.
    const double most = evidence.empty() ? 0 : std::max(0.0, std::ranges::max(evidence));
    double all = std::exp(-most);
    std::map<std::string_view, double> by_key;
    for (std::size_t at = 0; at < candidates.size(); ++at) {
        const double weight = std::exp(evidence[at] - most);
        by_key[keys[at]] += weight;
        all += weight;
    }
    std::vector<std::size_t> order(candidates.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, [&](std::size_t left, std::size_t right) {
        const double of_left = by_key[keys[left]];
        const double of_right = by_key[keys[right]];
        if (of_left != of_right) return of_left > of_right;
        if (keys[left] != keys[right]) return keys[left] < keys[right];
        return evidence[left] != evidence[right] ? evidence[left] > evidence[right] : left < right;
    });
    std::vector<Candidate> chosen;
    for (const std::size_t at : order) {
        candidates[at].probability = calibrated(by_key[keys[at]] / all, slope_, offset_);
        chosen.push_back(std::move(candidates[at]));
    }
    candidates = std::move(chosen);
}

}  // namespace quaestor::native
