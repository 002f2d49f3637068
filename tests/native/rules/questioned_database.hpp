// A database that questions are asked about: made in two engines from a file of statements, with what is known of it.
// Threads: one at a time.
#pragma once

#include "data/statistics.hpp"
#include "native/form/made_database.hpp"
#include "native/reading/linking.hpp"
#include "native/reading/parser.hpp"
#include "native/sql_writer.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace quaestor::native {

inline std::string file_text(const std::string& path) {
    std::ifstream file(path);
    EXPECT_TRUE(file) << path;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// SQLite knows dates as texts.
inline std::string for_sqlite(std::string sql) {
    for (std::size_t at = sql.find("DATE '"); at != std::string::npos; at = sql.find("DATE '", at)) sql.erase(at, 5);
    return sql;
}

class QuestionedDatabase {
public:
    explicit QuestionedDatabase(const std::string& sql) : made_(sql, for_sqlite(sql)) {
        auto catalog = std::make_shared<data::Catalog>(made_.engine(Dialect::sqlite).read_schema({}).value());
        if (sql.starts_with("-- With statistics")) {
            EXPECT_TRUE(data::add_statistics(made_.engine(Dialect::sqlite), *catalog, {}, [](const auto&) {}));
        }
        const Schema schema(*catalog);
        ValueIndex values;
        for (std::size_t at = 1; at < schema.columns().size(); ++at) {
            const SchemaColumn& column = schema.columns()[at];
            if (column.kind != ColumnKind::text) continue;
            const auto found =
                made_.run(fmt::format("SELECT DISTINCT {} FROM {}", data::quote_name(column.name),
                                      data::quote_name(schema.tables()[static_cast<std::size_t>(column.table)].name)),
                          Dialect::sqlite);
            for (std::size_t row = 0; row < found.row_count; ++row) {
                if (!found.columns[0].is_null(row)) values.add(static_cast<ColumnId>(at), found.columns[0].text(row));
            }
        }
        knowledge_ = std::make_unique<Knowledge>(std::move(catalog), std::move(values));
    }

    [[nodiscard]] const Knowledge& knowledge() const { return *knowledge_; }
    [[nodiscard]] LinkedQuestion linked(const std::string& question) const {
        return link(question, *knowledge_, "2024-06-15");
    }
    [[nodiscard]] std::string sql(const Proposal& proposal, const LinkedQuestion& question, Dialect dialect) const {
        const auto written = write_sql(proposal.form, knowledge_->schema(), dialect,
                                       {question.text, question.words, &knowledge_->values()});
        EXPECT_TRUE(written) << question.text << "\n" << written.error().describe();
        return written ? written->sql : "";
    }
    /// A line for each row: cells with " | " between them, numbers with at most two digits behind the point.
    [[nodiscard]] std::vector<std::string> rows(const std::string& sql, Dialect dialect) {
        const data::ResultSet result = made_.run(sql, dialect);
        std::vector<std::string> lines;
        for (std::size_t row = 0; row < result.row_count; ++row) {
            std::vector<std::string> cells;
            for (const data::ResultColumn& column : result.columns) cells.push_back(cell(column, row));
            lines.push_back(fmt::format("{}", fmt::join(cells, " | ")));
        }
        return lines;
    }

private:
    static std::string cell(const data::ResultColumn& column, std::size_t row) {
        if (column.is_null(row)) return "NULL";
        const auto number = data::is_numeric(column.kind()) ? column.number(row) : std::nullopt;
        if (!number) return column.text(row).substr(0, 40);
        std::string text = fmt::format("{:.2f}", *number);
        while (text.ends_with('0')) text.pop_back();
        if (text.ends_with('.')) text.pop_back();
        return text == "-0" ? "0" : text;
    }

    MadeDatabase made_;
    std::unique_ptr<Knowledge> knowledge_;
};

}  // namespace quaestor::native
