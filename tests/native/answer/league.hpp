// A small league as schema, results written as text, and the cases of cases/: what a form says and how its result is
// told. Threads: plain functions.
#pragma once

#include "data/result_set.hpp"
#include "native/answer/answer_writer.hpp"
#include "native/answer/grounding.hpp"
#include "native/reading/wording.hpp"

#include <fmt/format.h>

#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace quaestor::native {

inline Schema league() {
    using enum ColumnKind;
    std::vector<SchemaTable> tables{
        {"", "team", "team"}, {"", "player", "player"}, {"", "game", "game"}, {"", "box_score", "box score"}};
    std::vector<SchemaColumn> columns{{.name = "*", .words = "*"}};
    const auto add = [&columns](TableId table, std::string name, std::string words, ColumnKind kind,
                                bool is_key = false, bool is_date = false) {
        columns.push_back({table, std::move(name), std::move(words), kind, is_key, is_date});
    };
    add(0, "id", "id", number, true);
    add(0, "name", "name", text);
    add(0, "city", "city", text);
    add(0, "conference", "conference", text);
    add(1, "id", "id", number, true);
    add(1, "name", "name", text);
    add(1, "team_id", "team id", number);
    add(1, "height_cm", "height cm", number);
    add(1, "salary_usd", "salary usd", number);
    add(1, "born", "born", time, false, true);
    add(1, "is_active", "is active", boolean);
    add(2, "id", "id", number, true);
    add(2, "played_on", "played on", time, false, true);
    add(2, "season", "season", text);
    add(2, "home_team_id", "home team id", number);
    add(2, "away_team_id", "away team id", number);
    add(2, "home_points", "home points", number);
    add(2, "away_points", "away points", number);
    add(3, "id", "id", number, true);
    add(3, "player_id", "player id", number);
    add(3, "game_id", "game id", number);
    add(3, "points", "points", number);
    add(3, "minutes", "minutes", number);
    add(3, "fg_pct", "field goal percentage", number);
    return {std::move(tables), std::move(columns), {{7, 1}, {15, 1}, {16, 1}, {20, 5}, {21, 12}}};
}

inline std::string trimmed_field(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return std::string(text.substr(begin, text.find_last_not_of(" \t") + 1 - begin));
}

/// "| a | b |" → {"a", "b"}
inline std::vector<std::string> fields_of(std::string_view line) {
    std::vector<std::string> fields;
    std::size_t begin = line.find('|');
    while (begin != std::string_view::npos) {
        const std::size_t end = line.find('|', begin + 1);
        if (end == std::string_view::npos) break;
        fields.push_back(trimmed_field(line.substr(begin + 1, end - begin - 1)));
        begin = end;
    }
    return fields;
}

/// "name:kind"; a cell NULL is none.
inline void add_columns(std::string_view line, data::ResultSet& result) {
    for (const std::string& field : fields_of(line)) {
        const std::size_t colon = field.rfind(':');
        const std::string kind = colon == std::string::npos ? "text" : field.substr(colon + 1);
        data::ValueKind value{};
        if (!boost::describe::enum_from_string(kind.c_str(), value))
            throw std::runtime_error("no kind of value: " + kind);
        result.columns.emplace_back(field.substr(0, colon), value, kind);
    }
}

inline void add_row(std::string_view line, data::ResultSet& result) {
    const auto fields = fields_of(line);
    for (std::size_t at = 0; at < result.columns.size(); ++at) {
        data::ResultColumn& column = result.columns[at];
        const std::string& field = fields.at(at);
        if (field == "NULL") {
            column.add_null();
        } else if (column.kind() == data::ValueKind::integer) {
            column.add_integer(std::stoll(field));
        } else if (column.kind() == data::ValueKind::boolean) {
            column.add_integer(field == "true" ? 1 : 0);
        } else if (column.kind() == data::ValueKind::number) {
            column.add_number(std::stod(field));
        } else {
            column.add_text(field);
        }
    }
    ++result.row_count;
}

struct AnswerCase {
    std::string name;
    std::string question;
    std::string sql;
    data::ResultSet result;
    std::string words;
    std::string line;
    std::string answer;
};

inline void PrintTo(const AnswerCase& one, std::ostream* out) {
    *out << one.name;
}

/// `--- name`, then fields: Q, SQL, a table of the result, `truncated`, `words:`, `line:`, and behind `answer:` the
/// answer up to the next case.
inline std::vector<AnswerCase> read_answer_cases(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("no file " + path);
    std::vector<AnswerCase> cases;
    bool is_answer = false;
    for (std::string line; std::getline(file, line);) {
        const auto field = [&line](std::string_view key) {
            return trimmed_field(std::string_view(line).substr(key.size()));
        };
        if (line.starts_with("--- ")) {
            cases.push_back({.name = line.substr(4)});
            is_answer = false;
        } else if (cases.empty()) {
            continue;
        } else if (is_answer) {
            cases.back().answer += line + "\n";
        } else if (line.starts_with("Q:")) {
            cases.back().question = field("Q:");
        } else if (line.starts_with("SQL:")) {
            cases.back().sql = field("SQL:");
        } else if (line.starts_with("words:")) {
            cases.back().words = field("words:");
        } else if (line.starts_with("line:")) {
            cases.back().line = field("line:");
        } else if (line.starts_with("answer:")) {
            cases.back().answer = field("answer:") + "\n";
            is_answer = true;
        } else if (line == "truncated") {
            cases.back().result.truncated = true;
        } else if (line.starts_with("|")) {
            data::ResultSet& result = cases.back().result;
            result.columns.empty() ? add_columns(line, result) : add_row(line, result);
        } else if (!line.empty()) {
            throw std::runtime_error(path + ": what is this? " + line);
        }
    }
    for (AnswerCase& one : cases) {
        while (one.answer.ends_with('\n')) one.answer.pop_back();
    }
    return cases;
}

}  // namespace quaestor::native
