#include "demo/schema.hpp"
#include "league_kit.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quaestor::demo {

namespace {

using testing::HasSubstr;

/// "INTEGER NOT NULL REFERENCES teams (team_id)" as people read it: "INTEGER → teams".
std::string short_type(std::string_view type) {
    constexpr std::string_view kReferences = "REFERENCES ";
    const std::string first(type.substr(0, type.find(' ')));
    const auto at = type.find(kReferences);
    if (at == std::string_view::npos) return first;
    const auto target = type.substr(at + kReferences.size());
    return fmt::format("{} → {}", first, target.substr(0, target.find(' ')));
}

std::string section_on(const TableSpec& table) {
    std::string text = fmt::format("### {}\n\n{}. Key: {}.\n\n| Column | Type | Meaning |\n|---|---|---|\n", table.name,
                                   table.comment, table.primary_key);
    for (const auto& column : table.columns) {
        text += fmt::format("| {} | {} | {} |\n", column.name, short_type(column.type), column.comment);
    }
    return text;
}

TEST(DemoDocument, DescribesEveryTableAsItIs) {
    const auto document = read_text(std::string(QUAESTOR_SOURCE_DIR) + "/docs/demo.md");
    for (const auto& table : league_tables()) EXPECT_THAT(document, HasSubstr(section_on(table)));
}

}  // namespace

}  // namespace quaestor::demo
