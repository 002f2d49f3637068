#include "workflows/common/intent.hpp"

#include "native/text2sql_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace quaestor::workflows {

namespace {

constexpr const char* kIntentsFile = "intents.json";
constexpr std::uintmax_t kIntentsBytesMax = 1'000'000;

Result<std::string> text_of(const std::string& path) {
    std::error_code problem;
    const auto bytes = std::filesystem::file_size(path, problem);
    if (problem) return fail(Code::not_found, fmt::format("there is no classifier of intents at {}", path));
    if (bytes > kIntentsBytesMax) return fail(Code::corrupt, fmt::format("{} is too large for a classifier", path));
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return std::move(text).str();
}

}  // namespace

struct IntentClassifier::Stored {
    std::string embedder;
    double sure_from = 1;
    std::vector<Class> classes;
    BOOST_DESCRIBE_CLASS(Stored, (), (embedder, sure_from, classes), (), ())
};

Result<IntentClassifier> IntentClassifier::open(const std::string& path) {
    const auto text = text_of(path);
    if (!text) return fail(text.error());
    const auto parsed = parse_json(*text);
    const Result<Stored> stored = parsed ? decode<Stored>(*parsed) : Result<Stored>(fail(parsed.error()));
    if (!stored)
        return fail(Error{Code::corrupt, fmt::format("{} is no classifier of intents", path)}.because(stored.error()));
    const std::size_t size = stored->classes.empty() ? 0 : stored->classes.front().weights.size();
    const auto fits = [&](const Class& one) { return one.weights.size() == size; };
    if (size == 0 || stored->classes.size() < 2 || !std::ranges::all_of(stored->classes, fits)) {
        return fail(Code::corrupt, fmt::format("{} is no classifier of intents: its sizes do not fit", path));
    }
    IntentClassifier classifier;
    classifier.embedder_ = stored->embedder;
    classifier.sure_from_ = stored->sure_from;
    classifier.classes_ = stored->classes;
    return classifier;
}

Result<IntentClassifier> IntentClassifier::bundled() {
    const auto model = native::text2sql_model_path();  // they lie in one folder
    if (!model) return fail(model.error());
    return open((std::filesystem::path(*model).parent_path() / kIntentsFile).string());
}

IntentClassifier::Judgement IntentClassifier::judge(std::span<const float> vector) const {
    std::vector<double> scores;
    for (const Class& one : classes_) {
        double score = one.bias;
        for (std::size_t at = 0; at < std::min(vector.size(), one.weights.size()); ++at) {
            score += one.weights[at] * static_cast<double>(vector[at]);
        }
        scores.push_back(score);
    }
    const auto best = std::ranges::max_element(scores);
    double total = 0;
    for (const double score : scores) total += std::exp(score - *best);
    const double probability = 1 / total;
    return {classes_[static_cast<std::size_t>(best - scores.begin())].intent, probability, probability >= sure_from_};
}

std::vector<llm::Example<IntentClassification>> IntentClassification::examples() {
    return {
        {{.text = "Hi! Who led the league in rebounds in 2022-23?"},
         {.reasoning = "It greets, and then asks for a ranking that a table of statistics can give.",
          .intent = Intent::data_question}},
        {{.text = "cheers, that's what I was after"},
         {.reasoning = "It acknowledges an answer and asks nothing.", .intent = Intent::thanks}},
        {{.text = "the thing from before"},
         {.reasoning = "It refers to something that is not in the text, so it may be anything.",
          .intent = Intent::unclear}},
    };
}

Task<Result<IntentClassification::Output>> NativeIntent::classify(const IntentClassification::Input& input,
                                                                  CancelToken cancel) {
    if (!classifier_) co_return fail(classifier_.error());
    auto embedder = co_await models_.embedder();
    if (!embedder) co_return fail(embedder.error());
    if ((*embedder)->name() != classifier_->embedder() || (*embedder)->dimensions() != classifier_->dimensions()) {
        co_return IntentClassification::Output{
            fmt::format("intents are known by the vectors of {} alone", classifier_->embedder()), Intent::unclear};
    }
    const auto vectors = co_await (*embedder)->embed({input.text}, std::move(cancel));
    if (!vectors) co_return fail(vectors.error());
    const auto judged = classifier_->judge((*vectors)[0]);
    const auto likeliest = encode(judged.likeliest);
    co_return IntentClassification::Output{
        fmt::format("{} with a probability of {:.2f}{}", likeliest.as_string().c_str(), judged.probability,
                    judged.is_sure ? "" : ", which is not enough to be sure"),
        judged.is_sure ? judged.likeliest : Intent::unclear};
}

}  // namespace quaestor::workflows
