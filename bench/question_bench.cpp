// How many questions the native engine answers, and how many of those rightly: over our own questions, and over any
// folder of databases with questions and answers.
// usage: question_bench [--choice FILE] [--keep FILE] [--out FILE] [--show FILE]
//                       [--only development|held_out] FOLDER...
//   FOLDER         tests/native/questions; or a folder with db/ and questions.jsonl ({"db", "question", "gold_sql",
//                  "also_right"}), where NAME_1.sqlite is asked and NAME_2.sqlite checks what came out
//        question_bench --names        the features' names, as JSON
//   --choice FILE  instead of models/choice.json; "none" for the parsers' own order
//   --out FILE     the figures as one document
//   --show FILE    what became of each question; for held-out databases it is not told
//   --keep FILE    every reading with its features, for training/choose.py; without the questions' texts
#include "bench_kit.hpp"
#include "native/questions/question_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>

using namespace quaestor;
using namespace quaestor::bench;
using namespace quaestor::native;

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBeam = 8;
constexpr std::size_t kShown = 3;

struct Settings {
    std::string choice;
    std::string keep;
    std::string out;
    std::string show;
    std::string only;
    std::vector<std::string> folders;
};

/// Questions of one database, and where it lies.
struct Asked {
    std::string set;
    BankDatabase database;
    std::string path;
    std::vector<std::string> checks;
};

struct Tally {
    int asked = 0;
    int first_right = 0;
    int best_score_right = 0;
    int some_right = 0;
    int answered = 0;
    int answered_right = 0;
    int asked_back = 0;
    int declined = 0;
};

std::string part_of(const BankDatabase& database) {
    return database.is_held_out ? "held_out" : "development";
}

std::vector<Asked> own_questions(const fs::path& folder, const fs::path& work) {
    std::vector<Asked> out;
    for (BankDatabase& database : checked(read_bank(folder))) {
        const std::string path = checked(make_database(database, work));
        const std::string set = "own " + part_of(database);
        out.push_back({set, std::move(database), path, {}});
    }
    return out;
}

std::vector<Asked> listed_questions(const fs::path& folder, const std::string& file) {
    std::map<std::string, Asked> by_database;
    std::ifstream lines(folder / file);
    for (std::string line; std::getline(lines, line);) {
        const json::object stored = checked(parse_json(line)).as_object();
        const std::string name(stored.at("db").as_string());
        Asked& asked = by_database[name];
        asked.set = stored.contains("set") ? std::string(stored.at("set").as_string()) : folder.filename().string();
        asked.database.name = name;
        asked.path = (folder / "db" / (name + "_1.sqlite")).string();
        asked.checks = {(folder / "db" / (name + "_2.sqlite")).string()};
        const auto* construct = stored.if_contains("construct");
        std::vector<std::string> answers;
        if (const auto* gold = stored.if_contains("gold_sql")) answers.emplace_back(gold->as_string());
        if (const auto* more = stored.if_contains("also_right")) {
            for (const auto& answer : more->as_array()) answers.emplace_back(answer.as_string());
        }
        // Spider writes texts in double quotes, where SQLite wants names.
        if (construct == nullptr) {
            for (std::string& answer : answers) std::ranges::replace(answer, '"', '\'');
        }
        asked.database.questions.push_back(
            {.text = std::string(stored.at("question").as_string()),
             .construct = construct != nullptr ? std::string(construct->as_string()) : "spider",
             .detail = {},
             .answers = std::move(answers)});
    }
    std::vector<Asked> out;
    for (auto& [name, asked] : by_database) out.push_back(std::move(asked));
    return out;
}

json::object as_json(const Asked& asked, const JudgedQuestion& judged) {
    json::array readings;
    for (const JudgedReading& reading : judged.readings) {
        readings.push_back({{"right", reading.is_right},
                            {"group", reading.group},
                            {"score", reading.score},
                            {"parser", reading.parser},
                            {"probability", reading.probability},
                            {"features", json::array(reading.features.begin(), reading.features.end())}});
    }
    return {{"set", asked.set},
            {"db", asked.database.name},
            {"construct", judged.question->construct},
            {"answerable", judged.question->is_answerable()},
            {"readings", std::move(readings)}};
}

void show(std::ostream& out, const Asked& asked, const JudgedQuestion& judged) {
    if (asked.database.is_held_out) return;
    const auto right = std::ranges::find(judged.readings, true, &JudgedReading::is_right);
    const std::string place =
        right == judged.readings.end() ? "-" : std::to_string(right - judged.readings.begin() + 1);
    out << fmt::format("{}\t{}\t{}\tright at {}\t{}\n", asked.database.name, judged.question->construct,
                       to_text(encode(judged.decision)), place, judged.question->text);
    if (right != judged.readings.begin() && !judged.question->answers.empty()) {
        out << "    wanted  " << judged.question->answers.front() << '\n';
    }
    for (std::size_t at = 0; at < std::min<std::size_t>(judged.readings.size(), kShown); ++at) {
        const JudgedReading& reading = judged.readings[at];
        out << fmt::format("    {:.2f} {:6.2f} {} {}\n", reading.probability, reading.score,
                           reading.is_right ? '+' : '-', reading.sql);
    }
}

void count(Tally& tally, const JudgedQuestion& judged) {
    ++tally.asked;
    tally.first_right += judged.is_first_right() ? 1 : 0;
    tally.best_score_right += judged.is_best_score_right() ? 1 : 0;
    tally.some_right += judged.is_some_right(kBeam) ? 1 : 0;
    const bool is_answer = judged.decision == Decision::answer;
    tally.answered += is_answer ? 1 : 0;
    tally.answered_right += is_answer && judged.is_first_right() ? 1 : 0;
    tally.asked_back += judged.decision == Decision::ask ? 1 : 0;
    tally.declined += judged.decision == Decision::decline ? 1 : 0;
}

double percent(int part, int whole) {
    return whole == 0 ? 0 : std::round(1000.0 * part / whole) / 10;
}

json::object as_json(const Tally& tally) {
    return {{"questions", tally.asked},
            {"right", percent(tally.first_right, tally.asked)},
            {"right_by_score", percent(tally.best_score_right, tally.asked)},
            {"right_among_8", percent(tally.some_right, tally.asked)},
            {"answered", percent(tally.answered, tally.asked)},
            {"answered_right", percent(tally.answered_right, tally.answered)},
            {"asked_back", percent(tally.asked_back, tally.asked)},
            {"declined", percent(tally.declined, tally.asked)}};
}

Settings settings_of(int count, char** words) {
    Settings settings;
    for (int at = 1; at < count; ++at) {
        const std::string word = words[at];
        std::string* option = word == "--choice" ? &settings.choice
                              : word == "--keep" ? &settings.keep
                              : word == "--out"  ? &settings.out
                              : word == "--show" ? &settings.show
                              : word == "--only" ? &settings.only
                                                 : nullptr;
        if (option == nullptr) {
            settings.folders.push_back(word);
        } else if (++at < count) {
            *option = words[at];
        }
    }
    if (settings.folders.empty())
        give_up("usage: question_bench [--choice FILE] [--keep FILE] [--only PART] FOLDER...");
    return settings;
}

std::vector<Asked> all_questions(const Settings& settings, const fs::path& work) {
    std::vector<Asked> all;
    for (const fs::path folder : settings.folders) {
        std::vector<Asked> found;
        if (fs::is_regular_file(folder)) {
            found = listed_questions(folder.parent_path(), folder.filename().string());
        } else if (fs::exists(folder / "questions.jsonl")) {
            found = listed_questions(folder, "questions.jsonl");
        } else {
            found = own_questions(folder, work);
        }
        std::ranges::move(found, std::back_inserter(all));
    }
    std::erase_if(all,
                  [&](const Asked& asked) { return !settings.only.empty() && !asked.set.ends_with(settings.only); });
    return all;
}

ChoiceModel choice_of(const std::string& setting) {
    if (setting == "none") return {};
    return checked(setting.empty() ? ChoiceModel::bundled() : ChoiceModel::open(setting));
}

}  // namespace

int main(int count_of_words, char** words) {
    if (count_of_words == 2 && words[1] == std::string("--names")) {
        std::cout << to_text(json::array(feature_names().begin(), feature_names().end())) << '\n';
        return 0;
    }
    const Settings settings = settings_of(count_of_words, words);
    const TemporaryFolder work;
    const ChoiceModel choice = choice_of(settings.choice);
    const auto model = checked(Text2SqlModel::open(checked(text2sql_model_path())));
    std::ofstream kept(settings.keep);
    std::ofstream shown(settings.show);
    std::map<std::string, Tally> tallies;
    std::vector<double> times;
    for (const Asked& asked : all_questions(settings, work.path)) {
        QuestionRun run = checked(QuestionRun::open(asked.path, model, choice, asked.checks));
        for (const BankQuestion& question : asked.database.questions) {
            const auto asking = run.ask(question);
            if (!asking) {
                std::cerr << "left out: " << asking.error().describe() << '\n';
                continue;
            }
            const JudgedQuestion& judged = *asking;
            times.push_back(judged.milliseconds);
            if (!settings.keep.empty()) kept << to_text(as_json(asked, judged)) << '\n';
            if (!settings.show.empty()) show(shown, asked, judged);
            const std::string kind = question.is_answerable() ? "" : "/unanswerable";
            count(tallies[asked.set + kind], judged);
            if (question.is_answerable()) count(tallies[asked.set + "/" + question.construct], judged);
        }
        std::cerr << asked.database.name << '\n';
    }
    json::object figures;
    for (const auto& [name, tally] : tallies) figures[name] = as_json(tally);
    for (const auto& [name, figure] : figures) std::cout << fmt::format("{:42} {}\n", name, to_text(figure));
    const double typical = median(times);
    std::cout << fmt::format("median of {} questions: {:.0f} ms\n", times.size(), typical);
    if (settings.out.empty()) return 0;
    std::ofstream(settings.out) << to_pretty_text(json::object{{"figures", figures}, {"median_ms", typical}}) << '\n';
}
