#include "case_runner.hpp"

#include "base/json.hpp"
#include "base/text.hpp"
#include "data/duckdb/handle.hpp"
#include "data/shop.hpp"
#include "pattern.hpp"
#include "program.hpp"
#include "temporary_folder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sqlite3.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <memory>
#include <set>
#include <stdexcept>

namespace quaestor::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOutputMark = "|";
constexpr std::string_view kErrorsMark = "!";
constexpr std::string_view kJsonMark = "@";
constexpr std::string_view kExitMark = "=";

std::string read_text(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// "word rest of the line"
std::pair<std::string, std::string> split_first(std::string_view line) {
    const auto end = std::min(line.find(' '), line.size());
    return {std::string(line.substr(0, end)), std::string(text::trim(line.substr(end)))};
}

/// The lines of a block that begin with `mark`, without it.
std::vector<std::string> lines_of(const std::vector<std::string>& block, std::string_view mark) {
    std::vector<std::string> lines;
    for (const auto& line : block) {
        if (line.starts_with(mark)) lines.push_back(line.substr(std::min(mark.size() + 1, line.size())));
    }
    return lines;
}

/// An instruction, with the lines that belong to it.
struct Step {
    std::string verb;
    std::string rest;
    std::size_t line = 0;  ///< in the file, from 0
    std::vector<std::string> block;
};

std::vector<Step> parse_steps(const std::vector<std::string>& lines) {
    const std::set<std::string_view> marks{kOutputMark, kErrorsMark, kJsonMark, kExitMark};
    std::vector<Step> steps;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string& line = lines[i];
        if (line.empty() || line.starts_with('#')) continue;
        const bool belongs = line.starts_with("  ") || marks.contains(std::string_view(line).substr(0, 1));
        if (belongs && steps.empty()) throw std::runtime_error(fmt::format("line {} belongs to nothing", i + 1));
        if (belongs) {
            steps.back().block.push_back(line);
        } else {
            auto [verb, rest] = split_first(line);
            steps.push_back({std::move(verb), std::move(rest), i, {}});
        }
    }
    return steps;
}

void run_sql(const fs::path& file, const std::string& sql) {
    sqlite3* handle = nullptr;
    const int opened = sqlite3_open(file.c_str(), &handle);
    const std::unique_ptr<sqlite3, int (*)(sqlite3*)> database(handle, sqlite3_close);
    if (opened != SQLITE_OK || sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) {
        throw std::runtime_error(fmt::format("{}: {}", sql, sqlite3_errmsg(handle)));
    }
}

void run_duckdb(const data::duck::Database& database, const std::string& sql) {
    const auto connection = database.connect();
    if (!connection) throw std::runtime_error(connection.error().describe());
    if (auto done = connection->query(sql); !done) throw std::runtime_error(sql + ": " + done.error().describe());
}

data::duck::Database open_duckdb(const fs::path& file) {
    auto database = data::duck::Database::open(file.string(), {{"threads", "1"}});
    if (!database) throw std::runtime_error(database.error().describe());
    return std::move(*database);
}

int signal_number(std::string_view name) {
    const std::map<std::string_view, int> numbers{{"INT", SIGINT}, {"TERM", SIGTERM}, {"KILL", SIGKILL}};
    const auto found = numbers.find(name);
    if (found == numbers.end()) throw std::runtime_error(fmt::format("there is no signal {}", name));
    return found->second;
}

class Player {
public:
    explicit Player(const fs::path& file) : lines_(text::lines(read_text(file))) {
        names_["folder"] = folder_.path().string();
    }

    /// Plays every step; what went differently is in difference(), and put right in lines().
    void play() {
        for (const auto& step : parse_steps(lines_)) play(step);
        check_secrets();
    }
    [[nodiscard]] const std::string& difference() const { return difference_; }
    [[nodiscard]] std::string corrected() const {
        std::string text;
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            if (!replaced_.contains(i)) text += lines_[i] + "\n";
            if (const auto block = actual_.find(i); block != actual_.end()) text += block->second;
        }
        return text;
    }

private:
    void play(const Step& step) {
        const std::string rest = fill_in(step.rest, names_);
        if (step.verb == ">") {
            run(step, rest);
        } else if (step.verb == "file") {
            write_file(rest, step.block);
        } else if (step.verb == "folder") {
            fs::create_directories(folder_.path() / rest);
        } else if (step.verb == "env") {
            const auto equals = std::min(rest.find('='), rest.size());
            call_.environment[rest.substr(0, equals)] = rest.substr(std::min(equals + 1, rest.size()));
        } else if (step.verb == "sql") {
            const auto [file, statement] = split_first(rest);
            run_sql(folder_.path() / file, statement);
        } else if (step.verb == "duckdb") {
            const auto [file, statement] = split_first(rest);
            run_duckdb(open_duckdb(folder_.path() / file), statement);
        } else if (step.verb == "shop") {
            run_duckdb(open_duckdb(folder_.path() / rest), data::kShopSql);
        } else if (step.verb == "hold") {
            held_.push_back(open_duckdb(folder_.path() / rest));
        } else if (step.verb == "input") {
            call_.input_file = (folder_.path() / rest).string();
        } else if (step.verb == "signal") {
            const auto [name, text] = split_first(rest);
            call_.signal = signal_number(name);
            call_.signal_at = text;
        } else if (step.verb == "never") {
            never_.push_back(rest);
        } else {
            throw std::runtime_error(fmt::format("line {}: \"{}\" is no instruction", step.line + 1, step.verb));
        }
    }

    void write_file(const std::string& name, const std::vector<std::string>& block) {
        const auto path = folder_.path() / name;
        fs::create_directories(path.parent_path());
        std::ofstream file(path, std::ios::binary);
        for (const auto& line : block) file << fill_in(line.substr(2), names_) << '\n';
        written_.insert(path);
    }

    void run(const Step& step, const std::string& command) {
        auto words = split_words(command);
        if (words.empty() || words.front() != "quaestor") {
            throw std::runtime_error(fmt::format("line {}: a command begins with quaestor", step.line + 1));
        }
        words.erase(words.begin());
        call_.arguments = std::move(words);
        call_.folder = folder_.path();
        auto end = run_program(call_);
        call_.signal = 0;
        call_.input_file.clear();
        if (!end) throw std::runtime_error(end.error().describe());
        printed_ += end->output + end->errors;
        compare(step, with_folder_hidden(*end));
    }

    [[nodiscard]] ProgramEnd with_folder_hidden(ProgramEnd end) const {
        for (std::string* text : {&end.output, &end.errors}) {
            const std::string path = folder_.path().string();
            for (auto at = text->find(path); at != std::string::npos; at = text->find(path, at)) {
                text->replace(at, path.size(), "<folder>");
            }
        }
        return end;
    }

    void compare(const Step& step, const ProgramEnd& end) {
        const auto exit_lines = lines_of(step.block, kExitMark);
        const std::string exit_expected = exit_lines.empty() ? "0" : exit_lines.front();
        const auto json_expected = lines_of(step.block, kJsonMark);
        const std::string json_problem = json_expected.empty() ? "" : compare_json(json_expected, end.output);
        const bool is_as_written =
            json_problem.empty() && exit_expected == std::to_string(end.exit_code) &&
            (!json_expected.empty() || matches(lines_of(step.block, kOutputMark), text::lines(end.output), names_)) &&
            matches(lines_of(step.block, kErrorsMark), text::lines(end.errors), names_);
        if (is_as_written) return;
        const std::string actual = describe(end);
        difference_ += fmt::format("line {}: > {}\nexpected:\n{}\n{}was:\n{}\n", step.line + 1, step.rest,
                                   fmt::join(step.block, "\n"), json_problem, actual);
        if (!json_expected.empty()) return;
        actual_[step.line] = actual;
        for (std::size_t i = 1; i <= step.block.size(); ++i) replaced_.insert(step.line + i);
    }

    /// What is wrong with the one JSON document that a command is to print.
    std::string compare_json(const std::vector<std::string>& expected, const std::string& output) {
        if (std::ranges::count(output, '\n') != 1 || !output.ends_with('\n')) return "the output is not one line\n";
        const auto document = parse_json(output);
        if (!document) return fmt::format("the output is no JSON: {}\n", document.error().describe());
        std::string problems;
        for (const auto& line : expected) {
            const auto [pointer, pattern] = split_first(line);
            json::error_code error;
            const json::value* found = document->find_pointer(pointer == "/" ? "" : pointer, error);
            const std::string value = found ? to_text(*found) : "absent";
            if (!matches(pattern, value, names_)) problems += fmt::format("{} is {}\n", pointer, value);
        }
        return problems;
    }

    static std::string describe(const ProgramEnd& end) {
        std::string text;
        const auto add = [&text](std::string_view mark, const std::string& output) {
            for (const auto& line : text::lines(output)) {
                text += line.empty() ? fmt::format("{}\n", mark) : fmt::format("{} {}\n", mark, generalise(line));
            }
        };
        add(kOutputMark, end.output);
        add(kErrorsMark, end.errors);
        if (end.exit_code != 0) text += fmt::format("{} {}\n", kExitMark, end.exit_code);
        return text;
    }

    /// What must never be seen is neither printed nor in a file that the program wrote.
    void check_secrets() {
        for (const auto& secret : never_) {
            if (printed_.contains(secret)) difference_ += fmt::format("\"{}\" was printed\n", secret);
            for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
                if (!entry.is_regular_file() || written_.contains(entry.path())) continue;
                if (read_text(entry.path()).contains(secret)) {
                    difference_ += fmt::format("\"{}\" is in {}\n", secret, entry.path().filename().string());
                }
            }
        }
    }

    store::TemporaryFolder folder_;
    std::vector<data::duck::Database> held_;  ///< open for writing until the case ends
    std::vector<std::string> lines_;
    ProgramCall call_;  ///< environment and signal, as set by the steps before a command
    Names names_;
    std::vector<std::string> never_;
    std::set<fs::path> written_;
    std::string printed_;
    std::string difference_;
    std::map<std::size_t, std::string> actual_;  ///< by line of the command
    std::set<std::size_t> replaced_;
};

}  // namespace

std::vector<fs::path> find_cases(const fs::path& folder) {
    std::vector<fs::path> cases;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".case") cases.push_back(entry.path());
    }
    std::ranges::sort(cases);
    return cases;
}

std::string play_case(const fs::path& file) {
    try {
        Player player(file);
        player.play();
        return player.difference();
    } catch (const std::exception& mistake) {
        return mistake.what();
    }
}

void rewrite_case(const fs::path& file) {
    Player player(file);
    player.play();
    if (!player.difference().empty()) std::ofstream(file, std::ios::binary) << player.corrected();
}

}  // namespace quaestor::cli
