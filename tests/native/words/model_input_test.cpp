#include "native/model_input.hpp"

#include "native/words/golden.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <span>
#include <tuple>

namespace quaestor::native {
namespace {

using testing::Contains;
using testing::SizeIs;

Schema schema_of(const json::value& row) {
    std::vector<SchemaTable> tables;
    for (const auto& name : field<std::vector<std::string>>(row, "tables"))
        tables.push_back({.name = name, .words = name_words(name)});
    std::vector<SchemaColumn> columns;
    for (const auto& [table, name, kind, is_primary] :
         field<std::vector<std::tuple<int, std::string, int, int>>>(row, "columns"))
        columns.push_back({.table = table,
                           .name = name,
                           .words = table < 0 ? name : name_words(name),
                           .kind = static_cast<ColumnKind>(kind),
                           .is_primary = is_primary != 0});
    std::vector<ForeignKey> keys;
    for (const auto& [from, to] : field<std::vector<std::pair<int, int>>>(row, "keys")) keys.push_back({from, to});
    return {std::move(tables), std::move(columns), std::move(keys)};
}

std::vector<ValueHit> hits_of(const json::value& row) {
    std::vector<ValueHit> hits;
    for (const auto& [first, last, column, value, is_sure] :
         field<std::vector<std::tuple<std::size_t, std::size_t, int, std::string, int>>>(row, "hits"))
        hits.push_back({.first = first, .last = last, .column = column, .value = value, .is_sure = is_sure != 0});
    return hits;
}

ModelInput input_of(const std::string& question, const Schema& schema, const std::vector<ValueHit>& hits) {
    return model_input(question, split_words(question), schema, hits, minilm_pieces());
}

/// "0*12 3" for twelve zeros and a three.
std::string runs(const std::vector<int>& numbers) {
    std::string out;
    for (std::size_t at = 0; at < numbers.size();) {
        std::size_t end = at;
        while (end < numbers.size() && numbers[end] == numbers[at]) ++end;
        out += fmt::format("{}{}", out.empty() ? "" : " ", numbers[at]);
        if (end - at > 1) out += fmt::format("*{}", end - at);
        at = end;
    }
    return out;
}

/// FNV-1a.
std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
    std::uint64_t sum = 0xcbf29ce484222325;
    for (const std::uint8_t byte : bytes) sum = (sum ^ byte) * 0x100000001b3;
    return sum;
}

/// One for each row, so that a failure shows which item it is about.
std::string row_checksums(const ModelInput& input) {
    std::string out;
    const std::size_t size = input.item_count();
    for (std::size_t row = 0; row < size; ++row)
        out += fmt::format("{:04x}", checksum(std::span(input.relations).subspan(row * size, size)) & 0xffff);
    return out;
}

TEST(ModelInputTest, IsWhatTheModelWasTrainedWith) {
    std::map<std::string, Schema> schemas;
    for (const auto& row : golden_rows("schemas.jsonl"))
        schemas.emplace(field<std::string>(row, "name"), schema_of(row));
    for (const auto& row : golden_rows("model_inputs.jsonl")) {
        const auto question = field<std::string>(row, "question");
        const auto name = field<std::string>(row, "schema");
        SCOPED_TRACE(fmt::format("{}: {}", name, question));
        const auto input = input_of(question, schemas.at(name), hits_of(row));
        EXPECT_EQ(input.words, field<std::size_t>(row, "words"));
        EXPECT_EQ(runs(input.columns), field<std::string>(row, "columns"));
        EXPECT_EQ(input.tables, field<std::vector<int>>(row, "tables"));
        EXPECT_EQ(runs(input.kinds), field<std::string>(row, "kinds"));
        EXPECT_EQ(input.ids, field<std::vector<int>>(row, "ids"));
        EXPECT_EQ(runs(input.items), field<std::string>(row, "items"));
        EXPECT_EQ(runs(input.segments), field<std::string>(row, "segments"));
        EXPECT_EQ(runs(input.features), field<std::string>(row, "features"));
        ASSERT_THAT(input.relations, SizeIs(input.item_count() * input.item_count()));
        EXPECT_EQ(row_checksums(input), field<std::string>(row, "rows"));
        EXPECT_EQ(fmt::format("{:016x}", checksum(input.relations)), field<std::string>(row, "relations"));
    }
}

/// `count` tables of one column each; one of them is named.
Schema many_tables(std::size_t count, std::size_t named, const std::string& name) {
    std::vector<SchemaTable> tables;
    std::vector<SchemaColumn> columns{{.name = "*", .words = "*"}};
    for (std::size_t at = 0; at < count; ++at) {
        tables.push_back({.name = "t", .words = at == named ? name : "t"});
        columns.push_back({.table = static_cast<TableId>(at), .name = "c", .words = "c"});
    }
    return {std::move(tables), std::move(columns), {}};
}

TEST(ModelInputTest, ShowsTheTablesThatAreNamedWhenThereIsNoRoomForAll) {
    const auto schema = many_tables(3000, 2500, "sea harbour");
    const auto input =
        input_of("the largest harbours", schema, {{.first = 1, .last = 1, .column = 2001, .value = "x"}});
    EXPECT_THAT(input.tables, SizeIs(40));
    EXPECT_THAT(input.tables, Contains(2500)) << "its name is said";
    EXPECT_THAT(input.tables, Contains(2000)) << "a column of it has a value that is said";
    EXPECT_THAT(input.columns, Contains(2001));
    EXPECT_TRUE(std::ranges::is_sorted(input.tables));
}

TEST(ModelInputTest, LeavesOutHitsThatAreOfNoWordOrColumn) {
    const auto schema = many_tables(2, 0, "ship");
    const std::vector<ValueHit> wrong = {{.first = 0, .last = 9, .column = 1, .value = "x", .is_sure = true},
                                         {.first = 0, .last = 0, .column = 77, .value = "x", .is_sure = true},
                                         {.first = 0, .last = 0, .column = -1, .value = "x", .is_sure = true}};
    const auto input = input_of("ship", schema, wrong);
    EXPECT_EQ(input.ids, input_of("ship", schema, {}).ids);
    EXPECT_EQ(input.relations, input_of("ship", schema, {}).relations);
}

TEST(ModelInputTest, LooksAtNoMoreWordsThanItsBound) {
    std::string question;
    for (int at = 0; at < 1000; ++at) question += "word ";
    const auto input = input_of(question, many_tables(1, 0, "word"), {});
    EXPECT_EQ(input.words, kWordsMax);
    EXPECT_EQ(input.item_count(), kWordsMax + 3);
}

}  // namespace
}  // namespace quaestor::native
