#include "native/reading/linking.hpp"

#include "native/reading/named_times.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace quaestor::native {

namespace {

constexpr std::string_view kToday = "2026-11-15";

std::string trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(' ');
    if (begin == std::string_view::npos) return {};
    return std::string(text.substr(begin, text.find_last_not_of(' ') - begin + 1));
}

std::vector<std::string> split(std::string_view text, char at) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const auto end = std::min(text.find(at), text.size());
        parts.push_back(trimmed(text.substr(0, end)));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return parts;
}

/// A small database as the cases write it: `table`, `values` and `glossary` lines.
class WrittenDatabase {
public:
    void add_table(std::string_view line) {
        const auto colon = line.find(':');
        data::CatalogTable table;
        table.schema = "main";
        table.name = trimmed(line.substr(0, colon));
        for (const std::string& part : split(line.substr(colon + 1), ',')) {
            const auto words = split(part, ' ');
            data::CatalogColumn column;
            column.name = words.at(0);
            column.kind = kind_of_word(words.at(1));
            if (words.size() > 2) table.primary_key = {column.name};
            table.columns.push_back(std::move(column));
        }
        catalog_.tables.push_back(std::move(table));
    }
    void add_values(std::string_view line) {
        const auto colon = line.find(':');
        values_.emplace_back(trimmed(line.substr(0, colon)), split(line.substr(colon + 1), ','));
    }
    void add_glossary(std::string_view line) {
        const auto colon = line.find(':');
        catalog_.glossary[trimmed(line.substr(0, colon))] = trimmed(line.substr(colon + 1));
    }

    [[nodiscard]] Knowledge make() const {
        data::Catalog catalog = catalog_;
        catalog.default_schema = "main";
        const Schema schema(catalog);
        ValueIndex index;
        for (const auto& [column, values] : values_) {
            for (const std::string& value : values) index.add(find(schema, column), value);
        }
        return {std::make_shared<const data::Catalog>(std::move(catalog)), std::move(index)};
    }

private:
    static data::ValueKind kind_of_word(std::string_view word) {
        if (word == "integer") return data::ValueKind::integer;
        if (word == "number") return data::ValueKind::number;
        return word == "date" ? data::ValueKind::date : data::ValueKind::text;
    }
    static ColumnId find(const Schema& schema, std::string_view name) {
        for (std::size_t at = 1; at < schema.columns().size(); ++at) {
            const auto& column = schema.columns()[at];
            if (schema.tables()[static_cast<std::size_t>(column.table)].name + "." + column.name == name) {
                return static_cast<ColumnId>(at);
            }
        }
        ADD_FAILURE() << "no column " << name;
        return 0;
    }

    data::Catalog catalog_;
    std::vector<std::pair<std::string, std::vector<std::string>>> values_;
};

/// "France -> value singer.country France 1.00"
std::string shown(const Link& link, const LinkedQuestion& question, const Knowledge& knowledge) {
    std::string target;
    const Schema& schema = knowledge.schema();
    if (link.table >= 0) target += " " + schema.tables()[static_cast<std::size_t>(link.table)].name;
    if (link.column != 0) target += "." + schema.columns()[static_cast<std::size_t>(link.column)].name;
    if (!link.text.empty()) target += " " + link.text;
    return fmt::format("{} -> {}{} {:.2f}", question.span(link.first, link.last), encode(link.kind).as_string().c_str(),
                       target, link.score);
}

/// A file of cases: the database, then questions, each with what is to be linked, what is not, and what is left over.
class LinkingCases {
public:
    explicit LinkingCases(const std::filesystem::path& file) : name_(file.filename().string()) {
        std::ifstream in(file);
        EXPECT_TRUE(in) << file;
        for (std::string line; std::getline(in, line); ++line_) read(line);
        finish();
    }
    [[nodiscard]] int questions() const { return questions_; }

private:
    void read(const std::string& line) {
        const auto rest = [&line](std::string_view word) {
            return trimmed(std::string_view(line).substr(word.size()));
        };
        if (line.empty() || line.starts_with("#")) return;
        if (line.starts_with("table ")) return database_.add_table(rest("table "));
        if (line.starts_with("values ")) return database_.add_values(rest("values "));
        if (line.starts_with("glossary ")) return database_.add_glossary(rest("glossary "));
        if (line.starts_with("? ")) return ask(rest("? "));
        if (line.starts_with("left: ")) {
            EXPECT_THAT(question_.unlinked(), testing::ElementsAreArray(split(rest("left: "), '|'))) << place();
            is_left_checked_ = true;
        } else if (line.starts_with("no ")) {
            const std::string unwanted = rest("no ");
            for (const std::string& link : links_) EXPECT_FALSE(link.starts_with(unwanted)) << place() << "\n" << link;
        } else {
            EXPECT_THAT(links_, testing::Contains(testing::StartsWith(line))) << place();
        }
    }
    void ask(const std::string& question) {
        finish();
        if (!knowledge_) knowledge_.emplace(database_.make());
        question_ = link(question, *knowledge_, kToday);
        links_.clear();
        for (const Link& each : question_.links) links_.push_back(shown(each, question_, *knowledge_));
        is_left_checked_ = false;
        ++questions_;
    }
    /// What is not said to be left over must not be.
    void finish() {
        if (questions_ > 0 && !is_left_checked_) EXPECT_THAT(question_.unlinked(), testing::IsEmpty()) << place();
    }
    [[nodiscard]] std::string place() const { return fmt::format("{}:{}: {}", name_, line_, question_.text); }

    std::string name_;
    int line_ = 1;
    int questions_ = 0;
    WrittenDatabase database_;
    std::optional<Knowledge> knowledge_;
    LinkedQuestion question_;
    std::vector<std::string> links_;
    bool is_left_checked_ = true;
};

Knowledge small_database() {
    WrittenDatabase database;
    database.add_table("singer: id integer key, name text, country text");
    database.add_values("singer.country: France, Netherlands");
    return database.make();
}

}  // namespace

TEST(Linking, DoesWhatTheCasesSay) {
    int questions = 0;
    for (const auto& entry : std::filesystem::directory_iterator(QUAESTOR_TEST_DIR "/reading/cases")) {
        if (entry.path().extension() == ".links") questions += LinkingCases(entry.path()).questions();
    }
    EXPECT_GT(questions, 30);
}

TEST(Linking, PutsLinksInOrderOfWordLengthAndScore) {
    const auto linked = link("the name of each singer from the Netherlands", small_database(), kToday);
    ASSERT_FALSE(linked.links.empty());
    EXPECT_TRUE(std::ranges::is_sorted(linked.links, [](const Link& left, const Link& right) {
        return std::tuple(left.first, right.last, right.score) < std::tuple(right.first, left.last, left.score);
    }));
}

TEST(Linking, SurvivesAnyText) {
    const Knowledge knowledge = small_database();
    for (const std::string& text :
         {std::string(), std::string(" "), std::string("?!"), std::string("\xff\xfe\x80"), std::string(3, '\0'),
          std::string("999999999999999999999999 99/99 2022-99999999999999"), std::string("last 99999999999 years"),
          std::string("between and from to"), std::string("May the 31st of February 2023 be")}) {
        const auto linked = link(text, knowledge, kToday);
        for (const Link& each : linked.links) {
            EXPECT_LE(each.first, each.last) << text;
            EXPECT_LT(each.last, linked.words.size()) << text;
        }
    }
}

TEST(Linking, CutsAVeryLongQuestionAtAWord) {
    std::string text;
    while (text.size() < 3 * kQuestionBytesMax) text += "singer ";
    const auto linked = link(text, small_database(), kToday);
    EXPECT_LE(linked.text.size(), kQuestionBytesMax);
    EXPECT_EQ(linked.words.size(), kWordsMax);
    EXPECT_EQ(linked.word(kWordsMax - 1), "singer");
}

TEST(Linking, KnowsNoRelativeTimeWithoutADay) {
    const auto linked = link("singers of last year", small_database(), "not a day");
    EXPECT_TRUE(std::ranges::none_of(linked.links, [](const Link& l) { return l.kind == LinkKind::date; }));
}

namespace {

struct RelativeTime {
    const char* asked;
    const char* named;  ///< empty: left as it is
};

class NamesTimes : public testing::TestWithParam<RelativeTime> {};

TEST_P(NamesTimes, ThatAreRelativeToToday) {
    const auto named = with_named_times(link(GetParam().asked, small_database(), kToday));
    EXPECT_EQ(named ? named->question : "", GetParam().named);
}

INSTANTIATE_TEST_SUITE_P(
    Linking, NamesTimes,
    testing::Values(RelativeTime{"singers who joined last year", "singers who joined in 2025"},
                    RelativeTime{"How many singers in the last year?", "How many singers in 2025?"},
                    RelativeTime{"last year's singers by country", "2025 singers by country"},
                    RelativeTime{"singers since last month", "singers since October 2026"},
                    RelativeTime{"singers this quarter", "singers in Q4 2026"},
                    RelativeTime{"who sang yesterday", "who sang on November 14, 2026"},
                    RelativeTime{"singers in the past 3 days",
                                 "singers between November 13, 2026 and November 15, 2026"},
                    RelativeTime{"singers two years ago", "singers in 2024"},
                    RelativeTime{"more singers than last year", ""}, RelativeTime{"singers of last season", ""},
                    RelativeTime{"singers 5000 years ago", ""}, RelativeTime{"singers in the last 9000 decades", ""},
                    RelativeTime{"singers 2026 years ago", ""}, RelativeTime{"singers in 2024", ""},
                    RelativeTime{"the last singer", ""}));

}  // namespace

TEST(Linking, SaysWhichTimeARelativeOneIsTakenFor) {
    const auto named = with_named_times(link("singers last year or this month", small_database(), kToday));
    ASSERT_TRUE(named);
    EXPECT_EQ(named->question, "singers in 2025 or in November 2026");
    EXPECT_EQ(named->assumptions, (std::vector<std::string>{"\"last year\" is taken to mean 2025",
                                                            "\"this month\" is taken to mean November 2026"}));
}

}  // namespace quaestor::native
