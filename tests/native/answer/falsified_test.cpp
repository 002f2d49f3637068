// Answers over many made results: each is traced to the last claim, and each number that is changed afterwards is
// caught.
#include "native/answer/evidence_index.hpp"
#include "native/answer/league.hpp"
#include "native/words.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <iostream>
#include <random>
#include <set>

namespace quaestor::native {

namespace {

using testing::IsEmpty;

/// The same numbers on every machine.
class Dice {
public:
    explicit Dice(unsigned seed) : engine_(seed) {}
    std::size_t below(std::size_t bound) { return engine_() % bound; }
    double real(double high) { return high * static_cast<double>(below(1'000'003)) / 1'000'003; }
    template <class T>
    const T& one_of(const std::vector<T>& list) {
        return list[below(list.size())];
    }

private:
    std::mt19937 engine_;
};

std::string made_name(Dice& dice) {
    static const std::vector<std::string> kFirst{"Anna",  "Boris", "Chidi", "Dora", "Emil",
                                                 "Farah", "Gus",   "Hana",  "Ivo",  "Jo"};
    static const std::vector<std::string> kLast{"Abel",   "Brandt", "Castillo", "de Vries", "Egger",
                                                "Fofana", "Grün",   "O'Hara",   "Ito",      "St. Clair"};
    return fmt::format("{} {}{}", dice.one_of(kFirst), dice.one_of(kLast),
                       dice.below(4) == 0 ? fmt::format(" {}", 2 + dice.below(9)) : "");
}

struct Measure {
    std::string name;
    data::ValueKind kind;
    double high;
};

void add_measure(Dice& dice, std::size_t rows, bool is_ordered, data::ResultSet& result) {
    static const std::vector<Measure> kMeasures{
        {"points", data::ValueKind::integer, 3'000},         {"wins", data::ValueKind::integer, 60},
        {"average price usd", data::ValueKind::number, 900}, {"fg_pct", data::ValueKind::number, 1},
        {"population", data::ValueKind::integer, 9e7},       {"minutes", data::ValueKind::number, 48},
        {"revenue eur", data::ValueKind::decimal, 5e6},      {"3pt attempts", data::ValueKind::number, 300}};
    const Measure& measure = dice.one_of(kMeasures);
    std::vector<double> values;
    for (std::size_t row = 0; row < rows; ++row) values.push_back(dice.real(measure.high));
    if (is_ordered) std::ranges::sort(values, std::greater());
    data::ResultColumn column(measure.name, measure.kind, "X");
    for (const double value : values) {
        if (!is_ordered && dice.below(15) == 0) {
            column.add_null();
        } else if (measure.kind == data::ValueKind::integer) {
            column.add_integer(static_cast<std::int64_t>(value));
        } else if (measure.kind == data::ValueKind::decimal) {
            column.add_text(fmt::format("{:.2f}", value));
        } else {
            column.add_number(value);
        }
    }
    result.columns.push_back(std::move(column));
}

data::ResultSet made_result(Dice& dice) {
    static const std::vector<std::size_t> kRows{0, 1, 1, 2, 2, 3, 4, 5, 6, 8, 15, 30};
    data::ResultSet result;
    result.row_count = dice.one_of(kRows);
    result.truncated = result.row_count > 8 && dice.below(4) == 0;
    const std::size_t kind = dice.below(5);
    if (kind <= 2) {
        data::ResultColumn names(kind == 0 ? "player" : "name", data::ValueKind::text, "VARCHAR");
        std::set<std::string> taken;
        while (taken.size() < result.row_count) {
            const std::string name = made_name(dice);
            if (taken.insert(name).second) names.add_text(name);
        }
        result.columns.push_back(std::move(names));
    } else if (kind == 3) {
        const bool are_dates = dice.below(2) == 0;
        data::ResultColumn times(are_dates ? "day" : "year",
                                 are_dates ? data::ValueKind::date : data::ValueKind::integer, "X");
        for (std::size_t row = 0; row < result.row_count; ++row) {
            if (are_dates) times.add_text(fmt::format("2023-{:02}-{:02}", 1 + row / 20, 1 + row % 20));
            if (!are_dates) times.add_integer(1990 + static_cast<std::int64_t>(row));
        }
        result.columns.push_back(std::move(times));
    }
    const std::size_t measures = result.columns.empty() ? 1 + dice.below(3) : dice.below(4);
    for (std::size_t at = 0; at < measures; ++at)
        add_measure(dice, result.row_count, at == 0 && dice.below(2) == 0, result);
    if (result.columns.empty()) result.row_count = 0;
    return result;
}

std::string made_question(Dice& dice) {
    static const std::vector<std::string> kQuestions{"Who scored how much?", "How many players are there?",
                                                     "Are there any?",       "Show me everything",
                                                     "Compare them",         "What is the total of it?"};
    return dice.one_of(kQuestions);
}

bool is_number(const Claim& claim) {
    return std::ranges::any_of(claim.text, [](char c) { return c >= '0' && c <= '9'; }) &&
           claim.text.find(':') == std::string::npos;
}

/// Another digit at its last (a small lie) or first place (a large one).
std::string falsified(const std::string& number, bool is_large) {
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    std::string out = number;
    std::size_t at = is_large ? static_cast<std::size_t>(std::ranges::find_if(out, is_digit) - out.begin())
                              : out.find_last_of("0123456789");
    out[at] =
        is_large ? static_cast<char>('1' + (out[at] - '0') % 9) : static_cast<char>(out[at] == '9' ? '8' : out[at] + 1);
    return out;
}

struct Tally {
    std::size_t numbers = 0;
    std::size_t caught = 0;
};

/// Where the changed text is still the cell rounded, or means the same (07 and 7), nothing was falsified.
bool is_still_true(const std::string& text, const Claim& claim, const data::ResultSet& result) {
    if (claim.cells.empty() || claim.origin != Origin::cell) return false;
    const CellPlace& cell = claim.cells.front();
    const auto value = result.columns[cell.column].number(cell.row);
    if (!value) return false;
    std::string digits = text;
    std::erase_if(digits, [](char c) { return (c < '0' || c > '9') && c != '.' && c != '-'; });
    const std::size_t point = digits.find('.');
    const double ulp = point == std::string::npos ? 1 : std::pow(10.0, -static_cast<double>(digits.size() - point - 1));
    return std::abs(std::abs(std::stod(digits)) - std::abs(*value)) <= 0.5 * ulp + 1e-6;
}

void falsify(const std::string& answer, const data::ResultSet& result, const EvidenceIndex& index, bool is_large,
             Dice& dice, Tally& tally, std::vector<std::string>& missed) {
    constexpr std::size_t kSample = 10;
    const Grounding truth = check_grounding(answer, index);
    std::vector<const Claim*> numbers;
    for (const Claim& claim : truth.claims) {
        if (is_number(claim)) numbers.push_back(&claim);
    }
    while (numbers.size() > kSample)
        numbers.erase(numbers.begin() + static_cast<std::ptrdiff_t>(dice.below(numbers.size())));
    for (const Claim* claim : numbers) {
        const std::string wrong = falsified(claim->text, is_large);
        if (is_still_true(wrong, *claim, result)) continue;
        const std::string text = answer.substr(0, claim->begin) + wrong + answer.substr(claim->end);
        ++tally.numbers;
        if (!check_grounding(text, index).untraced().empty()) {
            ++tally.caught;
        } else if (missed.size() < 40) {
            missed.push_back(fmt::format("{} -> {} in {}", claim->text, wrong, text.substr(0, 200)));
        }
    }
}

TEST(Falsified, NumbersOfTrueAnswersAreCaught) {
    Dice dice(20);
    Tally small;
    Tally large;
    std::vector<std::string> missed;
    for (int round = 0; round < 120; ++round) {
        const data::ResultSet result = made_result(dice);
        const std::string question = made_question(dice);
        const std::string answer = write_answer({.question = question, .result = &result});
        const EvidenceIndex index({.results = {&result}, .passages = {}, .question = question});
        ASSERT_THAT(check_grounding(answer, index).untraced(), IsEmpty()) << answer;
        falsify(answer, result, index, false, dice, small, missed);
        falsify(answer, result, index, true, dice, large, missed);
    }
    const auto rate = [](const Tally& tally) {
        return static_cast<double>(tally.caught) / static_cast<double>(tally.numbers);
    };
    std::cout << fmt::format("caught: {:.2f} % of {} small and {:.2f} % of {} large changes\n", 100 * rate(small),
                             small.numbers, 100 * rate(large), large.numbers);
    std::string misses;
    for (const std::string& one : missed) misses += one + "\n";
    EXPECT_GE(rate(small), 0.995) << misses;
    EXPECT_GE(rate(large), 0.995) << misses;
}

/// Forms over the league with results that fit them.
TEST(Falsified, AnswersOfFormsAreTracedToTheLastClaim) {
    static const std::vector<std::string> kForms{
        "SELECT count(*) FROM player WHERE height_cm > 200",
        "SELECT avg(points) FROM box_score WHERE minutes > 30",
        "SELECT name, salary_usd FROM player ORDER BY salary_usd DESC LIMIT 1",
        "SELECT name, salary_usd FROM player ORDER BY salary_usd DESC LIMIT 5",
        "SELECT team.name, count(*) FROM team JOIN player ON team.id = player.team_id GROUP BY team.id ORDER BY "
        "count(*) DESC",
        "SELECT conference, count(*) FROM team GROUP BY conference HAVING count(*) > 3",
        "SELECT season, avg(home_points) FROM game GROUP BY season",
        "SELECT max(home_points) - min(home_points) FROM game WHERE season = '2022-23'",
        "SELECT name FROM player WHERE id NOT IN (SELECT player_id FROM box_score WHERE points > 40)"};
    static const Schema kLeague = league();
    Dice dice(7);
    for (int round = 0; round < 150; ++round) {
        const std::string& sql = dice.one_of(kForms);
        const Query form = read_sql(sql, kLeague).value();
        const data::ResultSet result = made_result(dice);
        const std::string question = made_question(dice);
        const auto words = split_words(question);
        const Spoken spoken{question, words, nullptr};
        const std::string answer = write_answer({question, &form, &kLeague, &spoken, &result});
        EXPECT_THAT(check_grounding(answer, {{&result}, {}, question}).untraced(), IsEmpty()) << sql << "\n" << answer;
    }
}

}  // namespace

}  // namespace quaestor::native
