// Asks every question of a database and says what came of it: which readings are right, and what was decided.
// A run owns its source. Threads: for the thread that calls.
#pragma once

#include "native/questions/question_bank.hpp"
#include "native/reading/reader.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace quaestor::native {

struct JudgedReading {
    bool is_right = false;
    double probability = 0;
    double score = 0;
    std::string parser;
    std::size_t group = 0;  ///< readings with the same rows have the same
    std::string sql;
    Features features{};
};

struct JudgedQuestion {
    const BankQuestion* question = nullptr;
    Decision decision = Decision::decline;
    std::vector<JudgedReading> readings;  ///< best first
    double milliseconds = 0;

    [[nodiscard]] bool is_first_right() const { return !readings.empty() && readings.front().is_right; }
    /// Among the first `count`.
    [[nodiscard]] bool is_some_right(std::size_t count) const;
    /// By the trained parser's own order.
    [[nodiscard]] bool is_best_score_right() const;
};

class QuestionRun {
public:
    /// `checks`: further databases of the same schema; a reading is right only if it is right on them too.
    [[nodiscard]] static Result<QuestionRun> open(const std::string& path, std::shared_ptr<Text2SqlModel> model,
                                                  const ChoiceModel& choice, std::vector<std::string> checks = {});
    QuestionRun(QuestionRun&&) noexcept;
    ~QuestionRun();

    [[nodiscard]] Result<JudgedQuestion> ask(const BankQuestion& question);
    /// The answers' own results, for tests of the bank.
    [[nodiscard]] Result<data::ResultSet> answer(const std::string& sql);

private:
    struct Inside;
    explicit QuestionRun(std::unique_ptr<Inside> inside);
    std::unique_ptr<Inside> inside_;
};

}  // namespace quaestor::native
