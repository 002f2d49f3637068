#include "native/questions/question_bank.hpp"

#include "base/text.hpp"
#include "data/duckdb/handle.hpp"
#include "native/reading/choosing.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

namespace quaestor::native {

namespace fs = std::filesystem;

namespace {

std::string text_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// One block of a file: its tags, its questions, its answers.
class QuestionsReader {
public:
    explicit QuestionsReader(std::string where) : where_(std::move(where)) {}

    Result<BankDatabase> read(std::string_view text) {
        for (const std::string& line : text::lines(text)) {
            ++line_;
            if (auto taken = take(text::trim(line)); !taken) return fail(taken.error());
        }
        if (auto closed = close_block(); !closed) return fail(closed.error());
        if (!has_part_) return wrong("does not say its part");
        return std::move(out_);
    }

private:
    [[nodiscard]] std::unexpected<Error> wrong(std::string_view what) const {
        return fail(Code::invalid_argument, fmt::format("{}:{}: {}", where_, line_, what));
    }

    Result<> take(std::string_view line) {
        if (line.empty() || line.front() == '#') return {};
        if (line.starts_with("part: ")) return take_part(line.substr(6));
        if (line.front() == '[' && line.back() == ']') return open_block(line.substr(1, line.size() - 2));
        if (!in_block_) return wrong("a question comes after its [tags]");
        if (line.starts_with("? ")) {
            if (!block_.answers.empty()) return wrong("questions come before their answers");
            said_.emplace_back(text::trim(line.substr(2)));
            return {};
        }
        if (line.starts_with("= ")) {
            if (said_.empty()) return wrong("an answer without a question");
            for (std::string& sql : expand_choices(line.substr(2))) block_.answers.push_back(std::move(sql));
            return {};
        }
        return wrong("neither [tags], nor a question (?), nor an answer (=)");
    }

    Result<> take_part(std::string_view part) {
        has_part_ = true;
        out_.is_held_out = part == "held out";
        if (!out_.is_held_out && part != "development") return wrong("a part is \"development\" or \"held out\"");
        return {};
    }

    Result<> open_block(std::string_view tags) {
        if (auto closed = close_block(); !closed) return closed;
        const auto words = text::words(tags);
        if (words.size() < 2) return wrong("tags are a construct and a hardness");
        block_ = {.text = {}, .construct = words[0], .detail = words[1], .answers = {}};
        block_.may_be_empty = std::ranges::find(words, "empty") != words.end();
        in_block_ = true;
        return {};
    }

    Result<> close_block() {
        if (!in_block_) return {};
        if (said_.empty()) return wrong("tags without a question above this line");
        if ((block_.construct == "unanswerable") == block_.is_answerable()) {
            return wrong("only what is unanswerable has no answer (above this line)");
        }
        for (std::string& question : said_) {
            out_.questions.push_back(block_);
            out_.questions.back().text = std::move(question);
        }
        said_.clear();
        in_block_ = false;
        return {};
    }

    std::string where_;
    std::size_t line_ = 0;
    bool has_part_ = false;
    bool in_block_ = false;
    BankQuestion block_;
    std::vector<std::string> said_;
    BankDatabase out_;
};

/// -1 falls, 1 rises, 0 neither: the way that the values of a column go.
int direction_of(const data::ResultColumn& column, std::size_t rows) {
    int way = 0;
    for (std::size_t row = 1; row < rows; ++row) {
        int step = 0;
        const auto before = column.number(row - 1);
        const auto here = column.number(row);
        if (before && here) {
            step = *before < *here ? 1 : *before > *here ? -1 : 0;
        } else {
            const int compared = column.text(row - 1).compare(column.text(row));
            step = compared < 0 ? 1 : compared > 0 ? -1 : 0;
        }
        if (step == 0) continue;
        if (way != 0 && step != way) return 0;
        way = step;
    }
    return way;
}

bool has_column_going(const data::ResultSet& result, int way) {
    return std::ranges::any_of(result.columns,
                               [&](const auto& column) { return direction_of(column, result.row_count) == way; });
}

std::vector<std::string> rows_in_order(const data::ResultSet& result) {
    std::vector<std::string> rows(result.row_count);
    for (std::size_t row = 0; row < result.row_count; ++row) {
        std::vector<std::string> cells;
        for (const auto& column : result.columns) cells.push_back(column.text(row));
        std::ranges::sort(cells);
        for (const std::string& cell : cells) rows[row] += cell + '\x1F';
    }
    return rows;
}

Result<> make_sqlite(const fs::path& file, const std::string& script) {
    sqlite3* handle = nullptr;
    const int opened = sqlite3_open(file.c_str(), &handle);
    const std::string whole = "PRAGMA synchronous = OFF; BEGIN;" + script + "COMMIT;";
    const bool is_made =
        opened == SQLITE_OK && sqlite3_exec(handle, whole.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
    const std::string problem = is_made ? "" : sqlite3_errmsg(handle);
    sqlite3_close(handle);
    if (!is_made) return fail(Code::invalid_argument, fmt::format("cannot make {}: {}", file.string(), problem));
    return {};
}

Result<> make_duckdb_file(const fs::path& file, const std::string& script) {
    const auto database = data::duck::Database::open(file.string(), {{"threads", "1"}});
    if (!database) return fail(database.error());
    const auto connection = database->connect();
    if (!connection) return fail(connection.error());
    if (const auto made = connection->query(script); !made) return fail(made.error());
    return {};
}

}  // namespace

std::vector<std::string> expand_choices(std::string_view sql) {
    const std::size_t open = sql.find('{');
    const std::size_t close = sql.find('}', open);
    if (open == std::string_view::npos || close == std::string_view::npos) return {std::string(sql)};
    std::vector<std::string> out;
    std::string_view choices = sql.substr(open + 1, close - open - 1);
    while (true) {
        const std::size_t bar = choices.find('|');
        const std::string before = std::string(sql.substr(0, open)) + std::string(choices.substr(0, bar));
        for (const std::string& rest : expand_choices(sql.substr(close + 1))) out.push_back(before + rest);
        if (bar == std::string_view::npos) return out;
        choices.remove_prefix(bar + 1);
    }
}

Result<BankDatabase> read_questions(std::string_view text, const std::string& where) {
    return QuestionsReader(where).read(text);
}

Result<std::vector<BankDatabase>> read_bank(const fs::path& folder) {
    std::map<std::string, fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".questions") files[entry.path().stem().string()] = entry.path();
    }
    std::vector<BankDatabase> bank;
    for (const auto& [name, path] : files) {
        auto database = read_questions(text_of(path), path.filename().string());
        if (!database) return fail(database.error());
        database->name = name;
        database->script = text_of(folder / (name + ".sql"));
        database->is_duckdb = database->script.contains("-- engine: duckdb");
        if (!database->is_duckdb && !database->script.contains("-- engine: sqlite")) {
            return fail(Code::invalid_argument, fmt::format("{}.sql does not say its engine", name));
        }
        bank.push_back(std::move(*database));
    }
    return bank;
}

Result<std::string> make_database(const BankDatabase& database, const fs::path& folder) {
    const fs::path file = folder / (database.name + (database.is_duckdb ? ".duckdb" : ".sqlite"));
    const auto made = database.is_duckdb ? make_duckdb_file(file, database.script) : make_sqlite(file, database.script);
    if (!made) return fail(made.error());
    return file.string();
}

bool orders_rows(std::string_view sql) {
    const std::size_t order = sql.rfind("ORDER BY");
    // One within brackets belongs to a window or a sub-query.
    return order != std::string_view::npos && sql.find(')', order) == std::string_view::npos;
}

bool is_right(const data::ResultSet& result, const data::ResultSet& answer, bool is_ordered) {
    if (!same_rows(result, answer)) return false;
    if (!is_ordered || answer.row_count < 2) return true;
    for (const int way : {-1, 1}) {
        if (has_column_going(answer, way)) return has_column_going(result, way);
    }
    return rows_in_order(result) == rows_in_order(answer);
}

}  // namespace quaestor::native
