#include "native/questions/question_run.hpp"

#include <algorithm>
#include <chrono>
#include <map>

namespace quaestor::native {

namespace {

/// What an answer may give, and how long a reading may take to be compared with it.
constexpr data::QueryLimits kAnswerLimits{
    .rows = 10'000, .bytes = std::size_t{64} << 20, .timeout = std::chrono::milliseconds(20'000)};

double feature(const Features& features, std::string_view name) {
    const auto names = feature_names();
    return features[static_cast<std::size_t>(std::ranges::find(names, name) - names.begin())];
}

/// Whether the trained parser proposed it, alone or with others.
bool is_by_trained(const Features& features) {
    return feature(features, "by trained") == 1;
}

struct OpenAnswer {
    data::ResultSet result;
    bool is_ordered = false;
};

}  // namespace

struct QuestionRun::Inside {
    std::vector<std::unique_ptr<data::Source>> sources;  ///< the first is asked, all are compared on
    std::unique_ptr<QuestionReader> reader;

    Result<std::vector<std::vector<OpenAnswer>>> answers_to(const BankQuestion& question) {
        std::vector<std::vector<OpenAnswer>> answers(sources.size());
        for (std::size_t at = 0; at < sources.size(); ++at) {
            for (const std::string& sql : question.answers) {
                auto result = run_to_end(sources[at]->query(sql, kAnswerLimits));
                if (!result) return fail(result.error());
                answers[at].push_back({std::move(*result), orders_rows(sql)});
            }
        }
        return answers;
    }

    /// On each source, one of the answers.
    bool is_right(const Reading& reading, const std::vector<std::vector<OpenAnswer>>& answers) {
        for (std::size_t at = 0; at < sources.size(); ++at) {
            const bool is_seen = at == 0 && reading.result && !reading.result->truncated;
            std::optional<data::ResultSet> whole;
            if (!is_seen) {
                auto result = run_to_end(sources[at]->query(reading.sql, kAnswerLimits));
                if (!result) return false;
                whole = std::move(*result);
            }
            const data::ResultSet& result = is_seen ? *reading.result : *whole;
            const bool fits = std::ranges::any_of(answers[at], [&](const OpenAnswer& answer) {
                return native::is_right(result, answer.result, answer.is_ordered);
            });
            if (!fits) return false;
        }
        return true;
    }
};

QuestionRun::QuestionRun(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
QuestionRun::QuestionRun(QuestionRun&&) noexcept = default;
QuestionRun::~QuestionRun() = default;

bool JudgedQuestion::is_some_right(std::size_t count) const {
    const auto end = readings.begin() + static_cast<std::ptrdiff_t>(std::min(count, readings.size()));
    return std::any_of(readings.begin(), end, [](const JudgedReading& reading) { return reading.is_right; });
}

bool JudgedQuestion::is_best_score_right() const {
    const JudgedReading* best = nullptr;
    for (const JudgedReading& reading : readings) {
        if (reading.parser == "trained" && (best == nullptr || reading.score > best->score)) best = &reading;
    }
    return best != nullptr && best->is_right;
}

Result<QuestionRun> QuestionRun::open(const std::string& path, std::shared_ptr<Text2SqlModel> model,
                                      const ChoiceModel& choice, std::vector<std::string> checks) {
    auto inside = std::make_unique<Inside>();
    checks.insert(checks.begin(), path);
    for (const std::string& file : checks) {
        auto source = run_to_end(data::open_source(file));
        if (!source) return fail(source.error());
        inside->sources.push_back(std::move(*source));
    }
    auto knowledge = run_to_end(learn(*inside->sources.front()));
    if (!knowledge) return fail(knowledge.error());
    inside->reader =
        std::make_unique<QuestionReader>(*inside->sources.front(), std::move(*knowledge),
                                         QuestionReader::Parts{.model = std::move(model), .choice = choice});
    return QuestionRun(std::move(inside));
}

Result<JudgedQuestion> QuestionRun::ask(const BankQuestion& question) {
    const auto began = std::chrono::steady_clock::now();
    const auto understanding = run_to_end(inside_->reader->read(question.text));
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
    if (!understanding) return fail(understanding.error());
    const auto answers = inside_->answers_to(question);
    if (!answers) return fail(answers.error());

    JudgedQuestion out{
        .question = &question, .decision = understanding->decision, .readings = {}, .milliseconds = took.count()};
    std::map<std::string, std::size_t> groups;
    for (const Reading& reading : understanding->readings) {
        const std::string key = reading.result ? rows_key(*reading.result) : reading.sql;
        out.readings.push_back(
            {.is_right = question.is_answerable() && inside_->is_right(reading, *answers),
             .probability = reading.probability,
             .score = is_by_trained(reading.features) ? feature(reading.features, "trained score") : reading.score,
             .parser = is_by_trained(reading.features) ? "trained" : std::string(reading.parser),
             .group = groups.try_emplace(key, groups.size()).first->second,
             .sql = reading.sql,
             .features = reading.features});
    }
    return out;
}

Result<data::ResultSet> QuestionRun::answer(const std::string& sql) {
    return run_to_end(inside_->sources.front()->query(sql, kAnswerLimits));
}

}  // namespace quaestor::native
