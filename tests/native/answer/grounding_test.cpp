// Every case of cases/grounding.cases: an answer over a result, and what each of its claims follows from. And sizes,
// places and time, which a table cannot show.
#include "native/answer/league.hpp"

#include <boost/describe/enum_to_string.hpp>
#include <gmock/gmock.h>

#include <sstream>

namespace quaestor::native {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct GroundingCase {
    std::string name;
    std::string question;
    std::vector<data::ResultSet> results;
    std::vector<std::string> passages;
    std::string answer;
    std::vector<std::string> claims;
};

void PrintTo(const GroundingCase& one, std::ostream* out) {
    *out << one.name;
}

/// A result begins with a line whose fields have kinds ("name:text").
void add_result_line(const std::string& line, std::vector<data::ResultSet>& results) {
    const auto fields = fields_of(line);
    const bool is_head = !fields.empty() && fields.front().find(':') != std::string::npos;
    if (is_head) {
        add_columns(line, results.emplace_back());
    } else {
        add_row(line, results.back());
    }
}

std::vector<GroundingCase> read_grounding_cases() {
    std::ifstream file(QUAESTOR_TEST_DIR "/answer/cases/grounding.cases");
    if (!file) throw std::runtime_error("no file grounding.cases");
    std::vector<GroundingCase> cases;
    for (std::string line; std::getline(file, line);) {
        const auto rest = [&line](std::size_t bytes) { return trimmed_field(std::string_view(line).substr(bytes)); };
        if (line.starts_with("--- ")) {
            cases.push_back({.name = line.substr(4)});
        } else if (cases.empty() || line.empty()) {
            continue;
        } else if (line.starts_with("Q:")) {
            cases.back().question = rest(2);
        } else if (line.starts_with("P:")) {
            cases.back().passages.push_back(rest(2));
        } else if (line.starts_with("A:")) {
            cases.back().answer += (cases.back().answer.empty() ? "" : "\n") + rest(2);
        } else if (line.starts_with("=> ")) {
            cases.back().claims.push_back(line.substr(3));
        } else if (line.starts_with("|")) {
            add_result_line(line, cases.back().results);
        } else {
            throw std::runtime_error("grounding.cases: what is this? " + line);
        }
    }
    return cases;
}

std::string case_name(const testing::TestParamInfo<GroundingCase>& info) {
    std::string name;
    for (const char c : info.param.name) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
    }
    return name;
}

class GroundingTable : public testing::TestWithParam<GroundingCase> {};

TEST_P(GroundingTable, TracesEachClaim) {
    const GroundingCase& one = GetParam();
    Evidence evidence{.question = one.question};
    for (const data::ResultSet& result : one.results) evidence.results.push_back(&result);
    for (const std::string& passage : one.passages) evidence.passages.emplace_back(passage);
    std::vector<std::string> claims;
    for (const Claim& claim : check_grounding(one.answer, evidence).claims) {
        EXPECT_EQ(one.answer.substr(claim.begin, claim.end - claim.begin), claim.text);
        std::string text = fmt::format("{}: {}", claim.text, boost::describe::enum_to_string(claim.origin, "?"));
        for (const CellPlace& cell : claim.cells) text += fmt::format(" {}/{}/{}", cell.result, cell.row, cell.column);
        if (claim.passage) text += fmt::format(" {}", *claim.passage);
        claims.push_back(text);
    }
    EXPECT_EQ(claims, one.claims);
}

INSTANTIATE_TEST_SUITE_P(Cases, GroundingTable, testing::ValuesIn(read_grounding_cases()), case_name);

TEST(Grounding, HasNothingToTraceInAnEmptyAnswer) {
    EXPECT_THAT(check_grounding("", {}).claims, IsEmpty());
    EXPECT_THAT(check_grounding("nothing was found", {}).claims, IsEmpty());
}

TEST(Grounding, StopsAtItsBound) {
    std::string answer;
    for (int number = 0; number < 2'000; ++number) answer += fmt::format("There were {} things. ", number + 10);
    EXPECT_EQ(check_grounding(answer, {}).claims.size(), kClaimsMax);
}

TEST(Grounding, TakesBytesThatAreNoText) {
    const std::string bytes = "\xff\xfe 12 \xe2\x80 \"\xf0\x9f";
    EXPECT_THAT(check_grounding(bytes, {.question = bytes}).untraced(), IsEmpty());
}

TEST(Grounding, KeepsTheClaimsOfAnAnswerThatIsWrongApart) {
    data::ResultSet result;
    add_columns("| team:text | points:integer |", result);
    add_row("| Lakers | 112 |", result);
    add_row("| Celtics | 110 |", result);
    const Grounding grounding =
        check_grounding("Lakers scored 113, Celtics 110.", {.results = {&result}, .passages = {}});
    EXPECT_EQ(grounding.traced(), 3U);
    EXPECT_THAT(grounding.untraced(), ElementsAre("113"));
}

}  // namespace

}  // namespace quaestor::native
