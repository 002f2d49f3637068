// What the reference implementation in training/ makes of forms over eight databases: forms.jsonl. Its first line are
// the sets of tokens that may come next; then come databases, each followed by its questions; then random ways through
// the automaton over the first database.
// Threads: read once, then immutable.
#pragma once

#include "base/json.hpp"
#include "native/form_tokens.hpp"
#include "native/sql_writer.hpp"
#include "native/value_index.hpp"
#include "native/words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace quaestor::native {

struct GoldenDatabase {
    std::string name;
    Schema schema;
    ValueIndex values;
    json::array rows;  ///< of each table
};

struct GoldenForm {
    std::shared_ptr<const GoldenDatabase> database;
    std::string question;
    std::vector<FormToken> tokens;
    std::vector<std::size_t> allowed;  ///< the set before each token
    json::array plan;
    std::string sql;  ///< SQLite

    [[nodiscard]] Query form() const { return form_of(tokens).value(); }
    [[nodiscard]] Result<WrittenSql> write(data::Dialect dialect) const {
        const std::vector<WordSpan> words = split_words(question);
        return write_sql(form(), database->schema, dialect, {question, words, &database->values});
    }
};

struct GoldenWalk {
    std::vector<FormToken> tokens;
    std::vector<std::size_t> allowed;
    std::vector<FormToken> again;  ///< of the tree; empty for a way that was given up
};

struct Golden {
    std::vector<std::vector<std::string>> allowed_sets;
    std::vector<std::shared_ptr<const GoldenDatabase>> databases;
    std::vector<GoldenForm> forms;
    std::vector<GoldenWalk> walks;
};

inline std::string text_of(const json::value& value) {
    return std::string(value.as_string());
}

inline FormToken token_of(const std::string& text) {
    if (const int id = keyword_id(text); id >= 0) return {FormToken::Kind::keyword, id};
    const auto kind = text.front() == 'c'   ? FormToken::Kind::column
                      : text.front() == 't' ? FormToken::Kind::table
                                            : FormToken::Kind::word;
    return {kind, std::stoi(text.substr(1))};
}

inline std::vector<FormToken> tokens_from(const json::value& list) {
    std::vector<FormToken> tokens;
    for (const auto& token : list.as_array()) tokens.push_back(token_of(text_of(token)));
    return tokens;
}

/// "SELECT c5 WHERE c2 = w3 w3 END"
inline std::string line_of(const std::vector<FormToken>& tokens) {
    std::vector<std::string> parts;
    for (const auto& [kind, value] : tokens) {
        constexpr std::string_view kMarks = "kctw";
        parts.push_back(kind == FormToken::Kind::keyword
                            ? std::string(form_keywords()[static_cast<std::size_t>(value)])
                            : fmt::format("{}{}", kMarks[static_cast<std::size_t>(kind)], value));
    }
    return fmt::format("{}", fmt::join(parts, " "));
}

inline Schema schema_from(const json::object& line) {
    std::vector<SchemaTable> tables;
    for (const auto& name : line.at("tables").as_array()) {
        tables.push_back({"", text_of(name), name_words(text_of(name))});
    }
    std::vector<SchemaColumn> columns;
    for (const auto& entry : line.at("columns").as_array()) {
        const auto& fields = entry.as_array();
        const std::string type = text_of(fields[2]);
        columns.push_back({.table = static_cast<TableId>(fields[0].as_int64()),
                           .name = text_of(fields[1]),
                           .words = name_words(text_of(fields[1])),
                           .kind = type == "number"    ? ColumnKind::number
                                   : type == "time"    ? ColumnKind::time
                                   : type == "boolean" ? ColumnKind::boolean
                                   : type == "text"    ? ColumnKind::text
                                                       : ColumnKind::other,
                           .is_primary = fields[3].as_bool(),
                           .is_iso_date = fields[4].as_bool()});
    }
    std::vector<ForeignKey> keys;
    for (const auto& key : line.at("keys").as_array()) {
        keys.push_back(
            {static_cast<ColumnId>(key.as_array()[0].as_int64()), static_cast<ColumnId>(key.as_array()[1].as_int64())});
    }
    return {std::move(tables), std::move(columns), std::move(keys)};
}

inline std::shared_ptr<const GoldenDatabase> database_from(const json::object& line) {
    ValueIndex values;
    for (const auto& [column, known] : line.at("values").as_object()) {
        for (const auto& value : known.as_array()) values.add(std::stoi(std::string(column)), value.as_string());
    }
    return std::make_shared<const GoldenDatabase>(
        GoldenDatabase{text_of(line.at("schema")), schema_from(line), std::move(values), line.at("rows").as_array()});
}

inline std::vector<std::size_t> numbers_from(const json::value& list) {
    std::vector<std::size_t> numbers;
    for (const auto& number : list.as_array()) numbers.push_back(static_cast<std::size_t>(number.as_int64()));
    return numbers;
}

inline Golden read_golden() {
    std::ifstream file(QUAESTOR_TEST_DIR "/form/forms.jsonl");
    Golden golden;
    for (std::string text; std::getline(file, text);) {
        const json::object line = parse_json(text).value().as_object();
        if (line.contains("allowed_sets")) {
            for (const auto& set : line.at("allowed_sets").as_array()) {
                auto& names = golden.allowed_sets.emplace_back();
                for (const auto& name : set.as_array()) names.push_back(text_of(name));
            }
        } else if (line.contains("schema")) {
            golden.databases.push_back(database_from(line));
        } else if (line.contains("walk")) {
            const json::value& again = line.at("again");
            golden.walks.push_back({tokens_from(line.at("walk")), numbers_from(line.at("allowed")),
                                    again.is_null() ? std::vector<FormToken>{} : tokens_from(again)});
        } else {
            golden.forms.push_back({golden.databases.back(), text_of(line.at("question")),
                                    tokens_from(line.at("tokens")), numbers_from(line.at("allowed")),
                                    line.at("plan").as_array(), text_of(line.at("sql"))});
        }
    }
    return golden;
}

inline const Golden& golden() {
    static const Golden instance = read_golden();
    return instance;
}

}  // namespace quaestor::native
