// What the tests of reading share: a database made from statements and opened as a source, parsers that propose what a
// test says, and a choice between them whose thresholds a test sets.
// Threads: one test at a time.
#pragma once

#include "base/json.hpp"
#include "data/duckdb/handle.hpp"
#include "data/source.hpp"
#include "native/reading/form_edits.hpp"
#include "native/reading/reader.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace quaestor::native {

/// A folder that goes with the object.
class TestFolder {
public:
    TestFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "quaestor-reading-XXXXXX").string();
        EXPECT_NE(::mkdtemp(name.data()), nullptr);
        path_ = name;
    }
    ~TestFolder() { std::filesystem::remove_all(path_); }
    TestFolder(const TestFolder&) = delete;
    TestFolder& operator=(const TestFolder&) = delete;
    [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

inline void fill_sqlite(const std::string& file, const std::string& sql) {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &handle), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(handle);
    sqlite3_close(handle);
}

inline void fill_duckdb(const std::string& file, const std::string& sql) {
    const auto database = data::duck::Database::open(file, {{"threads", "1"}}).value();
    const auto made = database.connect().value().query(sql);
    ASSERT_TRUE(made) << made.error().describe();
}

/// Thresholds of a test over the parsers' own scores: exp(score) is what a reading is worth beside the others.
inline constexpr double kNeverOffers = 2;
inline ChoiceModel choice_with(double answers_from, double asks_from, double offers_from = kNeverOffers) {
    const TestFolder folder;
    std::vector<std::string> names(feature_names().begin(), feature_names().end());
    json::array weights;
    for (const std::string& name : names) weights.push_back(name == "trained score" || name == "rule score" ? 1 : 0);
    // So much evidence for each that "none of them" does not count.
    constexpr double kBias = 30;
    json::object layer{{"bias", encode(std::vector{kBias})}};
    layer["weights"].emplace_array().push_back(weights);  // a list in a list: braces would take it for the same one
    json::array layers;
    layers.push_back(layer);
    const json::array zeros(kFeatures, 0);
    const json::array ones(kFeatures, 1);
    std::ofstream(folder.file("choice.json")) << to_text(json::object{{"features", encode(names)},
                                                                      {"mean", zeros},
                                                                      {"scale", ones},
                                                                      {"layers", json::value(layers)},
                                                                      {"answers_from", answers_from},
                                                                      {"asks_from", asks_from},
                                                                      {"offers_from", offers_from}});
    auto choice = ChoiceModel::open(folder.file("choice.json"));
    EXPECT_TRUE(choice) << choice.error().describe();
    return choice ? std::move(*choice) : ChoiceModel();
}

/// Proposes the statements that a test gives, with their scores, whatever the question; values that the question says
/// become its words, as those of the trained parser are.
class ScriptedParser final : public QuestionParser {
public:
    struct Line {
        std::string sql;
        double score = 0;
        bool names_keys = true;  ///< false: which key joins two tables is left open, as a question leaves it
    };
    explicit ScriptedParser(std::vector<Line> lines) : lines_(std::move(lines)) {}
    explicit ScriptedParser(Error error) : error_(std::move(error)) {}

    [[nodiscard]] std::string_view name() const override { return "scripted"; }
    [[nodiscard]] Result<std::vector<Proposal>> propose(const LinkedQuestion& question, const Knowledge& knowledge,
                                                        const CancelToken&) const override {
        if (error_) return fail(*error_);
        std::vector<Proposal> proposals;
        for (const auto& [sql, score, names_keys] : lines_) {
            auto form = read_sql(sql, knowledge.schema());
            EXPECT_TRUE(form) << sql << ": " << form.error().describe();
            if (!form) continue;
            if (!names_keys) {
                const auto any_key = [](const ColumnRef& ref) { return ColumnRef{ref.column, 0}; };
                form = with_columns_replaced(std::move(*form), any_key);
            }
            const auto as_said = [&question](const Value& value) { return words_of(value, question); };
            proposals.push_back({.form = with_values_replaced(std::move(*form), as_said),
                                 .score = score,
                                 .parser = name(),
                                 .rule = {}});
        }
        return proposals;
    }

private:
    static Value words_of(const Value& value, const LinkedQuestion& question) {
        const auto* constant = std::get_if<Constant>(&value);
        for (std::size_t first = 0; constant != nullptr && first < question.words.size(); ++first) {
            for (std::size_t last = first; last < question.words.size(); ++last) {
                if (question.span(first, last) == constant->text) return Words{first, last};
            }
        }
        return value;
    }

    std::vector<Line> lines_;
    std::optional<Error> error_;
};

/// A database that can be asked.
class AskedDatabase {
public:
    enum class Engine { sqlite, duckdb };
    explicit AskedDatabase(const std::string& sql, Engine engine = Engine::sqlite, std::string annotations = {}) {
        const std::string file = folder_.file(engine == Engine::sqlite ? "a.sqlite" : "a.duckdb");
        if (engine == Engine::sqlite) {
            fill_sqlite(file, sql);
        } else {
            fill_duckdb(file, sql);
        }
        data::SourceSettings settings;
        if (!annotations.empty()) {
            std::ofstream(folder_.file("notes.yaml")) << annotations;
            settings.annotations = folder_.file("notes.yaml");
        }
        auto opened = run_to_end(data::open_source(file, std::move(settings)));
        EXPECT_TRUE(opened) << opened.error().describe();
        source_ = std::move(*opened);
        auto learnt = run_to_end(learn(*source_));
        EXPECT_TRUE(learnt) << learnt.error().describe();
        knowledge_ = std::move(*learnt);
    }

    [[nodiscard]] data::Source& source() { return *source_; }
    [[nodiscard]] const Knowledge& knowledge() const { return *knowledge_; }
    [[nodiscard]] std::shared_ptr<const Knowledge> shared_knowledge() const { return knowledge_; }

    /// The column of a name, "singer.country".
    [[nodiscard]] ColumnId column(std::string_view name) const {
        const Schema& schema = knowledge_->schema();
        for (std::size_t at = 1; at < schema.columns().size(); ++at) {
            const auto& table = schema.tables()[static_cast<std::size_t>(schema.columns()[at].table)];
            if (table.name + "." + schema.columns()[at].name == name) return static_cast<ColumnId>(at);
        }
        ADD_FAILURE() << "there is no column " << name;
        return 0;
    }

    /// What becomes of a question when a parser proposes these statements.
    [[nodiscard]] Result<Understanding> read(const std::string& question, std::vector<ScriptedParser::Line> lines,
                                             double answers_from = 0.6, double asks_from = 0.2, CancelToken cancel = {},
                                             double offers_from = kNeverOffers) {
        QuestionReader reader(*source_, knowledge_,
                              {.model = nullptr,
                               .choice = choice_with(answers_from, asks_from, offers_from),
                               .parsers = {std::make_shared<ScriptedParser>(std::move(lines))}});
        return run_to_end(reader.read(question, {}, std::move(cancel)));
    }

private:
    TestFolder folder_;
    std::unique_ptr<data::Source> source_;
    std::shared_ptr<const Knowledge> knowledge_;
};

inline const char* const kSingersSql =
    "CREATE TABLE singer (id INTEGER PRIMARY KEY, name TEXT, country TEXT, age INTEGER);"
    "INSERT INTO singer VALUES (1, 'Joe Sharp', 'Netherlands', 52), (2, 'Timbaland', 'United States', 32),"
    " (3, 'Justin Brown', 'France', 29), (4, 'Rose White', 'France', 41);"
    "CREATE TABLE concert (id INTEGER PRIMARY KEY, singer_id INTEGER REFERENCES singer(id), theme TEXT, held TEXT);"
    "INSERT INTO concert VALUES (1, 1, 'Free choice', '2014-05-01'), (2, 3, 'Bleeding love', '2015-06-12');";

}  // namespace quaestor::native
